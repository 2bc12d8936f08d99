"""What a run does when a person says to stop, to wait or to go on, and what it replies."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager

from bt import Runner
from bt.execution.execute import plan_under_way
from graftwork.decision import Decision, FinalDecision, PersonAnswer, PlanDecision, ProgramDecision, Wanted
from graftwork.language.answers import numbered
from graftwork.language.interruption import Interruption, interruption_in, takes_back
from graftwork.run.context import RunState, Services
from semantics.errors import UsageError
from semantics.logic.atoms import names_in
from semantics.logic.goal import CheckedGoal, Goal, Question
from semantics.plain_text import shortened, text_of_person
from semantics.words.lexicon import plain

SAID_STOP = "the person said stop"
Answering = Callable[[Question], str | None]
"""Answers a question in a person's words; None if there is no answer yet."""


def answered(question: Question, answer: Answering) -> str | None:
    """Return the answer to a question; None if there is none yet.

    Raises:
        UsageError: `answer` failed, or what it returned is no text.
    """
    try:
        words = answer(question)
    except UsageError:
        raise
    except Exception as error:
        reason = f"the answer to '{shortened(question.text)}' failed: {type(error).__name__}: {error}"
        raise UsageError(reason) from error
    return None if words is None else text_of_person(words, "an answer")


