"""From a checked goal to a plan, or to the reason why there is none."""
