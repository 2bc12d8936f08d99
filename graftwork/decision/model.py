"""The values of a decision: what is wanted, what a person answers, and what is to be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from domains.model import Domain
from graftwork.decision.partial_goal import GoalProposal, LessonProposal, Offer, ProgramProposal
from graftwork.decision.substitute import SubstituteProposal
from graftwork.language.formal_goal import HOW_TO_ASK, formal_goal, goal_of_problem, ground_goal, with_wishes
from graftwork.record.episode import Outcome
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question
from semantics.logic.reply import Content, ProgramText
from semantics.logic.state import Operator, Plan, State
from semantics.logic.vocabulary import Thing
from semantics.plain_text import shortened, text_of_person

if TYPE_CHECKING:
    from bt.programs import CheckedProgram
    from bt.recovery import Obstacle
    from graftwork.decision.treatment import Treatment
    from graftwork.memory import Experience
    from semantics.logic.lesson import Lesson

Wanted: TypeAlias = "str | Content"
"""A request: words, or what they mean already: a goal, a program, or whatever a `Reply` holds."""


class PersonAnswer(NamedTuple):
    """A person's answer to a question about the request.

    Attributes:
        question: The question.
        words: The answer.
        offer: The substitute, the surface or the part that the question offered; None when it asked for the meaning.
    """

    question: Question
    words: str
    offer: SubstituteProposal | GoalProposal | ProgramProposal | LessonProposal | Treatment | None = None


class Doings(NamedTuple):
    """What a run has done, with times of the body's clock, does and is to do; its goals in PDDL; and how it ended.

    `earlier` is what the runs of the session before it have done.
    """

    goal: str = ""
    done: tuple[tuple[Operator, float], ...] = ()
    running: tuple[Operator, ...] = ()
    left: tuple[Operator, ...] = ()
    later: tuple[str, ...] = ()
    failures: tuple[Feedback, ...] = ()
    said: tuple[str, ...] = ()
    ended: str = "nothing is under way"
    earlier: tuple[tuple[Operator, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PlanDecision:
    """A goal with a validated plan.

    Attributes:
        goal: The checked goal.
        plan: The plan to compile.
        state: The believed state from which it was made.
        recalled: The remembered experience that replaced the interpreter or the model, or None.
        instead: The substitute for a missing object, or another surface; None when the goal is as requested.
        partly: The part of the goal that is pursued; None when all of it is.
        looks_for: The object that must be found before planning is possible; empty when there is a plan.
        ahead: The plans for the `later` goals, in order, as far as they can be foreseen; each is made anew when its
            turn comes.
        obstacles: Steps for which there is no room while something is where it is; the plan minds them.
        treatments: Things of an unknown class, and what a person lets them be treated as.
        said: The goal as it was understood, where lessons have changed it; None otherwise.
    """

    goal: CheckedGoal
    plan: Plan
    state: State
    recalled: Experience | None = None
    instead: SubstituteProposal | GoalProposal | None = None
    partly: Offer | None = None
    looks_for: str = ""
    ahead: tuple[Plan, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    treatments: tuple[Treatment, ...] = ()
    said: Goal | None = None

    @property
    def foreseen(self) -> Plan:
        """The plan, and those for the `later` goals as far as they can be foreseen, as one.

        It is not called optimal if several have steps, since only each by itself is.
        """
        if not self.goal.goal.later:
            return self.plan
        plans = (self.plan, *self.ahead)
        steps = tuple(step for plan in plans for step in plan.steps)
        seconds = sum(plan.seconds for plan in plans)
        only, *others = [plan for plan in plans if plan.steps] or [self.plan]
        joined = replace(only, steps=steps, goal=plans[-1].goal, seconds=seconds)
        whole = not others and len(self.ahead) == len(self.goal.goal.later)
        return joined if whole else replace(joined, optimal=False, bound=None)

    @property
    def dropped(self) -> tuple[Feedback, ...]:
        """Why alternatives of the goal, and denials of what can never hold, were left out."""
        return tuple(dict.fromkeys((*self.goal.dropped, *self.plan.dropped)))

    @property
    def as_said(self) -> bool:
        """Whether the plan reaches exactly the requested goal."""
        return self.instead is None and self.partly is None and not self.looks_for


@dataclass(frozen=True, slots=True)
class FinalDecision:
    """The robot does nothing, or asks a question first.

    Attributes:
        outcome: The outcome of the request.
        message: The reason, for a person.
        feedback: The reason, as data.
        goal: The goal that was understood, checked if the decision got that far; None when there is none.
        question: The question that must be answered first, or None.
        offer: The substitute, the surface or the part that the question offers, or None.
        recalled: The remembered experience that replaced the interpreter or the model, or None.
        treatments: What a person has said that things are.
        answer: The answer to a query, as plain data; None without one.
        lesson: What is to be kept of what a person has taught, and the numbers of the lessons that it replaces.
    """

    outcome: Outcome
    message: str
    feedback: tuple[Feedback, ...] = ()
    goal: CheckedGoal | Goal | None = None
    question: Question | None = None
    offer: SubstituteProposal | GoalProposal | ProgramProposal | LessonProposal | Treatment | None = None
    recalled: Experience | None = None
    treatments: tuple[Treatment, ...] = ()
    answer: Mapping[str, Any] | None = None
    lesson: tuple[Lesson | None, tuple[int, ...]] | None = None

    @classmethod
    def refused(
        cls, *feedback: Feedback, goal: CheckedGoal | Goal | None = None, recalled: Experience | None = None
    ) -> FinalDecision:
        """Return that nothing is done, and why; one of the reasons may be that the decision was called off."""
        is_stopped = any(each.code is Code.CANCELLED for each in feedback)
        outcome = Outcome.STOPPED if is_stopped else Outcome.REFUSED
        return FinalDecision(outcome, "\n".join(map(str, feedback)), feedback, goal, recalled=recalled)


@dataclass(frozen=True, slots=True)
class ProgramDecision(FinalDecision):
    """A checked program, which is carried out; its own outcome is that of a program of which nothing has moved.

    Attributes:
        checked: The program.
        text: The text of the program.
    """

    checked: CheckedProgram = field(kw_only=True)
    text: str = field(kw_only=True)

    @property
    def without_program(self) -> FinalDecision:
        """What is kept of it while it is carried out."""
        return FinalDecision(self.outcome, self.message, recalled=self.recalled)


Decision = PlanDecision | FinalDecision


def words_of(wanted: Wanted) -> str:
    """Return a request as text for a person.

    Raises:
        UsageError: It is neither a goal nor text in UTF-8.
    """
    match wanted:
        case str():
            return text_of_person(wanted, "a request")
        case Goal(text=text):
            return text_of_person(text or str(wanted), "a request")
        case ProgramText(text, name):
            return name or shortened(next(iter(text.strip().splitlines()), "an empty program"))
    from semantics.logic.reply_form import FORMS  # to say what has no words

    kind = next((kind for kind, form in FORMS.items() if isinstance(wanted, form.type)), None)
    return text_of_person(wanted, "a request") if kind is None else f"a {kind}"


def read_wanted(
    wanted: Wanted | None,
    goal: str | None,
    prefer: Sequence[str],
    domain: Domain,
    things: Mapping[str, Thing],
    scene: str,
) -> Wanted:
    """Return what is asked for: words, or what they mean; a goal in PDDL, with wishes; else the goal of a PDDL problem.

    Args:
        wanted: Words, or what they mean.
        goal: A goal in PDDL.
        prefer: Wishes beside the goal.
        domain: The world.
        things: The objects of the scene.
        scene: Name or path of the scene, which has a goal if it is a PDDL problem.

    Raises:
        UsageError: Words are given beside a goal or wishes; nothing is given at all; or a goal cannot be read.
    """
    if wanted is not None:
        if prefer:
            raise UsageError("wishes stand beside a goal in PDDL, not beside words; give the goal in PDDL too")
        if goal is not None:
            raise UsageError(f"{HOW_TO_ASK}; that is both")
        return ground_goal(wanted, domain, things) if isinstance(wanted, Goal) and not wanted.every else wanted
    if prefer:
        return with_wishes(goal, prefer, domain, things)
    return goal_of_problem(domain, scene) if goal is None else formal_goal(goal, domain, things)
