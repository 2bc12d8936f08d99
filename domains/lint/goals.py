"""Goals of phrases: whether any capability can reach them, and duplicate patterns.

Reachability is computed on predicates alone (a relaxation): a capability counts when it has possible arguments and each
predicate of its precondition may hold. This finds goals that no scene can reach, not those that one scene cannot reach.
"""

from __future__ import annotations

from domains.capability import effects_of
from domains.diagnostics import Mark
from domains.lint.survey.survey import DomainSurvey
from domains.model import Domain
from semantics.errors import FormulaError
from semantics.logic.atoms import Literal, literals
from semantics.logic.parsing import parse_formula
from semantics.plain_text import together


def phrase_literals(text: str) -> tuple[Literal, ...]:
    """Return the literals of a phrase's goal, with its slots as variables."""
    try:
        return tuple(literals(parse_formula(text.replace("{", "?").replace("}", " "), variables=True)))
    except FormulaError:
        return ()


def check_goals(survey: DomainSurvey) -> None:
    """Report phrases whose goal is unreachable, and duplicate patterns."""
    at_best = _reachable_predicates(survey, frozenset(survey.domain.predicates))
    made, unmade = at_best if survey.open_world else _reachable_predicates(survey, survey.observed)
    seen: dict[str, int] = {}
    unstarted: dict[str, Mark] = {}
    for number, phrase in enumerate(survey.domain.phrases):
        path = ("phrases", str(number), "goal")
        for literal in phrase_literals(phrase.goal):
            name = literal.atom.predicate
            if name not in survey.domain.predicates or name in (made if literal.positive else unmade):
                continue
            mark = survey.places.literal(path, [name])
            if name not in at_best[not literal.positive]:
                survey.warn(mark, "unreachable-goal", _unreached(literal), name)
            else:
                unstarted.setdefault(name, mark)
        if phrase.pattern in seen:
            message = f"this pattern stands before, as number {seen[phrase.pattern]}; expected another"
            survey.warn(
                survey.places.of("phrases", str(number), "pattern"), "duplicate-phrase", message, phrase.pattern
            )
        seen.setdefault(phrase.pattern, number + 1)
    if unstarted:  # one cause: the scenes
        names = together(f"'{name}'" for name in unstarted)
        message = f"no scene has what the goals about {names} begin with, so that they are never reached"
        survey.warn(next(iter(unstarted.values())), "unreachable-goal", message, next(iter(unstarted)))


def _unreached(literal: Literal) -> str:
    name = literal.atom.predicate
    if literal.positive:
        return f"no capability makes '{name}' true, so this goal is never reached"
    return f"no capability makes '{name}' false, so this goal is only reached where it is false at the start"


def _reachable_predicates(survey: DomainSurvey, always: frozenset[str]) -> tuple[set[str], set[str]]:
    """Return what something can make true, and what something can make false, where `always` may hold initially."""
    # Relaxed reachability: apply every capability whose predicates may hold until none is added; nothing is deleted.
    made: set[str] = set()
    unmade: set[str] = set()
    remaining = list(survey.domain.capabilities.values())
    while True:
        may_hold = made | always
        ready = [
            capability
            for capability in remaining
            if all(survey.somebody_affords(parameter.affordances) for parameter in capability.parameters)
            and all(not literal.positive or literal.predicate in may_hold for literal in capability.precondition)
        ]
        if not ready:
            following = _changed_derived(survey.domain, made | unmade)
            return made | following, unmade | following
        for capability in ready:
            remaining.remove(capability)
            made |= {literal.atom.predicate for literal in effects_of(capability) if literal.positive}
            unmade |= {literal.atom.predicate for literal in effects_of(capability) if not literal.positive}


def _changed_derived(domain: Domain, changed: set[str]) -> set[str]:
    """Return the derived predicates that change when `changed` do."""
    following: set[str] = set()
    while True:
        new = {
            name
            for name, derived in domain.derived.items()
            if name not in following
            and any(literal.atom.predicate in changed | following for literal in derived.literals)
        }
        if not new:
            return following
        following |= new
