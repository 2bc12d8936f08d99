"""Exclusions derived from a world: what Fast Downward's invariant synthesis proves of it (Helmert, AIJ 2009).

The worker process is asked, with the domain as it is written for planners: some 20 ms for a kitchen, once for a world
and the classes that are present. `planning.reasons.invariants` finds invariants too; it stays because it is asked per
thing (what cannot happen to *this* thing does not count), also of denied facts, and in this process, where a reason is
due within milliseconds and the planner may be any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from domains.model import Domain
from domains.pddl import write_problem
from domains.problem import Problem
from planning.planners.fast_downward import FastDownward
from semantics.errors import OutsideError, UsageError
from semantics.exclusions import Exclusion, MutexPart
from semantics.protocols import Planner
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = ["exclusions", "found", "remembered"]

SECONDS = 2.0
"""How long the worker looks at most; what was found by then counts."""

Ask = Callable[[Mapping[str, Thing]], tuple[Exclusion, ...] | None]


def exclusions(domain: Domain, things: Mapping[str, Thing], planner: Planner) -> tuple[Exclusion, ...]:
    """Return what excludes each other in `domain` with `things`; nothing when `planner` cannot tell.

    Nobody needs them: what goes wrong here is the end of it, and the planner finds the same with more effort.
    """
    return remembered(domain, things, planner.name, lambda sample: found(domain, sample, planner))


def remembered(domain: Domain, things: Mapping[str, Thing], name: str, ask: Ask) -> tuple[Exclusion, ...]:
    """Return what the planner called `name` has found, or what `ask` finds, given a thing of each class."""
    present = {thing.class_name: thing for thing in things.values()}
    answers: list[tuple[Exclusion, ...]] = domain.remember(("exclusions", frozenset(present), name), list)
    if not answers:
        answer = ask({thing.name: thing for thing in present.values()})
        if answer is None:
            return ()
        answers.append(answer)
    return answers[0]


def found(domain: Domain, things: Mapping[str, Thing], planner: Planner) -> tuple[Exclusion, ...] | None:
    """Return what `planner` finds, nothing if it cannot tell, None if that went wrong."""
    if not isinstance(planner, FastDownward):
        return ()
    try:
        return _asked(domain, things, planner)
    except (UsageError, OutsideError):
        return None


def _asked(domain: Domain, things: Mapping[str, Thing], planner: FastDownward) -> tuple[Exclusion, ...]:
    unplanned = {name: replace(fluent, planned=False) for name, fluent in domain.fluents.items()}
    plain = replace(domain, fluents=unplanned)  # the translator reads no numbers, and without them more can be done
    written = write_problem(Problem(plain, things, State()), drop_costs=True)
    invariants = planner.invariants(written.domain, written.problem, seconds=SECONDS)
    return tuple(read for invariant in invariants if (read := _read(invariant, written.names)))


def _read(parts: list[tuple[str, list[int]]], names: Mapping[str, str]) -> Exclusion | None:
    if any(name not in names for name, _ in parts):
        return None
    return Exclusion(tuple(MutexPart(names[name], tuple(places)) for name, places in sorted(parts)))
