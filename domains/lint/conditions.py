"""Rules: semantic ones and packs of them with conditions that no goal can satisfy, repairs with invalid steps.

The body of a semantic rule is Prolog, but this module only scans its words: the calls of ``holds``, ``fails``,
``thing`` and ``affords`` whose arguments are names, and comparisons with the same result for every goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from domains.capability import Capability
from domains.diagnostics import Diagnostics, Mark
from domains.invariants.mentions import certain, required
from domains.lint.survey.survey import DomainSurvey
from domains.model import Domain, GoalRule, RepairRule, RepairStep
from domains.reader.rules import read_pack
from semantics.logic.atoms import conjoined
from semantics.logic.feedback import Code
from semantics.logic.parsing import place_of

COMMENT = re.compile(r"%[^\n]*")
CALL = re.compile(
    r"\b(?P<kind>holds|fails|thing|affords)\s*\(\s*(?P<first>'[^'\n]*'|\w+)\s*,\s*(?P<second>\[[^][]*\]|'[^'\n]*'|\w+)"
)
MEMBER = re.compile(r"\bmember(?:chk)?\s*\(\s*(?P<variable>[A-Z_]\w*)\s*,\s*\[(?P<names>[^][|]*)\]\s*\)")
COMPARISON = re.compile(
    r"(?P<left>\b[\w]+|'[^'\n]*')\s*(?P<operator>\\==|\\=|==|=\\=|=:=|=<|>=|@=<|@>=|@<|@>|<|>|=)\s*(?P<right>[\w]+\b|'[^'\n]*')"
)
VARIABLE = re.compile(r"[A-Z_]")
GOAL_CALLS = ("holds", "fails")  # the calls that name a predicate of a goal
NEVER_OF_SAME = ("\\==", "\\=", "=\\=", "<", ">", "@<", "@>")


@dataclass(frozen=True, slots=True)
class NamingCall:
    """A call with a constant name."""

    kind: str  # ``holds``, ``fails``, ``thing`` or ``affords``
    name: str  # the predicate, class or affordance
    arity: int | None  # number of arguments of the predicate; None when it is not fixed
    offset: int  # offset of the name in the body


def calls_of(body: str) -> Iterator[NamingCall]:
    """Yield the calls of a rule's body that name a predicate, a class or an affordance."""
    text = COMMENT.sub(lambda match: " " * len(match[0]), body)
    members = {match["variable"]: match for match in MEMBER.finditer(text)}
    for match in CALL.finditer(text):
        kind = match["kind"]
        part = "first" if kind in GOAL_CALLS else "second"
        arity = _arity(match["second"]) if part == "first" else None
        if match[part] in members:
            yield from _choices(kind, members[match[part]], arity)
        elif not VARIABLE.match(match[part]) and not match[part].startswith("["):
            yield NamingCall(kind, match[part].strip("'"), arity, match.start(part))


def _choices(kind: str, member: re.Match[str], arity: int | None) -> Iterator[NamingCall]:
    for word in re.finditer(r"'[^'\n]*'|[a-z]\w*", member["names"]):
        yield NamingCall(kind, word[0].strip("'"), arity, member.start("names") + word.start())


def _arity(arguments: str) -> int | None:
    if not arguments.startswith("[") or "|" in arguments:
        return None
    return len(arguments[1:-1].split(",")) if arguments[1:-1].strip() else 0


def check_conditions(survey: DomainSurvey) -> None:
    """Report rules with unknown names, rules that can never hold, and duplicates."""
    seen: dict[str, str] = {}
    for rule in survey.domain.rules:
        for call in calls_of(rule.prolog):
            _check_call(survey, rule, call)
        _check_comparisons(survey, rule)
        body = " ".join(rule.prolog.split())
        if body in seen:
            message = f"rule '{rule.name}' has the condition of rule '{seen[body]}'; expected one of them"
            survey.warn(survey.places.of("rules", rule.name), "duplicate-rule", message, rule.name)
        seen.setdefault(body, rule.name)


def _check_call(survey: DomainSurvey, rule: GoalRule, call: NamingCall) -> None:
    domain, mark = survey.domain, survey.in_rule(rule.name, call.offset)
    if not _check_named(call, domain, mark, f"rule '{rule.name}' asks for '{call.name}'", survey.diagnostics):
        return
    if call.kind in GOAL_CALLS and not domain.predicates[call.name].predicate.goal:
        message = f"rule '{rule.name}' asks for '{call.name}', which may not stand in a goal; expected one that may"
        survey.warn(mark, "condition-never-holds", message, call.name)


def _check_named(call: NamingCall, domain: Domain, mark: Mark, asks: str, diagnostics: Diagnostics) -> bool:
    """Return whether the world has what a call names, with as many arguments; otherwise report it."""
    others = {"thing": ("class", domain.classes), "affords": ("affordance", (*domain.affordances, "object"))}
    kind, names = others.get(call.kind, ("predicate", domain.predicates))
    if call.name not in names:
        diagnostics.unknown(mark, kind, call.name, names)
        return False
    asked = domain.predicates[call.name].predicate.parameters if call.kind in GOAL_CALLS else ()
    if call.arity in (None, len(asked)):
        return True
    form = " ".join((call.name, *asked))
    message = f"{asks} with {call.arity} arguments; expected those of ({form})"
    diagnostics.warn(mark, message, "condition-never-holds", call.name)
    return False


def _check_comparisons(survey: DomainSurvey, rule: GoalRule) -> None:
    text = COMMENT.sub(lambda match: " " * len(match[0]), rule.prolog)
    for match in COMPARISON.finditer(text):
        left, right, operator = match["left"], match["right"], match["operator"]
        same = left == right
        constants = not VARIABLE.match(left) and not VARIABLE.match(right) and not (left + right).isdigit()
        if (same and operator in NEVER_OF_SAME) or (constants and not same and operator in ("=", "==")):
            message = f"rule '{rule.name}' asks for {match[0]}, which never holds; expected different sides"
            survey.warn(survey.in_rule(rule.name, match.start()), "condition-never-holds", message, match[0])


def lint_pack(text: str, domain: Domain | None, diagnostics: Diagnostics) -> None:
    """Report forbidden parts of a rule pack, and names that the world does not have.

    Args:
        text: Text of the pack.
        domain: The world beside it, if there is a usable one.
        diagnostics: Receives the findings, for the pack's file.
    """
    for fault in read_pack(text).faults:
        diagnostics.add(_mark(text, fault.offset), fault.message, "bad-rule-pack")
    if domain is None:
        return
    for call in calls_of(text):
        _check_named(call, domain, _mark(text, call.offset), f"'{call.name}' is asked for", diagnostics)


def _mark(text: str, offset: int) -> Mark:
    return Mark(*place_of(text, offset))


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
