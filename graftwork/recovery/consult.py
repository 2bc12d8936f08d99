"""The strategy that asks the language model for another goal when the pursued goal cannot be reached.

The model gets the request, the goal, the beliefs about the objects concerned, the earlier failures and recovery
attempts, and the record of the failure with its reason and remedy. This is the richest feedback of CoPAL (its H2,
Joublin et al. 2024). The model may name another goal, or steps for this one, as a plan or as a program. They are
checked and planned like any other; mistakes go back to the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bt.execution.improvement import Basis
from bt.recovery import Answer, Ask, Mishap, NewGoal, NewPlan, Nothing, Request
from bt.recovery.mishap import mishaps
from graftwork.decision import FinalDecision, PlanDecision
from graftwork.decision.partial_goal import GoalProposal
from graftwork.decision.tools import use_tool
from graftwork.language import dialogue
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.language.prompts import situation
from graftwork.recovery.consent import ProposedGoal, asked_first
from graftwork.recovery.context import GoalStrategy
from graftwork.setup.plans import Plans, is_called_off
from semantics.body.exchange import outage
from semantics.body.protocols import LanguageModel, NoPlan
from semantics.errors import OutsideError
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import PlanText, ProgramText, Tool, ToolName
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.plain_text import shortened

CONSULTED_SECONDS = 2.0  # seconds that a language model takes on a simulated clock
KINDS = ("goal", "plan", "program", "question", "refusal", "tool")  # the kinds of reply that help
MOST_TOLD = 12  # number of failures, the latest ones, in the prompt
LONGEST_REASON = 200
WHO = "the language model"

Answers = tuple[tuple[Question, str], ...]


@dataclass(eq=False)
class Consult(GoalStrategy):
    """Asks a language model for another goal; remembers the goals that were pursued."""

    name = "consult"
    seconds = CONSULTED_SECONDS

    model: LanguageModel  # the language model
    _tried_goals: set[frozenset[Conjunct]] = field(default_factory=set, init=False)

    def propose(self, request: Request) -> Answer:
        """Ask the model for another goal."""
        self._tried_goals.add(frozenset(self.pursued.goal.conjuncts))
        return self._asked(request, ())

    def _asked(self, request: Request, answers: Answers) -> Answer:
        context, decider, before = self.context, self.context.decider(request), self.context.use.money
        goal = self.pursued.goal.goal

        used: list[Tool] = []
        asked = RequestInWords(goal.text or str(goal), answers, self._situation(request), KINDS, decider.model_tries)
        try:
            answer = dialogue.read(
                asked,
                decider.world,
                request.state,
                self.model,
                lambda content: self._judge(content, request, answers, used),
                use=context.use,
                called_off=request.is_cancelled,
            )
        except OutsideError as error:
            return Nothing(outage(WHO, error), context.use.money - before)
        return replace(answer, price=context.use.money - before)

    def _judge(self, content: object, request: Request, answers: Answers, used: list[Tool]) -> Judged[Answer]:
        match content:
            case Goal() as proposed:
                return self._judge_goal(proposed, request, answers)
            case PlanText() | ProgramText():
                return self._judge_steps(content, request)
            case Question() as question:
                return Judged(self._put(question, request, answers))
            case Tool(name=ToolName.ASK, argument=text):
                return Judged(self._put(Question(text), request, answers))
            case Tool():
                told = use_tool(content, used, self.context.decider(request), request.state)
                return (
                    Judged(Nothing(request.feedback), told=told) if isinstance(told, str) else _objection(told.feedback)
                )
            case Rejection(reasons):
                return Judged(Nothing(_without_goal(reasons[0])))
        why = "it neither changes what is done nor asks for it."
        return _objection((Feedback(Code.UNREADABLE, "the answer", why, "Name a goal or steps, or refuse."),))

    def _judge_steps(self, said: PlanText | ProgramText, request: Request) -> Judged[Answer]:
        """Mend a plan for the pursued goal, or what a program does on the model, around what the body has met."""
        from graftwork.decision.plan_text import decide_plan  # a model seldom answers with steps
        from graftwork.decision.program import steps_of_program

        decider, goal = self.context.decider(request), self.pursued.goal.goal
        steps = steps_of_program(decider, said, request.state) if isinstance(said, ProgramText) else said
        if isinstance(steps, FinalDecision):
            return _objection(steps.feedback)

        def mend(plans: Plans, state: State) -> PlanDecision | NoPlan:
            decided = decide_plan(replace(decider, plans=plans), steps, state, goal)
            return decided if isinstance(decided, PlanDecision) else NoPlan(decided.feedback[0])

        decided = decider.plans.around(request, mend)
        if isinstance(decided, NoPlan):
            return _objection((decided.feedback,))
        notes = ("The language model was consulted, and these steps are its own.", *decided.goal.goal.notes)
        return Judged(NewPlan(decided.plan, Basis(request.state, None), notes=notes))

    def _judge_goal(self, proposed: Goal, request: Request, answers: Answers) -> Judged[Answer]:
        """Check a goal and plan for it; a goal that was pursued before ends the conversation.

        What it names and nobody has spoken of is asked about first.
        """
        checked = self.context.checked(proposed, request)
        if isinstance(checked, Rejection):
            return _objection(checked.feedback)
        if frozenset(checked.conjuncts) in self._tried_goals:
            why = "it names no other goal than what was pursued before"
            return Judged(Nothing(Feedback(Code.NO_PLAN, WHO, why)))
        if checked.already:
            why = "it holds already, so nothing would be done about the request"
            return _objection((Feedback(Code.NOT_UNDERSTOOD, str(proposed), why, "Name what is still to be done."),))
        plan = self.context.planned(checked, request)
        if isinstance(plan, NoPlan):
            return Judged(Nothing.of(plan)) if is_called_off(plan) else _objection((plan.feedback,))
        self._tried_goals.add(frozenset(checked.conjuncts))
        predicates = self.context.decider(request).vocabulary.predicates
        sentence = (
            f"The language model was consulted, and this is pursued: {in_words(checked.goal.formula, predicates)}."
        )
        instead = NewGoal(checked.conjuncts, plan, sentence, checked)
        needed = self._consent_needed(checked, request, answers)
        if needed is None:
            return Judged(instead)
        if isinstance(needed, Rejection):
            return Judged(Nothing(_without_goal(needed.feedback[0])))

        def find(now: Request) -> ProposedGoal | NoPlan:
            plan = self.context.planned(checked, now)
            return plan if isinstance(plan, NoPlan) else ProposedGoal(replace(instead, plan=plan), needed.question)

        return Judged(asked_first(ProposedGoal(instead, needed.question), find))

    def _consent_needed(self, goal: CheckedGoal, request: Request, answers: Answers) -> GoalProposal | Rejection | None:
        from graftwork.decision.founded import consent_needed  # a model is seldom asked in mid-run

        known = {name for conjunct in self.pursued.goal.conjuncts for fact in conjunct for name in fact.atom.args}
        said, decider = tuple(words for _, words in answers), self.context.decider(request)
        return consent_needed(goal, self.pursued.goal.goal.text, decider, request.state, said=said, known=known)

    def _put(self, question: Question, request: Request, answers: Answers) -> Answer:
        """Put the model's question to the person, once."""
        if answers:
            return Nothing(Feedback(Code.QUESTION, WHO, f"it asks again: {question.text}"))
        cause = request.feedback

        def heard(words: str, now: Request) -> Answer:
            return self._asked(replace(now, feedback=cause), ((question, words),))

        return Ask(question, heard)

    def _situation(self, request: Request) -> str:
        goal, state, feedback = self.pursued.goal, request.state, request.feedback
        seen = mishaps(self.context.events())[-MOST_TOLD:]
        things = {name for conjunct in goal.conjuncts for fact in conjunct for name in fact.atom.args} | set(
            feedback.culprits
        )
        things |= {word for mishap in seen for word in mishap.step.strip("()").split()[1:]}
        vocabulary = self.context.decider(request).vocabulary
        facts = [
            atom
            for atom in sorted(state.atoms)
            if atom.predicate in vocabulary.predicates
            and things & set(atom.args)
            and vocabulary.predicates[atom.predicate].goal
        ]
        return situation(goal.goal, feedback, list(map(_tried, seen)), facts)


def _objection(reasons: tuple[Feedback, ...]) -> Judged[Answer]:
    return Judged(Nothing(_without_goal(reasons[0])), reasons)


def _without_goal(reason: Feedback) -> Feedback:
    """Return the feedback that the model has named no usable goal: it refused, or each goal had a mistake."""
    refuses = reason.code is Code.NOT_UNDERSTOOD and not reason.recoverable
    why = f"it knows of none: {reason.why}" if refuses else f"what it names cannot be pursued: {reason}"
    return Feedback(reason.code, WHO, why, culprits=reason.culprits)


def _tried(mishap: Mishap) -> str:
    attempts = ", ".join(
        f"{response.rung} {'tried' if response.answered else 'had no answer'}" for response in mishap.responses
    )
    why = shortened(str(mishap.feedback.get("why", "")), LONGEST_REASON)
    return f"{mishap.step or 'the plan'}: {why}" + (f" ({attempts})" if attempts else "")
