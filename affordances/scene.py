"""`Scene`: the beliefs about the objects of a place, each with its source and age.

A sensing replaces the beliefs that it can decide and keeps the others. Milk that was seen in a fridge is still believed
to be there behind the closed door, until the robot sees the open fridge without the milk. A statement of a scene file
(the milk was last in the fridge) is a belief like any other; it does not count as a sensing. `inventory` returns a
scene as rows of data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from affordances.bookkeeping import DERIVED, derive
from affordances.confidence import present_confidence
from affordances.facts import overlooked, settles, settling
from affordances.relations import related
from affordances.shown import Shown, sensed_predicates, shown_in
from affordances.stamped import Stamped, without
from domains.conventions import Conventions
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.world import World
from semantics.body.observation import Observation, Sighting, differing
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

SENSED = "sensed"  # source of a belief from a sensing
TOLD = "told"  # source of a belief of what a skill said, and nothing has sensed since
ASSUMED = "assumed"
"""Source of a belief of a `believed` predicate: an action that makes it so has succeeded, and nothing senses it."""
WRITTEN = "scene file"  # source of a belief from the arrangement in the scene file, without a robot


class Belief(NamedTuple):
    """One fact that is believed to be true.

    Attributes:
        atom: The fact.
        source: `SENSED`, `TOLD`, `ASSUMED`, `WRITTEN`, or the words with which a scene file states it.
        since: The time since when it has been believed, in seconds of the robot's clock.
        seen: The time of the last sensing that showed it; None when no sensing has.
        confidence: How sure this sensing was of the objects in the fact, from 0 to 1; 1 for a stated belief.
        by: The sensor or robot that sensed it; empty when no sensing has shown it.
    """

    atom: Atom
    source: str
    since: float = 0.0
    seen: float | None = None
    confidence: float = 1.0
    by: str = ""


class Seen(NamedTuple):
    """The last sighting of an object."""

    box: Box  # its bounds, in metres
    time: float  # the time of the sighting, in seconds of the robot's clock
    by: str = ""  # the sensor or robot that saw it
    confidence: float = 1.0  # how sure it is that it was this object, from 0 to 1


class Contradiction(NamedTuple):
    """A stated belief that a sensing contradicted."""

    belief: Belief  # the belief, with its source
    # the facts about the object that the sensing showed instead; empty when the object was just absent
    sensed: tuple[Atom, ...]
    time: float  # the time of the sensing, in seconds of the robot's clock


@dataclass(frozen=True, slots=True)
class Scene:
    """Objects, and the beliefs about them.

    Attributes:
        world: The objects that are known, and what they are.
        beliefs: The beliefs, by fact; without bookkeeping facts, which are computed from them.
        time: The time of the last sensing, in seconds of the robot's clock.
        number: The number of the last sensing; 0 before the first.
        seen: The last sighting of each object, by name; without the objects that were never seen.
        numbers: Values of numeric fluents: the last measurement, else the value in the scene file.
        asked: The facts of predicates on demand that are sensed.
        distances: Those of them that hold only at a distance, in metres from edge to edge.
        faded: Beliefs that are too unsure by now to be relied on, by fact; see `affordances.confidence`.
        doubtful: Facts that the last sensing shows or does not show depending on what it is not sure to have seen.
        shown: What the geometric tests showed in it; None if all is to be tested again.
    """

    world: World
    beliefs: Mapping[Atom, Belief] = field(default_factory=dict)
    time: float = 0.0
    number: int = 0
    seen: Mapping[str, Seen] = field(default_factory=dict)
    numbers: Mapping[Atom, float] = field(default_factory=dict)
    asked: frozenset[Atom] = frozenset()
    distances: Mapping[Atom, float] = field(default_factory=dict)
    faded: Mapping[Atom, Belief] = field(default_factory=dict)
    doubtful: frozenset[Atom] = frozenset()
    shown: Shown | None = field(default=None, repr=False, compare=False)

    @property
    def things(self) -> Mapping[str, Thing]:
        """All known objects, by name."""
        return self.world.objects

    @property
    def confirmed(self) -> frozenset[Atom]:
        """The facts that the last sensing confirmed."""
        return self.beliefs.now if isinstance(self.beliefs, Stamped) else frozenset()

    @property
    def sure(self) -> Observation:
        """The last sensing, without what it is not sure of."""
        return Observation() if self.shown is None else self.shown.sure.observation

    @classmethod
    def start(cls, scene_file: SceneFile, domain: Domain, now: float = 0.0) -> Scene:
        """Return the scene before the first sensing: the stated beliefs, the lasting facts, and where things rest.

        They are believed since `now`, in seconds of the robot's clock.

        What cannot be seen at first, in a shut drawer or behind something, is believed where the file says, and so is
        what no geometry shows of it (the juice in the bottle), unless the file calls it hidden. The rest of the true
        arrangement is left to sensing.
        """
        names, lasting = domain.conventions, lasting_predicates(domain)
        found = _reported(domain).difference(names.resting)
        covered = {_aspect(atom, names) for atom in scene_file.beliefs}
        stated = {
            atom: Belief(atom, WRITTEN, now)
            for atom in scene_file.facts
            if atom.predicate in lasting
            or (
                atom.predicate not in found
                and scene_file.hidden.isdisjoint(atom.args)
                and _aspect(atom, names) not in covered
            )
        }
        stated |= {atom: Belief(atom, source, now) for atom, source in scene_file.beliefs.items()}
        return cls(World.of(scene_file, domain), _known(stated, domain), numbers=scene_file.numbers)

    @classmethod
    def as_written(cls, scene_file: SceneFile, domain: Domain) -> Scene:
        """Return the true arrangement of a scene file, for planning without a robot.

        The facts override stated beliefs about the place of the same object, or about the same door.
        """
        beliefs = {atom: Belief(atom, WRITTEN) for atom in scene_file.facts}
        names = domain.conventions
        covered = {_aspect(atom, names) for atom in beliefs}
        for atom, source in scene_file.beliefs.items():
            if _aspect(atom, names) not in covered:
                beliefs[atom] = Belief(atom, source)
        return cls(World.of(scene_file, domain), _known(beliefs, domain), numbers=scene_file.numbers)

    def updated(self, observation: Observation, by: str = "") -> Scene:
        """Return the scene after a sensing; a sensing with the number of the last one changes nothing.

        A fact is sensed if it holds both with and without what the robot is not sure enough to have seen.

        Args:
            observation: The sensing.
            by: The name of the robot, for a sensing that names no sensor.

        Raises:
            UnknownNameError: The domain names a sensing test that does not exist.
        """
        if observation.number == self.number:
            return self
        domain = self.world.domain
        tests, computed = sensed_predicates(domain), computed_predicates(domain)
        is_next = self.shown is not None and self.shown.version == self.shown.sure.version

        def reported(atom: Atom) -> bool | None:
            """Return whether the robot reports a fact; reports about what is computed from others are ignored."""
            return None if atom.predicate in computed else observation.told.get(atom)

        every, observation = observation, without_unsure(observation, domain.least_confidence, self.shown)
        geometry = shown_in(self.shown, observation, every, self.world)
        is_next = is_next and self.shown is not None and geometry.sure is self.shown.sure
        shown = compared = geometry.sure.facts
        if every is not observation and geometry.every is not None:
            compared = geometry.every.facts
        doubtful = frozenset() if compared is shown else shown ^ compared
        asked = related(self.asked, observation, self.things, domain.conventions, self.distances)

        def decided(atom: Atom) -> bool:
            """Return whether the sensing settles one of the keys that decide a fact."""
            keys = settling(atom, tests[atom.predicate]) if atom.predicate in tests and atom not in doubtful else ()
            subject = next(iter(atom.args), "")
            return any(settles(observation, key) and not overlooked(observation, subject, key) for key in keys)

        # What the robot reports of itself counts where its geometry does not decide.
        plain, tested = geometry.sure.reports(tests.keys(), computed)
        told = plain.union(atom for atom in tested if not decided(atom))
        facts = (shown - doubtful).union(asked, told) if doubtful or asked or told else shown
        said = {
            atom: telling.truth
            for atom, telling in observation.heard.items()
            if telling.time >= self.time and reported(atom) is None and not decided(atom) and atom not in facts
        }
        beliefs, seen, changed = self.beliefs, self.seen, geometry.sure.changed
        if is_next and isinstance(beliefs, Stamped) and isinstance(seen, Stamped):
            new = {*(facts - beliefs.now)}
            facts = facts if new or len(facts) < len(beliefs.now) else beliefs.now
            judged = {*(beliefs.now - facts), *said, *(doubtful ^ self.doubtful)}
            judged |= _judged_anew(beliefs.keys(), facts, geometry.sure.before, observation, changed)
            new |= _surer(facts, geometry.sure.before, observation, changed)
        else:
            beliefs, seen = Stamped(dict(beliefs)), Stamped(dict(seen))
            new, judged, changed = {*facts}, {*(beliefs.keys() - facts)}, {*observation.sightings}
        # A belief stays unless the robot reports on it, the sensing decides it, or a skill has said something else.
        lost = {
            atom
            for atom in judged - facts
            if atom in beliefs and (reported(atom) is not None or decided(atom) or not said.get(atom, True))
        }
        heard = {
            atom: Belief(atom, source_of(atom, domain), observation.heard[atom].time)
            for atom, truth in said.items()
            if truth and (atom not in beliefs or atom in lost or beliefs[atom].source != SENSED)
        }
        time, sensor = observation.time, observation.by or by
        sightings, numbers = observation.sightings, observation.numbers
        believed = heard | {atom: self._confirmed(atom, observation, by) for atom in new}
        sighted = {
            name: Seen(sightings[name].box, time, sensor, sightings[name].confidence)
            for name in changed
            if name in sightings
        }
        in_view = frozenset(sightings) if changed else seen.now
        return replace(
            self,
            beliefs=beliefs.after(facts, partial(_reaffirmed, time, sensor), lost, believed),
            time=time,
            number=observation.number,
            seen=seen.after(in_view, lambda one: one._replace(time=time, by=sensor), (), sighted),
            numbers=self.numbers if numbers.items() <= self.numbers.items() else {**self.numbers, **numbers},
            doubtful=doubtful,
            shown=geometry,
        )

    def without(self, names: Collection[str]) -> Scene:
        """Return the scene without some things, which are forgotten, and without all facts about them."""
        gone = frozenset(names)

        def is_kept(atom: Atom) -> bool:
            return gone.isdisjoint(atom.args)

        return replace(
            self,
            world=self.world.without_objects(names),
            beliefs=without(self.beliefs, {atom for atom in self.beliefs if not is_kept(atom)}),
            faded={atom: belief for atom, belief in self.faded.items() if is_kept(atom)},
            seen=without(self.seen, names),
            numbers={atom: number for atom, number in self.numbers.items() if is_kept(atom)},
            asked=frozenset(filter(is_kept, self.asked)),
            distances={atom: distance for atom, distance in self.distances.items() if is_kept(atom)},
            doubtful=frozenset(filter(is_kept, self.doubtful)),
        )

    def recalled(self, beliefs: Mapping[Atom, Belief]) -> Scene:
        """Return the scene with beliefs of an earlier session, except where the scene itself has sensed newer facts."""
        names = self.world.domain.conventions
        sensed = {atom: belief for atom, belief in self.beliefs.items() if belief.seen is not None}
        covered = {_aspect(atom, names) for atom in sensed}
        before = {atom: belief for atom, belief in beliefs.items() if _aspect(atom, names) not in covered}
        return replace(self, beliefs=before | sensed)

    def _confirmed(self, atom: Atom, observation: Observation, by: str) -> Belief:
        before, time = self.beliefs.get(atom), observation.time
        if source_of(atom, self.world.domain) == ASSUMED:
            return Belief(atom, ASSUMED, before.since if before else time, time)
        confidence = _confidence(atom.args, observation.sightings)
        return Belief(atom, SENSED, before.since if before else time, time, confidence, observation.by or by)

    @property
    def state(self) -> State:
        """The beliefs as a state, with all facts that follow from them."""
        return completed(self.world.problem(State(frozenset(self.beliefs), self.numbers)))


def without_unsure(observation: Observation, least: float, last: Shown | None = None) -> Observation:
    """Return an observation without the things that it is not sure enough of, and without what a body reports of them.

    It is the observation itself if there are none.

    Args:
        observation: The observation.
        least: The confidence from which on it is sure enough.
        last: What an observation before showed; of which it was sure is not looked at again.
    """
    sightings = observation.sightings
    names = sightings if last is None else last.sure.changes(observation)
    unsure = {name for name in names if name in sightings and sightings[name].confidence < least}
    if not unsure:
        return observation
    sure = {name: sighting for name, sighting in sightings.items() if name not in unsure}
    told = {atom: truth for atom, truth in observation.told.items() if unsure.isdisjoint(atom.args)}
    return replace(observation, sightings=sure, told=told)


def contradictions(before: Scene, after: Scene) -> list[Contradiction]:
    """Return the stated beliefs that are gone, with the sensed facts about the same object."""
    gone = [before.beliefs[atom] for atom in sorted(before.beliefs.keys() - after.beliefs.keys())]
    stated = [belief for belief in gone if belief.source not in (SENSED, ASSUMED)]
    return [Contradiction(belief, _sensed_of(belief.atom.args[:1], after), after.time) for belief in stated]


def _sensed_of(subject: tuple[str, ...], scene: Scene) -> tuple[Atom, ...]:
    return tuple(
        sorted(atom for atom, belief in scene.beliefs.items() if atom.args[:1] == subject and belief.seen == scene.time)
    )


def source_of(atom: Atom, domain: Domain, otherwise: str = TOLD) -> str:
    """Return the source of a belief: `ASSUMED` where the world lets it be assumed, else that which is given."""
    model = domain.predicates.get(atom.predicate)
    return ASSUMED if model is not None and model.believed else otherwise


def computed_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates that follow from others: bookkeeping with a rule in `DERIVED`, and derived predicates."""
    return domain.remember("computed predicates", lambda: frozenset({*bookkeeping_of(domain), *domain.derived}))


