"""`PyBulletRobot`: the simulated robot, which implements the `Robot` protocol, and its clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from robots.errors import BodyUnavailableError
from robots.hand import FARTHEST_PUSH, SAFE_DROP
from robots.limits import THICKEST
from robots.motion import FailedMotion
from robots.primitives import PRIMITIVES, WAIT, WAIT_SECONDS, said_place, unfit, unfit_viewer, wanted_place, with_values
from robots.pybullet.description import described
from robots.pybullet.manipulation.drawers import close_front, open_front
from robots.pybullet.manipulation.drive import drive
from robots.pybullet.manipulation.hand import grip, move_to, reaches, release
from robots.pybullet.manipulation.pick import pick
from robots.pybullet.manipulation.place import set_down
from robots.pybullet.manipulation.pour import drain, pour
from robots.pybullet.manipulation.push import push
from robots.pybullet.manipulation.spots import views
from robots.pybullet.manipulation.turn import turn
from robots.pybullet.manipulation.wipe import wipe
from robots.pybullet.manipulation.work import chop, draw, heat, soak, unscrew, wash, wet
from robots.pybullet.motion import Failed, Running, Steps, pause
from robots.pybullet.pictures import Photographer
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import STEP
from robots.pybullet.sensing import Senses
from robots.pybullet.timing import TICK
from robots.states import NumericModel
from semantics.body.detector import Shot
from semantics.body.layout import Layout, MovableObject
from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.body.protocols import Motion, MotionStatus
from semantics.errors import UsageError, known_name
from semantics.geometry.geometry import Vector
from semantics.hints import hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

SETTLING = 0.75  # seconds in which the room comes to rest before the first sensing
SENSING_PERIOD = 0.3  # seconds between two sensings
CARRYING = ("give", "insert", "pick", "push", "put", "turn")  # the primitives that move a thing
STEPS_PER_TICK = round(TICK / STEP)


class SimulatedClock:
    """The time of a simulation: only `sleep` advances the world."""

    simulated: Final = True

    def __init__(self, advance: Callable[[], None]) -> None:
        self._advance = advance
        self._ticks = 0
        self._asked = 0.0

    def now(self) -> float:
        """Return seconds since the clock started."""
        return self._ticks * TICK

    def sleep(self, seconds: float) -> None:
        """Advance the world by `seconds`, rounded to control ticks; rounding errors do not accumulate."""
        self._asked += max(0.0, seconds)
        while (self._ticks + 0.5) * TICK < self._asked:
            self._ticks += 1
            self._advance()


class PyBulletRobot:
    """A planar base with an arm in a simulated room.

    One thread at a time may use it. After a fork, use it in the process that made it.

    Args:
        layout: The arrangement at the start.
        numeric: How its motions change the numbers of the world, such as what is in a bottle; None to keep no numbers.

    Attributes:
        name: Symbol of the robot, from the layout.
        clock: Simulated time; sleeping advances physics, motions and sensing.
        motion_interlock: The running motions, which exclude others.
        rig: The robot, its world and its mirror; for demos and evaluation, not for decisions.

    Raises:
        BodyUnavailableError: The robot was closed.
    """

    def __init__(self, layout: Layout, numeric: NumericModel | None = None) -> None:
        self.name = layout.robot.name
        self._values = {} if numeric is None else numeric.values
        self.motion_interlock = MotionInterlock()
        self.rig = Rig(layout, numeric)
        self.clock = SimulatedClock(self._tick)
        self._running: Running | None = None
        self._open = True
        self._looked_on = False
        self._shutting = False
        for _ in range(round(SETTLING / STEP)):
            self.rig.world.step()
        self._senses = Senses(self.rig, layout)
        self._looking: Iterator[None] = self._senses.look_around(self.clock.now)
        list(self._looking)
        self._next_sensing = SENSING_PERIOD
        self._photographer = Photographer(self.rig)
        self._handled = ""

    @property
    def primitives(self) -> Mapping[str, Primitive]:
        """The motion primitives of this robot, with their roles and limits."""
        return with_values(primitives(self.rig.description.name), self._values)

    def observation(self) -> Observation:
        """Return the latest sensing."""
        return self._senses.latest

    def start(self, command: Command) -> Motion:
        """Begin a motion; the robot does one motion at a time."""
        self._must_be_open()
        feedback = unfit(command, self.primitives) or self._unable(command)
        if feedback is not None:
            return FailedMotion(feedback)
        seen = self._senses.latest
        if isinstance(shortage := self.rig.change_of(command, seen), Feedback):
            return FailedMotion(shortage)
        self._running = Running(self.rig.chassis, _counted(self.rig, command, seen, self._moving(command)))
        return self._running

    def _moving(self, command: Command) -> Steps:
        """Begin the motion of a command."""
        roles = {**command.roles, "agent": command.agent}
        self._shutting = command.primitive == "close"
        self._handled = roles.get("object", "")
        self.rig.task = roles.get("at") or roles.get("to") or roles.get("from")
        if command.primitive in BY_HAND:
            return BY_HAND[command.primitive](self.rig, command)
        steps, read = DOABLE[command.primitive]
        return steps(self.rig, *(roles[role] for role in read), **self._options(command))

    def _options(self, command: Command) -> dict[str, Any]:
        """Return what the function of a primitive takes by name: values, and how a thing is to be put down."""
        counted = {model.name for model in self._values.get(command.primitive, ())}
        options: dict[str, Any] = {name: value for name, value in command.values.items() if name not in counted}
        if command.primitive in ("put", "insert"):
            for name in ("turn", "distance"):  # they are in how it is to be put down
                options.pop(name, None)
            options |= {"wanted": wanted_place(command), "said": said_place(command)}
        return options

    def _unable(self, command: Command) -> Feedback | None:
        """Return why this robot cannot do a well-formed command now, or None if it can."""
        if self._running is not None and self._running.poll().stage is MotionStatus.RUNNING:
            how = "Wait for its end, or stop it first."
            return Feedback(Code.REFUSED_BY_BODY, str(command), "another motion is under way.", how)
        if command.primitive not in self.primitives:
            how = hint(command.primitive, self.primitives, "primitive", "It can")
            return Feedback(Code.REFUSED_BY_BODY, str(command), f"this body cannot {command.primitive}.", how)
        if command.primitive == WAIT:
            return None
        known = {*self.rig.world.bodies, *self.rig.world.offered}
        unknown = [name for role, name in command.roles.items() if role != "contents" and name not in known]
        if unknown:
            why = f"{', '.join(unknown)} is unknown here."
            how = hint(unknown[0], known, "object")
            return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, tuple(unknown))
        viewers = views(self.rig.world, self.rig.chassis.base())
        return unfit_viewer(command, viewers) or self._unfit_thing(command)

    def _unfit_thing(self, command: Command) -> Feedback | None:
        """Return why the object of a command cannot be carried, opened or closed, or None if it can."""
        thing, world = str(command.roles.get("object")), self.rig.world
        if command.primitive in CARRYING and thing not in world.shapes:
            there = sorted(set(world.touching(thing)) & world.shapes.keys())
            how = f"What is on it can: {', '.join(there)}." if there else f"Drive to it: nothing on {thing} can either."
            return Feedback(Code.REFUSED_BY_BODY, str(command), "it cannot be carried.", how, (thing,))
        if command.primitive in ("open", "close") and not world.has_door(thing):
            doors = [name for name in sorted(world.furniture) if world.has_door(name)]
            how = f"A door has {' and '.join(doors)}." if doors else "Nothing here has a door."
            return Feedback(Code.REFUSED_BY_BODY, str(command), "it has no door.", how, (thing,))
        return None

    def reaches(self, point: Vector) -> bool:
        """Return whether the hand can work at a point, by the limits of the joints; nothing moves."""
        self._must_be_open()
        return reaches(self.rig, point)

    def picture(self, width: int = 320, height: int = 240) -> bytes:
        """Return a picture of the room as PNG, with a close view of the hand at work, as `Photographer` takes it."""
        self._must_be_open()
        return self._photographer.picture(width, height, self.observation(), self._handled)

    def shots(self) -> Sequence[Shot]:
        """Return the pictures of the latest sensing."""
        return self._senses.shots

    def add_piece(self, piece: MovableObject) -> None:
        """Put an object into the room that was not there, as a person might do.

        Raises:
            UsageError: There is a piece of this name.
        """
        self._must_be_open()
        if piece.name in self.rig.world.bodies:
            raise UsageError(f"there is a {piece.name} already")
        for room in (self.rig.world, self.rig.mirror.world, self._senses):
            room.add_piece(piece)

    def remove_piece(self, name: str) -> None:
        """Take an object out of the room, as a person might do; its name is free when the running motion ends.

        Raises:
            UnknownNameError: There is no such piece.
        """
        self._must_be_open()
        known_name("piece", name, self.rig.world.shapes)
        self.rig.world.put_away(name)
        self.rig.errands.append(self._forget(name))

    def _forget(self, name: str) -> Iterator[None]:
        while self._running is not None or self.rig.held == name:
            yield
        for room in (self.rig.world, self.rig.mirror.world, self._senses):
            room.remove_piece(name)
        self.rig.forget(name)
        self.rig.mirror.sync(self.rig.world)

    def stop(self) -> None:
        """Stop all motion, and keep the held object."""
        if not self._open:
            return
        if self._running is not None:
            self._running.cancel()
        self.rig.chassis.hold()
        self.rig.task = self.rig.base_speed = None

    def close(self) -> None:
        """Stop, and disconnect the simulator."""
        self.stop()
        if self._open:
            self._open = False
            self._senses.close()
            self.rig.close()

    def _must_be_open(self) -> None:
        if not self._open:
            raise BodyUnavailableError(f"{self.name} was closed")

    def _tick(self) -> None:
        """Advance everything by one control tick."""
        self._must_be_open()
        if self._running is not None and not self._running.advance():
            self._running = None
            self._next_sensing = self.clock.now()
            # After closing a door, look around: objects that left the container are elsewhere.
            self._looked_on = self._shutting
        self.rig.errands = [errand for errand in self.rig.errands if next(errand, self) is not self]
        self.rig.chassis.complete_tick()
        for step in range(STEPS_PER_TICK):
            self.rig.chassis.drive(step / STEPS_PER_TICK)
            self.rig.world.step()
        self.rig.watch_grip()
        if next(self._looking, self) is self and self.clock.now() >= self._next_sensing:
            self._next_sensing = self.clock.now() + SENSING_PERIOD
            self._sense()

    def _sense(self) -> None:
        """Look at the work. Once a motion has ended and its result was seen, look around for objects that moved."""
        idle = self._running is None and self._looked_on
        self._looked_on = self._running is None
        if idle:
            self._looking = self._senses.look_around(self.clock.now)
        else:
            self._senses.look(self.clock.now())


def _counted(rig: Rig, command: Command, seen: Observation, moving: Steps) -> Steps:
    """Do a motion, and change the numbers when it has succeeded.

    Raises:
        Failed: As the motion does, or there is too little of something now.
    """
    before = frozenset(rig.states)
    yield from moving
    change = rig.change_of(command, seen)
    if isinstance(change, Feedback):
        raise Failed(change.code, change.what, change.why, change.culprits, change.how)
    if change is not None:
        rig.count(before, change)


DOABLE: dict[str, tuple[Callable[..., Steps], tuple[str, ...]]] = {
    "chop": (chop, ("object", "target", "at")),
    "close": (close_front, ("object",)),
    "drain": (drain, ("contents", "source", "at")),
    "draw": (draw, ("object", "contents", "at")),
    "drive": (drive, ("to",)),
    "fill": (partial(pour, predicate="liquid_in"), ("contents", "source", "target", "at")),
    "give": (partial(set_down, relation="on"), ("object", "to", "to")),
    "heat": (heat, ("object", "contents", "heater", "at")),
    "insert": (partial(set_down, relation="in"), ("object", "target", "at")),
    "open": (open_front, ("object",)),
    "pick": (pick, ("object", "source", "at")),
    "pour": (pour, ("contents", "source", "target", "at")),
    "put": (partial(set_down, relation="on"), ("object", "target", "at")),
    "receive": (pick, ("object", "from", "from")),
    "screw": (partial(unscrew, shut=True), ("object", "agent")),
    "soak": (soak, ("object", "contents", "target", "at")),
    "unscrew": (unscrew, ("object", "agent")),
    WAIT: (lambda _, duration=WAIT_SECONDS: pause(duration), ()),
    "wash": (wash, ("object", "at")),
    "wet": (wet, ("object", "at")),
    "wipe": (wipe, ("object", "target", "at")),
}
"""The function of each primitive, and the roles that it takes, in order."""
BY_HAND: dict[str, Callable[[Rig, Command], Steps]] = {
    "grip": grip,
    "move_to": move_to,
    "push": push,
    "release": release,
    "turn": turn,
}
"""The function of each primitive of the hand, which takes the whole command."""
LIMITS: Mapping[str, tuple[str, ...]] = {
    "move_to": ("the hand comes within 1 cm",),
    "open": ("one hand: it must be empty",),
    "pick": ("one hand: it must be empty", "nothing may stand on the thing"),
    "push": ("one hand: it must be empty", f"at most {FARTHEST_PUSH:g} m", "nothing that would tip over"),
    "release": (f"what it holds falls at most {SAFE_DROP:g} m",),
    "turn": ("one hand: it must be empty", f"things up to {1000 * THICKEST:.0f} mm", "nothing may stand on the thing"),
}


def primitives(body: str = "") -> Mapping[str, Primitive]:
    """Return the motion primitives of a body of the simulator by its name, without a simulator.

    Raises:
        UnknownNameError: There is no body of this name.
    """
    description = described(body)
    able = (name for name in sorted({*DOABLE, *BY_HAND}) if name in description.primitives)
    told = {name: replace(PRIMITIVES[name], limits=LIMITS.get(name, ())) for name in able}
    if "grip" in told:
        (force,) = told["grip"].values
        told["grip"] = replace(told["grip"], values=(replace(force, high=description.hand.force),))
    return told
