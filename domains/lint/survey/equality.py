"""When two parameters may stand for one thing."""

from __future__ import annotations

from collections.abc import Sequence

from domains.capability import Capability
from domains.lint.survey.preconditions import contradiction, different, renamed, required
from domains.lint.survey.survey import DomainSurvey

__all__ = ["may_be_equal"]

Pairs = tuple[tuple[str, str], ...]


def may_be_equal(
    survey: DomainSurvey, capability: Capability, left_args: Sequence[str], right_args: Sequence[str]
) -> Pairs:
    """Return the arguments to set equal for two atoms to be one; none when that cannot be, or need not be.

    They cannot be when they must differ, when no class affords what both ask, or when the precondition then
    contradicts itself.
    """
    merged: dict[str, str] = {}
    for left, right in zip(left_args, right_args, strict=False):
        first, second = merged.get(left, left), merged.get(right, right)
        if first == second:
            continue
        if not first.startswith("?"):
            first, second = second, first
        if not first.startswith("?") or not _may(survey, capability, first, second):
            return ()
        merged = {name: (second if to == first else to) for name, to in merged.items()} | {first: second}
    if len(left_args) != len(right_args) or contradiction(capability, merged) is not None:
        return ()
    if survey.exclusions.forbid([renamed(literal, merged) for literal in required(capability)]):
        return ()
    return tuple(merged.items())


def _may(survey: DomainSurvey, capability: Capability, first: str, second: str) -> bool:
    if frozenset((first, second)) in different(capability):
        return False
    affordances = {f"?{parameter.name}": parameter.affordances for parameter in capability.parameters}
    if first not in affordances:
        return False
    if second in affordances:
        return survey.somebody_affords((*affordances[first], *affordances[second]))
    thing = survey.things.get(second)
    return thing is not None and set(affordances[first]) - {"object"} <= thing.affordances
