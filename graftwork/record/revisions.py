"""`Revisions`: tells which things that no file lists and which classes become known, are another, or are forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field

from affordances.newcomers import GUESSES, PERSON
from affordances.substitutes import article
from affordances.watcher import Watcher
from bt import Runner
from bt.record import Journal
from bt.runner import Listener
from domains.world import World

__all__ = ["Revisions"]


@dataclass(eq=False)
class Revisions(Listener):
    """Writes a ``revision`` event with each change of the world.

    Attributes:
        watcher: Holds the beliefs, with the world.
        journal: Gets the events.
    """

    watcher: Watcher
    journal: Journal
    _told: World | None = field(init=False, default=None)

    def ticked(self, runner: Runner) -> None:
        """Tell what has changed with this tick."""
        self.tell(runner.robot.clock.now())

    def tell(self, now: float) -> None:
        """Tell what has changed since it was told last; at first, everything that no file lists."""
        world, before = self.watcher.world, self._told
        if world is before:
            return
        self._told = world
        old = (
            {} if before is None else {name: (before.objects[name], origin) for name, origin in before.origins.items()}
        )
        new = {name: (world.objects[name], origin) for name, origin in world.origins.items()}
        changed = [name for name in new if old.get(name) != new[name]]
        gone = sorted(old.keys() - new.keys())
        classes = sorted(set(world.domain.classes).difference((world if before is None else before).domain.classes))
        came = "is in view" if before is None else "came into view"
        told = [f"{name} {'is known otherwise' if name in old else came} ({_kind(name, world)})" for name in changed]
        told += [f"{name} was forgotten" for name in gone] + [f"a class {name} is known now" for name in classes]
        if told:
            things = [known.as_dict() for known in self.watcher.known_things(changed)]
            fields = {"things": things, "forgotten": gone, "classes": classes, "text": "; ".join(told)}
            self.journal.write("revision", {"t": round(now, 3), "revision": world.revision, **fields})


def _kind(name: str, world: World) -> str:
    """Return what a thing is, and who says so."""
    kind, origin = article(world.objects[name].class_name), world.origins[name]
    if origin.source in GUESSES:
        return f"{GUESSES[origin.source]}: {kind}, {origin.probability:.2f}"
    if origin.source == PERSON:
        return f"{kind}, says a person"
    return kind if origin.source else "nobody knows what it is"
