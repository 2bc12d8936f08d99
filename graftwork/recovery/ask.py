"""The strategy that asks a person for help.

The person learns why the robot cannot continue. They can ask for another try, say that they have done it themselves,
say in their own words what to do instead, or stop. Their words never become beliefs about the world, which is sensed.
A new instruction is interpreted, checked and planned like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bt.recovery import Answer, Ask, NewGoal, Nothing, Repeat, Request
from graftwork.language import dialogue
from graftwork.language.answers import numbered, with_answer
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.recovery.consent import MOST_ROUNDS
from graftwork.recovery.context import GoalStrategy, Pursuit, RecoveryContext
from semantics.body.protocols import NoPlan
from semantics.errors import OutsideError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.plain_text import shortened
from semantics.process.reading import read_table
from semantics.words.english import listed

AGAIN, DONE, STOP = "try once more", "I have done it", "stop"
OPTIONS = (AGAIN, DONE, STOP)
LONGEST_REASON = 400
PERSON = "the person"
HEARD_SECONDS = 0.5
"""Seconds that processing an answer takes on a simulated clock, so that what the person did before is sensed first."""

_CHOICES = {word: option for option, words in read_table(__file__).items() for word in (option.lower(), *listed(words))}
_MANNERS = re.compile(r"\b(please|pls|thanks|thank you|now)\b")


@dataclass(eq=False)
class AskPerson(GoalStrategy):
    """Asks a person how to continue."""

    name = "ask"

    seconds: float  # seconds that processing an answer takes on a simulated clock

    def propose(self, request: Request) -> Answer:
        """Return the question to the person."""
        return _Conversation(self.pursued, self.context, request.feedback).question()


@dataclass(frozen=True, slots=True)
class _Conversation:
    """The conversation about one failure."""

    pursued: Pursuit  # the goal of the run
    context: RecoveryContext  # interprets the answers
    feedback: Feedback  # the failure
    rounds: int = 0  # number of earlier questions
    wish: str = ""  # the person's new instruction, if it needs further questions
    answers: tuple[tuple[Question, str], ...] = ()  # the questions about that instruction, with the answers

    def question(self, trouble: str = "") -> Ask:
        """Return the question what to do; `trouble` says why the last answer was no use."""
        goal = self.pursued.goal.goal
        what = f"I cannot get on with “{shortened(goal.text or str(goal))}”."
        why = trouble or shortened(str(self.feedback), LONGEST_REASON)
        text = f"{what} {why} What shall I do? You can also say what to do instead."
        return Ask(Question(text, OPTIONS, self.feedback), self.heard)

    def heard(self, words: str, request: Request) -> Answer:
        """Return the strategy's answer to the person's words."""
        choice = chosen(words)
        if choice == AGAIN:
            return Repeat("A person asks to try once more.")
        if choice == DONE:
            return Repeat("A person says that it is done; what is left is planned for from what is sensed.")
        if choice == STOP:
            return Nothing(Feedback(Code.DECLINED, PERSON, "they were asked, and leave it at that", recoverable=False))
        return replace(self, wish=words, answers=())._instead(request)

    def _instead(self, request: Request) -> Answer:
        """Read the person's new instruction."""
        decider = self.context.decider(request)

        def judge(content: object) -> Judged[Answer]:
            checked = self.context.checked(content, request) if isinstance(content, Goal) else content
            match checked:
                case CheckedGoal() as goal:
                    return Judged(self._pursue(goal, request))
                case Question() as question:
                    return Judged(self._about(question, request))
                case reason:
                    assert isinstance(reason, Rejection)
                    again = self._once_more(str(reason))
                    return Judged(again, reason.feedback if isinstance(content, Goal) else ())

        asked = RequestInWords(self.wish, self.answers, tries=decider.model_tries)
        try:
            return dialogue.read(
                asked,
                decider.world,
                request.state,
                decider.model,
                judge,
                embedder=decider.embedder,
                use=self.context.use,
            )
        except OutsideError as error:
            return self._once_more(f"I cannot read “{shortened(self.wish)}” now: {error}.")

    def _pursue(self, goal: CheckedGoal, request: Request) -> Answer:
        if goal.conjuncts == self.pursued.goal.conjuncts:
            return Repeat("A person asks for the same once more.")
        plan = self.context.planned(goal, request)
        if isinstance(plan, NoPlan):
            return self._once_more(str(plan.feedback))
        sentence = f"A person says what to do instead: “{shortened(self.wish)}”."
        return NewGoal(goal.conjuncts, plan, sentence, goal)

    def _about(self, question: Question, request: Request) -> Answer:
        """Ask a question about the meaning of the new instruction, unless all that it may mean but one is new."""
        known = {name for atom in self.pursued.start.atoms for name in atom.args}
        named = [option for option in question.options if request.world and option in request.world.objects]
        bound = [option for option in named if option in known]
        if len(bound) == 1 < len(named) and (question, bound[0]) not in self.answers:
            return replace(self, answers=(*self.answers, (question, bound[0])))._instead(request)
        if self.rounds + 1 >= MOST_ROUNDS:
            return self._given_up(question.text)

        def heard(words: str, request: Request) -> Answer:
            if isinstance(with_answer(self.wish, question, words), Rejection):
                return self._once_more("That is left, then.")
            answers = (*self.answers, (question, words))
            return replace(self, rounds=self.rounds + 1, answers=answers)._instead(request)

        return Ask(question, heard)

    def _once_more(self, trouble: str) -> Answer:
        if self.rounds + 1 >= MOST_ROUNDS:
            return self._given_up(trouble)
        return replace(self, rounds=self.rounds + 1, wish="", answers=()).question(trouble)

    def _given_up(self, trouble: str) -> Nothing:
        return Nothing(Feedback(Code.NOT_UNDERSTOOD, PERSON, f"they were asked {MOST_ROUNDS} times: {trouble}"))


def chosen(words: str) -> str:
    """Return the option that words choose, by number or by a synonym; empty if they choose none."""
    bare = _MANNERS.sub(" ", re.sub(r"[^\w\s']", " ", words.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")))
    answer = " ".join(bare.split())
    return numbered(answer, OPTIONS) or _CHOICES.get(answer, "")
