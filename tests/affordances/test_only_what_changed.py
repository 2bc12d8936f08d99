"""What is computed from changes alone is what is computed from everything; and how much of it there is."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from affordances.facts import sense
from affordances.scene import Scene, without_unsure
from affordances.shown import sensed_predicates
from affordances.support import with_hidden_supports
from affordances.watcher import Watcher
from domains.model import SceneFile
from domains.reader import load_domain
from robots.motion import VirtualClock
from semantics.body.observation import Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom, Literal
from tests.affordances.comings import Wandering

KITCHEN = load_domain("kitchen")


class Eyes:
    name = "robot0"

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.latest = Observation()

    def observation(self) -> Observation:
        return self.latest

    def show(self, observation: Observation) -> None:
        self.latest = observation
        self.clock.sleep(observation.time - self.clock.now())


def watching(scene: SceneFile, world: str = "kitchen") -> tuple[Eyes, Watcher]:
    eyes = Eyes()
    return eyes, Watcher(eyes, Scene.start(scene, load_domain(world)))


def from_scratch(observation: Observation, scene: Scene) -> frozenset[Atom]:
    """Return what the tests show in the whole of a sensing."""
    domain, things = scene.world.domain, scene.things
    tests = {
        name: test
        for name, test in sensed_predicates(domain).items()
        if not domain.predicates[name].predicate.on_demand
    }
    shown = {
        Atom(name, atom.args)
        for name, test in tests.items()
        for atom in sense(observation, things, (test,), domain.conventions)
    }
    return frozenset(atom for atom in shown if domain.takes(atom, things))


@pytest.mark.parametrize("world", ["kitchen", "blocks"])
@given(seed=st.integers(0, 2**32), count=st.integers(3, 14), forgets=st.booleans())
def test_beliefs_from_changes_are_those_from_everything(world: str, seed: int, count: int, forgets: bool):
    wandering = Wandering(world, count, seed)
    eyes, watcher = watching(wandering.scene, world)
    for observation in wandering.sensings(12):
        before, known = (
            watcher.scene,
            {name: watcher.sightings[name] for name in watcher._sighted if name in watcher.sightings},
        )
        eyes.show(observation)
        watcher.refresh()
        scene = watcher.scene
        whole = with_hidden_supports(observation, before.things, known, scene.world.domain.conventions)
        again = replace(before, shown=None).updated(whole, "robot0")
        assert (dict(scene.beliefs), dict(scene.seen)) == (dict(again.beliefs), dict(again.seen))
        assert (scene.numbers, scene.doubtful) == (again.numbers, again.doubtful)
        sure = without_unsure(whole, scene.world.domain.least_confidence)
        assert scene.shown.sure.facts == from_scratch(sure, scene)
        assert watcher.state == scene.state
        if forgets and observation.number % 4 == 0:
            watcher.forget([*watcher.state.atoms][:3])


def tables(number: int, each: int = 10) -> SceneFile:
    """Return a scene with so many cups, on tables of so many."""
    names = [f"cup{n}" for n in range(number)] + [f"table{n}" for n in range(max(2, number // each))]
    things = {name: KITCHEN.thing(name, name.rstrip("0123456789")) for name in ("robot0", "floor0", *names)}
    return SceneFile("tables", things, None, frozenset())


def stood(scene: SceneFile, each: int = 10) -> dict[str, Sighting]:
    sightings = {}
    for name in scene.things:
        if name.startswith("table"):
            x = 2.0 * int(name[5:])
            top = Box((x, 0, 0.67), (x + 1, 1, 0.7))
            sightings[name] = Sighting(name, Box((x, 0, 0), (x + 1, 1, 0.7)), (top,), stand=PlanarPose(x, -0.5))
        elif name.startswith("cup"):
            sightings[name] = cup(name, int(name[3:]) // each, int(name[3:]) % each)
    return sightings


def cup(name: str, table: int, place: int) -> Sighting:
    x, y = 2.0 * table + 0.1 + 0.18 * (place % 5), 0.2 + 0.3 * (place // 5)
    return Sighting(name, Box((x, y, 0.7), (x + 0.06, y + 0.06, 0.8)))


def happenings(sightings: dict[str, Sighting]) -> Iterator[dict[str, Sighting]]:
    """Yield what is seen while a cup is carried to another table, vanishes, and comes back."""
    yield sightings
    yield sightings | {"cup0": cup("cup0", 1, 10)}
    yield {name: seen for name, seen in sightings.items() if name != "cup0"}
    yield sightings | {"cup0": cup("cup0", 0, 11)}


def work(number: int) -> list[tuple[int, int]]:
    """Return how many pairs are compared, and of how many things bookkeeping is made, for each thing that happens."""
    scene = tables(number)
    eyes, watcher = watching(scene)
    done = list[tuple[int, int]]()
    for at, sightings in enumerate((stood(scene), *happenings(stood(scene))), start=1):
        before = (0, 0) if at == 1 else (watcher.scene.shown.sure.tested, watcher._derived.computed)
        eyes.show(Observation(float(at), at, sightings))
        watcher.refresh()
        assert watcher.sensed(Literal(Atom("on", ("cup1", "table0")))) is True
        now = watcher.scene.shown.sure.tested, watcher._derived.computed
        done.append((now[0] - before[0], now[1] - before[1]))
    return done[1:]


def test_a_thing_that_moves_among_a_thousand_is_as_much_work_as_among_twenty():
    few, many = work(20), work(1000)
    assert few == many
    assert many[0] == (0, 0), "equal contents are no change"
    assert all(0 < compared < 200 and made < 10 for compared, made in many[1:])


def test_from_scratch_a_thousand_things_are_compared_with_their_neighbours_alone():
    eyes, watcher = watching(tables(1000))
    eyes.show(Observation(1.0, 1, stood(tables(1000))))
    watcher.refresh()
    assert watcher.scene.shown.sure.tested < 100 * 1000