def bookkeeping_of(domain: Domain) -> Mapping[str, str]:
    """Return the bookkeeping predicates that are computed, each with the name of its rule."""
    rules = {domain.conventions[rule]: rule for rule in DERIVED}
    return {
        name: rule for name, rule in rules.items() if name in domain.predicates and domain.predicates[name].bookkeeping
    }


def completed(problem: Problem) -> State:
    """Return the state of a problem, with all facts that follow from the others computed again."""
    domain, given_state = problem.domain, problem.state
    names, rules = computed_predicates(domain), bookkeeping_of(domain).values()
    plain = frozenset(atom for atom in given_state.atoms if atom.predicate not in names)
    state = State(plain | derive(plain, problem.objects, rules, domain.conventions), given_state.numbers)
    return problem.with_state(state).closed


def lasting_predicates(domain: Domain) -> frozenset[str]:
    """Return the predicates whose facts are those of the scene for every body: no action changes them, nothing tells.

    A body that reports such a fact all the same is believed.
    """
    return domain.remember(
        "lasting predicates", lambda: domain.static_predicates - _reported(domain) - computed_predicates(domain)
    )


def _reported(domain: Domain) -> frozenset[str]:
    """Return the predicates that a test senses, or that are declared to be told by the body."""
    return frozenset(name for name, model in domain.predicates.items() if model.sensed is not None or model.told)


