"""The part of a run that takes in what a person says about it, where a language model reads it.

The words are read on another thread, so that no tick, no stop and no answer waits for the model. What they mean is done
between two ticks: edits of the plan or the program, another goal instead or afterwards, an order, a question back.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bt import Runner
from bt.background import Cancellation, Pending
from bt.execution.execute import plan_under_way
from graftwork.decision import PersonAnswer, Wanted
from graftwork.decision.partial_goal import GoalProposal
from graftwork.decision.query import answer_query
from graftwork.language import dialogue
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.language.interruption import Interruption, takes_back
from graftwork.language.prompts import under_way
from graftwork.record.episode import Outcome
from graftwork.recovery.consult import CONSULTED_SECONDS
from graftwork.run.correction import Amended, Correcting
from graftwork.run.doings import doings_of
from graftwork.run.hearing import Hearing
from graftwork.run.program import Programmed
from semantics.body.foreign import describe_error
from semantics.errors import GraftworkError
from semantics.logic.atoms import names_in
from semantics.logic.correction import Correction
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import Answer, Content, Control, ControlKind, Query
from semantics.logic.sentences import in_words
from semantics.plain_text import shortened

KINDS = ("goal", "correction", "control", "query", "question", "answer", "refusal")
"""The kinds of reply to what is said while something is under way."""
ASKING = frozenset("what where who whom whose why when how which is are did do does has have".split())  # noqa: SIM905
"""First words of a question, during which the body need not rest."""
INSTEAD = "the person wants something else"
ORDERS = {
    ControlKind.STOP: Interruption.STOP,
    ControlKind.HOLD: Interruption.WAIT,
    ControlKind.GO_ON: Interruption.GO_ON,
}

Meant: TypeAlias = "Content | Rejection | GoalProposal"
"""What words about a run mean; a goal that names what nobody has spoken of is proposed."""


class _Remark(NamedTuple):
    """What a person has said about a run: the words, questions about them with answers, and why it was refused."""

    words: str
    answers: tuple[tuple[Question, str], ...] = ()
    refused: str = ""


def _spoken_of(question: Question, answer: str) -> tuple[str, ...]:
    """Return what of a question and its answer counts as said; to ask about a name is not to speak of it."""
    asks_of_names = question.feedback is not None and question.feedback.culprits
    return (answer,) if asks_of_names else (question.text, answer)


class Revising(Hearing, Programmed):
    """The part of a run that is revised by words.

    Attributes:
        _turned: What is wanted instead of what was asked for first; None while that is wanted.
        _afterwards: What is wanted after that, in order.
        _holds: Whether the body rests until a remark is read.
        _stays: Whether it rests longer, because that takes something back and is not followed.
        _proposed: The goal that the question back is about, if it is about one.
        _unanswered: When that question is forgotten, in seconds of the wall clock, since a simulated one may rest.
    """

    _turned: Wanted | None = None
    _afterwards: deque[str]
    _remarks: deque[_Remark]
    _reading: Pending[Meant] | None = None
    _remark: _Remark | None = None
    _proposed: GoalProposal | None = None
    _unanswered: float = 0.0
    _tested: Correcting | None = None
    _holds: bool = False
    _stays: bool = False

    @property
    @abstractmethod
    def goal(self) -> CheckedGoal | Goal | None:
        """The goal that is pursued now."""

    @property
    def is_reading(self) -> bool:
        """Whether what was said about the run is still being read, or tried on the model."""
        return not self.is_over and bool(self._remarks or self._reading or self._tested)

    def _is_remark(self, words: str) -> bool:
        """Take words to be read by the model; return False if there is none, or nothing is under way."""
        if self._services.model is None or self.runner is None or self.is_over or not words.strip():
            return False
        asked, remark = self._asked_back, self._remark
        if self._is_consent(words):
            return True
        self._asked_back = self._proposed = None
        if asked is not None and remark is not None:
            self._remarks.append(remark._replace(answers=(*remark.answers, (asked, words))))
        else:
            self._remarks.append(_Remark(words))
        hold, self._stays = self._services.hold, False
        if not hold.waits and words.split()[0].lower() not in ASKING:
            hold.wait()
            self._holds = True
        self._replied(words, None, "I wait, and think about it." if self._holds else "I think about it.")
        return True

    def _is_consent(self, words: str) -> bool:
        """Do what was proposed, or leave it, if words are a yes or a no to that; say whether they are."""
        proposed = self._proposed
        agreed = False if proposed is None else proposed.answered(words)
        if proposed is None or agreed is False:
            return False
        self._asked_back = self._proposed = None
        if agreed is True:
            self._replied(words, None, self._do_instead(proposed.goal.goal))
        else:
            remark = self._remark.words if self._remark is not None else words
            self._replied(words, None, self._waiting(remark, "I leave that."))
        self._release()
        return True

    def _is_interrupted(self, meaning: Interruption, words: str) -> bool:
        """Follow an order as usual; from then on the order says whether the body rests, not the reading."""
        self._holds = False
        return super()._is_interrupted(meaning, words)

    def _release(self) -> None:
        """Let the body move again, once all remarks are read."""
        is_read = not (self._reading or self._asked_back or self._remarks or self._tested)
        if self._holds and is_read and not self._stays:
            self._holds = False
            self._services.hold.end_wait()  # a stop stays until a person says to go on

    def _take_in(self) -> None:
        """Begin to read the next remark, or take in what the last one means; called between two ticks."""
        if self._asked_back is not None and self._remark is not None and time.monotonic() >= self._unanswered:
            self._asked_back = self._proposed = None
            self._replied(self._remark.words, None, self._waiting(self._remark.words, "Nobody has answered."))
            self._release()
        if not (self._remarks or self._reading or self._tested):
            return
        now, clock = self._services.clock.now(), self._services.clock
        if self._tested is not None and not self._tested.is_pending:
            self._tell_correction(self._tested)
            self._release()
        if self._reading is None and self._tested is None and self._remarks and self.runner is not None:
            self._remark = self._remarks.popleft()
            in_time = clock.simulated and not self._services.hold.waits  # in a wait, the time stands still
            delay = CONSULTED_SECONDS if in_time else None
            read = self._reader(self._remark, self.runner)
            self._reading = Pending(read, name="remark", now=now, delay=delay, cancellation=self._state.cancellation)
        if self._reading is None or self._remark is None or not self._reading.arrived(now):
            return
        reading, self._reading = self._reading, None
        try:
            content = reading.result()
        except Exception as error:  # whatever has failed there: what runs goes on
            why = str(error) if isinstance(error, GraftworkError) else describe_error(error)
            reply = self._waiting(self._remark.words, f"I cannot read that now: {why}.")
            self._replied(self._remark.words, None, reply)
        else:
            self._follow(content, self._remark)
        self._release()

    def _reader(self, remark: _Remark, runner: Runner) -> Callable[[], Meant]:
        """Return what reads a remark, on another thread."""
        services, state = self._services, self._services.watcher.state
        context, use = services.decide_in(services.world), self._state.use
        goal = self.goal.goal if isinstance(self.goal, CheckedGoal) else self.goal
        situation = under_way(self.instruction, goal, self._steps(runner), self.program or "", remark.refused)
        asked = RequestInWords(remark.words, remark.answers, situation, KINDS, context.model_tries)

        doings, known = doings_of(self._state, runner, self.goal), set(names_in(goal.formula) if goal else ())
        said = (self.instruction, *(text for pair in remark.answers for text in _spoken_of(*pair)))

        def judge(content: Content | Rejection) -> Judged[Meant]:
            from graftwork.decision.founded import consent_needed  # few runs are spoken about

            match content:
                case Goal():
                    checked = context.check(content, state)
                    if isinstance(checked, Rejection):
                        return Judged(content, checked.feedback)
                    needed = consent_needed(checked, remark.words, context, state, said=said, known=known)
                    return Judged(needed or content)
                case Query():
                    answered = answer_query(content, context, state, doings)
                    if isinstance(answered, Rejection):
                        return Judged(answered, answered.feedback)
                    return Judged(Answer(answered.text))
                case Answer(text=text):
                    return Judged(Answer(f"The model says: {text}"))
            return Judged(content)

        cancellation = self._state.cancellation
        return lambda: dialogue.read(
            asked,
            context.world,
            state,
            services.model,
            judge,
            use=use,
            called_off=lambda: cancellation.is_cancelled,
        )

    def _steps(self, runner: Runner) -> list[tuple[str, str]]:
        """Return the steps of the plan under way, each with its state."""
        work = plan_under_way(runner.root)
        if work is None:
            return []
        left, running = work.ahead(self._services.beliefs.state), set(work.running)
        return [
            ("running" if number in running else "to do" if left >> number & 1 else "done", str(step))
            for number, step in enumerate(work.plan.steps)
        ]

    def _follow(self, content: Meant, remark: _Remark) -> None:
        """Do what a remark means, and say so."""
        if isinstance(content, Correction):
            if self._holds:  # a test comes due in time, which stands still in a wait
                self._holds = False
                self._services.hold.end_wait()
            self._tested = self.correct_meanwhile(content)
        elif not isinstance(content, Control) or content.order not in ORDERS:
            self._replied(remark.words, None, self._reply_to(content, remark.words))
        elif not self._is_interrupted(ORDERS[content.order], remark.words):
            self._replied(remark.words, None, self._excuse(remark.words))

    def _reply_to(self, content: Meant, words: str) -> str:
        match content:
            case Goal():
                return self._do_instead(content)
            case Control(order=ControlKind.AFTERWARDS, request=request):
                self._afterwards.append(request or words)
                return f"I do this afterwards: {shortened(request or words)}."
            case Control(request=request):
                self._turn_to(request or words)
                return f"I do this instead: {shortened(request or words)}."
            case Question() | GoalProposal():
                self._proposed = content if isinstance(content, GoalProposal) else None
                self._asked_back = content.question if isinstance(content, GoalProposal) else content
                self._unanswered = time.monotonic() + self._services.limits.answer_seconds
                return self._asked_back.text
            case Answer(text=text):
                return text
        return self._waiting(words, str(content))

    def _do_instead(self, goal: Goal) -> str:
        """Pursue another goal, and return the sentence that says so."""
        self._turn_to(goal)
        return f"I do this instead: {in_words(goal.formula, self._services.world.vocabulary.predicates)}."

    def _waiting(self, words: str, reply: str) -> str:
        """Return a reply to words that are not followed; the body goes on to rest if they take something back."""
        if not (self._holds and takes_back(words)):
            return reply
        self._stays = True
        return f'{reply} I wait. Say "stop", then what you want instead; or "go on".'

    def _tell_correction(self, tested: Correcting) -> None:
        """Say what a correction has changed; a refused one goes back to the model once."""
        self._tested, remark = None, self._remark
        assert remark is not None
        result = tested.result
        if isinstance(result, Amended):
            self._replied(remark.words, None, " ".join(result.difference))
        elif remark.refused:
            self._replied(remark.words, None, self._waiting(remark.words, str(result)))
        else:
            self._remarks.appendleft(remark._replace(refused=str(result)))

    def _turn_to(self, wanted: Wanted) -> None:
        """Bring the body to rest, and decide about something else then."""
        if not self._services.hold.stopped:
            self._turned = wanted
            self._state.cancellation.cancel(INSTEAD)

    def _keep_doings(self, goal: CheckedGoal | Goal | None, message: str) -> None:
        """Keep what was done for questions that follow, if something was."""
        if self.runner is not None and self.runner.ticks:
            self._services.doings[:] = [doings_of(self._state, self.runner, goal, message)]

    def _turns(self, outcome: Outcome) -> bool:
        """Decide about what is wanted instead, or afterwards, now that a tree has ended; say whether there is such."""
        assert self.runner is not None
        if self._state.cancellation.reason == INSTEAD:
            self._state.cancellation = Cancellation()
        elif outcome is Outcome.ACHIEVED and self._afterwards:
            self._turned = self._afterwards.popleft()
        else:
            return False
        assert self._state.record is not None
        self._state.record.note(f"what is wanted now: {self._turned}")
        self._answers.clear()
        self._ticks_before += self.runner.ticks
        self._state.goal, self.runner, self.tree, self.program = None, None, None, None
        self._decide()
        return True

    _answers: list[PersonAnswer]
    _ticks_before: int
