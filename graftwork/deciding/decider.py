"""From an instruction to something to do, or the reason why nothing is done.

The stages stand in the order of `Decider.decide`: remember, understand, check, plan. Nothing moves here; every way out
is a value, either `Ready` with a validated plan or `Settled` with an outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domains.model import Domain
from graftwork.acting.plans import Plans
from graftwork.deciding.decided import Ready, Settled
from graftwork.deciding.partly import Offers, has_parts, offer
from graftwork.deciding.substituting import Consent, Proposal, Substitutes, bare
from graftwork.episode import Outcome
from graftwork.language.interpreting import interpret
from graftwork.memory import Experience, Memory
from graftwork.mending.upper.exploring import Exploring
from graftwork.stopwatch import Stopwatch
from planning import Part
from semantics.atoms import Literal
from semantics.checking import check_goal
from semantics.embedding import Embedder
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Question, Rejection
from semantics.protocols import LanguageModel, NoPlan
from semantics.rules import RuleBook
from semantics.state import Plan, State
from semantics.vocabulary import Thing, Vocabulary
from semantics.wording import shortened

__all__ = ["Decider", "Ready", "Settled"]

MISSING = frozenset({Code.WHEREABOUTS_UNKNOWN, Code.NO_PLAN})
"""Refusals that may be for want of a thing that is somewhere."""


@dataclass(slots=True)
class Decider:
    """Everything a decision needs.

    Attributes:
        domain: The world.
        things: What exists in the scene.
        vocabulary: Domain and things joined.
        plans: Asks for plans.
        model: A language model, or None for the offline interpreter.
        memory: What was learned, or None.
        embedder: Suggests names of like meaning for unknown words, or None.
        watch: Takes the time of each stage.
        sensed: What the last sensing of a literal showed, as `Beliefs.sensed`; None without a body, when the scene as
            written is all there is.
        model_tries: How often the model is asked about one instruction, at most.
        consent: Whether something else may be used instead of what is missing.
        part: Whether only a part of a goal may be gone for.
        looks: Returns who knows where to look for what is missing; None where nobody goes and looks.
        asked_model: How often the model was asked so far.
        tokens: What those cost.
    """

    domain: Domain
    things: Mapping[str, Thing]
    vocabulary: Vocabulary
    plans: Plans
    model: LanguageModel | None = None
    memory: Memory | None = None
    embedder: Embedder | None = None
    watch: Stopwatch = field(default_factory=Stopwatch)
    sensed: Callable[[Literal], bool | None] | None = None
    model_tries: int = 5
    consent: Consent = Consent.NEVER
    part: Consent = Consent.NEVER
    looks: Callable[[], Exploring] | None = None
    asked_model: int = 0
    tokens: int = 0
    rules: RuleBook = field(init=False)
    substitutes: Substitutes = field(init=False)
    _offered: dict[str, Proposal] = field(default_factory=dict, init=False)
    _parts: Offers = field(default_factory=Offers, init=False)

    def __post_init__(self) -> None:
        self.rules = RuleBook(self.domain.rules)
        self.substitutes = Substitutes(self.domain, self.things, self.vocabulary, self.model, self.embedder)

    def decide(self, instruction: str, state: State, answers: Sequence[tuple[Question, str]] = ()) -> Ready | Settled:
        """Turn an instruction into a plan from `state`, or say why not.

        Args:
            instruction: What was said.
            state: What is believed.
            answers: Questions asked before about this instruction, each with the person's answer.
        """
        partly, answers = self._parts.answered(answers), self._parts.without(answers)
        if isinstance(partly, Rejection):
            return Settled(Outcome.REFUSED, str(partly), partly.feedback)
        if partly is not None:
            return Ready(partly.goal, partly.part.plan, state, partly=partly)
        recalled = self._recall(instruction, state)
        remembered = self._remembered(recalled, state)
        understood = remembered or self._understand(instruction, state, answers)
        if isinstance(understood, Settled):
            return understood
        if isinstance(understood, Proposal):
            decided = self.plan(understood.goal, state)
            return replace(decided, instead=understood) if isinstance(decided, Ready) else decided
        return self.plan(understood, state, recalled if remembered else None)

    def plan(self, goal: CheckedGoal, state: State, recalled: Experience | None = None) -> Ready | Settled:
        """Plan for a checked goal; a remembered plan is used again if it is still valid."""
        if goal.already:
            return self._already(goal, state, recalled)
        with self.watch.stage("plan"):
            again = self._again(recalled, goal, state)
            found = again or self.plans.found(goal, state)
        if isinstance(found, NoPlan):
            looking = self._looking(found, goal, state, recalled)
            return looking or self._without(found, goal, state) or _refused(found, goal, recalled)
        return Ready(goal, found, state, recalled, reused=again is not None)

    def _looking(self, refused: NoPlan, goal: CheckedGoal, state: State, recalled: Experience | None) -> Ready | None:
        """Go and look for what is missing, where there is a place to look at; None where that is of no use."""
        if self.looks is None or refused.feedback.code not in MISSING:
            return None
        with self.watch.stage("plan"):
            looking = self.looks().next(goal, state, refused.feedback)
        if isinstance(looking, NoPlan):
            return None
        return Ready(goal, Plan((), goal.conjuncts[0]), state, recalled, looks_for=looking.thing)

    def _without(self, refused: NoPlan, goal: CheckedGoal, state: State) -> Ready | Settled | None:
        """Offer a part of a goal that cannot be had as a whole, or take it if that is allowed; None without one."""
        if self.part is Consent.NEVER or not has_parts(goal, refused):
            return None
        with self.watch.stage("part"):
            (conjunct,) = goal.conjuncts
            part = self.plans.part(conjunct, state)
        found = offer(goal, part, state, self.vocabulary.predicates) if isinstance(part, Part) else None
        if found is None or self.part is Consent.ALLOW:
            return Ready(found.goal, found.part.plan, state, partly=found) if found else None
        question = self._parts.ask(found)
        return Settled(Outcome.QUESTION, question.text, (refused.feedback,), goal, question=question)

    def _already(self, goal: CheckedGoal, state: State, recalled: Experience | None) -> Settled:
        """Judge a goal that is believed to hold on its last sensing; what nobody has sensed is not called so."""
        unseen = min(
            (
                [fact for fact in sorted(conjunct) if self.sensed is not None and self.sensed(fact) is not True]
                for conjunct in goal.conjuncts
                if state.satisfies(conjunct)
            ),
            key=len,
        )
        if not unseen:
            return Settled(Outcome.ALREADY, "That is already so.", (), goal, recalled=recalled)
        facts = " and ".join(map(str, unseen))
        why = f"{facts} may be so, but nobody has sensed it, so it is not known whether there is anything to do"
        how = "Have it looked at first, for instance by opening what hides it."
        names = tuple(dict.fromkeys(name for fact in unseen for name in fact.atom.args))
        feedback = Feedback(Code.NOT_VISIBLE, "the goal", why, how, names)
        return Settled(Outcome.REFUSED, str(feedback), (feedback,), goal, recalled=recalled)

    def check(self, goal: Goal, state: State, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        """Check names, types and the conditions of the domain; with other things to be named, if any are given."""
        with self.watch.stage("check"):
            known = self.plans.exclusions()
            return check_goal(goal, vocabulary or self.vocabulary, rules=self.rules, state=state, exclusions=known)

    @property
    def model_calls(self) -> int:
        """Requests made to the model so far; its own count, when it keeps one, has the failed ones too."""
        return int(getattr(self.model, "calls", self.asked_model))

    def _recall(self, instruction: str, state: State) -> Experience | None:
        if self.memory is None:
            return None
        with self.watch.stage("recall"):
            return self.memory.recall(instruction, self.vocabulary, self.domain, state)

    def _remembered(self, recalled: Experience | None, state: State) -> CheckedGoal | None:
        """Check a remembered goal as if it were new; one that no longer passes is not used."""
        if recalled is None:
            return None
        checked = self.check(recalled.goal, state)
        return checked if isinstance(checked, CheckedGoal) else None

    def _understand(
        self, instruction: str, state: State, answers: Sequence[tuple[Question, str]]
    ) -> CheckedGoal | Proposal | Settled:
        answer = self._agreed(state, answers) or self._proposed(instruction, state, answers)
        match answer:
            case CheckedGoal() | Proposal():
                return answer
            case Question() as question:
                feedback = question.feedback or Feedback(Code.QUESTION, shortened(instruction), question.text)
                return Settled(Outcome.QUESTION, question.text, (feedback,), question=question)
            case Rejection() as rejection:
                return Settled(Outcome.REFUSED, str(rejection), rejection.feedback)

    def _proposed(
        self, instruction: str, state: State, answers: Sequence[tuple[Question, str]]
    ) -> CheckedGoal | Proposal | Question | Rejection:
        """Read an instruction; what names something that is not there becomes a proposal, if that is allowed."""
        answers = [(asked, bare(said) if asked.text in self._offered else said) for asked, said in answers]
        answer = self._read(instruction, state, answers)
        if isinstance(answer, CheckedGoal) or self.consent is Consent.NEVER:
            return answer
        return self._instead(instruction, answer, state, answers)

    def _read(
        self,
        instruction: str,
        state: State,
        answers: Sequence[tuple[Question, str]],
        vocabulary: Vocabulary | None = None,
    ) -> CheckedGoal | Question | Rejection:
        """Read an instruction, with other things to be named if a vocabulary is given."""
        named = vocabulary or self.vocabulary
        with self.watch.stage("interpret"):
            reading = interpret(
                instruction,
                named,
                state,
                model=self.model,
                check=lambda goal: self.check(goal, state, named),
                answers=answers,
                embedder=self.embedder,
                tries=self.model_tries,
            )
        self.asked_model += reading.model_calls
        self.tokens += reading.tokens
        return reading.answer

    def _agreed(self, state: State, answers: Sequence[tuple[Question, str]]) -> Proposal | Rejection | None:
        """Return what the person answered to a proposal of something else; None when it was neither yes nor no."""
        for question, said in reversed(answers):
            offer = self._offered.get(question.text)
            answer = offer.answered(said) if offer else False
            if isinstance(answer, Rejection):
                return answer
            checked = self.check(offer.goal.goal, state) if offer and answer else None
            if offer and isinstance(checked, CheckedGoal):
                return replace(offer, goal=checked)
        return None

    def _instead(
        self,
        instruction: str,
        answer: Question | Rejection,
        state: State,
        answers: Sequence[tuple[Question, str]],
    ) -> Proposal | Question | Rejection:
        """Propose something else, when all that is wrong is that something is not there."""
        missing = self.substitutes.absence(answer)
        if missing is None:
            return answer
        with self.watch.stage("substitute"):
            found = self.substitutes.proposal(
                missing,
                lambda vocabulary: self._read(instruction, state, answers, vocabulary),
                lambda goal: self.check(goal, state),
            )
        if found is None or self.consent is Consent.ALLOW:
            return found or answer
        self._offered[found.question.text] = found
        return found.question

    def _again(self, recalled: Experience | None, goal: CheckedGoal, state: State) -> Plan | None:
        if recalled is None or not recalled.as_before:
            return None
        return self.plans.remembered(recalled.actions, goal, state, optimal=recalled.optimal)


def _refused(found: NoPlan, goal: CheckedGoal, recalled: Experience | None) -> Settled:
    outcome = Outcome.STOPPED if found.feedback.code is Code.CANCELLED else Outcome.REFUSED
    return Settled(outcome, str(found.feedback), (found.feedback,), goal, recalled=recalled)
