"""`Revisions`: tells which things that no file lists and which classes become known, are another, or are forgotten."""

from __future__ import annotations

from dataclasses import dataclass, field

from affordances.newcomers import GUESSES, PERSON
from affordances.substitutes import article
from affordances.watcher import Watcher
from bt import Runner
from bt.record import Journal
from bt.runner import Listener
from domains.world import Origin, World
from semantics.plain_text import together
from semantics.words.lexicon import plain

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
        old = {} if before is None else before.origins
        new = [name for name in world.origins if name not in old]
        other = [
            name
            for name in world.origins
            if before is not None and name in old and _known(name, before) != _known(name, world)
        ]
        gone = [name for name in old if name not in world.origins]
        classes = [] if before is None else [name for name in world.domain.classes if name not in before.domain.classes]
        if not (new or other or gone or classes):
            return
        came = "is in view" if before is None else "came into view"
        sentences = [f"{name} {came} ({_told_of(name, world)})" for name in new]
        sentences += [f"{name} is known otherwise now ({_told_of(name, world)})" for name in other]
        sentences += [f"{together(gone)} {'were' if gone[1:] else 'was'} forgotten"] if gone else []
        sentences += [f"there is a class {plain(name)} now" for name in classes]
        fields: dict[str, object] = {"t": round(now, 3), "revision": world.revision}
        fields["things"] = [known.as_dict() for known in self.watcher.known_things([*new, *other])]
        fields |= {"forgotten": gone, "classes": classes, "text": "; ".join(sentences)}
        self.journal.write("revision", fields)


def _known(name: str, world: World) -> tuple[str, Origin]:
    return world.objects[name].class_name, world.origins[name]


def _told_of(name: str, world: World) -> str:
    """Return who says what a thing is."""
    kind, origin = article(plain(world.objects[name].class_name)), world.origins[name]
    if not origin.source:
        return "nobody knows what it is"
    if origin.source in GUESSES:
        return f"{GUESSES[origin.source]}: {kind}, {origin.probability:.2f}"
    return f"{kind}, says {origin.source}" if origin.source == PERSON else kind