def _judged_anew(
    known: Set[Atom], facts: frozenset[Atom], before: Observation, now: Observation, changed: Collection[str]
) -> set[Atom]:
    """Return the beliefs about which a sensing may decide otherwise than the one before; it changed some sightings."""
    names = {name for name in changed if name in now.sightings} | (now.held - before.held)
    names |= now.agents.keys() - before.agents.keys() | (now.searched - before.searched)
    names |= differing(before.undetectable, now.undetectable)
    told = set[Atom]()
    if isinstance(now.told, dict) and isinstance(before.told, dict):
        told = differing(before.told, now.told)
    if isinstance(now.told, dict) and bool(now.agents) == bool(before.agents):
        return told | ({atom for atom in known - facts if not names.isdisjoint(atom.args)} if names else set())
    return {*(known - facts)}


def _surer(facts: Iterable[Atom], before: Observation, now: Observation, changed: Collection[str]) -> frozenset[Atom]:
    """Return the facts about things that were sighted with another confidence before."""
    others = {name for name in changed if _confidence((name,), before.sightings) != _confidence((name,), now.sightings)}
    return frozenset(atom for atom in facts if not others.isdisjoint(atom.args)) if others else frozenset()


def _reaffirmed(time: float, by: str, belief: Belief) -> Belief:
    return belief._replace(seen=time) if belief.source == ASSUMED else belief._replace(seen=time, by=by)


