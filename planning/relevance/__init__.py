"""Relevance: leave out what a cheapest plan does not need, and only that, with a proof.

A kitchen holds thirty things that can be carried; a goal is about one to six of them. What remains decides whether
A* takes 20 ms or 40 s. Call *K* the things that are kept: furniture and agents, the things of the goal, and whatever
shares a fact with a kept thing that can be carried, or with an agent (what it stands on or in, what stands on it, what
is in a hand). Call *M* the rest. To be proved: the problem over *K* alone costs as much as the whole.

All of *M* is stood for by a few *proxies*, things with all affordances and all facts of *M*, so that every action of
the whole problem has an image among the operators over *K* and the proxies. Take a cheapest plan of the whole problem
and

1. drop the actions that change nothing of *K* but *resources* (see `planning.relevance.resources`): a hand that is
   free, a top that is free. Whoever asks for one after that finds it whenever it was there before;
2. replace the others (putting a kept thing into a bowl of *M*) by their images, which ask less: facts of proxies that
   a dropped action may have made are taken for granted, and none is ever lost.

The result is a plan of the *bound problem* (kept actions and images), and costs no more. So a cheapest plan of the
bound problem costs no more than one of the whole. Without images the bound problem is the problem over *K*, and nothing
remains to be shown. With images, the planner has to confirm that they save nothing; when they do, the things behind
them are kept too. Merging objects to get an abstraction is the idea of Hoffmann, Sabharwal and Domshlak (ICAPS 2006).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from domains.model import Domain
from planning.relevance.merging import Merged
from semantics.atoms import Conjunct
from semantics.state import Operator, State
from semantics.vocabulary import Thing

__all__ = ["Reduction", "relevant"]

CARRY = "carry"
"""Affordance of what may be left out; furniture and agents never are."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """The things to plan with.

    Attributes:
        things: What is kept.
        bound: Operators of the bound problem; empty when `things` is proved to be enough.
        behind: Things to keep as well when the bound problem is cheaper than the problem over `things`.
        start: Where the bound problem starts.
    """

    things: Mapping[str, Thing]
    bound: tuple[Operator, ...] = ()
    behind: frozenset[str] = frozenset()
    start: State = field(default_factory=State)


def relevant(
    conjunct: Conjunct,
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    also: Collection[str] = (),
) -> Reduction:
    """Return the things that a cheapest plan for `conjunct` may need, and what remains to be shown of that.

    Some 50 ms with 35 things. The things in `also` are kept in any case.
    """
    kept = _kept(conjunct, state, things, domain, also)
    merged = Merged(conjunct, state, things, kept, domain)
    images = merged.images()
    if images is None:
        return Reduction(things)
    if not images:
        return Reduction(kept)
    return Reduction(kept, (*merged.own, *images), merged.behind(images), merged.start)


def _kept(
    conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain, also: Collection[str]
) -> dict[str, Thing]:
    """Return *K*: what cannot be carried, what the goal, the domain or `also` names, and what is tied to these."""
    agents = {name for name, thing in things.items() if thing.class_name in domain.agents}
    carried = {name for name, thing in things.items() if CARRY in thing.affordances}
    capabilities = domain.capabilities.values()
    named = {arg for one in capabilities for part in (*one.precondition, *one.effect) for arg in part.args}
    loose = carried - agents - named - set(also) - {arg for literal in conjunct for arg in literal.atom.args}
    ties = [tie for atom in state.atoms if len(tie := (carried | agents).intersection(atom.args)) > 1]
    while tied := {name for tie in ties if not tie <= loose for name in tie & loose}:
        loose -= tied
    return {name: thing for name, thing in things.items() if name not in loose}
