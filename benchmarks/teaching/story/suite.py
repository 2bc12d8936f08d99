"""Whether what was taught carries a story: ``graftwork bench teaching --kind story``.

Sixteen steps on ten blocks, in PyBullet, each judged from the simulator's own bodies. A scripted apprentice stands for
the language model, and a scripted teacher for the person (`benchmarks.teaching.story.people`). Once with one memory for
all steps, and once with a new one for each; then each step is asked for again with the memory, untaught.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.teaching.story.judge import Blocks, Point, wrong_with
from benchmarks.teaching.story.people import Apprentice, Teacher
from benchmarks.teaching.story.steps import Step, Story, load_story
from graftwork import Outcome, Session
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from semantics.errors import OutsideError, UsageError
from semantics.proportion import wilson_interval

__all__ = ["Learned", "run"]

CONSENT = "From now on"
MOST_LINES = 24
SETTLING = 1.0
CONDITIONS = ("memory", "none", "again")


@dataclass(frozen=True, slots=True)
class Learned:
    """What became of a step.

    Attributes:
        condition: ``memory``: what was taught before is kept; ``none``: it is not; ``again``: said once more, untaught.
        step: Its name.
        is_right: Whether the simulator shows what is wanted, in the end.
        lines: How many lines the teacher said.
        calls: Requests to the apprentice for the sentence that is judged.
        wrong: What did not hold.
        seconds: Wall-clock seconds for all of it.
    """

    condition: str
    step: str
    is_right: bool
    lines: int
    calls: int
    wrong: tuple[str, ...]
    seconds: float


def run(only: Sequence[str] = (), *, shuffled: bool = False, out: Path | None = None) -> list[Learned]:
    """Go through the story, print the tables, and return what became of each step.

    Args:
        only: The names of the steps; empty for all.
        shuffled: Whether they come in the other order, with the memory alone.
        out: A file for the results, written after each step.
    """
    story, results = load_story(), list[Learned]()
    steps = [step for step in story.in_order(shuffled=shuffled) if not only or step.id in only]
    if strange := set(only) - {step.id for step in story.steps}:
        raise UsageError(f"the story has no step '{min(strange)}'")
    conditions = [name for name in CONDITIONS if not (shuffled and name == "none")]
    with TemporaryDirectory(prefix="story-") as folder:
        scene = Path(folder) / "scene.yaml"
        scene.write_text(story.scene_text(), encoding="utf-8")
        try:
            for condition in conditions:
                for number, step in enumerate(steps):
                    name = f"none-{number}" if condition == "none" else "kept"
                    lesson = _Lesson(story, step, scene, Path(folder) / f"{name}.sqlite")
                    results.append(lesson.learned(condition))
                    _tell(results[-1])
                    if out is not None:
                        out.write_text(
                            json.dumps([asdict(each) for each in results], indent=1) + "\n", encoding="utf-8"
                        )
        except KeyboardInterrupt:
            sys.stderr.write("interrupted; this had ended:\n")
    _print(results)
    return results


def _tell(result: Learned) -> None:
    told = "right" if result.is_right else f"wrong: {'; '.join(result.wrong)}"
    sys.stderr.write(f"{result.condition} {result.step}: {result.lines} lines, {told}, {result.seconds:.0f} s\n")
    sys.stderr.flush()


@dataclass(frozen=True, slots=True)
class _Lesson:
    """One step, its scene and its memory."""

    story: Story
    step: Step
    scene: Path
    memory: Path

    def learned(self, condition: str) -> Learned:
        begun, apprentice = time.monotonic(), Apprentice(self.story, self.step)
        lines, wrong = 0, ("it was not taught",)
        with self._session(apprentice) as session:
            wrong = self._said(session)
            if wrong and condition != "again":
                lines = self._taught(session)
        calls = apprentice.calls
        if lines:
            apprentice.calls = 0
            with self._session(apprentice) as session:
                wrong = self._said(session)
            calls = apprentice.calls
        seconds = time.monotonic() - begun
        return Learned(condition, self.step.id, not wrong, lines, calls, wrong, round(seconds, 1))

    @contextmanager
    def _session(self, apprentice: Apprentice) -> Iterator[Session]:
        """Open a session in which the blocks stand as they do when the step begins."""
        options = {"model": apprentice, "memory": self.memory, "learn": "ask", "unsaid": "allow"}
        with Session("tabletop", str(self.scene), robot="pybullet", **options) as session:  # type: ignore[arg-type]
            for step in self.story.stretch(self.step):
                episode = session.program(self.story.program(step)).finish()
                if episode.outcome is not Outcome.ACHIEVED:
                    sys.stderr.write(f"before {self.step.id}, {step.id}: {episode.message}\n")
            yield session

    def _said(self, session: Session) -> tuple[str, ...]:
        """Say what is asked for; return what is wrong then."""
        robot = body_of(session.environment.robot)
        assert isinstance(robot, PyBulletRobot)
        robot.clock.sleep(SETTLING)
        began = _blocks(robot)
        try:
            run = session.converse(self.step.say)
            run.wait()
            episode = run.finish()
        except (UsageError, OutsideError) as error:
            return (str(error),)
        robot.clock.sleep(SETTLING)
        blocks = Blocks(_blocks(robot), began, robot.rig.held)
        found = tuple(wrong_with(blocks, self.step.end))
        return found and (*found, f"{episode.outcome}: {episode.message}")

    def _taught(self, session: Session) -> int:
        """Let the teacher talk until something is kept; return how many lines they said."""
        teacher, answered, lines = Teacher(self.story, self.step), "", 0
        while lines < MOST_LINES and (line := teacher.next_line(answered)) is not None:
            lines += 1
            run = session.converse(line)
            run.wait()
            is_kept = run.question is not None and run.question.text.startswith(CONSENT)
            if run.question is not None:
                run.say("yes")
            answered = run.finish().message
            if is_kept:
                break
        return lines


def _blocks(robot: PyBulletRobot) -> dict[str, Point]:
    """Return where the blocks are: from the middle of the top of the table to the right, away and up."""
    world = robot.rig.world
    (x, y, _), top = world.box("table0").centre, world.box("table0").high[2]
    middles = {name: world.box(name).centre for name in world.shapes if name.endswith("_block0")}
    return {name: (-(at[1] - y), at[0] - x, at[2] - top) for name, at in middles.items()}


def _print(results: Sequence[Learned]) -> None:
    console, table = (
        Console(width=120),
        Table("", "steps", "right", "95 % interval", "lines of the teacher", "requests"),
    )
    for condition in CONDITIONS:
        own = [each for each in results if each.condition == condition]
        if own:
            right = sum(each.is_right for each in own)
            low, high = wilson_interval(right, len(own))
            lines, calls = sum(each.lines for each in own), sum(each.calls for each in own)
            table.add_row(condition, str(len(own)), str(right), f"{low:.0%} to {high:.0%}", str(lines), str(calls))
    console.print(table)
    for each in results:
        if not each.is_right:
            console.print(f"{each.condition} {each.step}: {'; '.join(each.wrong)}", markup=False)
