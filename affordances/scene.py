"""`Scene`: what is believed of the things of a place, each fact with its source and age.

A sensing replaces what it can speak about and leaves the rest: milk that was once seen in a fridge stays believed there
behind the closed door, until the fridge is seen open and without it. What a scene file states (the milk was last in the
fridge) is a belief like any other, and no sensing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from affordances.bookkeeping import DERIVED, derive
from affordances.facts import Sensing, sense, settled_keys, settling
from domains.conventions import STANDARD, Conventions
from domains.model import Domain, SceneFile
from domains.problem import Problem
from semantics.atoms import Atom
from semantics.geometry import Box
from semantics.observation import Observation, Sighting
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = [
    "SENSED",
    "WRITTEN",
    "Belief",
    "InventoryRow",
    "Scene",
    "Seen",
    "bookkeeping_of",
    "completed",
    "computed_predicates",
    "inventory",
    "sensed_predicates",
]

SENSED = "sensed"
"""Source of a belief that a sensing showed."""
WRITTEN = "scene file"
"""Source of a belief taken from the arrangement as written, without a body."""


class Belief(NamedTuple):
    """One fact held true.

    Attributes:
        atom: The fact.
        source: `SENSED`, `WRITTEN`, or the words a scene states it with.
        since: When it was first held true, in seconds of the body's clock.
        seen: When a sensing last showed it; None when none has.
        confidence: How sure that sensing was of the things it names, from 0 to 1; 1 for what was stated.
        by: What sensed it; empty when nothing has.
    """

    atom: Atom
    source: str
    since: float = 0.0
    seen: float | None = None
    confidence: float = 1.0
    by: str = ""


class Seen(NamedTuple):
    """How a thing was last seen.

    Attributes:
        box: Its bounds, in metres.
        time: When, in seconds of the body's clock.
        by: What sensed it.
        confidence: That it is this thing, from 0 to 1.
    """

    box: Box
    time: float
    by: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Things, and what is believed of them.

    Attributes:
        things: Everything that is known to exist, by name.
        beliefs: By fact; bookkeeping facts are computed from them and not among them.
        time: Of the last sensing taken in, in seconds of the body's clock.
        number: Of the last sensing taken in; 0 before the first.
        seen: How each thing was last seen, by name; one that never was is not in it.
        numbers: Values of numeric fluents, as measured last or else as the scene file says.
    """

    things: Mapping[str, Thing]
    beliefs: Mapping[Atom, Belief] = field(default_factory=dict)
    time: float = 0.0
    number: int = 0
    seen: Mapping[str, Seen] = field(default_factory=dict)
    numbers: Mapping[Atom, float] = field(default_factory=dict)

    @classmethod
    def start(cls, scene_file: SceneFile, domain: Domain) -> Scene:
        """Return the scene before the first sensing: the stated beliefs, and nothing of the true arrangement."""
        stated = {atom: Belief(atom, source) for atom, source in scene_file.beliefs.items()}
        return cls(scene_file.things, _known(stated, domain), numbers=scene_file.numbers)

    @classmethod
    def as_written(cls, scene_file: SceneFile, domain: Domain) -> Scene:
        """Return the arrangement as written, for planning without a body.

        A stated belief about where a thing is, or how a door stands, gives way to the fact.
        """
        beliefs = {atom: Belief(atom, WRITTEN) for atom in scene_file.facts}
        names = domain.conventions
        told = {_aspect(atom, names) for atom in beliefs}
        for atom, source in scene_file.beliefs.items():
            if _aspect(atom, names) not in told:
                beliefs[atom] = Belief(atom, source)
        return cls(scene_file.things, _known(beliefs, domain), numbers=scene_file.numbers)

    def updated(self, observation: Observation, domain: Domain, by: str = "") -> Scene:
        """Return the scene after a sensing; one that was taken in before changes nothing.

        Args:
            observation: The sensing.
            domain: The predicates and how each is sensed.
            by: The body, for a sensing that names no sensor.

        Raises:
            UnknownNameError: The domain names a sensing test that does not exist.
        """
        if observation.number == self.number:
            return self
        tests = sensed_predicates(domain)
        told = Sensing(observation, computed_predicates(domain))
        facts = told.corrected(_shown(observation, self.things, domain))
        settled = settled_keys(observation)
        kept = {
            atom: belief
            for atom, belief in self.beliefs.items()
            if told.truth(atom) is None
            and (atom.predicate not in tests or not settled.intersection(settling(atom, tests[atom.predicate])))
        }
        return replace(
            self,
            beliefs=kept | {atom: self._confirmed(atom, observation, by) for atom in facts},
            time=observation.time,
            number=observation.number,
            seen={**self.seen, **_seen(observation, by)},
            numbers={**self.numbers, **observation.numbers},
        )

    def recalled(self, beliefs: Mapping[Atom, Belief], names: Conventions) -> Scene:
        """Return the scene with what was believed before it began, except of what has been sensed since."""
        own = {atom: belief for atom, belief in self.beliefs.items() if belief.seen is not None}
        told = {_aspect(atom, names) for atom in own}
        before = {atom: belief for atom, belief in beliefs.items() if _aspect(atom, names) not in told}
        return replace(self, beliefs=before | own)

    def _confirmed(self, atom: Atom, observation: Observation, by: str) -> Belief:
        before, time = self.beliefs.get(atom), observation.time
        confidence = _confidence(atom, observation.sightings)
        return Belief(atom, SENSED, before.since if before else time, time, confidence, observation.by or by)

    def state(self, domain: Domain) -> State:
        """Return what is believed as a state, with all that follows from it."""
        return completed(Problem(domain, self.things, State(frozenset(self.beliefs), self.numbers)))

    def whereabouts(self, name: str, names: Conventions = STANDARD) -> Belief | None:
        """Return the belief that says where a thing is, by the names of its world; None when nobody knows."""
        placing = (belief for atom, belief in self.beliefs.items() if atom.predicate in names.placing)
        return min((belief for belief in placing if belief.atom.args[0] == name), default=None)

    def source_of(self, atom: Atom) -> str | None:
        """Return where a belief comes from, or None when it is not believed."""
        belief = self.beliefs.get(atom)
        return belief.source if belief else None


