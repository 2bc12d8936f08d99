"""Random programs that hand random values to actions, and what may not happen whatever they say.

A program takes things up and sets them down at points, in regions and at what is no place at all: numbers that are
huge, negative, or beyond every range, texts, lists, quantities of something else. Types are often hidden until the
program runs. Each statement may fail; the next one is tried all the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner
from bt.programs import CheckedProgram, check_program, compile_program
from bt.runner import Ended
from domains.model import Domain, SceneFile
from robots.fake import FakeRobot
from semantics.body.protocols import Robot
from semantics.geometry.geometry import Box
from semantics.logic.program import ProgramLimits

__all__ = ["MADE", "Outcomes", "a_program", "carried_out", "misplaced"]

LIMITS = ProgramLimits(steps=60, passes=20, items=40, work=4000)
MOST_SECONDS = 900.0
"""How long a program may take, on the body's clock."""
HUGE = ("1e9", "-1e9", "1e300", "-4e15", "1e-300", "(1e300 * 1e10)", "(0 - 1e308) * 100", "(1e308 * 10 - 1e308 * 10)")
BLOCKS = ("red_block", "yellow_block", "green_block", "blue_block")
BOWLS = ("red_bowl", "yellow_bowl", "green_bowl", "blue_bowl")
NO_PLACES = ("3", "'moon'", "'1,2m'", "'nan,0m'", "'1e999,0m'", "True", "[]", "quantity('5 cm')", "''", "'0,0..1,1,1m'")
NO_TURNS = ("1e9", "-181", "'30 s'", "point(1, 2)", "'north'", "[]", "True", "quantity(1e300, 'rad')", "''")


def _number(chance: Random, low: float, high: float) -> str:
    return chance.choice(HUGE) if chance.random() < 0.08 else f"{chance.uniform(low, high):.3f}"


def _point(chance: Random, area: Box) -> str:
    grown = 0.3 if chance.random() < 0.4 else 0.0
    x, y = (_number(chance, area.low[axis] - grown, area.high[axis] + grown) for axis in (0, 1))
    z = f", {_number(chance, -0.2, 1.5)}" if chance.random() < 0.15 else ""
    return f"point({x}, {y}{z})"


def _where(chance: Random, area: Box, things: tuple[str, ...]) -> str:
    thing, other = chance.choice(things), chance.choice(things)
    choices: tuple[Callable[[], str], ...] = (
        lambda: _point(chance, area),
        lambda: _point(chance, area),
        lambda: f"box({_point(chance, area)}, {_point(chance, area)})",
        lambda: f"corner({thing}, 'top left', {_number(chance, 0.0, 0.2)})",
        lambda: f"top_of({thing})",
        lambda: f"get_position({thing}) + direction('left') * {_number(chance, -0.3, 0.3)}",
        lambda: f"between({thing}, {other}, {_number(chance, 0, 1)})",
        lambda: thing,
        lambda: chance.choice(NO_PLACES),
    )
    return chance.choice(choices)()


def _values(chance: Random, area: Box, things: tuple[str, ...]) -> str:
    said = []
    if chance.random() < 0.9:
        said.append(("where", _where(chance, area, things)))
    if chance.random() < 0.4:
        turn = chance.choice(NO_TURNS) if chance.random() < 0.3 else _number(chance, -180, 180)
        said.append(("turn", turn))
    hidden = ((name, f"[{value}][0]" if chance.random() < 0.7 else value) for name, value in said)
    return "".join(f", {name}={value}" for name, value in hidden)


def _on_the_tabletop(chance: Random) -> Iterator[str]:
    area, things = Box((0.19, -0.36, 0.72), (0.87, 0.36, 0.72)), (*BLOCKS, *BOWLS, "table0")
    thing = chance.choice(BLOCKS)
    for take in ("pick_up", "unstack", "take_out"):
        yield f"{take}({thing})"
    said = _values(chance, area, things)
    kind = chance.randrange(4)
    yield (
        f"stack({thing}, {chance.choice(BLOCKS)}{said})" if kind == 0
        else f"put_in({thing}, {chance.choice(BOWLS)}{said})" if kind == 1
        else f"place({thing}{said})"
    )  # fmt: skip
    yield f"place({thing})"  # so that the hand is free for the next program


