"""What holds in every reachable state of a world: mutexes, and what conditions and effects mention."""