def computed_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates that follow from others: bookkeeping of which `affordances` knows how, and derived ones."""
    return frozenset({*bookkeeping_of(domain), *domain.derived})


def bookkeeping_of(domain: Domain) -> Mapping[str, str]:
    """Return the bookkeeping predicates that are computed, each with the rule that does it."""
    rules = {domain.conventions[rule]: rule for rule in DERIVED}
    return {
        name: rule for name, rule in rules.items() if name in domain.predicates and domain.predicates[name].bookkeeping
    }


def completed(problem: Problem) -> State:
    """Return the state of a problem with everything that follows from its other facts computed anew."""
    domain, state = problem.domain, problem.state
    names, rules = computed_predicates(domain), bookkeeping_of(domain).values()
    plain = frozenset(atom for atom in state.atoms if atom.predicate not in names)
    found = State(plain | derive(plain, problem.objects, rules, domain.conventions), state.numbers)
    return problem.with_state(found).closed


def sensed_predicates(domain: Domain) -> Mapping[str, str]:
    """Return the predicates of a domain that geometry shows, each with the name of its test."""
    return {name: model.sensed for name, model in domain.predicates.items() if model.sensed is not None}


def _shown(observation: Observation, things: Mapping[str, Thing], domain: Domain) -> frozenset[Atom]:
    """Return the facts that geometry shows, under the names of the domain."""
    return frozenset(
        Atom(name, atom.args)
        for name, test in sensed_predicates(domain).items()
        for atom in sense(observation, things, (test,), domain.conventions)
    )


def _seen(observation: Observation, by: str) -> dict[str, Seen]:
    time, sensor = observation.time, observation.by or by
    return {name: Seen(one.box, time, sensor, one.confidence) for name, one in observation.sightings.items()}


def _confidence(atom: Atom, sightings: Mapping[str, Sighting]) -> float:
    """Return that of the least sure sighting; what a body feels (its hand, its place) is sure."""
    return min((sightings[name].confidence for name in atom.args if name in sightings), default=1.0)


def _aspect(atom: Atom, names: Conventions) -> tuple[str, ...]:
    """Return what a fact tells of which thing; facts of one aspect exclude each other."""
    if atom.predicate in names.placing:
        return ("place", atom.args[0])
    return ("door", atom.args[0]) if atom.predicate in names.doors else (atom.predicate, *atom.args)


def _known(beliefs: Mapping[Atom, Belief], domain: Domain) -> Mapping[Atom, Belief]:
    """Leave out facts that follow from others: they are always computed anew."""
    computed = computed_predicates(domain)
    return {atom: belief for atom, belief in beliefs.items() if atom.predicate not in computed}


class InventoryRow(NamedTuple):
    """What is known of one thing.

    Attributes:
        thing: Name, class, affordances, kinds and words.
        beliefs: Every fact held true whose first argument it is, sorted, each with its source and age.
        seen: How it was last seen; None when it never was.
    """

    thing: Thing
    beliefs: tuple[Belief, ...]
    seen: Seen | None

    def as_dict(self, now: float) -> dict[str, Any]:
        """Return plain data for JSON; lengths are metres, times seconds of the body's clock, ages seconds at `now`."""
        return {
            "name": self.thing.name,
            "class": self.thing.class_name,
            "affordances": sorted(self.thing.affordances),
            "kinds": sorted(self.thing.kinds),
            "relations": [_belief_as_dict(belief, now) for belief in self.beliefs],
            "box": [*self.seen.box.low, *self.seen.box.high] if self.seen else None,
            "confidence": self.seen.confidence if self.seen else None,
            "last_seen": self.seen.time if self.seen else None,
            "seen_by": self.seen.by if self.seen else None,
        }


def inventory(scene: Scene) -> tuple[InventoryRow, ...]:
    """Return a row for each thing of a scene, in its order."""
    of: dict[str, list[Belief]] = {name: [] for name in scene.things}
    for atom in sorted(scene.beliefs):
        if atom.args and atom.args[0] in of:
            of[atom.args[0]].append(scene.beliefs[atom])
    return tuple(InventoryRow(thing, tuple(of[name]), scene.seen.get(name)) for name, thing in scene.things.items())


def _belief_as_dict(belief: Belief, now: float) -> dict[str, Any]:
    return {
        "fact": str(belief.atom),
        "source": belief.source,
        "since": belief.since,
        "last_seen": belief.seen,
        "age": None if belief.seen is None else round(now - belief.seen, 3),
        "confidence": belief.confidence,
        "by": belief.by or None,
    }
