"""Random sequences of sensings of a kitchen and of a table of blocks, in which things come, go, move and are held."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from domains.model import SceneFile
from domains.reader import load_domain
from semantics.body.observation import AgentView, HeardFact, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom

WIDE = 1.0
"""The width of each table and the distance between two of them, in metres."""
TOP = 0.7
MOVABLE = {"kitchen": ("apple", "bowl", "plate", "tray", "cup", "mug"), "blocks": ("block",)}
FIXED = {"kitchen": ("table", "counter", "fridge"), "blocks": ("table",)}


def written(world: str, count: int) -> SceneFile:
    """Return a scene with so many movable things, of which it states nothing but that one is in the fridge."""
    domain = load_domain(world)
    names = ["robot0", *(f"{name}{number}" for name in FIXED[world] for number in range(2 - (name == "fridge")))]
    names += ["floor0", "human0"] if world == "kitchen" else []
    names += [f"{MOVABLE[world][number % len(MOVABLE[world])]}{number}" for number in range(count)]
    things = {name: domain.thing(name, name.rstrip("0123456789")) for name in names}
    beliefs = {Atom("in", ("apple0", "fridge0")): "last seen there"} if world == "kitchen" else {}
    return SceneFile("random", things, None, frozenset(), beliefs)


class Wandering:
    """A room in which one thing after another happens.

    Args:
        world: ``kitchen`` or ``blocks``.
        count: How many movable things there are.
        seed: Decides what happens.
    """

    def __init__(self, world: str, count: int, seed: int) -> None:
        self._random, self._number = Random(seed), 0
        self.scene = written(world, count)
        self._movable = [name for name in self.scene.things if name.rstrip("0123456789") in MOVABLE[world]]
        self._seen = {
            name: self._furniture(name) for name in self.scene.things if name.rstrip("0123456789") in FIXED[world]
        }
        self._places = [*self._seen]
        self._seen |= {name: self._put(name) for name in self._movable}
        self._poses = {name: PlanarPose(0.5, -0.5) for name in ("robot0", "human0") if name in self.scene.things}
        self._held: dict[str, tuple[str, ...]] = {}
        self._contacts: set[frozenset[str]] = set()
        self._told: dict[Atom, bool] = {}
        self._heard: dict[Atom, HeardFact] = {}

    def sensings(self, number: int) -> Iterator[Observation]:
        """Yield so many sensings; between two of them, some things happen or nothing."""
        often = (self._move, self._move, self._come_or_go, self._hold)
        happenings = (*often, self._doubt, self._tell, self._walk, self._touch, self._swing)
        for _ in range(number):
            for _ in range(self._random.choice((0, 1, 1, 1, 4))):
                self._random.choice(happenings)()
            yield self._sensing()

    def _sensing(self) -> Observation:
        self._number += 1
        places = [name for name in self._places if name in self._seen]
        searched = frozenset(self._random.sample(places, self._random.randrange(len(places) + 1)))
        missed = {
            place: frozenset(self._random.sample(self._movable, 1))
            for place in sorted(searched)
            if self._random.random() < 0.2
        }
        agents = {name: AgentView(pose, self._held.get(name, ())) for name, pose in self._poses.items()}
        return Observation(
            float(self._number), self._number, dict(self._seen), searched, missed, frozenset(self._contacts), agents,
            dict(self._told), heard=dict(self._heard),
        )  # fmt: skip

    def _furniture(self, name: str, opening: float = 1.0) -> Sighting:
        x = 2 * WIDE * [*self.scene.things].index(name)
        low, high = (x, 0.0, 0.0), (x + WIDE, WIDE, TOP)
        if name.startswith("fridge"):
            inside = Box((x + 0.03, 0.03, 0.3), (x + WIDE - 0.03, WIDE - 0.03, TOP - 0.03))
            return Sighting(name, Box(low, high), interior=inside, opening=opening, stand=PlanarPose(x, -0.5))
        return Sighting(name, Box(low, high), surfaces=(Box((x, 0, TOP - 0.03), high),), stand=PlanarPose(x, -0.5))

    def _put(self, name: str) -> Sighting:
        """Return a sighting somewhere: on the floor, on or in something, or in the air."""
        random = self._random
        on = self._seen[random.choice([other for other in self._seen if other != name])]
        (a, b, _), (x, y, top) = on.box.low, on.box.high
        middle = (random.uniform(a - 0.01, x + 0.01), random.uniform(b - 0.01, y + 0.01))
        bottom = random.choice((0.0, top, top, top, (on.interior or on.box).low[2] + 0.001, top + 0.2))
        size = {"bowl": 0.2, "plate": 0.2, "tray": 0.3, "mug": 0.1, "cup": 0.1}.get(name.rstrip("0123456789"), 0.05)
        height = random.choice((0.05, size))
        low = (middle[0] - size / 2, middle[1] - size / 2, bottom)
        high = (low[0] + size, low[1] + size, bottom + height)
        hollow = name.startswith(("bowl", "mug", "cup"))
        inside = Box((low[0] + 0.01, low[1] + 0.01, bottom + 0.005), (high[0] - 0.01, high[1] - 0.01, high[2]))
        tilt = random.choice((None, None, 0.0, 1.5))
        return Sighting(name, Box(low, high), interior=inside if hollow else None, tilt=tilt)

    def _move(self) -> None:
        name = self._random.choice(self._movable)
        if name in self._seen:
            self._seen[name] = self._put(name)

    def _come_or_go(self) -> None:
        name = self._random.choice((*self._movable, *self._places))
        if name in self._seen and len(self._seen) > 2:
            del self._seen[name]
        elif name not in self._seen:
            self._seen[name] = self._furniture(name) if name in self._places else self._put(name)

    def _doubt(self) -> None:
        name = self._random.choice([*self._seen])
        seen = self._seen[name]
        sure = self._random.choice((0.2, 0.6, 1.0))
        self._seen[name] = Sighting(
            name, seen.box, seen.surfaces, seen.interior, seen.opening, seen.stand, sure, tilt=seen.tilt
        )

    def _tell(self) -> None:
        name = self._random.choice([*self._movable, "nobody0"])
        facts = (Atom("clean", (name,)), Atom("clear", (name,)), Atom("on", (name, self._places[0])))
        fact, truth = self._random.choice(facts), self._random.random() < 0.7
        if self._random.random() < 0.5:
            self._heard[fact] = HeardFact(truth, float(self._number + 1))
        elif fact in self._told:
            del self._told[fact]
        else:
            self._told[fact] = truth

    def _walk(self) -> None:
        name = self._random.choice([*self._poses])
        x = self._random.choice([seen.box.low[0] for seen in self._seen.values()])
        self._poses[name] = PlanarPose(x, -0.5, self._random.uniform(-3, 3))

    def _hold(self) -> None:
        agent, name = self._random.choice([*self._poses]), self._random.choice(self._movable)
        others = {other: held for other, held in self._held.items() if other != agent and name not in held}
        self._held = others | ({} if agent in self._held else {agent: (name,)})

    def _touch(self) -> None:
        pair = frozenset(self._random.sample([*self._movable, *self._places], 2))
        self._contacts ^= {pair}
        if self._random.random() < 0.5:
            near = self._random.choice(self._movable)
            self._contacts |= {
                frozenset((near, other)) for other in self._random.sample(self._movable, 2) if other != near
            }

    def _swing(self) -> None:
        for name in self._seen:
            if name.startswith("fridge"):
                self._seen[name] = self._furniture(name, self._random.choice((0.0, 0.4, 1.0)))
