"""The choice of the next place to search for an object with an unknown place, or one that is not where it was believed.

A place counts for more, the surer it is by now that the object is there: one that was seen there a while ago is looked
for there first, and one that was seen there long ago is rather looked for where there are others of its kind.

AutoGPT+P (Birr et al. 2024) lets a language model choose among all known places, and reports that the model looks for
vegetables at the window. Here a place is searched earlier if it holds more objects of the same kind, and if searching
it takes less time: when each place is searched once, searching in decreasing order of probability divided by effort
finds the object in the least expected time.

A place counts as searched when a sensing after the last sighting of the object says that the object is not there, or
when an errand to the place has ended. So no place is searched twice, and the search ends. An errand that ended early,
since the object came into view elsewhere, may be repeated if the object has moved since. An object that is in view, but
on and in nothing, is not searched for: no look can tell more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from affordances.confidence import SAID_SECONDS, present_confidence, time_ago
from affordances.scene import Scene, completed
from affordances.watcher import Watcher
from bt.recovery import Request, known_to
from domains.conventions import Conventions
from graftwork.setup.environment import Environment
from graftwork.setup.plans import Plans, is_called_off
from planning.reasons import nowhere
from semantics.body.protocols import NoPlan
from semantics.geometry.geometry import Vector
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.sentences import in_words
from semantics.logic.state import Plan, State
from semantics.plain_text import together

CODES = frozenset({Code.WHEREABOUTS_UNKNOWN, Code.NO_PLAN, Code.NOT_VISIBLE, Code.BUDGET_SPENT})
"""Failures after which a search may help."""
FRESH, STALE = 60.0, 0.2
"""A place searched up to `FRESH` seconds before the run has its likelihood multiplied by `STALE`."""
ALIKE, AKIN, OTHER, HIDDEN = 4.0, 1.0, 0.1, 2.0
"""What each object adds to the likelihood of its place: of the same class, of a common kind, or any other; and what a
closed door adds, because visible objects would have been seen in passing. The base likelihood of a place is 1."""
ELSEWHERE = 15.0  # the likelihood of all other places together, against which the odds of a belief about a place count
SUREST = 0.999  # how sure such a belief counts at most, so that its odds are finite
AFTER = 1e-6  # minimum time between two sensings, in seconds
MOST_LOOKS = 2  # maximum number of errands to a place for one object if it was seen in between; otherwise one
MOVED = 0.05  # distance from which on an object that was seen again counts as moved, in metres
DOOR_METRES = 2.0  # effort of opening a door, as the distance that the robot could drive in the same time


@dataclass(frozen=True, slots=True)
class Looking:
    """An errand: search for an object at a place."""

    thing: str  # the object to find
    place: str  # the place to search
    plan: Plan  # the plan that brings the robot there
    at: float  # when the errand was made, in seconds of the body's clock
    lost: tuple[str, ...]  # the objects without a known place; the errand ends when the place of one becomes known


@dataclass(slots=True)
class Exploring:
    """Chooses the next place to search, during one run.

    Attributes:
        environment: The body, and what is believed.
        since: When the run began, in seconds of the body's clock; earlier observations may be outdated.
        looked: The times of the errands, by object and place.
        barred: The reason why a place could not be searched, by place.
        last: The latest errand.
        failed: The objects and places of errands that did not arrive.
        repeated: Where an object was last seen when an errand for it to a place was allowed to be repeated.
    """

    environment: Environment
    since: float
    looked: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    barred: dict[str, str] = field(default_factory=dict)
    last: Looking | None = None
    failed: list[tuple[str, str]] = field(default_factory=list)
    repeated: dict[tuple[str, str], Vector] = field(default_factory=dict)

    def next(self, goal: CheckedGoal, request: Request, plans: Plans) -> Looking | NoPlan:
        """Return the most useful errand, or the reason why a search does not help.

        Raises:
            OutsideError: The planner cannot be started.
        """
        return _Search(self, plans).next(goal, request)

    def until(self, looking: Looking) -> Callable[[State], bool] | None:
        """Return a function that tells when to end an errand early: once the place of a sought object is known."""
        environment, lost = self.environment, looking.lost
        return (lambda state: nowhere(lost, environment.world.problem(state)) != list(lost)) if lost else None


@dataclass(frozen=True, slots=True)
class _Search:
    """One choice of the next place."""

    kept: Exploring  # what was searched so far
    plans: Plans  # calls the planner

    @property
    def _names(self) -> Conventions:
        """The names of predicates and affordances in this world."""
        return self.plans.domain.conventions

    def next(self, goal: CheckedGoal, request: Request) -> Looking | NoPlan:
        state, feedback = known_to(self.plans.domain, request.state), request.feedback
        self._came_of_it(state)
        sought = self._sought(goal, state, feedback)
        lost = tuple(nowhere(sought, self.plans.problem(state)))
        if (stray := placeless(lost, self.kept.environment.watcher.scene)) is not None:
            return NoPlan(stray)
        for thing in sought:
            errand = self._errand(thing, state, request, lost)
            if isinstance(errand, NoPlan):
                return errand
            if errand is not None:
                self.kept.last = errand
                return errand
        return NoPlan(self._in_vain(sought) if sought else replace(feedback, why=""))

    def _came_of_it(self, state: State) -> None:
        """Allow an errand that did not arrive to be repeated once."""
        last, self.kept.last = self.kept.last, None
        if last is None or state.satisfies(last.plan.goal):
            return
        if (self.kept.environment.watcher.met(last.thing) or 0.0) > last.at:
            # The object came into view on the way, so the place itself was not searched.
            if self._has_moved(last):
                self.kept.looked[last.thing][last.place].pop()
        elif (last.thing, last.place) in self.kept.failed:
            self.kept.barred[last.place] = "the errand there has failed"
        else:
            self.kept.failed.append((last.thing, last.place))
            self.kept.looked[last.thing][last.place].pop()

    def _has_moved(self, errand: Looking) -> bool:
        """Return whether an object is elsewhere than when this was last asked about an errand; note where it is."""
        key, seen = (errand.thing, errand.place), self.kept.environment.watcher.scene.seen.get(errand.thing)
        before = self.kept.repeated.get(key)
        if seen is not None:
            self.kept.repeated[key] = seen.box.centre
        return seen is None or before is None or dist(before, seen.box.centre) > MOVED

    def _sought(self, goal: CheckedGoal, state: State, feedback: Feedback) -> list[str]:
        """Return the objects to find: those that the goal names and that have no place, else those that a plan needs.

        Where the goal is believed to hold but was not sensed, return the movable objects of its unsensed facts.
        """
        named = (arg for conjunct in goal.conjuncts for literal in state.missing(conjunct) for arg in literal.atom.args)
        lost = nowhere(named, self.plans.problem(state))
        if lost or feedback.code is Code.WHEREABOUTS_UNKNOWN:
            return lost or nowhere(feedback.culprits, self.plans.problem(state))
        unseen = [literal for conjunct in goal.conjuncts if state.satisfies(conjunct) for literal in sorted(conjunct)]
        if unseen:
            sensed = self.kept.environment.watcher.sensed
            names = [literal.atom.args[0] for literal in unseen if literal.atom.args and sensed(literal) is None]
            return list(
                dict.fromkeys(name for name in names if self._names.carry in self.plans.things[name].affordances)
            )
        return self._helpful(goal, state) if feedback.code is Code.NO_PLAN else []

    def _helpful(self, goal: CheckedGoal, state: State) -> list[str]:
        """Return the objects without a place that a plan would use if they stood at an accessible place."""
        lost = nowhere(self.plans.things, self.plans.problem(state))
        imagined = [fact for name in lost if (fact := self._imagined(name)) is not None]
        if not imagined:
            return []
        world = completed(self.plans.problem(state.with_atoms(imagined)))
        plan = self.plans.found(replace(goal, already=False), world)
        used = {arg for step in plan.steps for arg in step.action.args} if isinstance(plan, Plan) else set()
        return [name for name in lost if name in used]

    def _imagined(self, name: str) -> Atom | None:
        """Return the fact that an object stands at the first place that accepts it and has no door."""
        places = (
            place for place in sorted(self.plans.things) if self._names.open not in self.plans.things[place].affordances
        )
        return next((fact for place in places if self._is_place(place) for fact in self._facts(name, place)), None)

    def _errand(self, thing: str, state: State, request: Request, lost: tuple[str, ...]) -> Looking | NoPlan | None:
        """Return the next errand for an object; None when every place was searched or cannot be searched.

        Args:
            thing: The object to find.
            state: The believed state.
            request: The request for help, with the obstacles that the body has met.
            lost: All objects without a place that are to be found.
        """
        now = self.kept.environment.watcher.scene.time
        for place in sorted(self._open_places(thing), key=lambda name: (-self._worth(thing, name, state), name)):
            plan = self._way(place, state, request)
            if is_called_off(plan):
                assert isinstance(plan, NoPlan)
                return plan
            # The attempt counts even without a plan, so that an unreachable place is not tried again.
            self.kept.looked.setdefault(thing, {}).setdefault(place, []).append(now)
            if isinstance(plan, Plan) and plan.steps:
                return Looking(thing, place, plan, now, lost)
            if isinstance(plan, NoPlan):
                self.kept.barred[place] = str(plan.feedback)
        return None

    def _open_places(self, thing: str) -> Iterator[str]:
        """Yield the places where an object may be and that were not searched for it."""
        since, looked = self._last_seen(thing, self.kept.since), self.kept.looked.get(thing, {})
        for place in self.plans.things:
            done = len(looked.get(place, ())) >= MOST_LOOKS or any(at >= since for at in looked.get(place, ()))
            if not done and self._is_place(place) and not self._searched(thing, place, since):
                yield place

    def _last_seen(self, thing: str, since: float) -> float:
        """Return when an object was last seen or felt if that was after `since`; else return `since`."""
        # A hand feels the object that it holds, even when the camera does not see it.
        met = self.kept.environment.watcher.met(thing)
        return since if met is None else max(since, met + AFTER)

    def _is_place(self, name: str) -> bool:
        """Return whether a robot can search the place: it is no movable object, no agent and not the floor."""
        thing, names = self.plans.things[name], self._names
        held = {names.carry, names.actor} & thing.affordances or thing.class_name == names.floor
        return not held and self._takes(Atom(names.at, (self.kept.environment.robot.name, self._standing(name))))

    def _standing(self, place: str) -> str:
        """Return where the robot stands to search a place: at the cabinet of a drawer, else at the place itself."""
        part_of = self._names.part_of
        beliefs = self.kept.environment.watcher.scene.beliefs if part_of else ()
        return next((atom.args[1] for atom in beliefs if atom.predicate == part_of and atom.args[0] == place), place)

    def _searched(self, thing: str, place: str, since: float) -> bool:
        """Return whether a sensing denies that an object is at a place, or whether it can never be there."""
        facts = self._facts(thing, place)
        return all(self.kept.environment.watcher.sensed(Literal(fact), max(since, 0.0)) is False for fact in facts)

    def _facts(self, thing: str, place: str) -> list[Atom]:
        """Return the facts that can put an object at a place."""
        return list(filter(self._takes, (Atom(name, (thing, place)) for name in self._names.resting)))

    def _takes(self, fact: Atom) -> bool:
        return self.plans.domain.takes(fact, self.plans.things)

    def _worth(self, thing: str, place: str, state: State) -> float:
        """Return the likelihood of an object at a place (by the objects there), divided by the effort in metres."""
        shut = bool(self._shut(place, state))
        likely = 1.0 + HIDDEN * shut
        target = self.plans.things[thing]
        for atom in state.atoms:
            if (
                atom.predicate in self._names.resting
                and atom.args[1:] == (place,)
                and atom.args[0] in self.plans.things
            ):
                other = self.plans.things[atom.args[0]]
                same = other.class_name == target.class_name
                likely += ALIKE if same else AKIN if other.kinds & target.kinds else OTHER
        sure = min(self._confidence(thing, place), SUREST)
        likely += ELSEWHERE * sure / (1.0 - sure)
        effort = 1.0 + self.kept.environment.parking.distance(self._standing(place), state) + DOOR_METRES * shut
        already_searched = self._searched(thing, place, self._last_seen(thing, self.kept.since - FRESH))
        return likely / effort * (STALE if already_searched else 1.0)

    def _confidence(self, thing: str, place: str) -> float:
        """Return how sure it is by now that an object is at a place, from 0 to 1."""
        scene = self.kept.environment.watcher.scene
        known = [{**scene.beliefs, **scene.faded}.get(fact) for fact in self._facts(thing, place)]
        target, domain = self.plans.things[thing], self.plans.domain
        return max((present_confidence(each, target, domain, scene.time) for each in known if each), default=0.0)

    def _shut(self, place: str, state: State) -> list[Literal]:
        """Return the literals that must hold before the robot can see inside a place."""
        door = Atom(self._names.opened, (place,))
        hidden = self._takes(door) and door not in state.atoms
        return [Literal(door)] if hidden else []

    def _way(self, place: str, state: State, request: Request) -> Plan | NoPlan:
        """Plan for the robot to stand at a place with its door or drawer open."""
        standing = Atom(self._names.at, (self.kept.environment.robot.name, self._standing(place)))
        wanted = [Literal(standing), *self._shut(place, state)]
        formula = And(tuple(literal.atom for literal in wanted))
        return self.plans.around_obstacles(CheckedGoal(Goal(formula), (frozenset(wanted),)), request)

    def _in_vain(self, sought: Sequence[str]) -> Feedback:
        """Return the feedback that lists the searched places."""
        thing = sought[0]
        places = [name for name in sorted(self.plans.things) if self._is_place(name) and self._facts(thing, name)]
        seen = [name for name in places if name not in self.kept.barred]
        parts = [f"it is not at {together(seen, 'or')}" if seen else "there is nowhere to look for it"]
        parts += [f"{name} cannot be looked at ({why})" for name, why in self.kept.barred.items()]
        parts += filter(None, [last_seen(thing, self.kept.environment.watcher)])
        return Feedback(Code.WHEREABOUTS_UNKNOWN, thing, "; ".join(parts), "Say where it is.", tuple(sought))


def last_seen(thing: str, watcher: Watcher) -> str:
    """Return when and where an object was last seen, as "I last saw cup0 four minutes ago on table0".

    Empty if it never was, or less than `SAID_SECONDS` ago.
    """
    last, scene = watcher.last_place(thing), watcher.scene
    if last is None or (age := scene.time - last[1]) < SAID_SECONDS:
        return ""
    atom, predicates = last[0], watcher.world.vocabulary.predicates
    sentence, start = in_words(atom, predicates), f"{thing} is "
    place = f" {sentence.removeprefix(start)}" if sentence.startswith(start) else ""
    return f"I last saw {thing} {time_ago(age)}{place}"


def placeless(lost: Iterable[str], scene: Scene) -> Feedback | None:
    """Return the feedback about the first of the objects without a place that the latest sensing shows; None for none.

    Such an object is on and in nothing.
    """
    for thing in lost:
        seen = scene.seen.get(thing)
        if seen is not None and scene.number > 0 and seen.time == scene.time:
            x, y, z = seen.box.centre
            why = f"it is in view at ({x:.2f}, {y:.2f}, {z:.2f}), but on and in nothing that this world knows"
            how = "Move it, or declare a predicate with `sensed: near` and a capability that takes a thing from there."
            return Feedback(Code.WHEREABOUTS_UNKNOWN, thing, why, how, (thing,))
    return None
