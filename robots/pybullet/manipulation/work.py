"""Work with a held object: chop, wash, wet, soak, draw water; and wait while a heater or a person works.

Liquids, grains, dirt and heat are not simulated. The robot executes each motion, and the fact becomes true only if the
simulator shows at the end that the motion succeeded: the knife met the object, the vessel was inside the sink.
The robot's report of the fact stands in for a classifier of its camera pictures.
"""

from __future__ import annotations

from math import hypot

from robots.pybullet.manipulation.place import lower, over
from robots.pybullet.manipulation.reach import station, withdraw
from robots.pybullet.motion import Failed, Steps, pause
from robots.pybullet.rig import Rig
from semantics.geometry.geometry import Box
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code

BLOWS = 3  # how often the knife comes down
BESIDE = 0.08  # the distance from a vessel within which things may be in the way of what is held into it, in metres
FLOWING, WARMING, UNSCREWING = 1.0, 5.0, 4.0  # durations in seconds


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
        why = f"{name} met it {hits} times of {BLOWS}."
        raise Failed(Code.EFFECT_MISSING, target, why, (name, target), _lower_it(rig, name, target))
    rig.become(Atom("chopped", (target,)))


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
    check_fact(rig, Atom("liquid_in", (contents, vessel)))
    yield from _held_into(rig, name, vessel, at)
    rig.become(Atom("soaked", (name, vessel)))


def draw(rig: Rig, name: str, contents: str, at: str) -> Steps:
    """Hold a vessel in the sink under the tap to fill it; raises as `set_down` does."""
    source = Atom("liquid_in", (contents, at))
    check_fact(rig, source)
    check_open(rig, name)
    yield from _held_into(rig, name, at, at)
    rig.become(Atom("liquid_in", (contents, name)), no_more=(source,))


def _held_into(rig: Rig, name: str, basin: str, at: str) -> Steps:
    """Hold an object inside a sink or a vessel for a while."""
    home = station(rig, at)
    approach = yield from over(rig, name, basin, at, "in")
    yield from pause(FLOWING, 0.7)
    box = rig.world.offered[basin].box if basin in rig.world.offered else rig.world.box(basin)
    held_at = rig.world.box(name)
    yield from rig.move(*approach.retreat, pace=0.7)
    yield from withdraw(rig, home.stand)
    if not box.above(held_at.centre):
        why = f"it was not inside {basin}, its middle was {_beside(box, held_at):.2f} m off its edge."
        raise Failed(Code.EFFECT_MISSING, name, why, (name, basin), _space_in(rig, basin, name))


def heat(rig: Rig, name: str, contents: str, heater: str, at: str) -> Steps:
    """Wait while a heater warms the contents of a vessel on it, or of a vessel that is the heater itself."""
    if heater not in (name, *rig.world.touching(name)):
        how = f"Put it on {heater} first: now it is {rig.resting_place(name)}."
        raise Failed(Code.PRECONDITION, name, f"it does not stand on {heater}.", (name, heater), how)
    liquid = Atom("liquid_in", (contents, name)) in rig.states
    yield from pause(WARMING, 0.5)
    rig.become(Atom("liquid_warm" if liquid else "warm", (contents,)))


def unscrew(rig: Rig, name: str, person: str, *, shut: bool = False) -> Steps:
    """Wait while a person takes the lid off an object in their hand, or, if `shut`, screws the lid on."""
    if person not in rig.world.touching(name) or rig.held == name:
        how = f"Give it to {person} first: now it is {rig.resting_place(name)}."
        raise Failed(Code.PRECONDITION, name, f"it is not in the hand of {person}.", (name, person), how)
    yield from pause(UNSCREWING, 0.5)
    lids = Atom("opened", (name,)), Atom("closed", (name,))
    rig.become(lids[shut], no_more=(lids[not shut],))


def check_fact(rig: Rig, fact: Atom) -> None:
    """Check that a fact without geometry holds.

    Raises:
        Failed: It does not (`precondition`).
    """
    if fact not in rig.states:
        known = sorted(str(state) for state in rig.states if state.args[0] == fact.args[0])
        how = f"Make {fact} true first; of {fact.args[0]} holds {', '.join(known) or 'nothing of this kind'}."
        raise Failed(Code.PRECONDITION, fact.args[0], f"{fact} does not hold.", fact.args, how)


def check_open(rig: Rig, name: str) -> None:
    """Check that no lid is on a vessel.

    Raises:
        Failed: One is (`obstructed`).
    """
    if Atom("closed", (name,)) in rig.states:
        how = f"Take the lid off {name} first: it is {rig.resting_place(name)}."
        raise Failed(Code.OBSTRUCTED, name, "its lid is on.", (name,), how)


def _lower_it(rig: Rig, name: str, target: str) -> str:
    """Return how much nearer a tool has to be to what it works on, or what else it is on, as a suggestion."""
    others = sorted(set(rig.world.touching(target)) & rig.world.shapes.keys() - {name})
    if others:
        return f"Take {' and '.join(others)} off {target} first."
    return f"Put {name} down and grasp it nearer to its upper end: what the hand holds did not reach down to {target}."


def _beside(box: Box, other: Box) -> float:
    """Return the horizontal distance of the middle of a box from the footprint of another, in metres."""
    x, y, _ = other.centre
    return hypot(max(box.low[0] - x, 0.0, x - box.high[0]), max(box.low[1] - y, 0.0, y - box.high[1]))


def _space_in(rig: Rig, target: str, held: str) -> str:
    """Return the suggestion to take something out of the way of a vessel, or to try another side."""
    near = rig.world.box(target)
    others = [name for name in rig.world.shapes if name not in (target, held)]
    others = [name for name in others if rig.world.box(name).distance(near) < BESIDE]
    if others:
        return f"Make room around {target}: take {' and '.join(sorted(others))} away, less than {BESIDE} m from it."
    return f"Try again from the other side of {target}, around which nothing stands."
