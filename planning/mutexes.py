"""Mutexes of a world: the invariants that Fast Downward's invariant synthesis proves (Helmert, AIJ 2009).

The worker process receives the domain as it is written for planners and answers in about 20 ms for a kitchen, once for
each world and set of classes. `planning.reasons.invariants` also finds invariants. It is still needed: it answers for a
single object (what cannot happen to *this* object does not count), also for negated facts, and in this process, where a
reason is due within milliseconds and the planner may be any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from domains.model import Domain
from domains.problem import Problem
from domains.relations import for_goal
from semantics.body.protocols import Planner
from semantics.errors import OutsideError, UsageError
from semantics.logic.exclusions import Exclusion, MutexPart
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

SECONDS = 2.0  # the time limit of the worker, seconds; it returns what it has found by then

Ask = Callable[[Mapping[str, Thing]], tuple[Exclusion, ...] | None]


def exclusions(domain: Domain, things: Mapping[str, Thing], planner: Planner) -> tuple[Exclusion, ...]:
    """Return the mutexes of `domain` with `things`; empty when `planner` cannot find them.

    They are optional: errors are ignored, and without them the planner only needs more time.
    """
    return remembered(domain, things, planner.name, lambda sample: found(domain, sample, planner))


def remembered(domain: Domain, things: Mapping[str, Thing], name: str, ask: Ask) -> tuple[Exclusion, ...]:
    """Return the cached mutexes of the planner `name`, or what `ask` finds for one object of each class."""
    present = {thing.class_name: thing for thing in things.values()}
    answers: list[tuple[Exclusion, ...]] = domain.remember(("exclusions", frozenset(present), name), list)
    if not answers:
        answer = ask({thing.name: thing for thing in present.values()})
        if answer is None:
            return ()
        answers.append(answer)
    return answers[0]


def found(domain: Domain, things: Mapping[str, Thing], planner: Planner) -> tuple[Exclusion, ...] | None:
    """Return the mutexes that `planner` finds, empty if it cannot find any, and None after an error."""
    from domains.pddl import write_problem  # who only remembers what was found writes no problem
    from planning.planners.fast_downward import FastDownward

    if not isinstance(planner, FastDownward):
        return ()
    try:
        # The translator reads no numbers; without them, more is applicable.
        unplanned = {name: replace(fluent, planned=False) for name, fluent in domain.fluents.items()}
        plain = replace(for_goal(domain, things, ())[0], fluents=unplanned)
        written = write_problem(Problem(plain, things, State()), drop_costs=True)
        invariants = planner.invariants(written.domain, written.problem, seconds=SECONDS)
    except (UsageError, OutsideError):
        return None
    return tuple(read for invariant in invariants if (read := _read(invariant, written.names)))


def _read(parts: list[tuple[str, list[int]]], names: Mapping[str, str]) -> Exclusion | None:
    if any(name not in names for name, _ in parts):
        return None
    return Exclusion(tuple(MutexPart(names[name], tuple(places)) for name, places in sorted(parts)))
