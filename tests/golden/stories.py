"""`Story`: a run to be told golden, as data; what happens on the way is part of it.

Everything goes by the body's clock and by what the journal holds, never by how many ticks have passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bt import Entries
from domains.reader import load_domain, load_scene
from domains.repairs import Ladder
from graftwork import Limits, Session
from graftwork.testing import ScriptedModel
from robots.fake import FakeRobot, InjectedFault
from semantics.body.protocols import ModelReply
from semantics.logic.goal import Question
from tests.golden.adapter import planner
from tests.graftwork.upper import SMALL, scene, take_away

__all__ = ["Deed", "Play", "Story", "after", "at", "fault", "hiding", "moved", "near_sighted", "play", "room", "taken"]


When = Callable[["Play"], bool]
Deed = tuple[When, Callable[["Play"], object]]


@dataclass
class Play:
    """A story under way.

    Attributes:
        session: Where it is played.
        journal: What was written so far.
        deeds: What somebody is still to do.
        run: The run under way.
    """

    session: Session
    journal: Entries
    deeds: list[Deed] = field(default_factory=list)
    run: Any = None

    @property
    def robot(self) -> Any:
        """The body."""
        return self.session.environment.robot

    def finish(self, run: Any, answers: Sequence[str | None] | None = None) -> None:
        """Tick a run to its end, with the deeds that are due on the way and somebody who answers, or nobody."""
        self.run = run
        run.finish(self._act, None if answers is None else Person(answers))

    def _act(self) -> None:
        for deed in [deed for deed in self.deeds if deed[0](self)]:
            self.deeds.remove(deed)
            deed[1](self)

    def until(self, seconds: float) -> None:
        """Tick until the body's clock shows a time, or the run ends."""
        while self.robot.clock.now() < seconds - 1e-6 and self.run.tick():
            pass


@dataclass(frozen=True)
class Story:
    """What is said to a session, and what happens.

    Attributes:
        said: The sentence.
        world: Name of the world.
        scene: Name of the scene, or what writes one into a folder and returns its path.
        robot: Name of the body.
        goal: What a scripted model answers to the sentence; empty for the offline reader.
        model: What the scripted model answers after that.
        faults: Failures to come of the fake body.
        deeds: What somebody does behind the robot's back: when, and what; each once, in any order.
        answers: What a person answers, question by question; None for nobody to ask.
        ladder: Budgets.
        limits: Other limits.
        given: More arguments of the session.
        again: Sentences that are said to the same session afterwards.
    """

    said: str = "as scripted"
    world: str = "kitchen"
    scene: str | Callable[[Path], str] = "small"
    robot: str | Callable[[], Any] = "fake"
    goal: str = ""
    model: Sequence[Any] = ()
    faults: Sequence[InjectedFault] = ()
    deeds: Sequence[Deed] = ()
    answers: Sequence[str | None] | None = None
    ladder: Ladder = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    again: Sequence[str] = ()

    def opened(self, folder: Path) -> Play:
        """Open the session."""
        journal = Entries()
        answers = [ModelReply(f'{{"goal": "{self.goal}"}}', 1000), *self.model]
        given = {"memory": None, "planner": planner(), **self.given}
        if isinstance(given["memory"], str):
            given["memory"] = folder / given["memory"]
        session = Session(
            self.world,
            self.scene(folder) if callable(self.scene) else self.scene,
            robot=self.robot() if callable(self.robot) else self.robot,
            model=ScriptedModel(answers) if self.goal else "offline",
            journals=(journal,),
            unsaid="allow",  # of scripted answers, whatever the words are
            limits=Limits(ladder=self.ladder, **self.limits),
            **given,
        )
        for fault in self.faults:
            session.environment.robot.add_fault(fault)
        return Play(session, journal, list(self.deeds))


class Person:
    """Says one thing after the other, and nothing more once that is over."""

    def __init__(self, words: Sequence[str | None]) -> None:
        self._words = list(words)
        self._last: Question | None = None

    def __call__(self, question: Question) -> str | None:
        if question is self._last:
            return None
        self._last = question
        return self._words.pop(0) if self._words else None


def play(story: Story, folder: Path) -> list[dict[str, Any]]:
    """Play a story, and return the events of its journal."""
    played = story.opened(folder)
    with played.session as session:
        for sentence in (story.said, *story.again):
            played.finish(session.start(sentence), story.answers)
    return played.journal.events


def at(seconds: float) -> When:
    """Return when the body's clock shows a time."""
    return lambda played: played.robot.clock.now() >= seconds - 1e-6


def after(kind: str, number: int = 1, **fields: object) -> When:
    """Return when there are so many events of a kind with these fields."""

    def holds(played: Play) -> bool:
        events = played.journal.of(kind)
        return sum(all(event.get(key) == value for key, value in fields.items()) for event in events) >= number

    return holds


def taken(name: str) -> Callable[[Play], object]:
    """Return the deed of somebody who leaves with a thing."""
    return lambda played: take_away(played.session, name)


def moved(name: str, where: str) -> Callable[[Play], object]:
    """Return the deed of somebody who puts a thing on another place."""
    return lambda played: played.robot.move_piece(name, "on", where)


def fault(fault: InjectedFault) -> Callable[[Play], object]:
    """Return the deed that lets a motion to come fail."""
    return lambda played: played.robot.add_fault(fault)


def room(*changes: tuple[str, str], more: str = "") -> Callable[[Path], str]:
    """Return what writes the small kitchen with a cupboard."""
    return lambda folder: scene(folder, *changes, more=more)


def hiding(name: str) -> Callable[[Path], str]:
    """Return what writes the small kitchen in which nobody knows where a thing is."""

    def write(folder: Path) -> str:
        file, text = folder / SMALL.name, SMALL.read_text(encoding="utf-8")
        assert f"  {name}: {{" in text
        file.write_text(text.replace(f"  {name}: {{", f"  {name}: {{hidden: true, "), encoding="utf-8")
        return str(file)

    return write


def near_sighted() -> FakeRobot:
    """Return a body in the small kitchen that sees a metre and a half."""
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement, sight=1.5)
