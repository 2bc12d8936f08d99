"""How reliably the simulated body grasps, places, stacks and puts things in relations, judged by the simulator."""
