"""The upper rungs: a failure that no plan for the goal answers is turned into something else to do.

A rung of this kind does not mend the tree below it. It finds an errand after which the goal can be planned for again
(go and look), another goal that is as good or the best that can be had (a substitute, a part of it, what a language
model or a person says instead), or only a reason to plan once more (a person has helped). Who finds it, a `Finder`, is
given; what needs words, memory or a person lives where those are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.record import Journal
from bt.repairing.budget import Budget, LowRung
from bt.repairing.turns.desk import Desk, Inquiry
from bt.repairing.turns.wanting import wanted_while
from bt.replanning import plan_fields
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.goal import Question
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Plan, State

__all__ = ["Finder", "Query", "Turn", "Turning"]


@dataclass(frozen=True, slots=True)
class Turn:
    """How a run goes on.

    Attributes:
        plan: What is carried out next; None: the goal is planned for from where the world is.
        goals: What is wanted from here on (conjuncts, any of which will do); `plan`, if there is one, leads to one of
            them. None: that stays as it was, and `plan` is an errand: however it ends, the goal is planned for again.
        until: Whether an errand is no longer needed, asked of what is believed whenever that changes: it is broken off
            then, unless a hand is at work. None: it is needed to its end.
        said: What is done instead, in one sentence; empty when there is nothing to say.
        price: What finding it has cost, off the rung's money.
        token: Anything that who takes the turn wants to know.
    """

    plan: Plan | None = None
    goals: tuple[Conjunct, ...] | None = None
    said: str = ""
    price: float = 0.0
    token: object = None
    until: Callable[[State], bool] | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """Something that only a person can say.

    Attributes:
        question: What is asked.
        heard: Makes something of the answer, given what is believed when it comes; called off the tick.
        price: What finding the question has cost, off the rung's money.
    """

    question: Question
    heard: Callable[[str, State], Turn | Query | NoPlan]
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class InVain(NoPlan):
    """No answer, though it was paid for.

    Attributes:
        price: What finding none has cost, off the rung's money.
    """

    price: float = 0.0


Finder = Callable[[State, Feedback], Turn | Query | NoPlan]
"""Finds how to go on from a state after a failure; called off the tick, may block.

