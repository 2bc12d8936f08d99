"""From a domain to a symbolic body: the operator of each command, and its duration.

A command names a motion and its roles, not a capability: `put` may place an object on a table or on a tray. Several
ground operators may send the same command; the body executes one whose precondition holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product

from affordances.scene import Scene, completed, computed_predicates
from domains.capability import Capability
from domains.model import Domain, SceneFile
from domains.problem import Problem
from robots.states import NumericChange
from robots.symbolic import SymbolicRobot
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.logic.atoms import Atom, Compare, conjoined, numbers_in
from semantics.logic.conditions import is_true
from semantics.logic.feedback import Code, Feedback
from semantics.logic.quantity import Quantity, ValueModel, base_unit
from semantics.logic.said_number import shortfall
from semantics.logic.state import Action, Axioms, Command, Operator, State
from semantics.logic.vocabulary import Thing

SECONDS = 1.0  # default duration of a capability
PERSON_SECONDS = 5.0  # default duration of a person's capability


class OperatorFinder:
    """Finds the operator of a command.

    Args:
        domain: The world.
        scene: The scene, for its objects and its numeric values.
    """

    def __init__(self, domain: Domain, scene: SceneFile) -> None:
        self._domain = domain
        self._things = scene.things
        self._numbers = scene.numbers
        self._axioms: Axioms | None = domain.axioms(scene.things)

    def __call__(self, command: Command, state: State) -> Operator | Feedback:
        """Return an operator that is applicable in `state`, else the one with fewest missing literals, or feedback."""
        capabilities = self._domain.capabilities
        sending = (verb for name, verb in capabilities.items() if command.primitive == (verb.primitive or name))
        # What a command says beside, such as to the left of what, is an effect only of the capability with this role.
        candidates = sorted(sending, key=lambda capability: -len(capability.roles))
        if not candidates:
            known = sorted({verb.primitive or name for name, verb in capabilities.items()})
            why = f"no such motion; there are {', '.join(known)}."
            return Feedback(Code.REFUSED_BY_BODY, str(command), why)
        nearest: tuple[int, Operator] | None = None
        for capability in candidates:
            operators = self._grounded(capability, command)
            for operator in operators:
                if operator.applicable(state):
                    found = self._unless_untold(capability, command, state, operator, operators)
                    return self._ending(found, state) if isinstance(found, Operator) else found
                missing = len(operator.missing(state))
                nearest = (missing, operator) if nearest is None or missing < nearest[0] else nearest
        if nearest is not None:
            return nearest[1]
        why = "no agent can do that with these things."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, culprits=tuple(command.roles.values()))

    def _ending(self, operator: Operator, state: State) -> Operator:
        """Return an operator that also ends the relations of the things that it moves, and of whom it moves."""
        names = self._domain.conventions
        moved = {gone.args[0] for gone in operator.deleted if gone.predicate in (*names.resting, names.at)}
        ended = {
            atom
            for atom in state.atoms
            if self._domain.predicates[atom.predicate].predicate.on_demand and not moved.isdisjoint(atom.args)
        }
        return replace(operator, deleted=frozenset({*operator.deleted, *ended})) if ended else operator

    def _unless_untold(
        self, capability: Capability, command: Command, state: State, operator: Operator, others: Iterable[Operator]
    ) -> Operator | Feedback:
        """Return the operator, unless the command also fits one of `others` with another resulting state."""
        untold = _untold(capability)
        if not untold:
            return operator
        # A hidden parameter is harmless as long as all its values lead to the same state.
        after = self.completed(operator.apply(state))
        if all(self.completed(other.apply(state)) == after for other in others if other.applicable(state)):
            return operator
        why = f"'{capability.name}' does not tell its motion {', '.join(untold)}, and several would do."
        how = f"Give each a role under 'roles' of '{capability.name}'."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, culprits=untold, recoverable=False)

    def seconds_of(self, operator: Operator) -> float:
        """Return the duration of an operator."""
        duration = self._domain.capabilities[operator.action.name].duration
        if duration is not None:
            return duration
        agent = self._things.get(operator.command.agent) if operator.command else None
        return SECONDS if agent is None or agent.class_name == self._domain.conventions.robot else PERSON_SECONDS

    def completed(self, state: State) -> State:
        """Return a state with its derived facts."""
        return completed(Problem(self._domain, self._things, state))

    def _grounded(self, capability: Capability, command: Command) -> Iterator[Operator]:
        """Yield the operators of a capability that send this command, for all values of parameters without a role."""
        filled = _filled(capability, command)
        if filled is None:
            return
        choices = [
            [filled[parameter.name]]
            if parameter.name in filled
            else [name for name, thing in self._things.items() if thing.affords(parameter.affordances)]
            for parameter in capability.parameters
        ]
        # The values that stand for a number of the world, such as an amount.
        measures = {
            model.name: Quantity(command.values[model.name], base_unit(model.unit))
            for model in capability.values
            if model.number and model.name in command.values
        }
        for args in product(*choices):
            if self._may(capability, args):
                yield self._domain.ground(
                    Action(capability.name, args).with_values(measures), self._things, self._numbers, self._axioms
                )

    def _may(self, capability: Capability, args: tuple[str, ...]) -> bool:
        """Return whether a capability accepts these arguments."""
        binding = dict(zip((parameter.name for parameter in capability.parameters), args, strict=True))
        fits = all(
            arg in self._things and self._things[arg].affords(parameter.affordances)
            for parameter, arg in zip(capability.parameters, args, strict=True)
        )
        differ = all(binding[first] != binding[second] for first, second in capability.distinct)
        return fits and differ and (capability.agentless or self._has(self._things[args[0]], capability))

    def _has(self, agent: Thing, capability: Capability) -> bool:
        model = self._domain.agents.get(agent.class_name)
        return model is not None and capability.name in model.capabilities


def _untold(capability: Capability) -> tuple[str, ...]:
    """Return the parameters that occur in effects but have no role, so that a body does not know them."""
    if not capability.primitive:
        return ()
    with_role = {*capability.roles.values(), *(() if capability.agentless else (capability.parameters[0].name,))}
    return tuple(
        parameter.name
        for parameter in capability.parameters
        if parameter.name not in with_role and _matters(capability, parameter.name)
    )


def _matters(capability: Capability, parameter: str) -> bool:
    changed = any(f"?{parameter}" in template.args for template in capability.effect)
    return changed or bool(capability.conditional or capability.numeric)


def _filled(capability: Capability, command: Command) -> Mapping[str, str] | None:
    """Return the values of the parameters that a command gives; None if it is of another capability."""
    own = [
        parameter.name
        for parameter in capability.parameters
        if capability.agentless or parameter != capability.parameters[0]
    ]
    roles = capability.roles if capability.primitive else dict(zip(own, own, strict=True))
    if roles.keys() - command.roles.keys():
        return None
    free = {parameter.name for parameter in capability.parameters}
    if any(command.roles[role] != constant for role, constant in roles.items() if constant not in free):
        return None
    filled = {parameter: command.roles[role] for role, parameter in roles.items() if parameter in free}
    return filled if capability.agentless else {capability.parameters[0].name: command.agent, **filled}


def symbolic_robot(domain: Domain, scene: SceneFile) -> SymbolicRobot:
    """Return a symbolic body, which executes commands in the model of a scene with full knowledge of the state."""
    finder = OperatorFinder(domain, scene)
    robots = [name for name, thing in scene.things.items() if thing.class_name == domain.conventions.robot]
    return SymbolicRobot(
        State(scene.facts, scene.numbers),
        finder,
        name=robots[0] if robots else "robot0",
        seconds_of=finder.seconds_of,
        completed=finder.completed,
        primitives={
            verb.primitive or name: Primitive(verb.say or name, values=verb.values, places=verb.places)
            for name, verb in domain.capabilities.items()
        },
    )


def numeric_model(domain: Domain, scene: SceneFile) -> DomainNumbers | None:
    """Return how the actions of a world change its numbers; None if none does."""
    return DomainNumbers(domain, scene) if domain.changing_numbers else None


class DomainNumbers:
    """How the actions of a world change its numbers; implements `robots.states.NumericModel`.

    The amounts are exact arithmetic: the body moves as it does, and when its motion has succeeded, the numbers change
    by the effects that the world's own action has.

    Args:
        domain: The world.
        scene: The scene, for its things and its numbers at the start.
    """

    def __init__(self, domain: Domain, scene: SceneFile) -> None:
        self.initial: Mapping[Atom, float] = scene.numbers
        self._domain = domain
        self._operator_of = OperatorFinder(domain, scene)
        self._scene = Scene.start(scene, domain)
        verbs = domain.capabilities.values()
        self._counting = frozenset(motion_of(verb) for verb in verbs if any(effect.numeric for effect in verb.effects))
        computed = computed_predicates(domain)
        self._told = frozenset(
            name for name, model in domain.predicates.items() if model.sensed is None and name not in computed
        )

    @property
    def values(self) -> Mapping[str, tuple[ValueModel, ...]]:
        """By motion primitive, the values that stand for a number of the world; of several ranges the widest."""
        widest: dict[str, dict[str, ValueModel]] = {}
        for verb in self._domain.capabilities.values():
            for model in verb.values:
                if model.number:
                    models = widest.setdefault(motion_of(verb), {})
                    other = models.get(model.name, model)
                    low, high = min(model.low, other.low), max(model.high, other.high)
                    models[model.name] = ValueModel(model.name, model.unit, low, high)
        return {primitive: tuple(models.values()) for primitive, models in widest.items()}

    def changes(self, fluent: Atom) -> bool:
        """Return whether some action changes a number."""
        return fluent.predicate in self._domain.changing_numbers

    def after(
        self, command: Command, seen: Observation, numbers: Mapping[Atom, float]
    ) -> NumericChange | Feedback | None:
        """Return what a command leaves, why there is too little for it, or None if it changes no number."""
        # With another number, the scene takes in also a sensing that it has taken in before.
        self._scene = replace(self._scene, number=-1).updated(seen)
        if command.primitive not in self._counting:
            return None
        state = State(self._scene.state.atoms, numbers)
        operator = self._operator_of(command, state)
        if isinstance(operator, Feedback):
            return operator
        if not (operator.changes or any(effect.changes for effect in operator.conditional)):
            return None
        if (shortage := _shortage(command, operator, numbers)) is not None:
            return shortage
        after = operator.apply(state)
        return NumericChange(
            after.numbers, self._untested(after.atoms - state.atoms), self._untested(state.atoms - after.atoms)
        )

    def _untested(self, atoms: frozenset[Atom]) -> frozenset[Atom]:
        """Return the facts that no position shows and that follow from no others."""
        return frozenset(atom for atom in atoms if atom.predicate in self._told)


def motion_of(capability: Capability) -> str:
    """Return the motion primitive of a capability; one without has that of its own name."""
    return capability.primitive or capability.name


def _shortage(command: Command, operator: Operator, numbers: Mapping[Atom, float]) -> Feedback | None:
    """Return why there is too little, or no room, for a command, with the nearest amount; None if there is enough."""
    parts = () if operator.condition is None else conjoined(operator.condition)
    unmet = next((part for part in parts if isinstance(part, Compare) and not is_true(part, (), numbers)), None)
    if unmet is None:
        return None
    if (short := shortfall(operator.said_numbers, numbers)) is not None:
        return Feedback(Code.PRECONDITION, str(command), short.why, short.how, short.culprits)
    names = tuple(dict.fromkeys(arg for fluent in numbers_in(unmet) for arg in fluent.args))
    return Feedback(Code.PRECONDITION, str(command), f"{unmet} does not hold", culprits=names)
