"""`decide`: from a request to a plan, or to the reason why nothing is done.

This is the only path from an instruction to a decision: a session, the command ``plan`` and the cases all use it. The
stages run in the order of `_Inquiry.decision`: recall, interpret, check, plan. Nothing moves here. Of goals that are to
be reached one after the other, each is planned for from the state that the plan before it leads to, so that an order
that cannot be kept is refused before anything moves.

The result is always a value: a `PlanDecision` with a validated plan, or a `FinalDecision` with an outcome. A decision
may take as long as planning, so a run makes it on a separate thread and cancels it through `cancelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bt import recovery
from domains.planned_values import with_numbers_said
from graftwork.decision.context import DecisionContext
from graftwork.decision.large_goal import MOST_LISTED, Narrowed, after, as_written, is_too_large, narrowed
from graftwork.decision.model import Decision, FinalDecision, PersonAnswer, PlanDecision, Wanted, words_of
from graftwork.decision.newcomers import with_newcomers
from graftwork.decision.partial_goal import GoalProposal, Offer, PartialGoal, has_parts, offer, offer_of
from graftwork.decision.substitute import SubstituteProposal, bare
from graftwork.decision.treatment import Treatment, stated_treatment
from graftwork.decision.unknown import decide_with_unknown
from graftwork.decision.values import with_values
from graftwork.language.interpretation import interpret
from graftwork.record.episode import Outcome, Stopwatch
from graftwork.setup.limits import Consent
from semantics.body.exchange import ModelUse
from semantics.body.protocols import NoPlan
from semantics.errors import UnusableReplyError, UsageError
from semantics.logic.atoms import Conjunct, dnf
from semantics.logic.attribute_goals import settled
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import ProgramText
from semantics.logic.state import Plan, State
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import shortened

if TYPE_CHECKING:
    from graftwork.memory import Experience, Memory

__all__ = ["decide"]

MISSING = frozenset({Code.WHEREABOUTS_UNKNOWN, Code.NO_PLAN})
"""Refusals whose cause may be an object with an unknown place."""


def decide(
    context: DecisionContext,
    wanted: Wanted,
    state: State,
    answers: Sequence[PersonAnswer] = (),
    *,
    watch: Stopwatch | None = None,
    use: ModelUse | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Decision:
    """Return a plan for a request from `state`, or the reason why there is none.

    Args:
        context: The services that the decision uses.
        wanted: The request.
        state: The believed state.
        answers: Earlier questions about the request with the person's answers, oldest first.
        watch: Measures the time of each stage.
        use: Counts the requests to the language model.
        cancelled: Returns whether the caller has cancelled the decision; called between the stages, on this thread.

    Raises:
        OutsideError: The model, the planner or Prolog is not available.
        UsageError: The memory or a rule of the world cannot be used, a partial goal has alternatives, or a request in
            words is no text in UTF-8.
    """
    if isinstance(wanted, ProgramText):
        from graftwork.decision.program import decide_program  # the compiler of programs, for programs only

        return decide_program(context, wanted)
    words = words_of(wanted)
    watch, use = watch or Stopwatch(), use or ModelUse()
    context = replace(context, use=use, called_off=cancelled)

    known, environment = context.world, context.environment

    def decided(context: DecisionContext, answers: tuple[PersonAnswer, ...]) -> Decision:
        meant = tuple(answer for answer in answers if not isinstance(answer.offer, Offer))
        is_other = environment is not None and context.world is not known
        believed = environment.watcher.state_in(context.world) if environment is not None and is_other else state
        asked = with_newcomers(wanted, context.world, believed) if is_other and isinstance(wanted, Goal) else wanted
        return _Inquiry(context, asked, believed, answers, meant, watch, use, cancelled).decision()

    try:
        stated = stated_treatment(wanted, known) if isinstance(wanted, str) and known.origins else None
        if stated is not None:
            return FinalDecision(Outcome.ALREADY, stated.note, treatments=(stated,))
        if not (context.world.unknown or any(isinstance(answer.offer, Treatment) for answer in answers)):
            return decided(context, tuple(answers))
        return decide_with_unknown(decided, context, wanted, answers)
    except _CalledOffError:
        feedback = Feedback(Code.CANCELLED, shortened(words), "it was called off", recoverable=False)
        return FinalDecision(Outcome.STOPPED, str(feedback), (feedback,))
    except UnusableReplyError as error:
        feedback = Feedback(Code.UNUSABLE_REPLY, shortened(words), str(error), recoverable=False)
        return FinalDecision(Outcome.UNUSABLE_REPLY, str(error), (feedback,))


class _CalledOffError(Exception):
    """The caller has cancelled the decision."""


@dataclass(slots=True)
class _Inquiry:
    """One decision in progress.

    Attributes:
        meant: The answers about the meaning or about substitutes, without those about a part.
        narrowed: The alternative that is pursued of a goal with too many, with its plan.
    """

    context: DecisionContext
    wanted: Wanted
    state: State
    answers: tuple[PersonAnswer, ...]
    meant: tuple[PersonAnswer, ...]
    watch: Stopwatch
    use: ModelUse
    cancelled: Callable[[], bool]
    narrowed: Narrowed | None = None

    def decision(self) -> Decision:
        if isinstance(self.wanted, PartialGoal):
            return with_values(self._best_part(self.wanted), self.context.plans, self.state)
        if self.answers and (taken := self._part_taken()) is not None:
            return with_values(taken, self.context.plans, self.state)
        # Cheapest source first: the memory needs no interpreter, an accepted substitute needs no new reading.
        recalled = None if self.context.memory is None else self._recalled(self.context.memory)
        remembered = None if recalled is None else self._still_meant(recalled)
        agreed = self._agreed() if self.meant and not remembered else None
        understood = remembered or agreed or self._read(self.context.vocabulary)
        if isinstance(understood, Question | Rejection):
            understood = self._instead(understood) or self._unread(understood)
        if isinstance(understood, FinalDecision):
            return understood
        if isinstance(understood, SubstituteProposal | GoalProposal):
            decided = self._in_order(understood.goal)
            return replace(decided, instead=understood) if isinstance(decided, PlanDecision) else decided
        return self._in_order(understood, recalled if remembered else None)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """Measure the time of a stage; do not begin it when the decision is cancelled."""
        if self.cancelled():
            raise _CalledOffError
        with self.watch.stage(name):
            yield

    def _part_taken(self) -> Decision | None:
        """Return the decision that the latest answer makes about an offered part; None if it makes none."""
        latest = self.answers[-1]
        if not isinstance(latest.offer, Offer):
            return None
        answer = latest.offer.answered(latest.words)
        if isinstance(answer, Rejection):
            return FinalDecision(Outcome.REFUSED, str(answer), answer.feedback)
        offered = latest.offer
        return PlanDecision(offered.goal, offered.part.plan, self.state, partly=offered) if answer else None

    def _recalled(self, memory: Memory) -> Experience | None:
        if not isinstance(self.wanted, str):
            return None
        with self._stage("recall"):
            return memory.recall(self.wanted, self.context.vocabulary, self.context.domain, self.state)

    def _still_meant(self, recalled: Experience) -> CheckedGoal | None:
        """Check a remembered goal like a new one; return None if it no longer passes."""
        checked = self._checked(recalled.goal)
        return checked if isinstance(checked, CheckedGoal) else None

    def _checked(self, goal: Goal, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        with self._stage("check"):
            self.state = self.context.knowing(self.state, goal)
            checked = self.context.check(goal, self.state, vocabulary)
            for later in goal.later if isinstance(checked, CheckedGoal) else ():
                refused = self.context.check(later, self.state, vocabulary)
                if isinstance(refused, Rejection) and not is_too_large(later, refused):
                    return refused
        if vocabulary in (None, self.context.vocabulary) and isinstance(checked, Rejection):
            return self._narrowed(goal, checked)
        return self.context.told_from(checked) if isinstance(checked, CheckedGoal) else checked

    def _narrowed(self, goal: Goal, refused: Rejection) -> CheckedGoal | Rejection:
        """Return the alternative that a plan reaches of a goal that was refused for having too many."""
        known = settled(goal, self.context.vocabulary, self.state)
        if isinstance(known, Rejection) or not is_too_large(known, refused):
            return refused
        goal = known
        with self._stage("plan"):
            answer = narrowed(self.context, goal, self.state)
        if isinstance(answer, NoPlan):
            if answer.feedback.code is Code.CANCELLED:
                raise _CalledOffError
            return Rejection((answer.feedback,))
        if isinstance(answer, Rejection):
            return answer
        self.narrowed = answer
        return answer.goal

    def _agreed(self) -> SubstituteProposal | GoalProposal | FinalDecision | None:
        """Return the accepted substitute, or a refusal; None if the person has neither accepted nor declined one."""
        for answer in reversed(self.meant):
            proposal = None if isinstance(answer.offer, Treatment) else answer.offer
            agreed = proposal.answered(answer.words) if proposal else False
            if isinstance(agreed, Rejection):
                return self._unread(agreed)
            checked = self._checked(proposal.goal.goal) if proposal and agreed else None
            if proposal and isinstance(checked, CheckedGoal):
                return replace(proposal, goal=checked)
        return None

    def _read(self, vocabulary: Vocabulary) -> CheckedGoal | Question | Rejection:
        """Interpret the request with a vocabulary, and check the goal."""
        wanted = self.wanted.goal if isinstance(self.wanted, PartialGoal) else self.wanted
        if isinstance(wanted, Goal):
            return self._checked(wanted, vocabulary)
        assert isinstance(wanted, str)
        answers = [
            (answer.question, bare(answer.words) if isinstance(answer.offer, SubstituteProposal) else answer.words)
            for answer in self.meant
        ]
        with self._stage("interpret"):
            return interpret(
                wanted,
                vocabulary,
                self.context.described(self.state, wanted),
                model=self.context.model,
                check=lambda goal: self._checked(goal, vocabulary),
                answers=answers,
                embedder=self.context.embedder,
                tries=self.context.model_tries,
                use=self.use,
                called_off=self.cancelled,
            )

    def _unread(self, answer: Question | Rejection) -> FinalDecision:
        """Return the final decision for a question or a rejection."""
        if isinstance(answer, Question):
            feedback = answer.feedback or Feedback(Code.QUESTION, shortened(words_of(self.wanted)), answer.text)
            return FinalDecision(Outcome.QUESTION, answer.text, (feedback,), question=answer)
        goal = self.wanted if isinstance(self.wanted, Goal) else None
        return FinalDecision(Outcome.REFUSED, str(answer), answer.feedback, goal)

    def _instead(self, read: Question | Rejection) -> SubstituteProposal | FinalDecision | None:
        """Use or offer a substitute, if a missing object is the only problem."""
        if self.context.consent is Consent.NEVER or (missing := self.context.substitutes.absence(read)) is None:
            return None
        with self._stage("substitute"):
            proposal = self.context.substitutes.proposal(missing, self._named, self._checked)
        if proposal is None or self.context.consent is Consent.ALLOW:
            return proposal
        question = proposal.question
        feedback = question.feedback or Feedback(Code.QUESTION, shortened(words_of(self.wanted)), question.text)
        return FinalDecision(Outcome.QUESTION, question.text, (feedback,), question=question, offer=proposal)

    def _named(self, vocabulary: Vocabulary) -> Goal | CheckedGoal | Question | Rejection:
        """Interpret the request with an extended vocabulary; return a goal unchanged."""
        return self.wanted if isinstance(self.wanted, Goal) else self._read(vocabulary)

    def _in_order(self, goal: CheckedGoal, recalled: Experience | None = None) -> Decision:
        """Plan for a checked goal with its values and with room, and then for each `later` one."""
        decided = self._planned(goal, recalled)
        if goal.goal.values:
            decided = with_values(decided, self.context.plans, self.state)
        if self.context.senses is not None:
            from graftwork.decision.room import with_room  # the geometry of places, for a body that senses them

            decided = with_room(decided, self.context, self.state)
        return self._followed(goal, decided) if goal.goal.later else decided

    def _followed(self, goal: CheckedGoal, decided: Decision) -> Decision:
        """Return a decision with plans for the `later` goals, each from where the plan before it leads."""
        later = goal.goal.later
        if isinstance(decided, FinalDecision):
            held = next(filter(self.state.satisfies, map(self.context.plans.decided, goal.conjuncts)), None)
            if decided.outcome is not Outcome.ALREADY or held is None:
                return decided
            told = decided.goal if isinstance(decided.goal, CheckedGoal) else goal
            decided = PlanDecision(told, Plan((), held), self.state)
        ahead: list[Plan] = []
        state = self._for_another_goal(after(self.context, decided.plan, self.state))
        context = self.context.foreseeing()
        for stage in later if not decided.looks_for else ():
            inquiry = _Inquiry(context, stage, state, (), (), self.watch, self.use, self.cancelled)
            foreseen = inquiry.decision()
            if isinstance(foreseen, FinalDecision) and foreseen.outcome is not Outcome.ALREADY:
                return replace(foreseen, goal=goal)
            if isinstance(foreseen, PlanDecision) and foreseen.looks_for:
                break
            ahead.append(foreseen.plan if isinstance(foreseen, PlanDecision) else Plan((), frozenset(), True))
            state = self._for_another_goal(after(self.context, ahead[-1], state))
        if len(ahead) == len(later) and not any(plan.steps for plan in (decided.plan, *ahead)):
            return FinalDecision(Outcome.ALREADY, "That is already so.", (), goal)
        return replace(decided, ahead=tuple(ahead))

    def _for_another_goal(self, state: State) -> State:
        """Return a state in which another goal is begun, without the facts that hold for one goal only."""
        momentary = self.context.domain.momentary
        return state.with_atoms(deleted=[atom for atom in state.atoms if atom.predicate in momentary])

    def _planned(self, goal: CheckedGoal, recalled: Experience | None = None) -> Decision:
        """Plan for a checked goal; reuse a remembered plan if it is still valid."""
        if goal.already:
            return self._already(goal, recalled)
        if self.context.senses is not None:
            from graftwork.decision.room import without_overfull  # see `_in_order`

            roomy = without_overfull(goal, self.context)
            if isinstance(roomy, FinalDecision):
                return roomy
            goal = roomy
        with self._stage("plan"):
            remembered = None if recalled is None else self._plan_again(goal, recalled)
            chosen = self.narrowed.plan if self.narrowed is not None and self.narrowed.goal is goal else None
            state = with_numbers_said(self.context.domain, self.state, goal.goal)
            if len(goal.conjuncts) > MOST_LISTED:
                plan = remembered or chosen or as_written(self.context, goal, state)
            else:
                plan = remembered or chosen or self.context.plans.found(goal, state)
        if isinstance(plan, Plan):
            return PlanDecision(goal, plan, self.state, recalled)
        plan = self._in_view(plan)
        return (
            self._beyond_the_body(plan, goal)
            or (self._looking(plan.feedback, goal, recalled) if plan.feedback.code in MISSING else None)
            or self._without(plan, goal)
            or _unplanned(plan, goal, recalled)
        )

    def _plan_again(self, goal: CheckedGoal, recalled: Experience) -> Plan | None:
        if not recalled.as_before:
            return None
        return self.context.plans.remembered(recalled.actions, goal, self.state, optimal=recalled.optimal)

    def _beyond_the_body(self, refused: NoPlan, goal: CheckedGoal) -> FinalDecision | None:
        """Refuse a goal that only a body with further motion primitives reaches; name the primitives."""
        unlimited = self.context.world.unlimited
        if unlimited is None or refused.feedback.code is not Code.NO_PLAN:
            return None
        with self._stage("plan"):
            plan = self.context.plans.within(unlimited).found(goal, self.state)
        if isinstance(plan, NoPlan):
            return None
        domain, things = self.context.domain, self.context.world.objects
        steps = [
            step
            for step in plan.steps
            if step.action.name not in domain.capabilities
            or (
                not domain.capabilities[step.action.name].agentless
                and step.action.name not in domain.agents[things[step.action.args[0]].class_name].capabilities
            )
        ]
        names = ", ".join(dict.fromkeys(step.command.primitive for step in steps if step.command))
        why = f"this body lacks the motion primitive {names}, which {goal.goal} needs"
        how = "Use another body, give a skill that does it (--skills), or ask for something else."
        feedback = Feedback(Code.REFUSED_BY_BODY, "the goal", why, how)
        return FinalDecision(Outcome.REFUSED, str(feedback), (feedback,), goal)

    def _in_view(self, refused: NoPlan) -> NoPlan:
        """Return a refusal; if it is for want of the place of an object, it says where this was last seen."""
        environment, feedback = self.context.environment, refused.feedback
        if environment is None or feedback.code is not Code.WHEREABOUTS_UNKNOWN:
            return refused
        from graftwork.decision.exploration import last_seen, placeless

        stray = placeless(feedback.culprits, environment.watcher.scene) if self.context.looks else None
        known = filter(None, (last_seen(name, environment.watcher) for name in feedback.culprits))
        return replace(refused, feedback=stray or replace(feedback, why="; ".join((feedback.why, *known))))

    def _looking(self, feedback: Feedback, goal: CheckedGoal, recalled: Experience | None) -> PlanDecision | None:
        """Return the decision to look for a missing object; None when there is no useful place to look."""
        environment = self.context.environment
        if environment is None or not self.context.looks:
            return None
        from graftwork.decision.exploration import Exploring

        with self._stage("plan"):
            exploring = Exploring(environment, environment.watcher.scene.time)
            request = recovery.Request(feedback, self.state)
            place = exploring.next(goal, request, self.context.plans)
        if isinstance(place, NoPlan):
            return None
        return PlanDecision(goal, Plan((), goal.conjuncts[0]), self.state, recalled, looks_for=place.thing)

    def _without(self, refused: NoPlan, goal: CheckedGoal) -> Decision | None:
        """Offer a part of an unreachable goal, or take it if that is allowed; None if there is no useful part."""
        if self.context.part is Consent.NEVER or not has_parts(goal, refused):
            return None
        with self._stage("part"):
            (conjunct,) = goal.conjuncts
            part = self.context.plans.part(conjunct, self.state)
        predicates = self.context.vocabulary.predicates
        offered = None if isinstance(part, NoPlan) else offer(goal, part, self.state, predicates)
        if offered is None:
            return None
        if self.context.part is Consent.ALLOW:
            return PlanDecision(offered.goal, offered.part.plan, self.state, partly=offered)
        question = offered.question
        return FinalDecision(Outcome.QUESTION, question.text, (refused.feedback,), goal, question, offered)

    def _best_part(self, wishes: PartialGoal) -> Decision:
        """Plan for the best part of a goal; its literals may exclude each other, which is no reason to refuse it."""
        read = self._read(self.context.vocabulary)
        if isinstance(read, CheckedGoal) and read.goal.later:
            why, how = "a part cannot be chosen of jobs that are to be done in an order", "Ask for one of them."
            return self._unread(Rejection((Feedback(Code.NOT_UNDERSTOOD, "the goal", why, how),)))
        if isinstance(read, CheckedGoal):
            goal, conjuncts = read.goal, read.conjuncts
        elif isinstance(wishes.goal, Goal) and isinstance(read, Rejection) and _is_contradiction(read):
            goal, conjuncts = wishes.goal, dnf(wishes.goal.formula)
        else:
            return self._unread(read)
        with self._stage("part"):
            part = self.context.plans.part(_only(conjuncts), self.state, wishes.weights, wishes.hard)
        if isinstance(part, NoPlan):
            return _unplanned(part, CheckedGoal(goal, conjuncts), None)
        offered = offer_of(goal, part, self.state, self.context.vocabulary.predicates)
        return PlanDecision(offered.goal, part.plan, self.state, partly=offered)

    def _already(self, goal: CheckedGoal, recalled: Experience | None) -> Decision:
        """Return whether a goal that is believed to hold was also sensed; if not, refuse to call it reached.

        What was sensed too long ago is looked at again.
        """
        senses = self.context.senses
        so = filter(self.state.satisfies, map(self.context.plans.decided, goal.conjuncts))
        every = (
            [fact for fact in sorted(each) if senses is not None and senses.sensed(fact) is not True] for each in so
        )
        unseen = min(every, key=len)
        if not unseen:
            return FinalDecision(Outcome.ALREADY, "That is already so.", (), goal, recalled=recalled)
        facts = " and ".join(map(str, unseen))
        why = f"{facts} may be so, but nobody has sensed it, so it is not known whether there is anything to do"
        how = "Have it looked at first, for instance by opening what hides it."
        names = tuple(dict.fromkeys(name for fact in unseen for name in fact.atom.args))
        feedback = Feedback(Code.NOT_VISIBLE, "the goal", why, how, names)
        refused = FinalDecision(Outcome.REFUSED, str(feedback), (feedback,), goal, recalled=recalled)
        has_faded = senses is not None and any(fact.atom in senses.scene.faded for fact in unseen)
        return (self._looking(feedback, goal, recalled) if has_faded else None) or refused


def _unplanned(refused: NoPlan, goal: CheckedGoal, recalled: Experience | None) -> FinalDecision:
    feedback = refused.feedback
    outcome = Outcome.STOPPED if feedback.code is Code.CANCELLED else Outcome.REFUSED
    return FinalDecision(outcome, str(feedback), (feedback,), goal, recalled=recalled)


def _is_contradiction(rejection: Rejection) -> bool:
    return all(record.code is Code.CONTRADICTION for record in rejection.feedback)


def _only(conjuncts: Sequence[Conjunct]) -> Conjunct:
    if len(conjuncts) != 1:
        raise UsageError(f"the goal has {len(conjuncts)} alternatives; only a conjunction has parts")
    return conjuncts[0]
