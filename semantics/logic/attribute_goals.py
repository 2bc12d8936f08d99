"""Attributes in a goal: what is known of them is put in their place before the goal is checked.

Most values are changed by no action. So ``(colour cup0 red)`` asks for nothing: it chooses what the rest of the
goal speaks of, as in ``(forall (?x - cup) (imply (colour ?x red) (in ?x sink0)))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from semantics.hints import hint
from semantics.logic.atoms import And, Atom, Compare, Exists, ForAll, Formula, Not, Or, numbers_in, rebuilt, walked
from semantics.logic.conditions import FALSE, TRUE, expanded_expression, is_true, joined
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.state import State
from semantics.logic.vocabulary import Attribute, AttributeValue, Thing, Vocabulary, values_of


def known_values(
    attribute: Attribute, name: str, things: Mapping[str, Thing], state: State
) -> tuple[AttributeValue, ...]:
    """Return the values of a thing: those that `state` holds if there are any, else those of its file.

    A name that is no thing has none.
    """
    told = sorted(atom.args[1] for atom in state.atoms if atom.predicate == attribute.name and atom.args[0] == name)
    if told:
        return tuple(told)
    thing = things.get(name)
    return () if thing is None else values_of(thing.attributes, attribute.name)


def over_values(formula: Formula, attributes: Mapping[str, Attribute]) -> Formula:
    """Return a formula without quantifiers over the values of an attribute, as ``(exists (?c - colour) …)`` has."""

    def expanded(part: Formula) -> Formula:
        if not isinstance(part, ForAll | Exists):
            return rebuilt(part, expanded)
        own = tuple(variable for variable in part.variables if variable.affordance in attributes)
        others = tuple(variable for variable in part.variables if variable not in own)
        inner = expanded(part.part)
        if not own:
            return type(part)(part.variables, inner)
        choices = product(*(attributes[variable.affordance].values for variable in own))
        names = [f"?{variable.name}" for variable in own]
        bodies = (_bound(inner, dict(zip(names, values, strict=True))) for values in choices)
        chosen: Formula = And(tuple(bodies)) if isinstance(part, ForAll) else Or(tuple(bodies))
        return type(part)(others, chosen) if others else chosen

    return expanded(formula)


def _bound(formula: Formula, binding: Mapping[str, str]) -> Formula:
    match formula:
        case Atom():
            return formula.replaced(binding)
        case Compare(operator, left, right):
            return Compare(operator, expanded_expression(left, binding), expanded_expression(right, binding))
    return rebuilt(formula, lambda part: _bound(part, binding))


def settled(goal: Goal, vocabulary: Vocabulary, state: State) -> Goal | Rejection:
    """Return a goal with the truth of its facts about attributes in their place.

    The goal is refused if such a fact names what does not exist, or if without what is so the goal cannot be reached.
    """
    if not vocabulary.attributes:
        return goal
    values = _Values(vocabulary, state)
    facts = dict.fromkeys(part for part, _ in walked(goal.formula) if values.judges(part))
    mistakes = tuple(mistake for fact in facts for mistake in values.mistakes(fact))
    if mistakes:
        return Rejection(mistakes)
    if not facts:
        return goal
    formula = values.simplified(goal.formula)
    if formula == FALSE:
        asked = dict.fromkeys(pair for pair in walked(goal.formula) if pair[0] in facts)
        return Rejection(tuple(values.denied(fact, sign) for fact, sign in asked if values.holds(fact) != sign))
    return replace(goal, formula=formula)


@dataclass(frozen=True, slots=True)
class _Values:
    """What is known of the attributes of things."""

    vocabulary: Vocabulary
    state: State

    def judges(self, part: Formula) -> bool:
        """Return whether a part is a fact about an attribute, or compares numbers of attributes only."""
        if not isinstance(part, Atom | Compare):
            return False
        attributes, predicates = self.vocabulary.attributes, self.vocabulary.predicates
        return all(
            name in attributes and not (name in predicates and predicates[name].goal)  # no action changes it
            for name, _ in ((part,) if isinstance(part, Atom) else numbers_in(part))
        )

    def mistakes(self, part: Formula) -> Iterator[Feedback]:
        """Yield what is wrong with the names in a fact or a comparison."""
        for atom in (part,) if isinstance(part, Atom) else numbers_in(part):
            attribute = self.vocabulary.attributes[atom.predicate]
            form = _form(attribute)
            if len(atom.args) != (1 if attribute.is_number else 2) or isinstance(part, Atom) == attribute.is_number:
                why = f"'{attribute.name}' is {'a number' if attribute.is_number else 'one of several values'}"
                yield Feedback(Code.WRONG_ARITY, str(part), f"{why}.", f"Write it as {form}.", (attribute.name,))
                continue
            name, *value = atom.args
            if name not in self.vocabulary.things:
                how = hint(name, sorted(self.vocabulary.things), "object")
                yield Feedback(Code.UNKNOWN_NAME, f"'{name}'", "there is no such thing in the scene.", how, (name,))
            elif value and value[0] not in attribute.values:
                how = hint(value[0], attribute.values, "value")
                why = f"'{attribute.name}' has no such value."
                yield Feedback(Code.UNKNOWN_NAME, f"'{value[0]}'", why, how, (value[0],))
            elif not value and not self.of(attribute.name, name):
                why = f"the {attribute.name} of {name} is not known."
                yield Feedback(Code.UNKNOWN_NAME, str(part), why, "Leave it out, or name another thing.", (name,))

    def of(self, attribute: str, name: str) -> tuple[AttributeValue, ...]:
        """Return the values of a thing."""
        return known_values(self.vocabulary.attributes[attribute], name, self.vocabulary.things, self.state)

    def holds(self, part: Formula) -> bool:
        """Return whether a fact or a comparison without mistakes holds."""
        if isinstance(part, Atom):
            return part.args[1] in self.of(part.predicate, part.args[0])
        numbers = {atom: float(value) for atom in numbers_in(part) for value in self.of(atom.predicate, atom.args[0])}
        return is_true(part, (), numbers)

    def simplified(self, formula: Formula) -> Formula:
        """Return a ground formula with the truth of what is known in its place."""
        if self.judges(formula):
            return TRUE if self.holds(formula) else FALSE
        match formula:
            case Not(part):
                inner = self.simplified(part)
                return FALSE if inner == TRUE else TRUE if inner == FALSE else Not(inner)
            case And(parts):
                return joined(And, map(self.simplified, parts))
            case Or(parts):
                return joined(Or, map(self.simplified, parts))
        return formula

    def denied(self, part: Formula, sign: bool) -> Feedback:
        """Return that a fact is not as the goal asks for it."""
        atoms = (part,) if isinstance(part, Atom) else tuple(numbers_in(part))
        known = ", ".join(dict.fromkeys(self._told(atom) for atom in atoms))
        how = "Nothing here changes it; leave it out, or name another thing."
        culprits = tuple(dict.fromkeys(atom.args[0] for atom in atoms))
        return Feedback(Code.CONTRADICTION, str(part if sign else Not(part)), f"{known}.", how, culprits)

    def _told(self, atom: Atom) -> str:
        name, attribute = atom.args[0], self.vocabulary.attributes[atom.predicate]
        values = self.of(atom.predicate, name)
        if not values:
            return f"the {attribute.name} of {name} is not known"
        return f"the {attribute.name} of {name} is {attribute.said(values)}"


def _form(attribute: Attribute) -> str:
    return (
        f"(< ({attribute.name} thing) 10)" if attribute.is_number else f"({attribute.name} thing {attribute.values[0]})"
    )
