"""Durative actions for temporal planners (PDDL 2.1): a step deletes at its start and adds at its end.

An added fact is true only from the end of the step, and a deleted fact is false from its start, so that no other step
relies on a fact that is changing. Until the end, a deleted fact is *in flux*, so that no step relies on its being false
either. A condition that the step does not make false itself must hold during the whole step. Two steps never use a hand
at the same time, or an agent, where the capability does not state that it uses only hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from domains.capability import ConditionalEffect
from domains.pddl.writer.formulas import formula_text, variables_text
from domains.pddl.writer.names import Naming
from domains.pddl.writer.schemas import PddlAction
from semantics.logic.atoms import Atom, Equal, Formula, Literal, Not, Or, literals, rebuilt

UNKNOWN_SECONDS = 1.0  # duration in seconds of an action without a stated duration


@dataclass(frozen=True, slots=True)
class Lasting:
    """The additional predicates of durative actions, in the names of the file."""

    idle: str  # predicate of hands and agents that no step uses
    # for each predicate that is negated in a condition, the predicate of facts that are becoming false
    flux: dict[str, str] = field(default_factory=dict)
    arities: dict[str, int] = field(default_factory=dict)  # number of arguments of these predicates

    def predicates(self) -> Iterator[tuple[str, int]]:
        """Yield name and number of arguments of each."""
        yield self.idle, 1
        yield from ((self.flux[name], arity) for name, arity in self.arities.items())

    def stable(self, formula: Formula, denied: bool = False) -> Formula:
        """Return a condition in which a fact in flux does not count as false."""
        if isinstance(formula, Atom) and denied and formula.predicate in self.flux:
            return Or((formula, Atom(self.flux[formula.predicate], formula.args)))
        return rebuilt(formula, lambda part: self.stable(part, denied != isinstance(formula, Not)))


def lasting(schemas: Iterable[PddlAction], naming: Naming) -> Lasting:
    """Return the predicates that these actions need."""
    schemas = tuple(schemas)
    asked = (condition for schema in schemas for condition in _conditions_of(schema))
    denied = {literal.atom.predicate for condition in asked for literal in literals(condition) if not literal.positive}
    predicates = Lasting(naming.give("made", "idle", "idle"))
    for atom in (literal.atom for schema in schemas for literal in schema.effects if not literal.positive):
        if atom.predicate in denied and atom.predicate not in predicates.flux:
            predicates.flux[atom.predicate] = naming.give("made", f"{atom.predicate} in flux", f"flux-{atom.predicate}")
            predicates.arities[atom.predicate] = len(atom.args)
    return predicates


def _conditions_of(schema: PddlAction) -> Iterator[Formula]:
    yield from schema.conditions
    yield from (effect.condition for effect in schema.conditional if effect.condition is not None)


def durative_text(schema: PddlAction, means: Lasting) -> str:
    """Write a durative action."""
    parameters = " ".join(f"?{name} - {kind}" for name, kind in schema.parameters)
    locks = [f"({means.idle} ?{name})" for name in _locked(schema)]
    conditions = [f"(at start {lock})" for lock in locks] + list(_conditions(schema, means))
    effects = [f"(at start (not {lock})) (at end {lock})" for lock in locks]
    effects += [text for literal in schema.effects for text in _timed(literal, means)]
    effects += [text for effect in schema.conditional for text in _conditional(effect, means)]
    seconds = schema.capability.duration if schema.capability else None
    lines = (
        f"(:durative-action {schema.name}",
        f"    :parameters ({parameters})",
        f"    :duration (= ?duration {seconds or UNKNOWN_SECONDS:g})",
        f"    :condition (and {' '.join(conditions)})",
        f"    :effect (and {' '.join(effects)}))",
    )
    return "\n".join(lines)


def _locked(schema: PddlAction) -> list[str]:
    """Return the parameters that the action locks: the hands, or else the agent."""
    capability = schema.capability
    if capability is None:
        return []
    names = {
        parameter.name: name for parameter, (name, _) in zip(capability.parameters, schema.parameters, strict=True)
    }
    if capability.resources:
        return [names[resource] for resource in capability.resources]
    return [] if capability.agentless else [schema.parameters[0][0]]


def _conditions(schema: PddlAction, means: Lasting) -> Iterator[str]:
    may_change = {literal.predicate for effect in schema.conditional for literal in effect.literals}
    deleted = [literal.atom for literal in schema.effects if not literal.positive]
    for condition in schema.conditions:
        yield f"(at start {formula_text(means.stable(condition))})"
        atom = _atom(condition)
        if atom is None or atom.predicate in may_change:
            continue
        if not any(_may_be_same(atom, other, schema.conditions) for other in deleted):
            yield f"(over all {formula_text(condition)})"


def _may_be_same(first: Atom, second: Atom, conditions: Collection[Formula]) -> bool:
    """Return whether two atoms over parameters may be the same one: no condition says that two arguments differ."""
    if first.predicate != second.predicate:
        return False
    pairs = zip(first.args, second.args, strict=True)
    return not any(Not(Equal(a, b)) in conditions or Not(Equal(b, a)) in conditions for a, b in pairs)


def _atom(condition: Formula) -> Atom | None:
    inner = condition.part if isinstance(condition, Not) else condition
    return inner if isinstance(inner, Atom) else None


def _timed(literal: Literal, means: Lasting) -> Iterator[str]:
    atom = literal.atom
    if literal.positive:
        yield f"(at end {atom})"
        return
    yield f"(at start (not {atom}))"
    if atom.predicate in means.flux:
        flux = Atom(means.flux[atom.predicate], atom.args)
        yield f"(at start {flux}) (at end (not {flux}))"


def _conditional(effect: ConditionalEffect, means: Lasting) -> Iterator[str]:
    """Yield each conditional effect; its condition is evaluated at the start."""
    for template in effect.literals:
        text = f"(at end {template.literal})"
        if effect.condition is not None:
            text = f"(when (at start {formula_text(means.stable(effect.condition))}) {text})"
        yield f"(forall ({variables_text(effect.variables)}) {text})" if effect.variables else text
