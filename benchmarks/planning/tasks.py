"""What is asked for in a generated kitchen: one function a kind of task, which may put things where it needs them.

The robot starts on the floor, where nothing stands, so whatever is fetched takes a drive, a grasp, a drive and an end:
four actions at least. What a task asks for is fetched once or twice, so that twelve are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.planning.scenes import Scene
from semantics.logic.atoms import Atom, Conjunct, Literal

__all__ = ["TASKS"]

Task = Callable[[Scene], tuple[Conjunct, ...]]
VESSELS = ("cup", "mug", "glass", "kettle")


def _fact(predicate: str, *args: str) -> Literal:
    return Literal(Atom(predicate, args))


def _named(scene: Scene) -> tuple[Conjunct, ...]:
    """Two things to two places: nothing else is needed."""
    chosen = scene.random.sample(scene.loose(), 2)
    return (frozenset(_fact("on", name, scene.elsewhere(name)) for name in chosen),)


def _covered(scene: Scene) -> tuple[Conjunct, ...]:
    """What has another thing on it, and perhaps a second one."""
    below = [name for name in scene.movable if name in scene.covered and scene.where[name] in scene.surfaces]
    if not below:
        name = scene.become("plate")
        scene.move(next(one for one in scene.movable if one != name and one not in scene.where.values()), name)
        below = [name]
    wanted = scene.random.choice(below)
    goal = {_fact("on", wanted, scene.elsewhere(wanted))}
    others = [name for name in scene.loose() if name != scene.covered[wanted]]
    if scene.random.random() < 0.5 and others:
        other = scene.random.choice(others)
        goal.add(_fact("on", other, scene.elsewhere(other)))
    return (frozenset(goal),)


def _door(scene: Scene) -> tuple[Conjunct, ...]:
    """Something into a closed fridge, or out of it to the person."""
    fridge = scene.random.choice(scene.fridges)
    name = scene.random.choice(scene.loose())
    if scene.random.random() < 0.5:
        return (frozenset({_fact("in", name, fridge), _fact("closed", fridge)}),)
    scene.move(name, fridge)
    goal = {_fact("inhand", name, "human0")}
    if scene.random.random() < 0.5:
        goal.add(_fact("closed", fridge))
    return (frozenset(goal),)


def _any(scene: Scene) -> tuple[Conjunct, ...]:
    """Any of the class of which there are most, wherever they are."""
    place = scene.random.choice(scene.surfaces)
    classes = sorted({scene.things[name].class_name for name in scene.movable})
    wanted = max(classes, key=lambda one: len(scene.all_of(one)))
    for name in scene.all_of(wanted):
        if scene.where[name] == place:
            scene.move(name, scene.elsewhere(name))
        elif scene.where.get(scene.where[name]) == place:
            scene.move(name, scene.random.choice([one for one in scene.surfaces if one != place]))
    if scene.random.random() < 0.5:
        return tuple(frozenset({_fact("inhand", name, "human0")}) for name in scene.all_of(wanted))
    return tuple(frozenset({_fact("on", name, place)}) for name in scene.all_of(wanted))


def _chop(scene: Scene) -> tuple[Conjunct, ...]:
    """Something chopped, and then elsewhere: any knife will do."""
    food = [name for name in scene.loose() if scene.affords(name, "consumable")]
    name = scene.random.choice(food) if food else scene.become("carrot")
    if not scene.all_of("knife"):
        scene.become("knife", (name,))
    return (frozenset({_fact("chopped", name), _fact("on", name, scene.elsewhere(name))}),)


def _wipe(scene: Scene) -> tuple[Conjunct, ...]:
    """A surface wiped, for which any cloth or sponge has to be wetted at the sink."""
    if not scene.all_of("sponge", "towel"):
        scene.become("sponge")
    return (frozenset({_fact("clean", scene.random.choice(scene.surfaces))}),)


def _pour(scene: Scene) -> tuple[Conjunct, ...]:
    """A liquid in a vessel elsewhere: it has to be carried in what it is in."""
    random = scene.random
    vessels = [name for name in scene.loose() if scene.things[name].class_name in VESSELS]
    source = random.choice(vessels) if vessels else scene.become("cup")
    others = [name for name in vessels if scene.where[name] != scene.where[source]]
    target = random.choice(others) if others else scene.become("glass", (source,))
    if scene.where[target] == scene.where[source]:
        scene.move(target, scene.elsewhere(source))
    scene.facts.add(Atom("liquid_in", ("lemonade0", source)))
    goal = {_fact("liquid_in", "lemonade0", target)}
    if random.random() < 0.5:
        goal.add(_fact("on", target, random.choice([one for one in scene.surfaces if one != scene.where[target]])))
    return (frozenset(goal),)


def _boil(scene: Scene) -> tuple[Conjunct, ...]:
    """Warm water: any kettle has to be filled at the sink and put somewhere."""
    if not scene.all_of("kettle"):
        scene.become("kettle")
    return (frozenset({_fact("liquid_warm", "water0")}),)


TASKS: Mapping[str, Task] = {
    "named": _named,
    "covered": _covered,
    "door": _door,
    "any": _any,
    "chop": _chop,
    "wipe": _wipe,
    "pour": _pour,
    "boil": _boil,
}
"""By kind. Of eight, all but the first need what the goal does not name, or the best of many."""
