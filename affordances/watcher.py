"""`Watcher`: the beliefs of a running session, kept up to date with what a robot senses.

It processes one sensing at a time, keeps the resulting state, and remembers when each fact was last sensed, so that an
action can verify its effects by a new sensing instead of an assumption.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, cast

from affordances.confidence import faded
from affordances.derived_state import DerivedState
from affordances.facts import Key, relations_of_all, settled_alone, settles, settling
from affordances.newcomers import KnownThing, with_newcomers
from affordances.relations import arrangement, related, viewer, views
from affordances.scene import (
    ASSUMED,
    SENSED,
    TOLD,
    Belief,
    Contradiction,
    Scene,
    computed_predicates,
    contradictions,
    lasting_predicates,
    source_of,
)
from affordances.shown import sensed_predicates
from affordances.stamped import same_keys, without
from affordances.support import with_hidden_supports
from domains.model import Domain
from domains.world import World
from semantics.body.observation import (
    HAND,
    LONGEST_AGE,
    MOST_KNOWN,
    Observation,
    Sighting,
    differing,
    not_finite,
    oldest,
)
from semantics.body.protocols import ExactSensing, Robot
from semantics.errors import SensingError
from semantics.geometry.geometry import Box
from semantics.geometry.points import NORTH
from semantics.geometry.relations import Arrangement
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import State
from semantics.words.positions import Positions

__all__ = ["Contradiction", "Watcher"]

MOST_ASKED = 256  # how many facts of goals are sensed on demand; those of the last goal stay when there are more
REVIEW_SECONDS = 10.0  # how often it is judged which beliefs have faded, in seconds of the robot's clock


class Watcher:
    """The current beliefs; implements `semantics.body.protocols.Beliefs`. Call `refresh` once per tick.

    Args:
        robot: The robot that senses.
        scene: The beliefs at the start, with the world that they are about.

    Attributes:
        revision: A number that grows with every change of `state`.
        scene: The beliefs from which `state` follows, with their sources and ages.
        state: The believed state, including bookkeeping facts.
        exact_within: The largest delay in seconds of a robot whose sensing is exact; None when sensing may err.
        contradictions: The stated beliefs that were contradicted so far, in order.
    """

    def __init__(self, robot: Robot, scene: Scene) -> None:
        self.revision = 0
        self._robot = robot
        self.exact_within = robot.exact_within if isinstance(robot, ExactSensing) else None
        self.scene = scene
        self._derived = DerivedState()
        self.state = self._derived.state(scene)
        self._looked: dict[Key, float] = {}
        self._overlooked: dict[tuple[str, str], float] = {}
        self._heard: dict[Atom, tuple[float, bool, str]] = {}
        self._doubted: dict[Atom, float] = {}
        self._last = self._observation = Observation()
        self._sighted: dict[str, tuple[float, Sighting]] = {}
        self._located: tuple[int, Mapping[str, Sighting]] = (0, {})
        self._shown: dict[Atom, float] = {}
        self._confirmed = frozenset[Atom]()
        self.contradictions: tuple[Contradiction, ...] = ()
        self._kept: tuple[str, ...] = ()
        self._reviewed = -math.inf

    @property
    def world(self) -> World:
        """The world that is believed in, at its present revision."""
        return self.scene.world

    def adopt(self, world: World) -> None:
        """Believe in the next revision of the world, and judge the latest sensing again by it."""
        self._take(self._again(replace(self.scene, world=world)))
        self._note(self._last)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong with detections of the latest sensing, or strange, one sentence each."""
        return self._observation.notes

    def keep(self, names: Collection[str]) -> None:
        """Keep things that no file lists in mind, because a goal or a plan needs them; the latest of them."""
        needed = (name for name in names if name in self.world.origins)
        self._kept = tuple(dict.fromkeys((*needed, *self._kept)))[:MOST_KNOWN]
        if (keep := getattr(self._robot, "keep", None)) is not None:  # of a body that gives names to what it detects
            keep(self._kept)

    def _forget_oldest(self) -> None:
        """Forget the things that no file lists, nobody needs, and were not seen for longest, if there are too many."""
        origins, now = self.world.origins, self._observation.recognised
        away = origins.keys() - now.keys() - self._last.sightings.keys()
        ages = {name: self._sighted[name][0] for name in away if name in self._sighted}
        if gone := frozenset(oldest(ages, self._kept, len(origins))):
            self._forget_things(gone)

    def _forget_things(self, gone: Set[str]) -> None:
        self.scene = self.scene.without(gone)
        self._confirmed = self.scene.confirmed
        tables = (self._looked, self._overlooked, self._heard, self._doubted, self._sighted, self._shown)
        for table in cast("tuple[dict[Any, Any], ...]", tables):
            for key in [key for key in table if not gone.isdisjoint(_names_in(key))]:
                del table[key]

    def known_things(self, names: Collection[str]) -> list[KnownThing]:
        """Return things that no file lists, with what another session needs to know them again."""
        handles: Mapping[str, str] = getattr(self._robot, "handles", {})
        world, seen, now = self.world, self.scene.seen, self._observation.recognised
        known = [name for name in names if name in now or name in seen]
        boxes = {name: now[name].sighting.box if name in now else seen[name].box for name in known}
        return [
            KnownThing(name, world.objects[name].class_name, world.origins[name], box, handles.get(name, ""))
            for name, box in boxes.items()
        ]

    def know_again(self, things: Collection[KnownThing], given: Collection[str]) -> None:
        """Know things again that an earlier session knew, by the names that they had in it.

        Args:
            things: The things, where they were last seen.
            given: All names that were given then; no other thing gets one of them.
        """
        if (know_again := getattr(self._robot, "know_again", None)) is None or not given:
            return
        listed = self.world.objects.keys() - self.world.origins.keys()
        ours = {known.name: known for known in things if known.name not in listed}
        lost = know_again({name: known.detection for name, known in ours.items()}, given)
        self._forget_things(self.world.origins.keys() & (lost | ours.keys()))
        origins = {name: known.origin for name, known in ours.items()}
        world = self.world.with_objects(*(known.thing(self._domain) for known in ours.values()), origins=origins)
        self.scene, self._located = replace(self.scene, world=world, number=-1, shown=None), (-1, {})
        if not self.refresh():
            self._take(self.scene)

    def state_in(self, world: World) -> State:
        """Return what would be believed in another revision of the world; nothing is adopted. Any thread may ask."""
        return self._again(replace(self.scene, world=world, shown=None)).state

    def model(self, *, proven: bool = False) -> World:
        """Return the world: these beliefs learn no further facts about it."""
        return self.world

    @property
    def _domain(self) -> Domain:
        return self.scene.world.domain

    @property
    def _tests(self) -> Mapping[str, str]:
        return sensed_predicates(self._domain)

    @property
    def sightings(self) -> Mapping[str, Sighting]:
        """The last sighting of each thing that is, as far as is known, still where it was seen.

        A thing that is out of view counts as long as what was sensed of it then is believed, and nothing later was.
        An agent that does not see itself is a point on the floor. The point between the fingers of the robot, if it
        tells this, has the name of `HAND`.
        """
        if self._located[0] != self._last.number:
            sensed = self._sensed_of_each() if self._sighted else {}
            away = {name: seen for name, (time, seen) in self._sighted.items() if sensed.get(name) == time}
            known = {**away, **self._last.sightings}
            agents = {name: view.standing(name) for name, view in self._last.agents.items()}
            self._located = (self._last.number, self._hand() | agents | known)
        return self._located[1]

    def _hand(self) -> dict[str, Sighting]:
        view = self._last.agents.get(self._robot.name)
        return {} if view is None or view.hand is None else {HAND: Sighting(HAND, Box(view.hand, view.hand))}

    def _sensed_of_each(self) -> dict[str, float]:
        """Return when something that is still believed was last sensed of each thing, by a geometric test."""
        sensed: dict[str, float] = {}
        tests = self._tests
        for atom, belief in self.scene.beliefs.items():
            if belief.seen is not None and atom.predicate in tests and atom.args:
                sensed[atom.args[0]] = max(belief.seen, sensed.get(atom.args[0], belief.seen))
        return sensed

    def refresh(self) -> bool:
        """Process the robot's latest sensing, if it is new and not old; return whether `state` changed.

        What the robot is not sure enough to have seen counts as not seen.

        Raises:
            SensingError: The sensing tells a number that is not finite; no fact follows from it.
        """
        observation = self._robot.observation()
        if observation.number == self.scene.number or self._robot.clock.now() - observation.time > LONGEST_AGE:
            return False
        things, names = self.scene.things, self._domain.conventions
        away = [name for name in self._sighted if name not in observation.sightings and name in things]
        if any(names.support in things[name].affordances for name in away):
            known = {name: seen for name, seen in self.sightings.items() if name in away}
            observation = with_hidden_supports(observation, things, known, names)
        shown = self.scene.shown
        changed = observation.sightings if shown is None else shown.sure.changes(observation)
        if unreal := not_finite(observation, self._last, changed):
            raise SensingError(self._robot.name, unreal)
        before = self.scene
        if (world := with_newcomers(before.world, observation.recognised)) is not before.world:
            self.scene = replace(before, world=world)
        self.scene = self.scene.updated(observation, self._robot.name)
        self._observation = observation
        self._note(self.scene.sure)
        self._forget_oldest()
        told, self.scene = self.scene, self._with_faded(self.scene)
        is_same = before.world is self.scene.world and same_keys(before.beliefs, self.scene.beliefs)
        if is_same and before.numbers == self.scene.numbers:
            return False
        self.contradictions += tuple(contradictions(before, told))
        self._take(self.scene)
        return True

    def _with_faded(self, scene: Scene) -> Scene:
        """Return a scene in which what is too unsure by now is kept in mind until a sensing decides it."""
        gone: Mapping[Atom, Belief] = {}
        if scene.time >= self._reviewed + REVIEW_SECONDS:
            # What the last sensing confirmed is as sure as that.
            old = {atom: scene.beliefs[atom] for atom in scene.beliefs.keys() - scene.confirmed}
            self._reviewed, gone = scene.time, faded(old, scene.world, scene.time)
        still = {
            atom: belief
            for atom, belief in scene.faded.items()
            if self.decided_at(atom) <= (belief.since if belief.seen is None else belief.seen)
        }
        if not gone and len(still) == len(scene.faded):
            return scene
        return replace(scene, beliefs=without(scene.beliefs, gone), faded={**still, **gone})

    def recall(self, beliefs: Mapping[Atom, Belief]) -> None:
        """Add beliefs about this world from an earlier session, each with the time of its last sensing.

        The latest sensing takes precedence: beliefs that it decides are left out.
        """
        computed, known = computed_predicates(self._domain), self.world.objects.keys()
        recalled = {
            atom: belief
            for atom, belief in beliefs.items()
            if atom.predicate not in computed and known >= set(atom.args)
        }
        self._take(self._again(self.scene.recalled(recalled)))
        for atom, belief in self.scene.beliefs.items():
            if atom in recalled and belief.seen is not None:
                self._remember(atom, belief.seen)
        self._reviewed = -math.inf
        self._take(self._with_faded(self.scene))

    def _again(self, scene: Scene) -> Scene:
        """Return a scene after the latest sensing, which it processes again, since it gets another number."""
        return replace(scene, number=-1).updated(self._observation, self._robot.name)

    def _take(self, scene: Scene) -> None:
        self.scene, self.state = scene, self._derived.state(scene)
        self.revision += 1

    def attend(self, atoms: Collection[Atom]) -> None:
        """Sense facts of predicates on demand from now on, beginning with the last sensing."""
        asked = self._on_demand_of(atoms)
        if asked <= self.scene.asked:
            return
        more = self.scene.asked | asked
        self._take(self._again(replace(self.scene, asked=more if len(more) <= MOST_ASKED else asked)))
        self._note(self._last)

    def require_distances(self, distances: Mapping[Atom, float]) -> None:
        """Let these facts of predicates on demand hold only at a distance, and all others at any.

        Args:
            distances: The distance of each, in metres from edge to edge.
        """
        before = self.scene.distances
        other = {atom for atom in before.keys() | distances.keys() if before.get(atom) != distances.get(atom)}
        if not other:
            return
        # What was believed of another distance says nothing.
        kept = {atom: belief for atom, belief in self.scene.beliefs.items() if atom not in other}
        self._take(self._again(replace(self.scene, beliefs=kept, distances=dict(distances))))
        self._note(self._last)

    def related(
        self, atoms: Collection[Atom] | None = None, distances: Mapping[Atom, float] | None = None
    ) -> frozenset[Atom]:
        """Return the facts of predicates on demand that the last sensing shows: of those given, or of all pairs.

        Those given have to have their distance, in metres from edge to edge; without `distances`, that which is
        required at present. A body without geometry tells facts, and no distances.
        """
        things, names = self.scene.things, self._domain.conventions
        if atoms is None:
            predicates = self._domain.predicates
            pairs = [name for name in self._domain.on_demand if len(predicates[name].predicate.parameters) == 2]
            atoms = relations_of_all(self._last, things, pairs, names)
            return frozenset(atom for atom in atoms if self._domain.takes(atom, things))
        distances = self.scene.distances if distances is None else distances
        asked = self._on_demand_of(atoms)
        seen = self._last.sightings
        told = frozenset(atom for atom in asked if self._last.told.get(atom) and atom.args[0] not in seen)
        return told | related(asked, self._last, things, names, distances)

    @property
    def viewer(self) -> str:
        """From whose view left, right, in front and behind are said; empty before the first sensing."""
        return viewer(self._last, self.scene.things, self._domain.conventions)

    @property
    def arrangement(self) -> Arrangement:
        """Where the last sensing showed things, as relations see them."""
        return arrangement(self._last, self.scene.things, self._domain.conventions)

    @property
    def positions(self) -> Positions:
        """Where the last sensing showed things and agents, for words such as "the second cup from the left"."""
        agents = {name: (view.pose.x, view.pose.y, 0.0) for name, view in self._last.agents.items()}
        return Positions(self.arrangement, agents, self.viewer)

    @property
    def views(self) -> Mapping[str, float]:
        """Where each agent looks, and who stands at the front of each piece of furniture and faces it, in radians."""
        return views(self._last, self.scene.things, self._domain.conventions)

    @property
    def heading(self) -> float:
        """Where the viewer looks, in radians; to the north before the first sensing."""
        view = self._last.agents.get(self.viewer)
        return NORTH if view is None else view.pose.yaw

    def _on_demand_of(self, atoms: Collection[Atom]) -> frozenset[Atom]:
        domain, things = self.scene.world.domain, self.scene.world.objects
        return frozenset(atom for atom in atoms if atom.predicate in domain.on_demand and domain.takes(atom, things))

    def is_lasting(self, literal: Literal) -> bool:
        """Return whether a fact is expected to stay so when another goal is begun."""
        return literal.atom.predicate not in self._domain.momentary

    def forget(self, atoms: Collection[Atom]) -> None:
        """Believe facts no longer, until the robot reports them again."""
        beliefs = {atom: belief for atom, belief in self.scene.beliefs.items() if atom not in atoms}
        self._take(replace(self.scene, beliefs=beliefs))

    def _remember(self, atom: Atom, seen: float) -> None:
        """Record the time at which a fact was sensed, unless a later time is known."""
        self._shown[atom] = max(seen, self._shown.get(atom, seen))
        if atom.predicate in self._tests:
            key = settling(atom, self._tests[atom.predicate])[0]
            self._looked[key] = max(seen, self._looked.get(key, seen))
        else:
            self._heard.setdefault(atom, (seen, True, source_of(atom, self._domain, SENSED)))

    def decided_at(self, atom: Atom) -> float:
        """Return when geometry last decided whether a fact holds; -1 for never."""
        keys = settling(atom, self._tests[atom.predicate]) if atom.predicate in self._tests else ()
        return self._doubted.get(atom, max((self._looked_at(key, atom.args) for key in keys), default=-1.0))

    def _looked_at(self, key: Key, args: Sequence[str]) -> float:
        """Return when a sensing last settled a key for the first of `args`; -1 for never."""
        looked = self._last.time if settles(self._last, key) else self._looked.get(key, -1.0)
        return self._overlooked.get((key[1], args[0]), looked) if key[0] == "searched" else looked

    def _note(self, observation: Observation) -> None:
        """Keep when that was sensed and told last about which this sensing says nothing more."""
        last, tests, domain, shown = self._last, self._tests, self._domain, self.scene.shown
        is_next = shown is not None and shown.sure.before is last and shown.sure.observation is observation
        changed = shown.sure.changed if shown and is_next else differing(last.sightings, observation.sightings)
        # What is doubtful was last decided when it was before, until something decides it.
        doubted = self.scene.doubtful | {
            atom
            for atom in self._doubted
            if not any(settles(observation, key) for key in settling(atom, tests[atom.predicate]))
        }
        self._doubted = {atom: self.decided_at(atom) for atom in doubted}
        # For what could be missed there, a place was last searched when it was before.
        searched, undetectable = observation.searched, observation.undetectable
        missed = {(place, name) for place, names in undetectable.items() if place in searched for name in names}
        kept = {pair: at for pair, at in self._overlooked.items() if pair[0] not in searched or pair in missed}
        self._overlooked = {pair: self._looked_at(("searched", pair[0]), ("",)) for pair in missed} | kept
        self._sighted |= {
            name: (last.time, last.sightings[name]) for name in changed if name not in observation.sightings
        }
        self._looked |= dict.fromkeys(settled_alone(last, observation, changed), last.time)
        left = () if last.told is observation.told else last.told.keys() - observation.told.keys()
        told = {atom: (last.time, last.told[atom], source_of(atom, domain, SENSED)) for atom in left}
        self._heard |= told | {
            atom: (said.time, said.truth, source_of(atom, domain))
            for atom, said in observation.heard.items()
            if said.time > self.last_told(atom)[0]
        }
        confirmed = self.scene.confirmed
        if confirmed is not self._confirmed:
            self._shown |= dict.fromkeys(self._confirmed - confirmed, last.time)
        self._last, self._confirmed = observation, confirmed

    def met(self, name: str) -> float | None:
        """Return when an object was last seen or felt in a hand, in seconds of the robot's clock; None for never."""
        looked = self._looked_at(("seen", name), ())
        return None if looked < 0.0 else looked

    def last_place(self, name: str) -> tuple[Atom, float] | None:
        """Return where an object was last sensed to be, and when in seconds of the robot's clock; None for never."""
        placing = self._domain.conventions.placing
        times = {**self._shown, **dict.fromkeys(self._confirmed, self._last.time)}
        shown = ((atom, at) for atom, at in times.items() if atom.args[:1] == (name,) and atom.predicate in placing)
        return max(shown, key=lambda pair: pair[1], default=None)

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return whether the last sensing at or after `since` showed that `literal` holds; None when it was not sensed.

        A fact that follows from others is evaluated in the believed state as of the last sensing, and so is one that no
        action changes and the body does not report.
        """
        atom = literal.atom
        if atom in self.scene.faded:
            return None
        if atom.predicate in self._domain.on_demand and atom not in self.scene.asked:
            return self._sensed_now(literal, since)
        if atom.predicate in computed_predicates(self._domain):
            return self._followed(literal, since)
        told_at, told_truth, _ = self.last_told(atom)
        if atom.predicate in lasting_predicates(self._domain) and told_at < max(since, 0.0):
            return self._followed(literal, since)
        looked_at = self.decided_at(atom)
        if max(told_at, looked_at) < max(since, 0.0):
            return None
        # What is told counts until something looks; at the same time, geometry takes precedence.
        if told_at > looked_at:
            return told_truth == literal.positive
        shown_at = self._last.time if atom in self._confirmed else self._shown.get(atom, -1.0)
        return (shown_at >= looked_at) == literal.positive

    def _sensed_now(self, literal: Literal, since: float) -> bool | None:
        """Judge a fact on demand by the last sensing; it changes nothing, since a decision asks on another thread."""
        last = self._last
        if last.time < since or literal.atom.args[0] not in last.sightings:
            return None
        return (literal.atom in self.related((literal.atom,))) == literal.positive

    def last_told(self, atom: Atom) -> tuple[float, bool, str]:
        """Return when it was last reported or told whether an atom holds (-1 for never), the answer, and its source."""
        truth = self._last.told.get(atom)
        return self._heard.get(atom, (-1.0, False, TOLD)) if truth is None else (self._last.time, truth, SENSED)

    def sources(self, literals: Collection[Literal]) -> Mapping[str, tuple[Literal, ...]]:
        """Return what is believed behind literals and nothing has sensed, by its source: `TOLD` or `ASSUMED`.

        Of a fact that follows from others, these are those among the others that share a thing with it.
        """
        unsensed = {atom: belief.source for atom, belief in self.scene.beliefs.items()}
        now, domain = self._last.time, self._domain
        heard = self._heard | {atom: (now, True, source_of(atom, domain, SENSED)) for atom in self._last.told}
        unsensed |= {atom: each[2] for atom, each in heard.items() if each[0] > self.decided_at(atom)}
        unsensed = {atom: source for atom, source in unsensed.items() if source in (TOLD, ASSUMED)}
        found: dict[str, set[Literal]] = {}
        for literal in literals:
            behind = self._domain.defining(literal.atom.predicate)
            for atom, source in unsensed.items():
                if atom == literal.atom or (atom.predicate in behind and {*atom.args} & {*literal.atom.args}):
                    found.setdefault(source, set()).add(Literal(atom, atom in self.state.atoms))
        return {source: tuple(sorted(facts)) for source, facts in found.items()}

    def _followed(self, literal: Literal, since: float) -> bool | None:
        if not self.scene.number or self.scene.time < since:
            return None
        return self.state.holds(literal)


def _names_in(key: str | Atom | tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(key, Atom):
        return key.args
    return (key,) if isinstance(key, str) else key
