"""CoPAL's way: command by command, a repair where its mid level knows one, else a new text from the model.

Runs on the body that lives in the model. At most five new texts, as in the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.copal_ladder.running.checking import Failure, checked
from benchmarks.copal_ladder.running.heuristics import repaired
from benchmarks.copal_ladder.standin.line import Line
from benchmarks.copal_ladder.standin.model import StandIn
from domains.model import Domain, SceneFile
from domains.problem import Problem
from robots.symbolic import SymbolicRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Operator

__all__ = ["Ran", "Sequencer"]

MOST_TEXTS = 5
MOST_REPAIRS = 40
"""So that a repair that causes the next failure comes to an end."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a text was carried out: whether to its end, what was met, and why it ended before."""

    executable: bool
    answered: Counter[str]
    reason: str = ""


@dataclass
class Sequencer:
    """Carries out texts.

    Attributes:
        domain: The world.
        scene: What is in it.
        robot: The body.
        model: Who wrote the text.
        rules: Whether the mid level repairs.
        fields: How many fields of what failed the model is shown for a new text: the command that failed, why as well,
            and how to mend it too; 0 when it is not asked.
        answered: How many failures were answered, by what.
        failures: Each failure, oldest first.
    """

    domain: Domain
    scene: SceneFile
    robot: SymbolicRobot
    model: StandIn
    rules: bool
    fields: int
    answered: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[Line, Failure]] = field(default_factory=list)

    def run(self, text: Sequence[Line]) -> Ran:
        """Carry out a text to its end, or to the failure that nothing answers."""
        rest = list(text)
        while rest:
            failure = self._done(rest[0])
            if failure is None:
                rest = rest[1:]
                continue
            self.failures.append((rest[0], failure))
            self.model.met(rest[0])
            answer = self._answer(rest, failure)
            if answer is None:
                self.answered["none"] += 1
                return Ran(False, self.answered, f"{rest[0].text}: {failure.why}")
            rest = answer
        return Ran(True, self.answered)

    def _answer(self, rest: list[Line], failure: Failure) -> list[Line] | None:
        lines = repaired(rest[0].text, failure.cause, self.robot.state) if self.rules else None
        if lines is not None and self.answered["rule"] < MOST_REPAIRS:
            self.answered["rule"] += 1
            return [*map(Line, lines), *rest[1:]]
        if self.fields and self.model.asked < MOST_TEXTS:
            self.answered["model"] += 1
            return self.model.answer(self._shown(rest[0], failure), rest, self.robot.state)
        return None

    def _shown(self, line: Line, failure: Failure) -> tuple[str, ...]:
        """Return what the model is shown of a failure: error, reason, suggestion, as many of them as it may see."""
        instead = repaired(line.text, failure.cause, self.robot.state)
        how = f"instead of it, do: {'; '.join(instead)}" if instead else "reconsider the planned command"
        return (f"{line.text} could not be executed", failure.why, how)[: self.fields]

    def _done(self, line: Line) -> Failure | None:
        """Carry out a line; return why that cannot be done."""
        step = checked(line.text, Problem(self.domain, self.scene.things, self.robot.state))
        if not isinstance(step, Operator):
            return step
        assert step.command is not None
        motion = self.robot.start(step.command)
        while (progress := motion.poll()).stage is MotionStatus.RUNNING:
            self.robot.clock.sleep(1.0)
        assert progress.stage is MotionStatus.DONE, f"{step}: {progress.feedback}"
        return None
