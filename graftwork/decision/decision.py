"""`decide`: from a request to a plan, or to the reason why nothing is done.

This is the only path from an instruction to a decision: a session, the command ``plan`` and the cases all use it. The
stages run in the order of `_Inquiry.decision`: recall, interpret, check, plan. Nothing moves here. Of goals that are to
be reached one after the other, each is planned for from the state that the plan before it leads to, so that an order
that cannot be kept is refused before anything moves.

The result is always a value: a `PlanDecision` with a validated plan, or a `FinalDecision` with an outcome. A decision
may take as long as planning, so a run makes it on a separate thread and cancels it through `cancelled`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.decision.goal_plan import GoalPlanning, best_part, finish_plan, offers_for, whole_goal
from graftwork.decision.large_goal import Narrowed, is_too_large, narrowed
from graftwork.decision.model import Decision, FinalDecision, PersonAnswer, PlanDecision, ProgramDecision, words_of
from graftwork.decision.newcomers import with_newcomers
from graftwork.decision.partial_goal import GoalProposal, LessonProposal, Offer, ProgramProposal
from graftwork.decision.substitute import SubstituteProposal, bare
from graftwork.decision.treatment import Treatment, stated_treatment
from graftwork.decision.unknown import decide_with_unknown
from graftwork.language import dialogue
from graftwork.language.dialogue import Judge, Judged, RequestInWords
from graftwork.record.episode import Outcome, Stopwatch
from graftwork.setup.limits import Consent
from semantics.body.exchange import ModelUse
from semantics.body.protocols import NoPlan
from semantics.errors import UnusableReplyError
from semantics.logic.attribute_goals import settled
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.reply import Answer, Content, PlanText, ProgramText, Query, Refusal, Tool, ToolName
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import shortened

if TYPE_CHECKING:
    from graftwork.decision.model import Wanted
    from graftwork.memory import Experience, Memory

T = TypeVar("T")
ABOUT_LESSONS = re.compile(r"\W*(?:please )?(?:forget|what|tell me what|(?:but )?why)\b", re.IGNORECASE)
MOST_REASONS = 20  # how many of a model's mistakes are told
Understood = Decision | Question | Rejection


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
    wanted = context.in_own_words(wanted)
    words = words_of(wanted)
    watch, use = watch or Stopwatch(), use or ModelUse()
    context = replace(context, use=use, called_off=cancelled)
    known, environment = context.world, context.environment
    if answers:
        from graftwork.decision.answered import counted_answers, with_answer_read  # seldom is anything asked

        answers = counted_answers(answers)

    def decide_anew(words: str) -> Decision:
        return _Inquiry(context, words, state, (), (), watch, use, cancelled).decision()

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
            decide_now = partial(decided, context, tuple(answers))
            return with_answer_read(decide_now, answers, decide_anew) if answers and not context.model else decide_now()
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
        notes: What there is to tell of the reading.
        program: The last program of a model.
        tools: The tools that a model has used.
        suggested: What these have suggested instead of something else, if that needs no consent.
        reconsidered: The refusals of a model to which there was an objection.
        said: The goal as it was understood, if a lesson has changed it.
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
    notes: list[str] = field(default_factory=list)
    program: ProgramText | None = None
    tools: list[Tool] = field(default_factory=list)
    suggested: set[str] = field(default_factory=set)
    reconsidered: list[Rejection] = field(default_factory=list)
    said: Goal | None = None

    def decision(self) -> Decision:
        answer = self._answer()
        if isinstance(answer, Question | Rejection):
            goal = self.wanted if isinstance(self.wanted, Goal) else None
            answer = self._instead(answer) or (
                self._asked(answer)
                if isinstance(answer, Question)
                else FinalDecision(Outcome.REFUSED, str(answer), answer.feedback, goal)
            )
        if not self.notes:
            return answer
        from graftwork.decision.answered import with_notes

        return with_notes(answer, self.notes)

    def _answer(self) -> Decision | Question | Rejection:
        """Return what comes of the request, from the cheapest source first: a consent, the memory, the words."""
        if self.answers and (taken := self._part_taken()) is not None:
            return taken
        if not self.meant and self.context.memory is not None and (taught := self._from_lessons()) is not None:
            return taught
        recalled = None if self.context.memory is None else self._recalled(self.context.memory)
        if recalled is not None and (remembered := self._remembered(recalled)) is not None:
            return remembered
        if self.meant and (agreed := self._agreed()) is not None:
            return agreed
        if not isinstance(self.wanted, str):
            return self._judge(self.wanted).answer
        return self._read(self.wanted, self.context.world, self._judge, self._revise, self._confirm)

    def _from_lessons(self) -> Decision | None:
        """Return what comes of words about the lessons, or of those for which a program was taught."""
        if not isinstance(self.wanted, str) or not (self.context.world.taught or ABOUT_LESSONS.match(self.wanted)):
            return None
        from graftwork.decision.teaching import decide_about_taught  # most robots are taught nothing

        return decide_about_taught(self.wanted, self.context, self.state)

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        """Measure the time of a stage, unless the decision is cancelled."""
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
        decided = PlanDecision(offered.goal, offered.part.plan, self.state, partly=offered)
        return finish_plan(decided, self.context, self.state) if answer else None

    def _recalled(self, memory: Memory) -> Experience | None:
        if not isinstance(self.wanted, str) or not self.context.means_alone(self.wanted):
            return None
        words, here = self.wanted, self.context
        with self._stage("recall"):
            known = memory.recall(words, here.vocabulary, here.domain, self.state)
            if known is not None or here.model is None:  # without a model, the grammar reads it anyway
                return known
            read = partial(dialogue.read_words, words, here.vocabulary, here.described(self.state, words))
            return memory.recall_alike(words, here.vocabulary, here.domain, read)

    def _remembered(self, recalled: Experience) -> Decision | None:
        """Return the decision to do what worked for these words before; None if it cannot be done so now."""
        if recalled.goal is None:
            from graftwork.decision.program import decide_program  # see `_judge_steps`

            decided = decide_program(self.context, ProgramText(recalled.program), self.state)
            return replace(decided, recalled=recalled) if isinstance(decided, ProgramDecision) else None
        goal = self._taught(recalled.goal)
        known = recalled if self.said is None else replace(recalled, as_before=False)
        return self._plan(goal, known) if isinstance(goal, CheckedGoal) else None

    def _judge(self, content: Content | Rejection) -> Judged[Understood]:
        """Return what comes of a reply; a mistake, or a goal without a plan, is an objection to it."""
        match content:
            case Tool(name=ToolName.ASK, argument=text):
                return Judged(Question(text))
            case Tool():
                return self._use(content)
            case Question() | Rejection():
                return self._reconsider(content)
        answer = self._decide_on(content)
        if isinstance(answer, Rejection) and self.context.model is not None:  # whose goal may name thousands of things
            return Judged(Rejection(answer.feedback[:MOST_REASONS]), answer.feedback)
        if isinstance(answer, Rejection) or (isinstance(answer, FinalDecision) and answer.outcome is Outcome.REFUSED):
            return Judged(answer, answer.feedback, offers=offers_for(answer.feedback, self.context, self.state))
        return Judged(answer)

    def _decide_on(self, content: Content) -> Decision | Rejection:
        match content:
            case Goal(weights=()):
                checked = self._taught(content)
                return checked if isinstance(checked, Rejection) else self._plan(checked)
            case Goal():
                whole = whole_goal(content)
                return best_part(self.context, content, whole, self._check(whole), self.state, self._stage)
            case ProgramText() | PlanText():
                return self._judge_steps(content)
            case Query():
                return self._answered(content)
            case Answer(text=text):
                return FinalDecision(Outcome.ANSWERED, f"{'The model says: ' * (self.context.model is not None)}{text}")
            case Refusal(why=why):
                return Rejection((Feedback(Code.NOT_UNDERSTOOD, words_of(self.wanted), why, recoverable=False),))
        from graftwork.decision.teaching import decide_lesson  # few sentences teach anything
        from semantics.logic.lesson import Lesson

        if isinstance(content, Lesson):
            return decide_lesson(content, words_of(self.wanted), self.context, self.state, decide)
        from semantics.logic.reply_form import kind_of  # to say what cannot be judged

        why = "nothing is under way that it could be about."
        return Rejection((Feedback(Code.UNREADABLE, f"the reply '{kind_of(content)}'", why),))

    def _judge_steps(self, content: ProgramText | PlanText) -> Decision:
        """Return the decision about a program or a plan; functions that a model adds come before its last program."""
        if isinstance(content, PlanText):
            from graftwork.decision.plan_text import decide_plan  # what mends plans, for plans only

            return finish_plan(decide_plan(self.context, content, self.state), self.context, self.state)
        from graftwork.decision.program import decide_program, join_programs  # the compiler, for programs only

        if not isinstance(self.wanted, str):
            return decide_program(self.context, content)
        self.program = content if self.program is None else join_programs(self.program, content)
        return decide_program(self.context, self.program, self.state)

    def _answered(self, query: Query) -> Decision | Rejection:
        from graftwork.decision.query import answer_query  # for queries only

        with self._stage("answer"):
            last = (self.context.doings or (None,))[-1]
            told = answer_query(query, self.context, self.state, last, words_of(self.wanted))
        if isinstance(told, Rejection):
            return told
        return FinalDecision(Outcome.ANSWERED, told.text, answer=told.as_dict())

    def _use(self, tool: Tool) -> Judged[Understood]:
        """Return what a tool tells a model."""
        from graftwork.decision.tools import use_tool  # a model that needs none gets none

        told = use_tool(tool, self.tools, self.context, self.state)
        if isinstance(told, Rejection):
            return Judged(told, told.feedback)
        self.notes.append(f"The model used the tool '{tool.name}' for '{tool.argument}': {shortened(told, 200)}")
        if tool.name is ToolName.SUBSTITUTE and self.context.consent is Consent.ALLOW:
            self.suggested |= {*re.findall(r"[\w-]+", told)}
        return Judged(Rejection(()), told=told)

    def _reconsider(self, answer: Question | Rejection) -> Judged[Understood]:
        """Object once to a refusal for want of something that is known here, or that is looked for."""
        if not (isinstance(answer, Rejection) and self.context.model) or answer in self.reconsidered:
            return Judged(answer)
        from graftwork.decision.tools import known_after_all  # see `_use`

        self.reconsidered.append(answer)
        return Judged(answer, known_after_all(answer.feedback[0].culprits, self.context.world.objects))

    def _taught(self, goal: Goal) -> CheckedGoal | Rejection:
        """Check the goal of words with what was taught about it; what is said now wins over a lesson."""
        if not (self.context.lessons and isinstance(self.wanted, str)):
            return self._check(goal)
        from graftwork.decision.taught import taught_goal  # see `GoalPlanning.plan`

        taught = taught_goal(goal, self.wanted, self.context.lessons, self.context.vocabulary, self.state)
        checked = taught if isinstance(taught, Rejection) else self._check(taught)
        if taught is goal or isinstance(taught, Rejection):
            return checked
        if isinstance(checked, Rejection) and isinstance(plain := self._check(goal), CheckedGoal):
            self.notes.append(f"What you have taught me is left out here: {checked}")
            return plain
        self.said = goal
        return checked

    def _check(self, goal: Goal, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        """Check a goal and those that come after it; `vocabulary` replaces the own one."""
        with self._stage("check"):
            self.state = self.context.knowing(self.state, goal)
            checked = self.context.check(goal, self.state, vocabulary)
            for later in goal.later if isinstance(checked, CheckedGoal) else ():
                refused = self.context.check(later, self.state, vocabulary)
                if isinstance(refused, Rejection) and not is_too_large(later, refused):
                    return refused
        if vocabulary is None and isinstance(checked, Rejection):
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

    def _agreed(self) -> Decision | Rejection | None:
        """Return the decision for an accepted proposal, or that it is declined; None if it is neither."""
        for answer in reversed(self.meant):
            proposal = None if isinstance(answer.offer, Treatment) else answer.offer
            agreed = proposal.answered(answer.words) if proposal else False
            if isinstance(agreed, Rejection):
                return agreed
            if not proposal or not agreed:
                continue
            if isinstance(proposal, ProgramProposal):
                return self._judge_steps(proposal.program)
            if isinstance(proposal, LessonProposal):
                return FinalDecision(Outcome.ANSWERED, proposal.told, lesson=(proposal.lesson, proposal.replaces))
            checked = self._check(proposal.goal.goal)
            if isinstance(checked, CheckedGoal):
                is_shown = isinstance(proposal, GoalProposal)  # the question about a substitute names no more than it
                return self._in_place_of(replace(proposal, goal=checked), is_shown=is_shown)
        return None

    def _in_place_of(self, proposal: SubstituteProposal | GoalProposal, *, is_shown: bool = False) -> Decision:
        """Plan for what is done instead of what was asked for, a goal that the person `is_shown` or has not seen."""
        decided = self._plan(proposal.goal)
        if not isinstance(decided, PlanDecision):
            return decided
        self.suggested |= {*proposal.suggestion.names} if isinstance(proposal, SubstituteProposal) else set()
        decided = replace(decided, instead=proposal)
        return decided if is_shown else self._confirmed(decided)

    def _read(
        self,
        words: str,
        world: World,
        judge: Judge[T],
        revise: Callable[[T, str], T] = lambda answer, _: answer,
        confirm: Callable[[T], T] = lambda answer: answer,
    ) -> T:
        """Return what `judge` makes of the reply to a request in words."""
        answers = tuple(
            (answer.question, bare(answer.words) if isinstance(answer.offer, SubstituteProposal) else answer.words)
            for answer in self.meant
        )
        senses = self.context.senses
        is_told = senses is not None and self.context.model is not None  # a model is told what is seen
        believed, viewer = (senses.scene, senses.viewer) if senses is not None and is_told else (None, "")
        asked = RequestInWords(words, answers, tries=self.context.model_tries, believed=believed, viewer=viewer)
        asked = replace(asked, kinds=(*asked.kinds, "lesson")) if self.context.may_be_taught else asked
        with self._stage("interpret"):
            return dialogue.read(
                replace(asked, turns=self.context.turns, positions=self.context.positions),
                world,
                self.context.described(self.state, words),
                self.context.model,
                judge,
                revise=revise,
                confirm=confirm,
                embedder=self.context.embedder,
                use=self.use,
                called_off=self.cancelled,
                notes=self.notes,
            )

    def _confirm(self, answer: Understood) -> Understood:
        return answer if isinstance(answer, Question | Rejection) else self._confirmed(answer)

    def _confirmed(self, decided: Decision) -> Decision:
        """Ask about what a model's reply names and nobody has spoken of, but for substitutes that need no consent."""
        if not isinstance(self.wanted, str) or self.context.model is None:
            return decided
        from graftwork.decision.founded import consent_to_decision  # for what a model says
        from graftwork.language.conversation import things_recalled

        said = (*(answer.words for answer in self.meant), *(() if self.said is None else self.context.taught_words))
        known = self.suggested | things_recalled(self.wanted, self.context.turns)
        needed = consent_to_decision(decided, self.wanted, self.context, self.state, said=said, known=known)
        if isinstance(needed, Rejection):
            return FinalDecision(Outcome.REFUSED, str(needed), needed.feedback, decided.goal)
        return decided if needed is None else self._asked(needed.question, needed)

    def _asked(
        self, question: Question, proposal: SubstituteProposal | GoalProposal | ProgramProposal | None = None
    ) -> FinalDecision:
        """Return the decision that a person is asked first, such as to agree to a proposal."""
        feedback = question.feedback or Feedback(Code.QUESTION, shortened(words_of(self.wanted)), question.text)
        goal = proposal.goal if isinstance(proposal, GoalProposal) else None
        return FinalDecision(Outcome.QUESTION, question.text, (feedback,), goal, question, proposal)

    def _revise(self, answer: Understood, words: str) -> Understood:
        """Return the grammar's answer without proposals that would be refused if a person said them."""
        if not isinstance(answer, Question | Rejection):
            return answer
        from graftwork.language.proposals import without_refused  # nothing is proposed of a goal

        state = self.context.described(self.state, words)

        def read(words: str) -> object:
            here = self.context
            goal = dialogue.read_words(words, here.vocabulary, state, here.embedder, here.turns, here.positions)
            return self._check(goal) if isinstance(goal, Goal) else goal

        return without_refused(answer, words, read)

    def _instead(self, read: Question | Rejection) -> Decision | None:
        """Use or offer a substitute, or do without, if missing objects are the only problem."""
        substitutes = self.context.substitutes
        if self.context.consent is Consent.NEVER or not (missing := substitutes.absences(read)):
            return None
        with self._stage("substitute"):
            world = substitutes.with_absent(*missing)
            goal = self._named(world)
            proposal = None if goal is None else substitutes.instead_of(missing, goal, world, self._check)
        if proposal is None:
            return None
        is_allowed = self.context.consent is Consent.ALLOW
        return self._in_place_of(proposal) if is_allowed else self._asked(proposal.question, proposal)

    def _named(self, world: World) -> Goal | None:
        """Return the goal of the request in another world; None if it has none."""
        if not isinstance(self.wanted, str):
            return self.wanted if isinstance(self.wanted, Goal) else None

        def judge(content: Content | Rejection) -> Judged[Goal | None]:
            if not isinstance(content, Goal):
                return Judged(None)
            checked = self._check(content, world.vocabulary)
            return Judged(None, checked.feedback) if isinstance(checked, Rejection) else Judged(checked.goal)

        return self._read(self.wanted, world, judge)

    def _plan(self, goal: CheckedGoal, recalled: Experience | None = None) -> Decision:
        """Plan for a checked goal and those that come after it."""

        def decide_later(context: DecisionContext, goal: Goal, state: State) -> Decision:
            return _Inquiry(context, goal, state, (), (), self.watch, self.use, self.cancelled).decision()

        decided = GoalPlanning(self.context, self.state, self._stage, decide_later, self.narrowed).plan(goal, recalled)
        return replace(decided, said=self.said) if isinstance(decided, PlanDecision) and self.said else decided
