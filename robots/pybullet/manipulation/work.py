"""Work with a held object: wipe, wash, wet, draw water, pour; and wait while a heater or a person works.

Liquids, grains, dirt and heat are not simulated. The robot executes each motion, and the fact becomes true only if the
simulator shows at the end that the motion succeeded: the sponge touched the surface, the vessel was above the other.
The robot's report of the fact stands in for a classifier of its camera pictures.
"""

from __future__ import annotations

from math import hypot, sin

from robots.pybullet.description import Configuration
from robots.pybullet.manipulation.place import lower, over
from robots.pybullet.manipulation.reach import raised, station, withdraw
from robots.pybullet.motion import Failed, Steps, pause
from robots.pybullet.rig import Rig
from semantics.atoms import Atom
from semantics.feedback import Code

__all__ = ["chop", "drain", "draw", "heat", "pour", "soak", "unscrew", "wash", "wet", "wipe"]

STROKE = 0.04
"""How far a wiping hand moves to either side, in metres."""
PRESSED = 0.008
"""How far the hand is pressed below the height of first contact, in metres."""
FEWEST_TOUCHES = 20
"""The fewest control ticks with contact that count as a wipe."""
BLOWS = 3
"""How often the knife comes down."""
TILT, WRIST = 0.9, 10
"""The tilt of a vessel while pouring, in radians, and the index of the joint that tilts it."""
CLEAR = 0.06
BESIDE = 0.08
"""The largest horizontal distance of a pouring vessel from the centre of its target, in metres."""
FLOWING, WARMING, UNSCREWING = 1.0, 5.0, 4.0
"""Durations in seconds."""