def _in_the_kitchen(chance: Random) -> Iterator[str]:
    places = ("table0", "counter0", "shelf0")
    thing, start, end = chance.choice(("apple0", "banana0", "cup0", "sponge0")), *chance.sample(places, 2)
    areas = {
        "table0": Box((1.5, -0.6, 0.72), (2.3, 0.8, 0.72)),
        "counter0": Box((-0.8, 1.5, 0.85), (0.8, 2.2, 0.85)),
        "shelf0": Box((-2.4, -0.6, 0.8), (-1.8, 0.6, 0.8)),
    }
    speed = chance.choice(["", f", speed={_number(chance, -10, 90)}"])
    yield f"move(end={start}{speed})"
    yield f"grasp({thing})"
    yield f"move(end={end})"
    yield f"place({thing}{_values(chance, areas[end], (end, thing, 'cup0', 'apple0'))})"
    yield f"place({thing})"


MADE: Mapping[str, Callable[[Random], Iterator[str]]] = {"kitchen": _in_the_kitchen, "tabletop": _on_the_tabletop}
"""The statements of a random program, by world."""


def a_program(world: str, seed: int) -> str:
    """Return a program of a few statements, each of which may fail; it answers how many were done."""
    lines = MADE[world](Random(seed))
    tried = "".join(f"try:\n    {line}\n    done += 1\nexcept:\n    pass\n" for line in lines)
    return f"done = 0\n{tried}return done\n"


@dataclass
class Outcomes:
    """What became of random programs.

    Attributes:
        ended: How many were refused before anything moved, came to their end or failed.
        done: How many statements were done.
        wrong: What may not happen, each with its program: an exception, no end, a limit that was broken.
    """

    ended: dict[str, int] = field(default_factory=lambda: {"refused": 0, "success": 0, "failure": 0})
    done: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, text: str, told: str, wrong: str = "") -> None:
        """Count a program."""
        self.ended[told] = self.ended.get(told, 0) + 1
        if wrong:
            self.wrong.append(f"{wrong}\n{text}")


class _Watch:
    """Looks at each tick whether a limit is broken."""

    def __init__(self, broken: Callable[[], str]) -> None:
        self._broken = broken
        self.first = ""

    def ticked(self, _: Runner) -> None:
        """Look."""
        self.first = self.first or self._broken()

    def ended(self, _: Runner, __: Ended) -> None:
        """Look once more."""
        self.first = self.first or self._broken()


def carried_out(
    text: str, domain: Domain, scene: SceneFile, robot: Robot, outcomes: Outcomes, broken: Callable[[], str]
) -> None:
    """Carry a program out in the room of a body, and count what became of it.

    Args:
        text: The program.
        domain: The world.
        scene: The scene that the body was made for.
        robot: The body.
        outcomes: Where it is counted.
        broken: Returns which limit is broken now; empty for none.
    """
    checked = check_program(text, domain, scene.things, limits=LIMITS)
    if not isinstance(checked, CheckedProgram):
        unlocated = [str(mistake) for mistake in checked.mistakes if not mistake.feedback.what.startswith("line ")]
        outcomes.count(text, "refused", f"a mistake without a place: {unlocated}" if unlocated else "")
        return
    beliefs = Watcher(robot, Scene.start(scene, domain))
    beliefs.refresh()
    watch = _Watch(broken)
    tree = compile_program(checked, beliefs=beliefs, robot=robot)
    end = Runner(tree, robot, beliefs, listeners=[watch]).run(MOST_SECONDS)
    ended = str(end.status) in ("success", "failure") and end.error is None
    outcomes.done += tree.answer.value if tree.answer is not None and isinstance(tree.answer.value, int) else 0
    outcomes.count(text, str(end.status), watch.first or ("" if ended else f"{end.status}: {end.reason}"))


def misplaced(robot: FakeRobot) -> Callable[[], str]:
    """Return what tells whether the room of a fake body is as it may not be.

    Nothing may be at no finite place; nothing that was put down may have its middle beside what carries it; the base
    may not be faster than it can be.
    """
    world, clock = robot.world, robot.clock
    last = [clock.now(), world.pose.x, world.pose.y]

    def broken() -> str:
        now, x, y = clock.now(), world.pose.x, world.pose.y
        way, seconds = math.hypot(x - last[1], y - last[2]), now - last[0]
        last[:] = [now, x, y]
        if way > FASTEST * seconds + 1e-9:
            return f"the base went {way:.3f} m in {seconds:.3f} s"
        return next(filter(None, map(of_piece, world.shapes)), "")

    def of_piece(name: str) -> str:
        spot, (relation, where) = world.spots[name], world.carriers[name]
        if not all(map(math.isfinite, spot[:4])):
            return f"{name} is at {spot}"
        regions = world.regions(relation, where) if relation != "held" else ()
        if regions and not any(region.above((spot.x, spot.y, 0.0), 1e-6) for region in regions):
            return f"{name} is beside {where}, at {spot}"
        return ""

    return broken


FASTEST = 0.8
"""The speed of the base of the fake body, in metres per second."""