class Hearing:
    """The part of a run that handles a stop, a wait and a go on.

    Attributes:
        wanted: What was asked for.
        instead_of: What a person's stop has ended, if the stop ends when this run begins to move; None if it does not.
        reply: What the run replies to the last words of `say`; empty before, and after an answer to a question.
    """

    reply: str = ""
    instead_of: str | None
    wanted: Wanted
    program: str | None = None
    _was_told_to_stop: bool = False
    _asked_back: Question | None = None
    instruction: str
    runner: Runner | None
    _services: Services
    _state: RunState
    _replies: deque[dict[str, object]]
    _decision: Decision | None
    _answers: list[PersonAnswer]

    @abstractmethod
    def _is_remark(self, words: str) -> bool:
        """Take words to be read by a model; say whether they are."""

    @abstractmethod
    def _is_understood(self, words: str) -> bool:
        """Do what words say about the run, where the grammar reads them; say whether they are of use."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the run has ended."""

    @property
    @abstractmethod
    def goal(self) -> CheckedGoal | Goal | None:
        """The goal that is pursued now."""

    @property
    @abstractmethod
    def question(self) -> Question | None:
        """The open question."""

    @abstractmethod
    def cancel(self, reason: str = "the person stopped it") -> None:
        """End the run before its next tick."""

    @abstractmethod
    def _decide(self) -> None: ...

    @abstractmethod
    def _at_work(self) -> AbstractContextManager[None]: ...

    def say(self, words: str) -> bool:
        """Pass on a person's words; return whether they are used, or still being read. Any thread may call this.

        Stop, wait and go on are read by rule (`graftwork.language.interruption`). A stop ends the run, and the session
        moves nothing more until somebody says to go on. A wait holds the run, with its body at rest, until then. Other
        words answer the open question. Words of no use change nothing; `reply` then says what the run does instead.

        Raises:
            UsageError: The words are no text in UTF-8.
        """
        words = text_of_person(words, "what a person says")
        question = None if self.is_over else self.question
        words = (numbered(words.strip(), question.options if question else ()) or words).strip()
        meaning = interruption_in(words, asked=question is not None, moves=not self.is_over)
        is_option = question is not None and words in question.options and meaning is not Interruption.STOP
        if meaning is not None and not is_option and self._is_interrupted(meaning, words):
            return True
        if question is None or question is self._asked_back:
            return self._is_remark(words) or self._is_understood(words)
        self.reply = ""
        if self.runner is not None:
            return self._state.desk.answer(words)
        with self._at_work():
            offer = self._decision.offer if isinstance(self._decision, FinalDecision) else None
            self._answers.append(PersonAnswer(question, words, offer))
            self._decide()
        return True

    @property
    def was_stopped(self) -> bool:
        """Whether a person's stop has ended it."""
        return self.is_over and self._was_told_to_stop and self.program is None

    @property
    def is_held(self) -> bool:
        """Whether the run waits with its body at rest until a person says to go on."""
        return self._services.hold.waits and not self.is_over

    def _hear(self, answer: Answering) -> UsageError | None:
        """Pass on the answer to the open question, if there is one; return why an answer cannot be used."""
        question = self.question
        if question is not None and not self.is_over:
            try:
                words = answered(question, answer)
            except UsageError as error:
                return error
            if words is not None:
                self.say(words)
        return None

    def _is_interrupted(self, meaning: Interruption, words: str) -> bool:
        """Stop, hold or go on; return False if there is nothing to hold or to go on with."""
        hold = self._services.hold
        match meaning:
            case Interruption.STOP:
                hold.stop(SAID_STOP)
                self._was_told_to_stop = True
                self._replied(words, meaning, "I stop.")
                self.cancel(SAID_STOP)
            case Interruption.WAIT if not self.is_over:
                hold.wait()
                self._replied(words, meaning, 'I wait. Say "go on" when I may go on, or "stop".')
            case Interruption.GO_ON if hold.go_on():
                self._replied(words, meaning, "I go on.")
            case _:
                return False
        return True

    def _end_stop(self, decision: Decision) -> None:
        """End a person's stop, if a decision is to move something that the person has asked for since."""
        moves = isinstance(decision, PlanDecision | ProgramDecision)
        if moves and self.instead_of is not None and self._services.hold.go_on() and self.instead_of:
            assert self._state.record is not None
            self._state.record.note(f"'{shortened(self.instead_of)}' is given up.")

    def _take_back(self, words: str) -> bool:
        """Hold the run if words change what it does, and ask; return whether they do."""
        if self.is_over or self._services.hold.waits or not self._takes_back(words):
            self._replied(words, None, self._excuse(words))
            return False
        self._services.hold.wait()
        reply = 'I wait: that is not what I am doing. Say "stop", then what you want instead; or "go on".'
        self._replied(words, Interruption.WAIT, reply)
        return True

    def _takes_back(self, words: str) -> bool:
        """Return whether words may take back what runs, of which they may speak by the names of its things."""
        pursued, vocabulary = self.goal, self._services.world.vocabulary
        goal = pursued.goal if isinstance(pursued, CheckedGoal) else pursued
        every = () if goal is None else [name for stage in goal.stages for name in names_in(stage.formula)]
        things = [vocabulary.things[name] for name in every if name in vocabulary.things]
        things = [each for each in things if not each.affords({vocabulary.actor})]
        said = plain(" ".join(text for each in things for text in (each.class_name, *each.words, *each.kinds)))
        about = {form for word in said.split() for form in (word, f"{word}s", f"{word}es")}
        return takes_back(words, about)

    def _replied(self, words: str, meaning: Interruption | None, reply: str) -> None:
        """Keep words and the reply for the record, which only the thread that ticks writes."""
        self.reply = reply
        means = None if meaning is None else str(meaning)
        self._replies.append({"words": shortened(words), "means": means, "reply": reply})

    def _excuse(self, words: str) -> str:
        """Return the reply to words that are of no use now."""
        if self.is_over:
            return f"I heard '{shortened(words)}', and nothing is under way."
        if self._services.hold.waits:
            return f'I heard \'{shortened(words)}\', and I wait. Say "go on" when I may go on, or "stop".'
        work = None if self.runner is None else plan_under_way(self.runner.root)
        steps = [] if work is None else [step.what for step in work.running_steps()]
        busy = " and ".join(steps) or f"'{shortened(self.instruction)}'"
        return f"I heard '{shortened(words)}', and I am busy: {busy}. Say \"stop\" to stop me."
