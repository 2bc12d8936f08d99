"""Repair rules: invalid steps, and first steps that contradict the condition of their rule."""

from __future__ import annotations

from domains.capability import Capability
from domains.invariants.mentions import certain, required
from domains.lint.survey.survey import DomainSurvey
from domains.model import RepairRule, RepairStep
from semantics.logic.atoms import conjoined
from semantics.logic.feedback import Code


def check_repairs(survey: DomainSurvey) -> None:
    """Report repairs with unknown names, and those whose first step contradicts their condition."""
    for repair in survey.domain.repairs:
        _check_names(survey, repair)
        _check_steps(survey, repair)


def _check_names(survey: DomainSurvey, repair: RepairRule) -> None:
    path = ("repairs", repair.name)
    codes = [code.value for code in Code]
    if repair.code not in codes:
        survey.unknown(survey.places.of(*path, "code"), "code", repair.code, codes)
    if repair.capability and repair.capability not in survey.domain.capabilities:
        mark = survey.places.of(*path, "capability")
        survey.unknown(mark, "capability", repair.capability, survey.domain.capabilities)


def _check_steps(survey: DomainSurvey, repair: RepairRule) -> None:
    parts = {"before": repair.before, "instead": repair.instead, "after": repair.after}
    for part, steps in parts.items():
        for step in steps:
            mark = survey.places.literal(("repairs", repair.name, part), (step.capability, *step.args))
            capability = survey.domain.capabilities.get(step.capability)
            if capability is None:
                survey.unknown(mark, "capability", step.capability, survey.domain.capabilities)
            elif len(step.args) != len(capability.parameters):
                form = " ".join((step.capability, *(f"?{parameter.name}" for parameter in capability.parameters)))
                message = f"a step of repair '{repair.name}' has {len(step.args)} arguments; expected ({form})"
                survey.diagnostics.add(mark, message, "wrong-arity", step.capability)
            elif step is (*repair.before, *repair.instead, *repair.after)[0]:
                _check_first(survey, repair, part, step, capability)


def _check_first(survey: DomainSurvey, repair: RepairRule, part: str, step: RepairStep, capability: Capability) -> None:
    names = {f"?{parameter.name}": arg for parameter, arg in zip(capability.parameters, step.args, strict=True)}
    held = set(certain(conjoined(repair.when))) if repair.when is not None else set()
    lacking = [literal for literal in required(capability) if literal.replaced(names).negated() in held]
    same = [pair for pair in capability.distinct if names[f"?{pair[0]}"] == names[f"?{pair[1]}"]]
    if not lacking and not same:
        return
    why = f"it asks for {lacking[0].replaced(names)}" if lacking else f"?{same[0][0]} and ?{same[0][1]} must differ"
    message = f"the first step of repair '{repair.name}' cannot be taken where the rule applies: {why}"
    mark = survey.places.literal(("repairs", repair.name, part), (step.capability, *step.args))
    survey.warn(mark, "impossible-repair", message, step.capability)