def wipe(rig: Rig, name: str, target: str, at: str) -> Steps:
    """Move the held object over a surface in contact with it.

    Raises:
        Failed: It is not held or not wet, there is no room, no posture reaches the surface, or the contact was too
            short (`effect-missing`).
    """
    _must_hold(rig, Atom("wet", (name,)))
    home = station(rig, at)
    approach = yield from over(rig, name, target, at, "on")
    yield from lower(rig, name)
    touches = 0
    for step in _strokes(rig):
        touches += target in set(rig.world.touching(name))
        yield step
    yield from rig.move(*approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if touches < FEWEST_TOUCHES:
        raise Failed(Code.EFFECT_MISSING, target, f"{name} touched it too little.", (name, target))
    rig.become(Atom("clean", (target,)))


def chop(rig: Rig, name: str, target: str, at: str) -> Steps:
    """Strike an object three times with the held tool; raises as `set_down` does, and `effect-missing` after a miss."""
    home = station(rig, at)
    approach = yield from over(rig, name, target, at, "on")
    high = rig.now().copy()
    hits = 0
    for _ in range(BLOWS):
        yield from lower(rig, name)
        hits += target in set(rig.world.touching(name))
        yield from rig.move(high, pace=0.7)
    yield from rig.move(*approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if hits < BLOWS:
        raise Failed(Code.EFFECT_MISSING, target, f"{name} met it {hits} times of {BLOWS}.", (name, target))
    rig.become(Atom("chopped", (target,)))


def _strokes(rig: Rig) -> Steps:
    start = rig.now().copy()
    start[3] -= PRESSED
    aside = (-sin(start[2]) * STROKE, sin(start[2] + 1.5708) * STROKE)
    for side in (1.0, -1.0, 1.0, 0.0):
        goal = start.copy()
        goal[0] += side * aside[0]
        goal[1] += side * aside[1]
        yield from rig.move(goal, pace=0.4)


def wet(rig: Rig, name: str, at: str) -> Steps:
    """Hold an object in the sink under the tap; raises as `set_down` does."""
    yield from _held_into(rig, name, at, at)
    rig.become(Atom("wet", (name,)))


def wash(rig: Rig, name: str, at: str) -> Steps:
    """Hold an object in the sink under the tap until it is clean; raises as `set_down` does."""
    yield from _held_into(rig, name, at, at)
    rig.become(Atom("clean", (name,)))


def soak(rig: Rig, name: str, contents: str, vessel: str, at: str) -> Steps:
    """Dip an object into a vessel with a liquid; raises as `set_down` does."""
    _must_hold(rig, Atom("liquid_in", (contents, vessel)))
    yield from _held_into(rig, name, vessel, at)
    rig.become(Atom("soaked", (name, vessel)))


def draw(rig: Rig, name: str, contents: str, at: str) -> Steps:
    """Hold a vessel in the sink under the tap to fill it; raises as `set_down` does."""
    source = Atom("liquid_in", (contents, at))
    _must_hold(rig, source)
    _must_be_open(rig, name)
    yield from _held_into(rig, name, at, at)
    rig.become(Atom("liquid_in", (contents, name)), no_more=(source,))


def _held_into(rig: Rig, name: str, basin: str, at: str) -> Steps:
    """Hold an object inside a sink or a vessel for a while."""
    home = station(rig, at)
    approach = yield from over(rig, name, basin, at, "in")
    yield from pause(FLOWING, 0.7)
    box = rig.world.offered[basin].box if basin in rig.world.offered else rig.world.box(basin)
    inside = box.above(rig.world.box(name).centre)
    yield from rig.move(*approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if not inside:
        raise Failed(Code.EFFECT_MISSING, name, f"it was not inside {basin}.", (name, basin))


def pour(rig: Rig, contents: str, source: str, target: str, at: str, *, predicate: str = "stuff_in") -> Steps:
    """Pour grain, or a liquid if `predicate` is ``liquid_in``, from the held vessel into another.

    Raises as `set_down` does, and `obstructed` if a lid is on.
    """
    _must_be_open(rig, source)
    _must_be_open(rig, target)
    contents_in_source, home = Atom(predicate, (contents, source)), station(rig, at)
    _must_hold(rig, contents_in_source)
    approach = yield from over(rig, source, target, at, "on")
    high = raised(rig.description, rig.now(), CLEAR)
    yield from rig.move(high, _tipped(high), pace=0.6)
    yield from pause(FLOWING, 0.8)
    (x, y, _), (a, b, _) = rig.world.pose(source)[0], rig.world.pose(target)[0]
    offset = hypot(x - a, y - b)
    yield from rig.move(high, *approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if offset > BESIDE:
        raise Failed(Code.EFFECT_MISSING, target, f"{source} was {offset:.2f} m beside it.", (source, target))
    rig.become(Atom(predicate, (contents, target)), no_more=(contents_in_source,))


def drain(rig: Rig, contents: str, source: str, at: str) -> Steps:
    """Pour a liquid from the held vessel into a sink; raises as `set_down` does, and `obstructed` if a lid is on."""
    _must_be_open(rig, source)
    contents_in_source, home = Atom("liquid_in", (contents, source)), station(rig, at)
    _must_hold(rig, contents_in_source)
    approach = yield from over(rig, source, at, at, "in")
    high = raised(rig.description, rig.now(), CLEAR)
    yield from rig.move(high, _tipped(high), pace=0.6)
    yield from pause(FLOWING, 0.8)
    inside = rig.world.offered[at].box.above(rig.world.box(source).centre)
    yield from rig.move(high, *approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if not inside:
        raise Failed(Code.EFFECT_MISSING, at, f"{source} was beside it.", (source, at))
    rig.become(Atom("liquid_in", (contents, at)), no_more=(contents_in_source,))


def _tipped(configuration: Configuration) -> Configuration:
    """Return a configuration with the hand rolled by `TILT`, in the direction with more room to the joint limit."""
    turned = configuration.copy()
    turned[WRIST] += TILT if turned[WRIST] < 0.8 else -TILT
    return turned


def heat(rig: Rig, name: str, contents: str, heater: str, at: str) -> Steps:
    """Wait while a heater warms the contents of a vessel on it, or of a vessel that is the heater itself."""
    if heater not in (name, *rig.world.touching(name)):
        raise Failed(Code.PRECONDITION, name, f"it does not stand on {heater}.", (name, heater))
    liquid = Atom("liquid_in", (contents, name)) in rig.states
    yield from pause(WARMING, 0.5)
    rig.become(Atom("liquid_warm" if liquid else "warm", (contents,)))


def unscrew(rig: Rig, name: str, person: str, *, shut: bool = False) -> Steps:
    """Wait while a person takes the lid off an object in their hand, or, if `shut`, screws the lid on."""
    if person not in rig.world.touching(name) or rig.held == name:
        raise Failed(Code.PRECONDITION, name, f"it is not in the hand of {person}.", (name, person))
    yield from pause(UNSCREWING, 0.5)
    lids = Atom("opened", (name,)), Atom("closed", (name,))
    rig.become(lids[shut], no_more=(lids[not shut],))


def _must_hold(rig: Rig, fact: Atom) -> None:
    if fact not in rig.states:
        raise Failed(Code.PRECONDITION, fact.args[0], f"{fact} does not hold.", fact.args)


def _must_be_open(rig: Rig, name: str) -> None:
    if Atom("closed", (name,)) in rig.states:
        raise Failed(Code.OBSTRUCTED, name, "its lid is on.", (name,))
