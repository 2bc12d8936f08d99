"""Names of a domain: those without a use (never used, never true, never read), and those that PDDL export changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domains.capability import formulas_of
from domains.invariants.mentions import read_by
from domains.lint.capabilities import check_variables
from domains.lint.conditions import GOAL_CALLS, calls_of
from domains.lint.goals import phrase_literals
from domains.lint.survey.survey import DomainSurvey
from domains.model import Domain
from domains.pddl.writer.names import RESERVED, Naming
from semantics.logic.atoms import fluents_in


def check_usage(survey: DomainSurvey) -> None:
    """Report affordances, kinds, predicates and numbers without a use, and predicates that are never true."""
    _check_predicates(survey)
    _check_never_true(survey)
    _check_never_asked(survey)
    _check_affordances(survey)
    _check_kinds(survey)
    _check_attributes(survey)
    _check_fluents(survey)
    for derived in survey.domain.derived.values():
        mentioned = [name for body in derived.bodies for name in read_by(body)]
        check_variables(survey, derived.variables, mentioned, ("predicates", derived.name, "derived"))


def _check_predicates(survey: DomainSurvey) -> None:
    used = {use.literal.atom.predicate for use in (*survey.asked, *survey.changed)}
    used |= survey.wanted | _in_words(survey.domain)
    for name, model in survey.domain.predicates.items():
        if name not in used and model.sensed is None and name not in survey.domain.attributes:
            message = (
                f"nothing asks for '{name}' and nothing changes it; expected a capability that does, or to leave it out"
            )
            survey.warn(survey.places.of("predicates", name), "unused-predicate", message, name)


def _in_words(domain: Domain) -> set[str]:
    """Return the predicates that phrases and rules mention."""
    wished = {literal.atom.predicate for phrase in domain.phrases for literal in phrase_literals(phrase.goal)}
    return wished | _named_in_rules(domain, *GOAL_CALLS)


def _named_in_rules(domain: Domain, *kinds: str) -> set[str]:
    texts = (f"{rule.prolog}\n{rule.definitions}" for rule in domain.rules)
    return {call.name for text in texts for call in calls_of(text) if call.kind in kinds}


def _check_never_true(survey: DomainSurvey) -> None:
    if survey.open_world:
        return
    asking: dict[str, list[str]] = {}
    for use in survey.asked:
        if use.path[0] == "capabilities":
            asking.setdefault(use.literal.atom.predicate, []).append(use.path[1])
    for name, capabilities in asking.items():
        if name in survey.domain.predicates and name not in survey.added | survey.observed:
            able = ", ".join(dict.fromkeys(capabilities))
            message = f"nothing makes '{name}' true, no effect and no scene; asked for by {able}"
            survey.warn(survey.places.of("predicates", name), "never-true", message, name)


def _check_never_asked(survey: DomainSurvey) -> None:
    """Report predicates that effects change and that no capability and no possible goal asks for."""
    asked = {use.literal.atom.predicate for use in survey.asked} | survey.wanted | _in_words(survey.domain)
    for name, model in survey.domain.predicates.items():
        may_be_wanted = model.predicate.goal and not survey.goals
        if may_be_wanted or model.bookkeeping or model.sensed is not None or name in asked:
            continue
        if name in survey.added | survey.deleted:
            message = f"effects change '{name}' and nothing asks for it: no condition and no goal that is known"
            survey.warn(survey.places.of("predicates", name), "never-asked", message, name)


def _check_affordances(survey: DomainSurvey) -> None:
    asked = _affordances_asked(survey.domain)
    for name in survey.domain.affordances:
        if survey.typed and name not in _types_used(survey, asked):
            message = f"nothing is of type '{name}' and nothing asks for it; is it a thing rather than a type?"
            survey.warn(survey.places.of("affordances", name), "unused-type", message, name)
        elif not survey.typed and name not in asked and not any(name in able for able in survey.able):
            message = f"no class affords '{name}' and nothing asks for it; expected a use, or to leave it out"
            survey.warn(survey.places.of("affordances", name), "unused-affordance", message, name)


def _affordances_asked(domain: Domain) -> frozenset[str]:
    asked = [parameter for capability in domain.capabilities.values() for parameter in capability.parameters]
    affordances = {name for parameter in asked for name in parameter.affordances}
    affordances.update(*(model.predicate.parameters for model in domain.predicates.values()))
    affordances.update(*(fluent.parameters for fluent in domain.fluents.values()))
    return frozenset(affordances | _named_in_rules(domain, "affords"))


def _types_used(survey: DomainSurvey, asked: frozenset[str]) -> set[str]:
    """Return the types that a parameter or thing uses, with their supertypes and subtypes."""
    classes = survey.domain.classes
    used = asked.union(*(thing.affordances for thing in survey.things.values()))
    above = used.union(*(classes[name].affordances for name in used if name in classes))
    return {name for name, object_class in classes.items() if name in above or object_class.affordances & asked} | above


def _check_kinds(survey: DomainSurvey) -> None:
    for name, classes in survey.domain.kinds.items():
        if not classes:
            message = f"no class is of kind '{name}'; expected one, or to leave it out"
            survey.warn(survey.places.of("kinds", name), "empty-kind", message, name)


def _check_attributes(survey: DomainSurvey) -> None:
    if survey.open_world:
        return
    stated = {name for owner in survey.domain.classes.values() for name, _ in owner.attributes}
    stated |= {name for thing in survey.things.values() for name, _ in thing.attributes}
    stated |= {fact.predicate for scene in survey.scenes for fact in scene.facts}  # what a body tells
    for name in survey.domain.attributes:
        if name not in stated:
            message = f"nothing has a value of '{name}'; expected it in a class or in a scene, or to leave it out"
            survey.warn(survey.places.of("attributes", name), "unused-attribute", message, name)


def _check_fluents(survey: DomainSurvey) -> None:
    read = set(fluents_read(survey.domain))
    for name, fluent in survey.domain.fluents.items():
        # A number that plans do without and that has a sentence is one that a body measures and tells.
        if name not in read and (fluent.planned or not fluent.description):
            message = f"nothing reads the number '{name}'; expected a condition, a cost or an effect that does"
            survey.warn(survey.places.of("fluents", name), "unused-fluent", message, name)


def fluents_read(domain: Domain) -> Iterator[str]:
    """Yield the names that conditions, costs, effects and definitions read, numeric fluents among them."""
    for capability in domain.capabilities.values():
        for _, formula in formulas_of(capability):
            yield from read_by(formula)
        if capability.cost_by is not None:
            yield from (fluent.predicate for fluent in fluents_in(capability.cost_by))
        changes = (numeric for effect in capability.effects for numeric in effect.numeric)
        yield from (fluent.predicate for numeric in changes for fluent in fluents_in(numeric.amount))
    for derived in domain.derived.values():
        yield from (name for body in derived.bodies for name in read_by(body))


def check_names(survey: DomainSurvey) -> None:
    """Report reserved words of PDDL, and names of one sort that differ only in case, '-' and '_'."""
    for section, names in _sections(survey):
        seen: dict[str, str] = {}
        for name in names:
            folded = name.lower().replace("-", "_")
            if folded in seen:
                message = (
                    f"'{name}' and '{seen[folded]}' differ in case or in '-' and '_' alone; one is renamed on export"
                )
                survey.warn(survey.places.of(section, name), "alike-names", message, name)
            seen.setdefault(folded, name)
            if name.lower() in RESERVED:
                message = f"'{name}' is a word of PDDL; export writes it as '{Naming().give(section, name)}'"
                survey.warn(survey.places.of(section, name), "word-of-pddl", message, name)


def _sections(survey: DomainSurvey) -> Iterator[tuple[str, Mapping[str, object]]]:
    domain = survey.domain
    yield "affordances", {name: None for name in domain.affordances if name != "object"}
    yield "classes", domain.classes
    yield "predicates", domain.predicates
    yield "capabilities", domain.capabilities
    yield "fluents", domain.fluents
    yield "constants", domain.constants