A `NoPlan` says why it knows nothing, or gives no reason (`why` empty) where such a failure is not its business.
"""
Found = Turn | Query


class Turning(LowRung[Found]):
    """Turns a failure of its child into something else to do.

    A person is waited for while the tree is ticked on and nothing moves. The budget counts for a whole run: a rung
    above that starts this one again does not refill it.

    Args:
        name: Its name in the record.
        child: What may fail.
        finder: Finds how to go on.
        take: Changes the child as a turn says, between ticks; None: the child is only begun again.
        beliefs: What is held true.
        clock: The body's clock.
        codes: The failures it is for, recoverable or not; None for all.
        budget: What it may spend.
        settle: How long to wait before, in seconds of the clock.
        delay: How long finding takes on a simulated clock, in its seconds.
        desk: Where questions are put; None when nobody can be asked.
        answer_seconds: How long an answer of a person is waited for, in seconds of the clock.
        journal: Where turns, questions and uses are written.
    """

    def __init__(
        self,
        name: str,
        child: Behaviour,
        finder: Finder,
        take: Callable[[Turn], None] | None = None,
        *,
        beliefs: Beliefs,
        clock: Clock,
        codes: frozenset[Code] | None = None,
        budget: Budget | None = None,
        settle: float = 0.5,
        delay: float | None = 0.1,
        desk: Desk | None = None,
        answer_seconds: float = 60.0,
        journal: Journal | None = None,
    ) -> None:
        budget = budget or Budget()
        super().__init__(
            name,
            child,
            codes,
            beliefs=beliefs,
            clock=clock,
            budget=budget,
            settle=settle,
            delay=delay,
            journal=journal,
        )
        self.what = f"at most {budget.tries} times"
        self._finder = finder
        self._turned = take
        self._desk = desk or Desk(is_open=False)
        self._answer_seconds = answer_seconds
        self._inquires = False
        self._ended = 0

    def initialise(self) -> None:
        """Start; after a failure, with what is left of the budget."""
        goes_on, spent = self.status == Status.FAILURE, (self._asked_of, self._began, self._paid)
        super().initialise()
        if goes_on:
            self._asked_of, self._began, self._paid = spent

    def terminate(self, new_status: Status) -> None:
        """Let go of a question that is under way."""
        if self._inquires:
            self._desk.withdraw()
            self._inquires = False
        self._ended += 1
        super().terminate(new_status)

    def answers(self, feedback: Feedback) -> bool:
        """Return whether it is for this kind of failure, though cheaper rungs have given up, and may still answer."""
        return (self.codes is None or feedback.code in self.codes) and self._affords(feedback)

    def ask(self, state: State, feedback: Feedback) -> Found | NoPlan:
        """Find how to go on."""
        with self._wanted():
            return self._finder(state, feedback)

    def _wanted(self) -> AbstractContextManager[None]:
        """Return in what to look for something: it is given up when this comes to an end meanwhile."""
        ended = self._ended
        return wanted_while(lambda: self._ended == ended)

    def mend(self, answer: Found) -> None:
        """Take the turn."""
        assert isinstance(answer, Turn)
        steps = None if answer.plan is None else [str(step) for step in answer.plan.steps]
        goals = answer.goals
        told = {
            "rung": self.name,
            "said": answer.said,
            "goal": None if goals is None else [sorted(map(str, goal)) for goal in goals],
            "errand": steps if goals is None else None,
        }
        self.note("turn", {"t": self._now(), **told})
        if answer.plan is not None:
            self.note("plan", plan_fields(answer.plan, self.name))
        if self._turned is not None:
            self._turned(answer)

    def _take(self, answer: Found | NoPlan, failed_at: float) -> Status | None:
        """Take a turn; put a question and wait on."""
        self._inquires = False
        if not isinstance(answer, NoPlan) or isinstance(answer, InVain):
            self._paid += answer.price
        if not isinstance(answer, Query):
            return super()._take(answer, failed_at)
        if not self._desk.is_open:
            self._pending = self._failed_at = None
            return self.fail(self._explained("there is nobody to ask"))
        self._inquire(answer)
        return Status.RUNNING

    def _inquire(self, query: Query) -> None:
        question, now = query.question, self.clock.now()
        left = self.budget.seconds - (now - (now if self._began is None else self._began))

        def work(words: str) -> Callable[[], Found | NoPlan]:
            state, wanted = self.beliefs.state, self._wanted()  # read between ticks: nobody changes it meanwhile

            def hear() -> Found | NoPlan:
                with wanted:
                    return query.heard(words, state)

            return hear

        self.note("asked", {"t": self._now(), **_told(self.name, question)})
        self._inquires = True
        self.feedback_message = question.text
        self._pending = Inquiry[Found](
            self._desk,
            question,
            work,
            due=now + max(0.0, min(self._answer_seconds, left)),
            delay=self._delay,
            heard=lambda words: self.note("answered", {"t": self._now(), "rung": self.name, "words": words}),
        )

    def _without(self, answer: NoPlan) -> Status:
        """Hand on what failed, with what was found out about it; a finder that gives no reason was not meant."""
        if not answer.feedback.why:
            self._failed_at = None
            return self.fail(self.causes[-1])
        self.causes[-1] = self._explained(answer.feedback.why)
        return super()._without(answer)

    def _explained(self, why: str) -> Feedback:
        """Return what failed, with what was found out about it."""
        cause = self.causes[-1]
        return cause if why in cause.why else replace(cause, why=f"{cause.why.rstrip('.')}; {self.name}: {why}")

    def _now(self) -> float:
        return round(self.clock.now(), 3)


def _told(rung: str, question: Question) -> dict[str, object]:
    return {"rung": rung, "question": question.text, "options": list(question.options)}
