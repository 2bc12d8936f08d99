"""Capabilities as actions in the names of a PDDL file: one for each class of agents that has the capability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from domains.capability import Capability, ConditionalEffect, NumericEffect, Template
from domains.model import AgentModel, Domain
from domains.pddl.writer.formulas import Translation, fresh_variable
from domains.pddl.writer.names import Naming
from semantics.logic.atoms import And, Atom, Equal, Expression, Formula, Literal, Not


@dataclass(frozen=True, slots=True)
class PddlAction:
    """An action of a PDDL file, in its names."""

    name: str  # name of the action
    parameters: tuple[tuple[str, str], ...]  # variables without the question mark, each with its type
    conditions: tuple[Formula, ...]  # precondition, a conjunction
    effects: tuple[Literal, ...]  # literals made true or false
    # conditional and quantified effects; literals are templates over PDDL names
    conditional: tuple[ConditionalEffect, ...] = ()
    numeric: tuple[NumericEffect, ...] = ()  # numeric effects
    cost: int = 1  # cost of each step, where it is fixed
    cost_by: Expression | None = None  # otherwise an expression for it, in the names of the world; `cost` multiplies it
    capability: Capability | None = None  # origin of the action
    total: Expression | None = None  # what a step adds to the total cost, in the names of the file; None without costs


@dataclass
class Additions:
    """What compilations add to a problem, in the names of the file."""

    predicates: dict[str, int] = field(default_factory=dict)  # number of arguments of each added predicate
    facts: list[Atom] = field(default_factory=list)  # initial facts of these predicates
    functions: dict[str, int] = field(default_factory=dict)  # number of arguments of each added function
    numbers: dict[Atom, float] = field(default_factory=dict)  # values of these functions


def make_schemas(
    domain: Domain,
    capabilities: Iterable[Capability],
    naming: Naming,
    classes: Iterable[str],
    translation: Translation | None = None,
) -> tuple[PddlAction, ...]:
    """Make the actions of all agents whose class is among `classes`."""
    present = set(classes)
    maker = _ActionMaker(naming, translation or Translation(naming))
    return tuple(
        maker.schema(capability, agent)
        for capability in capabilities
        for agent in _agents(domain, capability)
        if agent is None or agent.class_name in present
    )


def _agents(domain: Domain, capability: Capability) -> Iterator[AgentModel | None]:
    if capability.agentless:
        yield None
    else:
        yield from (agent for agent in domain.agents.values() if capability.name in agent.capabilities)


class _ActionMaker:
    def __init__(self, naming: Naming, translation: Translation) -> None:
        self._naming = naming
        self._translate = translation
        self._used: set[str] = set()

    def schema(self, capability: Capability, agent: AgentModel | None) -> PddlAction:
        typed = [self._translate.parameter_type(parameter.affordances) for parameter in capability.parameters]
        if agent is not None:
            typed[0] = self._naming.of("type", agent.class_name), None
        return PddlAction(
            name=self._name(capability, agent),
            parameters=tuple(
                (fresh_variable(parameter.name), kind)
                for parameter, (kind, _) in zip(capability.parameters, typed, strict=True)
            ),
            conditions=tuple(self._conditions(capability, [affordance for _, affordance in typed])),
            effects=tuple(dict.fromkeys(map(self._literal, capability.effect))),
            conditional=tuple(map(self._conditional, capability.conditional)),
            numeric=tuple(map(self._numeric, capability.numeric)),
            cost=(agent.cost if agent else 1) * (1 if capability.cost_by is not None else capability.cost),
            cost_by=capability.cost_by,
            capability=capability,
        )

    def _name(self, capability: Capability, agent: AgentModel | None) -> str:
        if capability.name not in self._used:
            self._used.add(capability.name)
            return self._naming.of("capability", capability.name)
        who = agent.class_name if agent else "any"
        made = self._naming.give("made", f"{capability.name} by {who}", f"{capability.name}-{who}")
        self._naming.ours[made] = capability.name
        return made

    def _conditions(self, capability: Capability, typed: Iterable[str | None]) -> Iterator[Formula]:
        for parameter, known in zip(capability.parameters, typed, strict=True):
            for affordance in parameter.affordances:
                guard = self._translate.affords(f"?{fresh_variable(parameter.name)}", affordance)
                if guard is not None and affordance != known:
                    yield guard
        for first, second in capability.distinct:
            yield Not(Equal(f"?{fresh_variable(first)}", f"?{fresh_variable(second)}"))
        yield from (self._literal(template).formula for template in capability.precondition)
        if capability.condition is not None:
            condition = self._translate.formula(capability.condition)
            yield from condition.parts if isinstance(condition, And) else (condition,)

    def _literal(self, template: Template) -> Literal:
        return self._translate.literal(template.literal)

    def _conditional(self, effect: ConditionalEffect) -> ConditionalEffect:
        condition = None if effect.condition is None else self._translate.formula(effect.condition)
        guards = self._translate.guards(effect.variables)
        asked = (*guards, *(() if condition is None else (condition,)))
        made = [self._literal(template) for template in effect.literals]
        return ConditionalEffect(
            literals=tuple(Template(atom.predicate, atom.args, positive) for atom, positive in made),
            numeric=tuple(map(self._numeric, effect.numeric)),
            condition=And(asked) if asked else None,
            variables=self._translate.variables(effect.variables),
        )

    def _numeric(self, effect: NumericEffect) -> NumericEffect:
        return NumericEffect(
            effect.how, self._translate.atom(effect.fluent, "fluent"), self._translate.expression(effect.amount)
        )
