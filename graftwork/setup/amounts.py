"""The numbers of a world for a body that is not its model: how much is in a bottle, and what a pour leaves of it.

The amounts are exact arithmetic: the body moves as it does, and when its motion has succeeded, the numbers change by
the effects that the world's own action has, found and applied by the code of the symbolic body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from affordances.scene import Scene, computed_predicates
from domains.capability import Capability
from domains.model import Domain, SceneFile
from graftwork.setup.model_body import OperatorFinder
from robots.states import NumericChange
from semantics.body.observation import Observation
from semantics.logic.atoms import Atom, Compare, Formula, conjoined, numbers_in
from semantics.logic.conditions import is_true
from semantics.logic.feedback import Code, Feedback
from semantics.logic.quantity import ValueModel
from semantics.logic.said_number import shortfall
from semantics.logic.state import Command, Operator, State

__all__ = ["DomainNumbers", "numeric_model"]


def numeric_model(domain: Domain, scene: SceneFile) -> DomainNumbers | None:
    """Return how the actions of a world change its numbers; None if none does."""
    return DomainNumbers(domain, scene) if domain.changing_numbers else None


class DomainNumbers:
    """How the actions of a world change its numbers; implements `robots.states.NumericModel`.

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


def _numeric_parts(operator: Operator) -> Iterator[Formula]:
    """Yield the comparisons of the numbers of the world in the condition of an operator."""
    if operator.condition is not None:
        yield from (part for part in conjoined(operator.condition) if isinstance(part, Compare))


def _shortage(command: Command, operator: Operator, numbers: Mapping[Atom, float]) -> Feedback | None:
    """Return why there is too little, or no room, for a command, with the nearest amount; None if there is enough."""
    unmet = next((part for part in _numeric_parts(operator) if not is_true(part, (), numbers)), None)
    if unmet is None:
        return None
    if (short := shortfall(operator.said_numbers, numbers)) is not None:
        return Feedback(Code.PRECONDITION, str(command), short.why, short.how, short.culprits)
    names = tuple(dict.fromkeys(arg for fluent in numbers_in(unmet) for arg in fluent.args))
    return Feedback(Code.PRECONDITION, str(command), f"{unmet} does not hold", culprits=names)
