"""Planning on generated kitchens: ours, stock unified-planning and others, on the same problems in one run."""
