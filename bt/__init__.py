"""How acting is decided: plans compiled to behaviour trees, repaired, ticked, recorded and shown."""
