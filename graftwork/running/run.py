"""`Run`: one instruction on its way, ticked from outside."""

from __future__ import annotations

from collections.abc import Callable

from bt.promptness import prompt
from bt.record import Entries
from bt.runner import Ended, Ending, Runner
from graftwork.deciding.decider import Ready, Settled
from graftwork.episode import Episode, Outcome, RungUse
from graftwork.resuming import Past, decided_again
from graftwork.running.correcting import Amending
from graftwork.running.means import Means
from graftwork.running.saying import Answering, is_stop, option
from graftwork.telling.logbook import log_fault
from semantics.errors import OutsideError
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question
from semantics.state import Plan
from semantics.wording import shortened

__all__ = ["Run"]

_OUTCOMES = {
    Ending.SUCCESS: Outcome.ACHIEVED,
    Ending.FAILURE: Outcome.FAILED,
    Ending.TIMEOUT: Outcome.FAILED,
    Ending.CANCELLED: Outcome.STOPPED,
    Ending.EXCEPTION: Outcome.FAULT,
}


class Run(Amending):
    """One instruction, from its words to its episode.

    It is decided on when it is made; nothing moves before the first `tick`. One that goes on from an earlier run, its
    `past`, has the goal of that one.

    Attributes:
        instruction: What was said.
        episode: What came of it; None while it is under way.
        program: The text of the program that is carried out, if it is one.
    """

    program: str | None = None

    def __init__(self, means: Means, instruction: str, past: Past | None = None) -> None:
        self.instruction = instruction
        self.episode: Episode | None = None
        self._means = means
        self._spent_before = (means.decider.model_calls, means.decider.tokens)
        self._answers: list[tuple[Question, str]] = []
        self._events = Entries()
        self._runner: Runner | None = None
        self._past = past
        self._pursued: CheckedGoal | Goal | None = None
        means.open_desk()
        means.chronicle.begin(means.identity(instruction), None if past is None else past.told())
        for note in past.notes if past is not None else ():
            means.chronicle.note(means.stage.robot, note)
        self._decide()

    @property
    def question(self) -> Question | None:
        """The question that `say` answers: before anything is done, or while it is done and cannot be got on with."""
        if self._runner is not None and self.episode is None:
            return self._means.desk.question
        return self._decided.question if isinstance(self._decided, Settled) else None

    @property
    def plan(self) -> Plan | None:
        """The plan that was made, if there is one."""
        return self._decided.plan if isinstance(self._decided, Ready) else None

    @property
    def looks_for(self) -> str:
        """What has to be found before there can be a plan; empty when there is one."""
        return self._decided.looks_for if isinstance(self._decided, Ready) else ""

    @property
    def cost(self) -> float | None:
        """What that plan costs, in the person's units."""
        return None if self.plan is None else self._means.plans.pricing.units(self.plan.cost)

    @property
    def goal(self) -> CheckedGoal | Goal | None:
        """What was understood, or what is pursued instead by now."""
        return self._means.pursued(self._decided) if self.episode is None else self._pursued

    @property
    def _otherwise(self) -> bool:
        """Whether something else, or less, is done than was said: when that can be had again, it is what is meant."""
        return bool(self._means.turns) or (isinstance(self._decided, Ready) and not self._decided.as_said)

    @property
    def recalled(self) -> bool:
        """Whether memory answered instead of the interpreter or the model."""
        return self._decided.recalled is not None

    @property
    def runner(self) -> Runner | None:
        """What ticks the tree, if there is one."""
        return self._runner

    def _decide(self) -> None:
        self._decided = self._decision()
        if self.question is not None:
            return
        self._means.decided(self._decided)
        if isinstance(self._decided, Settled):
            self._settle(self._decided)
            return
        runner = self._means.runner(self._decided, self._events)
        if isinstance(runner, Feedback):
            self._settle(Settled(Outcome.REFUSED, str(runner), (runner,), self._decided.goal))
        else:
            self._runner = runner

    def _decision(self) -> Ready | Settled:
        goal = None if self._past is None or self._answers else self._past.goal
        try:
            if goal is not None:
                return decided_again(self._means, goal)
            return self._means.decide(self.instruction, tuple(self._answers))
        except OutsideError as error:
            feedback = Feedback(Code.UNAVAILABLE, shortened(self.instruction), str(error), recoverable=False)
            return Settled(Outcome.UNAVAILABLE, str(error), (feedback,))

    def _settle(self, settled: Settled) -> None:
        self._end(settled.outcome, settled.message, settled.feedback, settled.goal)

    def tick(self) -> bool:
        """Tick the tree once and let the body's clock run to the next tick; return whether there is more to do.

        With a question that nobody has answered, the run ends there.
        """
        if self.episode is not None:
            return False
        if self._runner is None:
            self._unanswered()
            return False
        self._take_over()
        with self._means.watch.stage("act"):
            self._runner.step(self._means.limits.run_seconds)
        if self._runner.ended is None:
            return True
        self._finish(self._runner.ended)
        return False

    def _unanswered(self) -> None:
        assert isinstance(self._decided, Settled)
        self._means.decided(self._decided)
        self._settle(self._decided)

    def say(self, words: str) -> bool:
        """Tell it something: an answer to its question, or "stop". Return whether that was of use."""
        words = option(self.question, words)
        if is_stop(words):
            self.cancel("the person said stop")
            return True
        if self.question is None:
            return False
        if self._runner is not None:
            return self._means.desk.answer(words)
        self._answers.append((self.question, words))
        self._decide()
        return True

    def decline(self) -> Episode:
        """End it before anything moved, because the person said no to the plan."""
        why = "the person said no before anything moved"
        self._runner = None
        feedback = Feedback(Code.DECLINED, "the plan", why, recoverable=False)
        self._end(Outcome.STOPPED, "Nothing was done: the person said no.", (feedback,), self._decided.goal)
        assert self.episode is not None
        return self.episode

    def cancel(self, reason: str = "the person stopped it") -> None:
        """End it before its next tick, with the body at rest; may be called from any thread or a signal handler."""
        self._means.plans.service.cancel()
        if self._runner is not None:
            self._runner.cancel(reason)
        elif self.episode is None:
            feedback = Feedback(Code.CANCELLED, shortened(self.instruction), reason, recoverable=False)
            self._decided = Settled(Outcome.STOPPED, f"Stopped: {reason}.", (feedback,))
            self._unanswered()

    def leave(self) -> Episode:
        """End it before anything moved, with its plan as the result."""
        if self.episode is None:
            what = f"{self.looks_for} would be looked for" if self.looks_for else "The plan stands"
            self._end(Outcome.PLANNED, f"{what}; nothing was moved.", (), self._decided.goal)
        assert self.episode is not None
        return self.episode

    def finish(self, tick: Callable[[], object] | None = None, answer: Answering | None = None) -> Episode:
        """Tick to the end, and return the episode.

        Args:
            tick: Is called between two ticks.
            answer: Answers questions: is called with the one that waits, again between any two ticks while it waits;
                None from it is no answer so far. Without it there is nobody to ask, and what would have to be asked
                fails at once.
        """
        self._means.desk.is_open = answer is not None
        with prompt():
            self._hear(answer)
            while self.tick():
                if tick is not None:
                    tick()
                self._hear(answer)
        assert self.episode is not None
        return self.episode

    def _hear(self, answer: Answering | None) -> None:
        """Pass on what somebody answers to the question that waits."""
        while answer is not None and (question := self.question) is not None:
            words = answer(question)
            if words is None:
                return
            self.say(words)
            if self._runner is not None:
                return  # the next tick takes it in; until then a question that was answered by "stop" still lies there

    def _finish(self, ended: Ended) -> None:
        self._means.plans.service.cancel()  # nobody is left to take the answer
        outcome = _OUTCOMES[ended.status]
        feedback: tuple[Feedback, ...] = (ended.reason,) if ended.reason else ()
        where = ""
        if isinstance(ended.error, OutsideError):
            outcome = Outcome.UNAVAILABLE
        elif ended.error is not None:
            where = f" A fault of this program, sorry; {log_fault(ended.error)}."
        if outcome is Outcome.ACHIEVED:
            goal = self.goal
            feedback = self._means.unconfirmed(goal) if isinstance(goal, CheckedGoal) else ()
            outcome = Outcome.FAILED if feedback else outcome
        self._end(outcome, self._closing(outcome, feedback) + where + self._changed(), feedback, self.goal)

    def _changed(self) -> str:
        """Return that another goal was pursued in the end, if one was, in a sentence."""
        return f" The goal was changed on the way: {self._means.turns[-1].said}" if self._means.turns else ""

    def _closing(self, outcome: Outcome, feedback: tuple[Feedback, ...]) -> str:
        """Return how it ended, in a sentence."""
        if outcome is Outcome.ACHIEVED:
            return "Done: the goal was sensed to hold."
        return " ".join(map(str, feedback)) or str(outcome)

    def _end(
        self, outcome: Outcome, message: str, feedback: tuple[Feedback, ...], goal: CheckedGoal | Goal | None
    ) -> None:
        plan, self._pursued = self.plan, goal
        said = goal.goal if isinstance(goal, CheckedGoal) else goal
        self.episode = self._means.conclude(
            None if self._answers or self._otherwise or self._past else self._decided,
            Episode(
                outcome=outcome,
                goal=str(said) if said else None,
                program=self.program,
                plan=tuple(map(str, plan.steps)) if plan else (),
                optimal=plan.optimal if plan else False,
                **self._means.told(self._decided),
                feedback=(*self._noted(), *feedback),
                ticks=self._runner.ticks if self._runner else 0,
                rungs=self._rungs(),
                turns=self._told("turn"),
                notes=() if said is None else said.notes,
                requests=self._told("request"),
                model_calls=self._means.decider.model_calls - self._spent_before[0],
                tokens=self._means.decider.tokens - self._spent_before[1],
                recalled=self.recalled,
                message=message,
                **self._means.identity(self.instruction),
            ),
        )

    def _noted(self) -> tuple[Feedback, ...]:
        records = (dict(event["feedback"]) for event in self._events.of("feedback"))
        return tuple(Feedback.from_dict(record) for record in records)

    def _told(self, kind: str) -> tuple[dict[str, object], ...]:
        told = self._events.of(kind)
        return tuple({key: value for key, value in event.items() if key != "e"} for event in told)

    def _rungs(self) -> tuple[RungUse, ...]:
        return tuple(
            RungUse(Code(event["code"]), event["rung"], event["solved"], event["seconds"])
            for event in self._events.of("rung")
        )
