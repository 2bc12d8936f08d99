"""Which requirements a text has to declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from domains.pddl.writer.profiles import PddlProfile
from domains.pddl.writer.texts import ActionText
from semantics.atoms import And, Atom, Compare, Equal, Exists, ForAll, Formula, Not, Or, Variable

__all__ = ["requirements_of"]

ORDER = (
    ":strips",
    ":typing",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":equality",
    ":existential-preconditions",
    ":universal-preconditions",
    ":conditional-effects",
    ":derived-predicates",
    ":numeric-fluents",
    ":action-costs",
    ":durative-actions",
)
Derived = Sequence[tuple[tuple[Variable, ...], Atom, Formula]]


def requirements_of(
    actions: Iterable[ActionText],
    goal: Formula,
    derived: Derived,
    profile: PddlProfile,
    *,
    counted: bool,
    numbers: bool,
) -> list[str]:
    """Return the requirements of a domain and its goal, in the usual order."""
    requirements = {":strips", ":typing", *_asked_by(goal)}
    for action in actions:
        schema = action.schema
        for condition in schema.conditions:
            requirements.update(_asked_by(condition))
        for effect in schema.conditional:
            requirements.add(":conditional-effects")
            requirements.update(_asked_by(effect.condition or And(())))
    for _, _, body in derived:
        requirements |= {":derived-predicates", *_asked_by(body)}
    if profile.numbers and numbers:
        requirements.add(":numeric-fluents")
    if counted:
        requirements.add(":action-costs")
    if profile.durations:
        requirements.add(":durative-actions")
    return [requirement for requirement in ORDER if requirement in requirements]


def _asked_by(formula: Formula) -> Iterator[str]:  # noqa: C901 - one case per node of the language
    match formula:
        case Not(part):
            yield ":negative-preconditions" if isinstance(part, Atom | Equal) else ":disjunctive-preconditions"
            yield from _asked_by(part)
        case And(parts):
            for part in parts:
                yield from _asked_by(part)
        case Or(parts):
            yield ":disjunctive-preconditions"
            for part in parts:
                yield from _asked_by(part)
        case ForAll(_, part):
            yield ":universal-preconditions"
            yield from _asked_by(part)
        case Exists(_, part):
            yield ":existential-preconditions"
            yield from _asked_by(part)
        case Equal():
            yield ":equality"
        case Compare():
            yield ":numeric-fluents"
