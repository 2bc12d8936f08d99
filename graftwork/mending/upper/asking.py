"""The rung that asks a person: what only they can do, or know, or want instead.

They are told why the robot cannot get on, and may have it tried once more, say that they have done it themselves, say
in their own words what to do instead, or leave it. Nothing they say is believed of the world, which is sensed, nor
carried out as it is: their words are read, checked and planned for as those of any instruction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bt.repairing import Finder, Query, Turn
from graftwork.language.answers import with_answer
from graftwork.language.interpreting import interpret
from graftwork.mending.upper.changing import MOST_ROUNDS
from graftwork.mending.upper.counsel import Counsel, Pursued
from semantics.errors import OutsideError
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Question, Rejection
from semantics.protocols import NoPlan
from semantics.state import State
from semantics.wording import shortened

__all__ = ["AGAIN", "DONE", "HEARD_SECONDS", "STOP", "ask_rung", "chosen"]

AGAIN, DONE, STOP = "try once more", "I have done it", "stop"
OPTIONS = (AGAIN, DONE, STOP)
LONGEST_REASON = 400
PERSON = "the person"
HEARD_SECONDS = 0.5
"""How long it takes to make something of an answer on a simulated clock, in its seconds: what a person has done before
they said so is sensed by then."""

_OTHER_WORDS = {
    AGAIN: {
        "again",
        "try again",
        "try it again",
        "once more",
        "try it once more",
        "retry",
        "go on",
        "yes",
        "ok",
        "okay",
    },
    DONE: {
        "done",
        "i did",
        "i did it",
        "i've done it",
        "i have done that",
        "i've done that",
        "it is done",
        "it's done",
    },
    STOP: {"no", "nope", "nothing", "never mind", "nevermind", "leave it", "forget it", "give up", "not at all"},
}
_CHOICES = {word: option for option, words in _OTHER_WORDS.items() for word in (option.lower(), *words)}
_MANNERS = re.compile(r"\b(please|pls|thanks|thank you|now)\b")


def ask_rung(pursued: Pursued, counsel: Counsel) -> Finder:
    """Return who finds how to go on by asking a person."""

    def find(state: State, feedback: Feedback) -> Query:
        return _Inquiry(pursued, counsel, feedback).query()

    return find


@dataclass(frozen=True, slots=True)
class _Inquiry:
    """The conversation about one failure.

    Attributes:
        pursued: What the run goes for.
        counsel: Who reads what is said.
        feedback: The failure.
        rounds: How often the person was asked before.
        wish: What they want instead, once they have said something that has to be asked about.
        answers: What they were asked about that, with their answers.
    """

    pursued: Pursued
    counsel: Counsel
    feedback: Feedback
    rounds: int = 0
    wish: str = ""
    answers: tuple[tuple[Question, str], ...] = ()

    def query(self, trouble: str = "") -> Query:
        """Ask what to do; again with the `trouble` there was with what they said."""
        goal = self.pursued.goal.goal
        what = f"I cannot get on with “{shortened(goal.text or str(goal))}”."
        why = trouble or shortened(str(self.feedback), LONGEST_REASON)
        text = f"{what} {why} What shall I do? You can also say what to do instead."
        return Query(Question(text, OPTIONS, self.feedback), self.heard)

    def heard(self, words: str, state: State) -> Turn | Query | NoPlan:
        """Make something of what they said."""
        said = chosen(words)
        if said == AGAIN:
            return Turn(said="A person asks to try once more.")
        if said == DONE:
            return Turn(said="A person says that it is done; what is left is planned for from what is sensed.")
        if said == STOP:
            return NoPlan(Feedback(Code.DECLINED, PERSON, "they were asked, and leave it at that", recoverable=False))
        return replace(self, wish=words, answers=())._instead(state)

    def _instead(self, state: State) -> Turn | Query | NoPlan:
        """Read a wish as any instruction is read."""
        decider = self.counsel.decider
        try:
            reading = interpret(
                self.wish,
                decider.vocabulary,
                state,
                model=decider.model,
                check=lambda goal: self.counsel.checked(goal, state),
                answers=self.answers,
                embedder=decider.embedder,
                tries=decider.model_tries,
            )
        except OutsideError as error:
            return self._once_more(f"I cannot read “{shortened(self.wish)}” now: {error}.")
        self.counsel.count(reading.model_calls, reading.tokens)
        match reading.answer:
            case CheckedGoal() as goal:
                return self._turn(goal, state)
            case Question() as question:
                return self._about(question)
            case Rejection() as rejection:
                return self._once_more(str(rejection))

    def _turn(self, goal: CheckedGoal, state: State) -> Turn | Query | NoPlan:
        if goal.conjuncts == self.pursued.goal.conjuncts:
            return Turn(said="A person asks for the same once more.")
        found = self.counsel.planned(goal, state)
        if isinstance(found, NoPlan):
            return self._once_more(str(found.feedback))
        said = f"A person says what to do instead: “{shortened(self.wish)}”."
        return Turn(found, goal.conjuncts, said, 0.0, goal)

    def _about(self, question: Question) -> Query | NoPlan:
        """Ask what a wish means."""
        if self.rounds + 1 >= MOST_ROUNDS:
            return self._given_up(question.text)

        def heard(words: str, state: State) -> Turn | Query | NoPlan:
            if isinstance(with_answer(self.wish, question, words), Rejection):
                return self._once_more("That is left, then.")
            answers = (*self.answers, (question, words))
            return replace(self, rounds=self.rounds + 1, answers=answers)._instead(state)

        return Query(question, heard)

    def _once_more(self, trouble: str) -> Query | NoPlan:
        if self.rounds + 1 >= MOST_ROUNDS:
            return self._given_up(trouble)
        return replace(self, rounds=self.rounds + 1, wish="", answers=()).query(trouble)

    def _given_up(self, trouble: str) -> NoPlan:
        return NoPlan(Feedback(Code.NOT_UNDERSTOOD, PERSON, f"they were asked {MOST_ROUNDS} times: {trouble}"))


def chosen(words: str) -> str:
    """Return the option that words choose, by its number or in other words; empty when they say something else."""
    bare = _MANNERS.sub(" ", re.sub(r"[^\w\s']", " ", words.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    said = " ".join(bare.split())
    if said.isascii() and said.isdigit() and 0 < int(said[:4]) <= len(OPTIONS):
        return OPTIONS[int(said[:4]) - 1]
    return _CHOICES.get(said, "")