def _confidence(names: Iterable[str], sightings: Mapping[str, Sighting]) -> float:
    """Return the least confidence of the objects of a fact; what the robot feels (its hand, its place) counts as 1."""
    return min((sightings[name].confidence for name in names if name in sightings), default=1.0)


def _aspect(atom: Atom, names: Conventions) -> tuple[str, ...]:
    """Return the aspect of an object that a fact is about; facts about the same aspect are mutually exclusive."""
    if atom.predicate in names.placing:
        return ("place", atom.args[0])
    return ("door", atom.args[0]) if atom.predicate in names.doors else (atom.predicate, *atom.args)


def _known(beliefs: Mapping[Atom, Belief], domain: Domain) -> Mapping[Atom, Belief]:
    """Leave out the facts that follow from others, since these are always computed."""
    computed = computed_predicates(domain)
    return {atom: belief for atom, belief in beliefs.items() if atom.predicate not in computed}


class InventoryRow(NamedTuple):
    """All knowledge about one object."""

    thing: Thing  # name, class, affordances, kinds and words
    beliefs: tuple[Belief, ...]  # the beliefs whose first argument is the object, sorted, each with its source and age
    seen: Seen | None  # the last sighting; None when the object was never seen
    confidence: tuple[float, ...] = ()  # how sure each of the beliefs is at the time of the scene, from 0 to 1

    def as_dict(self, now: float) -> dict[str, Any]:
        """Return plain data for JSON, in metres, seconds of the robot's clock, and seconds of age at `now`."""
        return {
            "name": self.thing.name,
            "class": self.thing.class_name,
            "affordances": sorted(self.thing.affordances),
            "kinds": sorted(self.thing.kinds),
            "attributes": {name: [*self.thing.values(name)] for name, _ in self.thing.attributes},
            "relations": [
                _belief_as_dict(belief, now) | {"confidence_now": round(sure, 4)}
                for belief, sure in zip(self.beliefs, self.confidence, strict=True)
            ],
            "box": [*self.seen.box.low, *self.seen.box.high] if self.seen else None,
            "confidence": self.seen.confidence if self.seen else None,
            "last_seen": self.seen.time if self.seen else None,
            "seen_by": self.seen.by if self.seen else None,
        }


def inventory(scene: Scene) -> tuple[InventoryRow, ...]:
    """Return a row for each object of a scene, in the order of the scene, also with what has faded."""
    beliefs: dict[str, list[Belief]] = {name: [] for name in scene.things}
    for atom, belief in sorted({**scene.faded, **scene.beliefs}.items()):
        if atom.args and atom.args[0] in beliefs:
            beliefs[atom.args[0]].append(belief)

    def row(name: str, thing: Thing) -> InventoryRow:
        known, domain = tuple(beliefs[name]), scene.world.domain
        sure = tuple(present_confidence(belief, thing, domain, scene.time) for belief in known)
        return InventoryRow(thing, known, scene.seen.get(name), sure)

    return tuple(row(name, thing) for name, thing in scene.things.items())


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
