"""The YAML file beside a PDDL domain (a sidecar): everything that PDDL cannot express.

A file with the key ``pddl`` names the domain and adds sentences, agents, bodies, phrases, rules and repairs to it.
"""

from domains.reader.beside.sidecar import load_pddl_world, read_sidecar

__all__ = ["load_pddl_world", "read_sidecar"]
