"""Planning in ADL domains: disjunctions, quantifiers, conditional effects, derived predicates, costs by arguments.

`reachability` grounds the problem. `alternatives` and `compilation` write it as plainly as possible without changing
the cost of any plan. `idle`, `dominated` and `possible` remove what provably no plan needs. For a first search,
`abstraction` merges similar objects; the cost of the plan found is a lower bound, and `planning.casting` turns that
plan into one for the real objects. `task` writes the rest as a ground task for the search. The axioms and conditional
effects that remain in it decide which search can prove a plan cheapest, see `planning.adl.admission`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
