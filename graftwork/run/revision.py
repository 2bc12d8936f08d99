"""The part of a run that takes in what a person says about it, where a language model reads it.

The words are read on another thread, so that no tick, no stop and no answer waits for the model. What they mean is done
between two ticks: edits of the plan or the program, another goal instead or afterwards, an order, a question back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from bt import Runner
from bt.background import SLICE_SECONDS, Cancellation, Pending, in_background, waited
from bt.execution.execute import plan_under_way
from graftwork.decision import DecisionContext, FinalDecision, PersonAnswer, PlanDecision, Wanted
from graftwork.decision.model import Doings
from graftwork.decision.partial_goal import GoalProposal
from graftwork.decision.query import answer_query
from graftwork.language import dialogue
from graftwork.language.answers import with_answer
from graftwork.language.conversation import Turn, stands_alone, turn_of
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.language.interruption import Interruption, is_chat
from graftwork.language.offline.goal_edits import UnderWay
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
from semantics.logic.correction import Correction, EditKind, GoalEdit
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import Answer, Content, Control, ControlKind, Query
from semantics.logic.sentences import in_words
from semantics.plain_text import shortened

KINDS = ("goal", "correction", "control", "query", "question", "answer", "refusal")
"""The kinds of reply to what is said while something is under way."""
ASKING = frozenset("what where who whom whose why when how which is are did do does has have".split())  # noqa: SIM905
"""First words of a question, during which the body need not rest."""
MOST_KEPT = 200  # how many steps, and how many instructions, are kept for questions
ANSWERED_SECONDS = 0.06
"""How long words may take to be read before it is said that they are thought about, in seconds of the wall clock."""
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
        _lines: What was said and is not followed yet, where the grammar reads it.
        _line: What the first of these means.
        _reads: Held by the thread that follows them.
        _unanswered: When that question is forgotten, in seconds of the wall clock, since a simulated one may rest.
    """

    _turned: Wanted | None = None
    _afterwards: deque[Wanted]
    _remarks: deque[_Remark]
    _reading: Pending[Meant] | None = None
    _remark: _Remark | None = None
    _proposed: GoalProposal | None = None
    _unanswered: float = 0.0
    _tested: Correcting | None = None
    _lines: deque[str]
    _line: Future[GoalEdit | Question | Rejection | Answer | None] | None = None
    _reads: threading.Lock
    _holds: bool = False
    _stays: bool = False

    @property
    def is_reading(self) -> bool:
        """Whether what was said about the run is still being read, or tried on the model."""
        return not self.is_over and bool(self._lines or self._remarks or self._reading or self._tested)

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

    def _is_understood(self, words: str) -> bool:
        """Do what words say about the run, where the grammar reads them; say whether they are of use.

        They are read on another thread. What is not read at once is followed between two ticks; until then the body
        rests if they take something back.
        """
        if self._services.model is not None or self.runner is None or self.is_over:
            return self._take_back(words)
        self._lines.append(words)
        with self._reads:
            used = self._follow_lines(ANSWERED_SECONDS)
        if used is None:
            if self._takes_back(words):
                self._hold_for_words()
            self._replied(words, None, "I wait, and think about it." if self._holds else "I think about it.")
        return used is not False

    def _follow_lines(self, seconds: float) -> bool | None:
        """Follow the lines that the grammar has read, in their order; return whether the last one is of use.

        Args:
            seconds: How long it waits for each.

        Returns:
            None if one is not read yet.
        """
        used = True
        while self._lines and not self.is_over:
            words, asked, remark = self._lines[0], self._asked_back, self._remark
            said: str | Rejection = words
            if asked is not None and remark is not None:
                said = with_answer(remark.words, asked, words)
            if self._line is None:
                self._line = in_background(partial(self._read_by_grammar, said), "run-remark")
            line = self._line
            if not waited(line, seconds, lambda: not self._lines):
                return None
            if self._lines:  # an order in between has ended them
                self._lines.popleft()
                self._line = None
                used = self._follow_words(words, str(said), line.result())
        return used

    def _follow_words(self, words: str, said: str, got: GoalEdit | Question | Rejection | Answer | None) -> bool:
        """Do what words mean; say whether they are of use."""
        if self._holds and self._asked_back is None:  # it has rested while they were read
            self._holds = False
            self._services.hold.end_wait()
        is_refused = isinstance(got, Rejection) or (isinstance(got, Question) and got.is_guess and is_chat(words))
        if got is None or (is_refused and self._asked_back is None and not self._takes_back(words)):
            return self._take_back(words)
        self._asked_back = None
        if isinstance(got, GoalEdit):
            self._replied(words, None, got.told)
            self._follow_edit(got)
        elif isinstance(got, Question):
            self._remark, self._asked_back = _Remark(said), got
            self._unanswered = time.monotonic() + self._services.limits.answer_seconds
            self._hold_for_words()
            self._replied(words, None, got.text)
        elif isinstance(got, Answer):
            self._replied(words, None, got.text)
        else:
            self._hold_for_words()
            self._replied(words, None, self._waiting(words, str(got)))
        return True

    def _hold_for_words(self) -> None:
        """Let the body rest until it is clear what words mean."""
        if not self._services.hold.waits:
            self._services.hold.wait()
        self._holds = True

    def _read_by_grammar(self, words: str | Rejection) -> GoalEdit | Question | Rejection | Answer | None:
        """Return what words say about the run; an edit is checked, but for what comes afterwards."""
        if isinstance(words, Rejection):
            return words
        from graftwork.language import offline  # a session with a model needs no grammar

        services, goal = self._services, self.goal
        said = goal.goal if isinstance(goal, CheckedGoal) else goal
        context, state = services.decide_in(services.world), services.watcher.state
        state, vocabulary = context.described(state, words), context.vocabulary
        if said is None or self.tree is not None:
            read = offline.interpret(words, vocabulary, state, turns=context.turns, positions=context.positions)
            got: GoalEdit | Query | Question | Rejection | None = read if isinstance(read, Query) else None
        else:
            under_way = UnderWay(self._turn_so_far(goal), said.stages, vocabulary, said.values)
            got = offline.interpret_under_way(words, under_way, state, turns=context.turns, positions=context.positions)
        if isinstance(got, Query):
            return self._answer(got, context)
        if not isinstance(got, GoalEdit) or got.kind is EditKind.AFTERWARDS:
            return got
        checked = context.check(got.goal, state)
        return checked if isinstance(checked, Rejection) else got

    def _answer(self, query: Query, context: DecisionContext) -> Answer | Rejection:
        """Return the answer to a query."""
        answered = answer_query(query, context, self._services.watcher.state, self._doings(self.goal))
        return answered if isinstance(answered, Rejection) else Answer(answered.text)

    def _follow_edit(self, edit: GoalEdit) -> None:
        """Pursue the goal of an edit, at once or afterwards; who was told to wait goes on with it."""
        self._holds = False
        self._services.hold.end_wait()
        if edit.kind is EditKind.AFTERWARDS:
            self._afterwards.append(edit.goal)
        else:
            self._turn_to(edit.goal)

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
        if meaning is not Interruption.WAIT:  # what was said before is answered by that
            self._lines.clear()
            self._line = None
        return super()._is_interrupted(meaning, words)

    def _release(self) -> None:
        """Let the body move again, once all remarks are read."""
        is_read = not (self._reading or self._asked_back or self._remarks or self._tested)
        if self._holds and is_read and not self._stays:
            self._holds = False
            self._services.hold.end_wait()  # a stop stays until a person says to go on

    def _take_in(self) -> bool:
        """Begin to read the next remark, or follow what was read; called between two ticks.

        Returns:
            Whether time stands still, as a simulated one does until the grammar has read all lines.
        """
        if self._correcting is not None:
            self._correcting.take_over(self._services.clock.now())
        if self._lines and self._reads.acquire(blocking=False):
            try:
                self._follow_lines(SLICE_SECONDS / 2 if self._services.clock.simulated else 0.0)
            finally:
                self._reads.release()
        waits = bool(self._lines) and self._services.clock.simulated and not self.is_over
        if not waits:
            self._take_in_remarks()
        self._state.write_replies(self._services, self._replies)
        return waits

    def _take_in_remarks(self) -> None:
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

        doings, known = self._doings(self.goal), set(names_in(goal.formula) if goal else ())
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
                    answered = answer_query(content, context, state, doings, remark.words)
                    if isinstance(answered, Rejection):
                        return Judged(answered, answered.feedback)
                    return Judged(Answer(answered.text))
                case Answer(text=text):
                    return Judged(Answer(f"The model says: {text}"))
            return Judged(content)

        cancellation = self._state.cancellation
        return lambda: dialogue.read(
            asked, context.world, state, services.model, judge, use=use, called_off=lambda: cancellation.is_cancelled
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
                return f"I do this afterwards: {shortened(request or words).rstrip('.')}."
            case Control(request=request):
                self._turn_to(request or words)
                return f"I do this instead: {shortened(request or words).rstrip('.')}."
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
        if not (self._holds and self._takes_back(words)):
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

    def _doings(self, goal: CheckedGoal | Goal | None, message: str = "") -> Doings:
        """Return what this run has done, with what the runs before it have."""
        last = self._services.doings[-1] if self._services.doings else Doings()
        earlier = (*last.earlier, *last.done)[-MOST_KEPT:]
        return doings_of(self._state, self.runner, goal, message)._replace(earlier=earlier)

    def _remember(self, goal: CheckedGoal | Goal | None, message: str, outcome: Outcome) -> None:
        """Keep what was said and done for what follows in the conversation."""
        if self.runner is not None and self.runner.ticks:
            self._services.doings[:] = [self._doings(goal, message)]
        self._keep(replace(self._turn_so_far(goal), reply=shortened(message), outcome=str(outcome)))

    def _keep(self, turn: Turn) -> None:
        """Add a turn to the conversation."""
        self._state.said.append(turn)
        self._services.conversation.append(turn)

    def _turn_so_far(self, goal: CheckedGoal | Goal | None) -> Turn:
        """Return the turn of the conversation that this run is."""
        decision, vocabulary = self._decision, self._services.world.vocabulary
        words = self._turned if isinstance(self._turned, str) else self.instruction
        if isinstance(decision, FinalDecision) and decision.answer is not None:
            return Turn(words, things=tuple(decision.answer.get("about", ())))
        ready = self._ready if self._ready is not None and self._ready.goal is goal else None
        if ready is not None:
            chosen = frozenset().union(*(plan.goal for plan in (ready.plan, *ready.ahead)))
        else:
            conjuncts = goal.conjuncts if isinstance(goal, CheckedGoal) else ()
            chosen = conjuncts[0] if len(conjuncts) == 1 else frozenset()
        said = goal.goal if isinstance(goal, CheckedGoal) else goal
        if said is None and self.runner is None:
            return Turn(words)  # it was refused
        goals = () if said is None else said.stages
        turn = turn_of(words, goals, chosen, self._state.begun, self._services.watcher.state, vocabulary)
        if self.program is not None:
            return replace(turn, program=self.program, seen=self._state.seen)
        return turn if ready is None or ready.said is None else replace(turn, goal=ready.said)

    @property
    def _stands_alone(self) -> bool:
        """Whether the words of the run mean the same without what was said before."""
        is_first = len(self._services.conversation) <= len(self._state.said)  # its own turns are no earlier ones
        return is_first or stands_alone(self.instruction)

    def _turns(self, outcome: Outcome) -> bool:
        """Decide about what is wanted instead, or afterwards, now that a tree has ended; say whether there is such."""
        assert self.runner is not None
        if self._state.cancellation.reason == INSTEAD:
            self._state.cancellation = Cancellation()
            given_up = self._turn_so_far(self.goal)  # what it has changed is part of what follows
            self._keep(replace(given_up, words="", was=frozenset()))
        elif outcome is Outcome.ACHIEVED and self._afterwards:
            self._keep(replace(self._turn_so_far(self.goal), reply="Done.", outcome=str(outcome)))
            self._state.begun, self._turned = self._services.watcher.state, self._afterwards.popleft()
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
    _ready: PlanDecision | None
    _ticks_before: int
