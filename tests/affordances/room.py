"""A small room in boxes, for tests of what is sensed in it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from affordances.scene import Belief, Scene
from domains.conventions import STANDARD, Conventions
from domains.model import Domain, ObjectClass, PredicateModel, SceneFile
from semantics.body.layout import Layout, RobotStart
from semantics.body.observation import AgentView, HeardFact, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Predicate

CLASSES = {
    "apple": ("carry",),
    "bowl": ("carry", "contain"),
    "cup": ("carry",),
    "floor": ("support", "location"),
    "fridge": ("contain", "open", "close", "location"),
    "human": ("actor", "location"),
    "milk": ("carry",),
    "plate": ("carry", "support"),
    "robot": ("actor",),
    "shelf": ("support", "location"),
    "table": ("support", "location"),
    "tray": ("carry", "support"),
}
SENSED = {
    "on": ("carry", "support"),
    "in": ("carry", "contain"),
    "at": ("actor", "location"),
    "inhand": ("carry", "actor"),
    "opened": ("open",),
    "closed": ("close",),
    "ajar": ("open",),
}
FOLLOWING = {
    "hand_occupied": ("actor",),
    "free": ("object",),
    "reachable": ("object", "location"),
    "indirect_on": ("carry", "support"),
}

DOMAIN = Domain(
    name="room",
    affordances={},
    classes={name: ObjectClass(name, frozenset(found)) for name, found in CLASSES.items()},
    kinds={},
    predicates={name: PredicateModel(Predicate(name, args, name), sensed=name) for name, args in SENSED.items()}
    | {name: PredicateModel(Predicate(name, args, name), bookkeeping=True) for name, args in FOLLOWING.items()},
    capabilities={},
    agents={},
)
NAMES = (*(f"{name}0" for name in CLASSES), "apple1", "plate1", "table1")
THINGS = {name: DOMAIN.thing(name, name[:-1]) for name in NAMES}

TABLE_TOP = 0.7
TABLE = Sighting(
    "table0",
    Box((0, 0, 0), (1, 1, TABLE_TOP)),
    surfaces=(Box((0, 0, 0.67), (1, 1, TABLE_TOP)),),
    stand=PlanarPose(0.5, -0.5),
)
FRIDGE = Sighting(
    "fridge0",
    Box((3, 0, 0), (3.6, 0.6, 1.2)),
    interior=Box((3.03, 0.03, 0.4), (3.57, 0.57, 1.17)),
    opening=1.0,
    stand=PlanarPose(3.3, -0.7),
)
SHELF = Sighting(
    "shelf0",
    Box((0, 3, 0), (1, 3.4, 1.2)),
    surfaces=tuple(Box((0, 3, top - 0.03), (1, 3.4, top)) for top in (0.4, 0.8, 1.2)),
    stand=PlanarPose(0.5, 2.4),
)
FAR_AWAY = PlanarPose(8.0, 8.0)


def block(name, x, y, z, size=(0.06, 0.06, 0.1)):
    """Return the sighting of a movable thing whose bottom's middle is at x, y, z."""
    wide, deep, high = size
    return Sighting(name, Box((x - wide / 2, y - deep / 2, z), (x + wide / 2, y + deep / 2, z + high)))


def bowl(name, x, y, z):
    """Return the sighting of an open box of 16 cm with a hollow."""
    seen = block(name, x, y, z, (0.16, 0.16, 0.07))
    low, high = seen.box.low, seen.box.high
    space = Box((low[0] + 0.01, low[1] + 0.01, z + 0.01), (high[0] - 0.01, high[1] - 0.01, high[2]))
    return replace(seen, interior=space, surfaces=(Box(low, (*high[:2], z + 0.01)),))


def tray(name, x, y, z):
    """Return the sighting of a tray: an open box that things stand on."""
    return replace(bowl(name, x, y, z), interior=None)


def seen(
    *sightings: Sighting,
    held: Mapping[str, tuple[str, ...]] = {},
    pose: PlanarPose = FAR_AWAY,
    contacts: Iterable[tuple[str, str]] = (),
    searched: Iterable[str] = (),
    undetectable: Mapping[str, frozenset[str]] = {},
    number: int = 1,
    told: Mapping[Atom, bool] = {},
    heard: Mapping[Atom, HeardFact] = {},
) -> Observation:
    """Return the sensing of a room with a table, a fridge, a shelf, a robot and a person."""
    listed = {one.name: one for one in (TABLE, FRIDGE, SHELF, *sightings)}
    return Observation(
        time=float(number),
        number=number,
        sightings=listed,
        searched=frozenset(searched),
        undetectable=undetectable,
        contacts=frozenset(frozenset(pair) for pair in contacts),
        agents={
            "robot0": AgentView(pose, held.get("robot0", ())),
            "human0": AgentView(FAR_AWAY, held.get("human0", ())),
        },
        told=told,
        heard=heard,
    )


def fridge(opening: float) -> Sighting:
    """Return the fridge with its door so far open."""
    return replace(FRIDGE, opening=opening)


def scene_file(facts: Iterable[Atom] = (), beliefs: Mapping[Atom, str] = {}) -> SceneFile:
    """Return a scene file of the room."""
    return SceneFile("room", THINGS, Layout(RobotStart("robot0", FAR_AWAY)), frozenset(facts), beliefs)


def atom(text: str) -> Atom:
    """Read an atom without parentheses."""
    name, *args = text.split()
    return Atom(name, tuple(args))


def whereabouts(scene: Scene, name: str, names: Conventions = STANDARD) -> Belief | None:
    """Return the belief about the place of an object; None when it is unknown."""
    placing = (belief for atom, belief in scene.beliefs.items() if atom.predicate in names.placing)
    return min((belief for belief in placing if belief.atom.args[0] == name), default=None)
