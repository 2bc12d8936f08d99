"""Bodies: motion primitives, the simulated robot, and the fake one."""
