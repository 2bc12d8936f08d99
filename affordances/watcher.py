"""`Watcher`: the beliefs of a running session, kept up to date with what a body senses.

It takes in one sensing at a time, keeps the state that follows, and remembers when each fact was last looked at, so
that an effect can be judged on a sensing of its own rather than on what was assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from affordances.facts import Key, Sensing, settled_keys, settling
from affordances.scene import SENSED, Belief, Scene, computed_predicates, sensed_predicates
from domains.model import Domain
from semantics.atoms import Atom, Literal
from semantics.observation import Observation
from semantics.protocols import ExactSensing, Robot
from semantics.state import State

__all__ = ["Contradiction", "Watcher"]


class Contradiction(NamedTuple):
    """A stated belief that a sensing denied.

    Attributes:
        belief: What was believed, with its source.
        sensed: What that sensing showed of the thing instead; empty when it was just not there.
        time: Of the sensing, in seconds of the body's clock.
    """

    belief: Belief
    sensed: tuple[Atom, ...]
    time: float


class Watcher:
    """What is held true now, as `semantics.protocols.Beliefs` asks; call `refresh` once per tick.

    Args:
        robot: The body that senses.
        scene: What is believed at the start.
        domain: The predicates and how each is sensed.
    """

    def __init__(self, robot: Robot, scene: Scene, domain: Domain) -> None:
        self.revision = 0
        self._robot = robot
        self._exact = robot if isinstance(robot, ExactSensing) else None
        self._domain = domain
        self._scene = scene
        self._state = scene.state(domain)
        self._tests = sensed_predicates(domain)
        self._computed = computed_predicates(domain)
        self._looked: dict[Key, float] = {}
        self._heard: dict[Atom, tuple[float, bool]] = {}
        self._last = Observation()
        self._shown: dict[Atom, float] = {}
        self._contradictions: list[Contradiction] = []

    @property
    def state(self) -> State:
        """What is held true, bookkeeping facts included."""
        return self._state

    @property
    def exact_within(self) -> float | None:
        """After how many seconds at most the body senses what is so, if it says that it never errs."""
        return None if self._exact is None else self._exact.exact_within

    @property
    def scene(self) -> Scene:
        """The beliefs behind `state`, with their sources and ages."""
        return self._scene

    @property
    def contradictions(self) -> Sequence[Contradiction]:
        """Stated beliefs that were denied so far, in order."""
        return tuple(self._contradictions)

    def refresh(self) -> bool:
        """Take in the body's latest sensing, if it is new; return whether `state` changed."""
        observation = self._robot.observation()
        if observation.number == self._scene.number:
            return False
        before, self._scene = self._scene, self._scene.updated(observation, self._domain, self._robot.name)
        self._note(observation)
        if before.beliefs.keys() == self._scene.beliefs.keys() and before.numbers == self._scene.numbers:
            return False
        self._contradictions += _contradictions(before, self._scene)
        self._state = self._scene.state(self._domain)
        self.revision += 1
        return True

    def recall(self, beliefs: Mapping[Atom, Belief]) -> None:
        """Take in what was believed of this world before it was watched, each with its last sensing.

        What is sensed now goes before it: it is left out where the latest sensing speaks of it.
        """
        known = {atom: one for atom, one in beliefs.items() if atom.predicate not in self._computed}
        scene = replace(self._scene.recalled(known, self._domain.conventions), number=-1)
        self._scene = scene.updated(self._last, self._domain, self._robot.name)
        for atom, belief in self._scene.beliefs.items():
            if atom in known and belief.seen is not None:
                self._remember(atom, belief.seen)
        self._state = self._scene.state(self._domain)
        self.revision += 1

    def _remember(self, atom: Atom, seen: float) -> None:
        """Note when a fact was sensed, where that is not known to have been later."""
        self._shown[atom] = max(seen, self._shown.get(atom, seen))
        if atom.predicate in self._tests:
            key = settling(atom, self._tests[atom.predicate])[0]
            self._looked[key] = max(seen, self._looked.get(key, seen))
        else:
            self._heard.setdefault(atom, (seen, True))

    def _note(self, observation: Observation) -> None:
        self._last = observation
        self._looked.update(dict.fromkeys(settled_keys(observation), observation.time))
        self._heard.update({atom: (observation.time, true) for atom, true in observation.told.items()})
        for atom, belief in self._scene.beliefs.items():
            if belief.seen == observation.time:
                self._shown[atom] = observation.time

    def met(self, name: str) -> float | None:
        """Return when a thing was last seen, or felt in a hand, in seconds of the body's clock; None for never."""
        return self._looked.get(("seen", name))

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return what the last sensing of `literal` at or after `since` showed; None when it was not sensed.

        A fact that follows from others is answered from what is held true as of the last sensing.
        """
        atom = literal.atom
        if atom.predicate in self._computed:
            return self._followed(literal, since)
        told, true = self._told(atom)
        keys = settling(atom, self._tests[atom.predicate]) if atom.predicate in self._tests else ()
        looked = max((self._looked.get(key, -1.0) for key in keys), default=-1.0)
        if max(told, looked) < max(since, 0.0):
            return None
        if told >= looked:
            return true == literal.positive
        return (self._shown.get(atom, -1.0) >= looked) == literal.positive

    def _told(self, atom: Atom) -> tuple[float, bool]:
        """Return when the body last told whether an atom holds, -1 for never, and its answer."""
        truth = Sensing(self._last).truth(atom)
        return self._heard.get(atom, (-1.0, False)) if truth is None else (self._last.time, truth)

    def _followed(self, literal: Literal, since: float) -> bool | None:
        if not self._scene.number or self._scene.time < since:
            return None
        return self._state.holds(literal)


def _contradictions(before: Scene, after: Scene) -> list[Contradiction]:
    """Return the stated beliefs that went, with what was sensed of the same thing."""
    gone = [belief for atom, belief in before.beliefs.items() if belief.source != SENSED and atom not in after.beliefs]
    return [Contradiction(belief, _sensed_of(belief.atom.args[:1], after), after.time) for belief in gone]


def _sensed_of(subject: tuple[str, ...], scene: Scene) -> tuple[Atom, ...]:
    return tuple(
        sorted(atom for atom, belief in scene.beliefs.items() if atom.args[:1] == subject and belief.seen == scene.time)
    )
