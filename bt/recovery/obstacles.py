"""Physical failures as facts: actions that are impossible while an object stays where it is.

The planner gets a copy of the domain in which the obstacles forbid actions (`domain_with`), so that it clears them
away. Each kind of obstacle is an additional predicate. ``(obstructed_get_on salt0 shelf0 pepper0)`` says that the
pepper cannot be taken while the salt is on the shelf. `get` requires its absence, and every effect that deletes or adds
``(on ?o ?place)`` also deletes or adds it. So it disappears when the object is taken away, and comes back with it. This
works for any domain without additional rules.

No obstacle ends by time. What was refused is a fact about that thing at that place, until the thing, the place or what
stands between was sensed elsewhere, or another run begins. What an open door or drawer hinders it hinders each time
that it is open: else two that hinder each other would be opened and shut in turns. Slips that a second try may not meet
again are facts from the second refusal on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from bt.execution.improvement import WorldBeliefs
from bt.execution.step import says_where
from bt.node import lag_of
from domains.capability import Capability, Template, effects_of
from domains.model import Domain, PredicateModel
from domains.relations import RESTING
from domains.world import World
from semantics.body.observation import Sighting
from semantics.body.protocols import AttentiveBeliefs, Beliefs, heading_of, sightings_of, views_of
from semantics.errors import UsageError
from semantics.geometry.geometry import Vector
from semantics.geometry.relations import Arrangement
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Predicate

REFUSALS = frozenset({Code.OBSTRUCTED, Code.OUT_OF_REACH, Code.NO_ROOM, Code.STUCK, Code.UNDONE})
"""Failures that come again as long as nothing is elsewhere."""
PROVEN = 2  # how many equal refusals show that another try is in vain
MOVED, TURNED = 0.03, 0.1
"""From which change on a thing (in metres) or a door (as a part of its way) is sensed elsewhere."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An action that is impossible while things are where they are.

    Two refusals of one action for the same things are the same obstacle, whatever the code of each.

    Attributes:
        code: The code of the failure.
        capability: The capability that is impossible.
        pattern: The arguments for which it is impossible: their number in the capability, and the name.
        place: The fact that has to end first, such as ``(on salt0 shelf0)``; None when no fact says where the things
            are that it depends on.
        returns: Whether it holds again when `place` does; not where that thing may be set down anew, with more room.
    """

    code: Code = field(compare=False)
    capability: str
    pattern: tuple[tuple[int, str], ...]
    place: Atom | None = None
    returns: bool = True

    @classmethod
    def of(cls, code: Code, operator: Operator, domain: Domain) -> Obstacle:
        """Return an action as impossible, whatever is where; for want of way or room, for every agent and hand.

        Where a drive begins is left out: no detour leads from there to where it could not go.
        """
        capability, begins = domain.capabilities[operator.action.name], _begins(operator)
        hands = acting_parameters(capability) if code in (Code.OBSTRUCTED, Code.NO_ROOM, Code.UNDONE) else frozenset()
        named = tuple(enumerate(operator.action.args))
        asked = tuple((number, name) for number, name in named if number not in hands and name not in begins)
        return cls(code, capability.name, asked)

    @property
    def predicate(self) -> str:
        """The predicate of such obstacles in the planning domain."""
        kind = str(self.code).replace("-", "_")
        place = (self.place.predicate,) if self.place else ()
        return "_".join((kind, self.capability, *place, *(() if self.returns else ("once",))))

    @property
    def atom(self) -> Atom:
        """The fact of this obstacle while `place` holds."""
        return Atom(self.predicate, (*(self.place.args if self.place else ()), *(name for _, name in self.pattern)))

    @property
    def least(self) -> int:
        """How many refusals make it a fact: one that follows from geometry, more for what a further try may not meet.

        Where nothing is blamed for want of room, a search for what takes it comes before the last try.
        """
        if self.code is Code.NO_ROOM:
            return PROVEN + 1 if self.place is None else 1
        return PROVEN if self.code is Code.STUCK else 1

    def stands(self, state: State) -> bool:
        """Return whether the blocking object is still in its place."""
        return self.place is None or self.place in state.atoms

    def __str__(self) -> str:
        names = " ".join(name for _, name in self.pattern)
        return f"{self.code}: {self.capability} {names}" + (f" while {self.place}" if self.place else "")


def obstacles_of(feedback: Feedback, operator: Operator, state: State, domain: Domain) -> tuple[Obstacle, ...]:
    """Return the obstacles that a physical failure shows; none for a failure that says nothing lasting.

    An object in the way blocks the target objects for every agent and hand, until it is elsewhere. So does an open door
    or drawer of something else, until it is shut, and so does each thing that takes the room. Where nothing is to blame
    that could be moved, such as a wall or the furniture itself, the action is impossible for this agent and this hand
    while the thing that it handles is where it is; a drive handles none.
    """
    if feedback.code not in REFUSALS or operator.action.name not in domain.capabilities:
        return ()
    args = operator.action.args
    any_hand = Obstacle.of(feedback.code, operator, domain)
    blamed = _without_contents(feedback.culprits, args, state, domain)
    places = [fact for name in blamed if (fact := place_of(name, args, state, domain)) is not None]
    if feedback.code is Code.NO_ROOM:
        takers = [place for place in places if place.args[0] not in args]
        return tuple(replace(any_hand, place=place) for place in takers) or (any_hand,)
    if feedback.code is Code.UNDONE:
        return (any_hand,)
    if feedback.code is Code.OBSTRUCTED and places:
        return (replace(any_hand, place=places[0]),)
    begins = _begins(operator)
    asked = tuple((number, name) for number, name in enumerate(args) if name not in begins)
    handled = None if begins else _handled(operator, state, domain)
    return (Obstacle(feedback.code, any_hand.capability, asked, handled),)


def _begins(operator: Operator) -> set[str]:
    """Return the place where an operator begins that does nothing but drive; empty for any other."""
    left = {name for atom in operator.deleted if says_where(atom, operator) for name in atom.args[1:]}
    return left if all(says_where(literal.atom, operator) for literal in operator.effects) else set()


def _handled(operator: Operator, state: State, domain: Domain) -> Atom | None:
    """Return the fact that says where the thing is that an operator handles, or how its door is; else where it acts."""
    acting = {operator.action.args[number] for number in acting_parameters(domain.capabilities[operator.action.name])}
    ended = [atom for atom in operator.deleted & state.atoms if _ends(atom, domain)]
    return min(ended, key=lambda atom: (atom.args[0] in acting, len(atom.args) == 1, atom), default=None)


def acting_parameters(capability: Capability) -> frozenset[int]:
    """Return the numbers of the parameters that act: the agent, and the resources that it keeps busy."""
    return frozenset(
        number
        for number, parameter in enumerate(capability.parameters)
        if parameter.name in capability.resources or (number == 0 and not capability.agentless)
    )


def place_of(name: str, args: Sequence[str], state: State, domain: Domain) -> Atom | None:
    """Return the fact that states the place of an object, or that it is open, if some capability can delete it.

    That something is open which the action itself handles is not in its way.
    """
    facts = sorted(atom for atom in state.atoms if atom.args[:1] == (name,) and len(atom.args) > 1)
    if name not in args:
        facts += _openings(name, state, domain)
    return next((atom for atom in facts if _ends(atom, domain)), None)


def _openings(name: str, state: State, domain: Domain) -> list[Atom]:
    """Return the facts that say that a door or a drawer is open."""
    doors = (domain.conventions.opened, domain.conventions.ajar)
    return [atom for atom in (Atom(door, (name,)) for door in doors if door) if atom in state.atoms]


def _without_contents(blamed: Sequence[str], args: Sequence[str], state: State, domain: Domain) -> list[str]:
    """Return what is in the way without the things in a drawer that is open and in the way itself."""
    is_open = {name for name in blamed if name not in args and _openings(name, state, domain)}
    inside = {atom.args[0] for atom in state.atoms if len(atom.args) > 1 and atom.args[-1] in is_open}
    return [name for name in blamed if name in is_open or name not in inside]


def _ends(atom: Atom, domain: Domain) -> bool:
    model = domain.predicates.get(atom.predicate)
    if model is None or model.bookkeeping:
        return False
    return any(
        made.atom.predicate == atom.predicate and not made.positive and made.atom.args[0].startswith("?")
        for capability in domain.capabilities.values()
        for made in effects_of(capability)
    )


def domain_with(domain: Domain, obstacles: Iterable[Obstacle]) -> Domain:
    """Return a copy of `domain` in which `obstacles` forbid actions; `domain` itself when there are none."""
    distinct = tuple(dict.fromkeys(obstacles))
    if not distinct:
        return domain
    predicates = {obstacle.predicate: _predicate(obstacle) for obstacle in distinct}
    capabilities = {name: _minding(capability, distinct) for name, capability in domain.capabilities.items()}
    return replace(domain, predicates={**domain.predicates, **predicates}, capabilities=capabilities)


def known_with(obstacles: Iterable[Obstacle], state: State) -> State:
    """Return `state` with the facts of those obstacles that stand in it."""
    return state.with_atoms(obstacle.atom for obstacle in obstacles if obstacle.stands(state))


def known_to(domain: Domain, state: State) -> State:
    """Return `state` without atoms of unknown predicates, such as an obstacle that was forgotten."""
    unknown = [atom for atom in state.atoms if atom.predicate not in domain.predicates]
    return state.with_atoms(deleted=unknown) if unknown else state


def _predicate(obstacle: Obstacle) -> PredicateModel:
    parameters = ("object",) * len(obstacle.atom.args)
    text = f"{obstacle.code} ({', '.join(f'{{{number}}}' for number in range(len(parameters)))})"
    return PredicateModel(Predicate(obstacle.predicate, parameters, text, goal=False), bookkeeping=True)


def _minding(capability: Capability, obstacles: Sequence[Obstacle]) -> Capability:
    asked = dict.fromkeys(
        _absence(obstacle, capability) for obstacle in obstacles if obstacle.capability == capability.name
    )
    conditional = tuple(
        replace(effect, literals=(*effect.literals, *_along(effect.literals, obstacles)))
        for effect in capability.conditional
    )
    return replace(
        capability,
        precondition=(*capability.precondition, *asked),
        effect=(*capability.effect, *_along(capability.effect, obstacles)),
        conditional=conditional,
    )


def _absence(obstacle: Obstacle, capability: Capability) -> Template:
    place = obstacle.place.args if obstacle.place else ()
    names = tuple(f"?{capability.parameters[number].name}" for number, _ in obstacle.pattern)
    return Template(obstacle.predicate, (*place, *names), positive=False)


def _along(effects: Sequence[Template], obstacles: Sequence[Obstacle]) -> tuple[Template, ...]:
    """Return the effects on the obstacles that go along with `effects`, which move objects."""
    return tuple(
        dict.fromkeys(
            Template(obstacle.predicate, (*effect.args, *(name for _, name in obstacle.pattern)), effect.positive)
            for obstacle in obstacles
            for effect in effects
            if obstacle.place is not None and effect.predicate == obstacle.place.predicate
            if obstacle.returns or not effect.positive
        )
    )


@dataclass(slots=True)
class _Met:
    """How often an obstacle was met, and where the things that it depends on were seen then, with their doors."""

    seen: Mapping[str, tuple[Vector, float]]
    times: int = 0


class Obstacles:
    """Beliefs that also contain the obstacles that the body has met; they replace the original beliefs.

    Pass them as the `beliefs` of a tree and of `Runner`, so that a plan that clears an obstacle away is executed like
    any other plan. An obstacle is forgotten when what it depends on was sensed elsewhere.

    Args:
        beliefs: The beliefs without obstacles, about a known world.

    Attributes:
        exact_within: The largest delay of exact sensing, in seconds; None when sensing may err.
        revision: A number that grows with every change of `state`.
    """

    def __init__(self, beliefs: Beliefs) -> None:
        if not isinstance(beliefs, WorldBeliefs):
            raise UsageError("obstacles are facts of a world; pass beliefs that have one as `world`")
        self.beliefs = beliefs
        self._beliefs: Beliefs = beliefs
        self._met: dict[Obstacle, _Met] = {}
        self._own = 0
        self.exact_within = lag_of(beliefs)
        self.revision = beliefs.revision
        self._state = beliefs.state

    @property
    def state(self) -> State:
        """The believed state, including bookkeeping facts and obstacles."""
        if self.revision != self._beliefs.revision + self._own:
            self._renew()
        return self._state

    @property
    def sightings(self) -> Mapping[str, Sighting]:
        """Where things are; empty if the original beliefs do not know."""
        return sightings_of(self._beliefs)

    @property
    def heading(self) -> float:
        """Where the viewer looks, in radians."""
        return heading_of(self._beliefs)

    @property
    def views(self) -> Mapping[str, float]:
        """Where each viewer looks whom a direction can name, in radians."""
        return views_of(self._beliefs)

    @property
    def arrangement(self) -> Arrangement | None:
        """Where things are, as relations see them; None if the original beliefs do not know."""
        return getattr(self._beliefs, "arrangement", None)

    @property
    def standing(self) -> tuple[Obstacle, ...]:
        """The obstacles that are believed now, oldest first."""
        return tuple(obstacle for obstacle, met in self._met.items() if met.times >= obstacle.least)

    def refresh(self) -> bool:
        """Take the latest sensing and forget obstacles that have ended; return whether `state` changed."""
        changed = self._beliefs.refresh()
        over = [obstacle for obstacle, met in self._met.items() if self._has_ended(obstacle, met)]
        for obstacle in over:
            del self._met[obstacle]
        self._own += bool(over)
        if changed or over:
            self._renew()
        return changed or bool(over)

    def forget(self) -> None:
        """Forget all obstacles, because another run begins."""
        self._own += bool(self._met)
        self._met.clear()
        self._renew()

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return what the last sensing of `literal` at or after `since` showed; None when it was not sensed."""
        return self._beliefs.sensed(literal, since)

    def attend(self, atoms: Collection[Atom]) -> None:
        """See `semantics.body.protocols.AttentiveBeliefs`."""
        if isinstance(self._beliefs, AttentiveBeliefs):
            self._beliefs.attend(atoms)
        if self.revision != self._beliefs.revision + self._own:
            self._renew()

    def note(self, feedback: Feedback, operator: Operator) -> tuple[Obstacle, ...]:
        """Note the failure of an operator; return the obstacles that it shows."""
        found = obstacles_of(feedback, operator, self._beliefs.state, self.world.domain)
        times = PROVEN if feedback.code is Code.UNDONE else 1
        self._take(found, times, (*operator.action.args, *feedback.culprits))
        return found

    def believe(self, obstacles: Iterable[Obstacle]) -> None:
        """Take obstacles that were found by looking, before the body met them."""
        self._take(obstacles, PROVEN + 1)

    def _take(self, obstacles: Iterable[Obstacle], times: int, about: Iterable[str] = ()) -> None:
        for obstacle in obstacles:
            names = {*about, *(name for _, name in obstacle.pattern), *(obstacle.place.args if obstacle.place else ())}
            met = self._met.setdefault(obstacle, _Met(self._where(names, obstacle.code is Code.NO_ROOM)))
            met.times += times
            self._own += 1
        self._renew()

    @property
    def world(self) -> World:
        """The world without obstacles, at its present revision."""
        return self.beliefs.world

    def model(self, *, proven: bool = False) -> World:
        """Return the world in which the obstacles forbid actions; if `proven`, only those that were met twice."""
        obstacles = (each for each in self.standing if not proven or self._met[each].times >= PROVEN)
        return self.world.within(domain_with(self.world.domain, obstacles))

    def _where(self, names: set[str], crowded: bool) -> dict[str, tuple[Vector, float]]:
        """Return where things are, without what is held; if it is `crowded`, also what rests on or in them."""
        domain = self.world.domain
        places = [atom for atom in self._beliefs.state.atoms if len(atom.args) == 2 and _ends(atom, domain)]
        rests = {atom for atom in places if domain.predicates[atom.predicate].sensed in RESTING}
        held = {atom.args[0] for atom in places} - {atom.args[0] for atom in rests}
        upon = {atom.args[0] for atom in rests if atom.args[1] in names} if crowded else set[str]()
        return self._seen((names | upon) - held)

    def _seen(self, names: Collection[str]) -> dict[str, tuple[Vector, float]]:
        known = self.sightings
        return {name: (known[name].box.centre, known[name].opening or 0.0) for name in names if name in known}

    def _has_ended(self, obstacle: Obstacle, met: _Met) -> bool:
        """Return whether nothing of it is left; an open door is in the way again as soon as it is opened again.

        What a person has forbidden stays so.
        """
        if obstacle.code is Code.DECLINED:
            return False
        if obstacle.place is not None and obstacle.place.predicate == self.world.domain.conventions.opened:
            return False
        now = self._seen(met.seen)
        return not obstacle.stands(self._beliefs.state) or any(
            dist(now[name][0], at) > MOVED or abs(now[name][1] - opening) > TURNED
            for name, (at, opening) in met.seen.items()
            if name in now
        )

    def _renew(self) -> None:
        state = self._beliefs.state
        self._state = known_with(self.standing, state) if self._met else state
        self.revision = self._beliefs.revision + self._own
