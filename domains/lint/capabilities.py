"""Capabilities that can never be executed, or that change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from domains.capability import Capability, formulas_of
from domains.invariants.mentions import contradiction, different, mentioned_in, quantified, read_by, required
from domains.lint.survey.places import Path
from domains.lint.survey.survey import DomainSurvey
from semantics.logic.atoms import Literal, Variable, fluents_in
from semantics.plain_text import together
from semantics.words.english import a_noun

_Pairs = tuple[tuple[str, str], ...]


def check_capabilities(survey: DomainSurvey) -> None:
    """Report capabilities without an agent or possible argument, with contradictions, and without an effect."""
    for capability in survey.domain.capabilities.values():
        _check_served(survey, capability)
        _check_possible(survey, capability)
        _check_effect(survey, capability)
        _check_cancelling(survey, capability)
        if not survey.typed:  # the PDDL reader reports them itself
            _check_parameters(survey, capability)
            _check_variables(survey, capability)
    names, predicates = survey.domain.conventions, survey.domain.predicates
    reached = predicates[names.at].predicate.parameters[1:] if names.at in predicates else ()
    for predicate, affordance in (names.on, names.support), (names.in_, names.contain):
        if predicate in predicates and len(predicates[predicate].predicate.parameters) > 1:
            _check_places(survey, predicate, {affordance, *predicates[predicate].predicate.parameters[1:]}, {*reached})


def _check_places(survey: DomainSurvey, predicate: str, known: set[str], reached: set[str]) -> None:
    """Report classes with `known` affordances on or in which nothing can be put, or from which nothing can be taken.

    A class that `lacks` what the capability needs is meant to be so, and so is one that nobody can reach.
    """
    able: dict[bool, list[tuple[str, frozenset[str]]]] = {True: [], False: []}
    for capability in survey.domain.capabilities.values():
        for template, parameter in product(capability.effect, capability.parameters):
            if template.predicate == predicate and template.args[1] == f"?{parameter.name}":
                able[template.positive].append((capability.name, frozenset(parameter.affordances) - reached))
    for (name, owner), (positive, ways) in product(survey.domain.classes.items(), able.items()):
        action, needs = min(ways, key=lambda way: len(way[1] - owner.affordances), default=("", frozenset()))
        if known - {"object"} <= owner.affordances and not needs <= owner.affordances | owner.lacks:
            lacks = together(f"`{each}`" for each in sorted(needs - owner.affordances))
            done = f"nothing can be {'put' if positive else 'taken that is'} {predicate} it"
            message = f"{done}: {a_noun(name)} lacks {lacks}, which {action} needs"
            survey.warn(survey.places.of("classes", name), "missing-affordance", message, name)


def _check_served(survey: DomainSurvey, capability: Capability) -> None:
    path = ("capabilities", capability.name)
    if not capability.agentless:
        able = [agent for agent in survey.domain.agents.values() if capability.name in agent.capabilities]
        if not able:
            message = f"no agent has capability '{capability.name}'; expected it among those of one"
            survey.warn(survey.places.of(*path), "no-agent", message, capability.name)
    for parameter in capability.parameters:
        if not survey.somebody_affords(parameter.affordances):
            asked = " and ".join(parameter.affordances)
            message = f"nothing can be ?{parameter.name} of '{capability.name}': no class affords {asked}"
            mark = survey.places.of(*path, "parameters", parameter.name)
            survey.warn(mark, "no-candidate", message, parameter.name)


def _check_possible(survey: DomainSurvey, capability: Capability) -> None:
    literal = contradiction(capability)
    if literal is None:
        _check_exclusive(survey, capability)
        return
    path = ("capabilities", capability.name, "precondition")
    mark = survey.places.literal(path, _words(literal), literal.positive)
    message = f"the precondition of '{capability.name}' can never hold: it asks for {literal} and for its opposite"
    survey.warn(mark, "impossible-precondition", message, str(literal))


def _check_exclusive(survey: DomainSurvey, capability: Capability) -> None:
    """Report two required facts that no known scene states together and no capability makes true together."""
    pair = None if survey.open_world else survey.exclusions.forbid(required(capability))
    if pair is None:
        return
    first, second = pair
    mark = survey.places.literal(("capabilities", capability.name, "precondition"), (second.predicate, *second.args))
    message = f"the precondition of '{capability.name}' can never hold: nothing brings {first} and {second} together"
    survey.warn(mark, "impossible-precondition", message, str(second))


def _check_effect(survey: DomainSurvey, capability: Capability) -> None:
    if capability.conditional or capability.numeric:
        return
    if not capability.effect and (capability.values or capability.places):
        return  # what it changes depends on its values, and is sensed
    path = ("capabilities", capability.name, "effect")
    held = {template.literal for template in capability.precondition}
    idle = [template.literal for template in capability.effect if template.literal in held]
    if len(idle) == len(capability.effect):
        message = f"capability '{capability.name}' changes nothing: its effect holds before it is done"
        survey.warn(survey.places.of(*path), "no-change", message, capability.name)
        return
    for literal in idle:
        mark = survey.places.literal(path, _words(literal), literal.positive)
        message = f"{literal} holds before '{capability.name}' is done, so this effect changes nothing"
        survey.warn(mark, "idle-effect", message, str(literal))


def _check_cancelling(survey: DomainSurvey, capability: Capability) -> None:
    effects = [template.literal for template in capability.effect]
    for added in (literal for literal in effects if literal.positive):
        for deleted in effects:
            if not deleted.positive and deleted.atom.predicate == added.atom.predicate:
                _check_pair(survey, capability, added, deleted)


def _check_pair(survey: DomainSurvey, capability: Capability, added: Literal, deleted: Literal) -> None:
    if added.atom == deleted.atom:
        mark = survey.places.literal(("capabilities", capability.name, "effect"), _words(deleted), False)
        message = f"the effect of '{capability.name}' makes {added} true and false; expected one of them"
        survey.warn(mark, "contradiction", message, str(added))
        return
    merged = _equalities(survey, capability, added.atom.args, deleted.atom.args)
    if not merged:
        return
    pairs = ", ".join(f"{left} = {right}" for left, right in merged)
    both = added.atom.replaced(dict(merged))
    unequal = " ".join(f"(not (= {left} {right}))" for left, right in merged)
    listed = ", ".join(f"[{left[1:]}, {right[1:]}]" for left, right in merged)
    meant = unequal if survey.typed else f"distinct: [{listed}]"
    message = f"with {pairs} the effect of '{capability.name}' makes {both} true and false; expected {meant}"
    path = ("capabilities", capability.name, "effect")
    mark = survey.places.literal(path, _words(deleted), False)
    survey.warn(mark, "effect-may-cancel", message, str(deleted))


def _equalities(
    survey: DomainSurvey, capability: Capability, left_args: Sequence[str], right_args: Sequence[str]
) -> _Pairs:
    """Return the pairs of arguments that must be equal to unify two atoms; none when they cannot, or are equal already.

    They cannot be equal when they must differ, when no class has the affordances of both, or when the precondition
    would contradict itself.
    """
    merged: dict[str, str] = {}
    for left, right in zip(left_args, right_args, strict=False):
        # `merged` is the unifier so far: each variable maps to the term that replaces it.
        first, second = merged.get(left, left), merged.get(right, right)
        if first == second:
            continue
        if not first.startswith("?"):
            first, second = second, first
        if not first.startswith("?") or not _may_be_equal(survey, capability, first, second):
            return ()
        merged = {name: (second if to == first else to) for name, to in merged.items()} | {first: second}
    if len(left_args) != len(right_args) or contradiction(capability, merged) is not None:
        return ()
    if survey.exclusions.forbid([literal.replaced(merged) for literal in required(capability)]):
        return ()
    return tuple(merged.items())


def _may_be_equal(survey: DomainSurvey, capability: Capability, first: str, second: str) -> bool:
    if frozenset((first, second)) in different(capability):
        return False
    affordances = {f"?{parameter.name}": parameter.affordances for parameter in capability.parameters}
    if first not in affordances:
        return False
    if second in affordances:
        return survey.somebody_affords((*affordances[first], *affordances[second]))
    thing = survey.things.get(second)
    return thing is not None and thing.affords(affordances[first])


def _words(literal: Literal) -> tuple[str, ...]:
    return (literal.atom.predicate, *literal.atom.args)


def _mentioned(capability: Capability) -> Iterator[str]:
    for template in capability.precondition:
        yield from template.args
    if capability.condition is not None:
        yield from read_by(capability.condition)
    for effect in capability.effects:
        yield from mentioned_in(effect)
    if capability.cost_by is not None:
        yield from (arg for fluent in fluents_in(capability.cost_by) for arg in fluent.args)
    yield from (f"?{name}" for name in (*capability.roles.values(), *capability.resources))


def _check_parameters(survey: DomainSurvey, capability: Capability) -> None:
    mentioned = set(_mentioned(capability))
    for parameter in capability.parameters[0 if capability.agentless else 1 :]:
        if f"?{parameter.name}" not in mentioned:
            message = f"parameter '{parameter.name}' of '{capability.name}' is asked for and not used"
            mark = survey.places.of("capabilities", capability.name, "parameters", parameter.name)
            survey.warn(mark, "unused-parameter", message, parameter.name)


def _check_variables(survey: DomainSurvey, capability: Capability) -> None:
    path = ("capabilities", capability.name)
    for part, formula in formulas_of(capability):
        for variables, inner in quantified(formula):
            check_variables(survey, variables, read_by(inner), (*path, part))
    for effect in capability.conditional:
        check_variables(survey, effect.variables, mentioned_in(effect), (*path, "effect"))


def check_variables(survey: DomainSurvey, variables: Iterable[Variable], mentioned: Iterable[str], path: Path) -> None:
    """Report quantified variables that are never mentioned."""
    read = set(mentioned)
    for variable in variables:
        if f"?{variable.name}" not in read:
            message = f"variable ?{variable.name} of '{path[1]}' is bound and not used"
            survey.warn(survey.places.of(*path), "unused-variable", message, variable.name)
