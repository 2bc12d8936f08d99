"""`decide_lesson`: what a person has taught is checked and tried, and kept with their consent."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from graftwork.decision.context import DecisionContext
from graftwork.decision.lesson_trial import MOST_SECONDS, SAMPLES, Decide, TrialResult, try_lesson
from graftwork.decision.model import FinalDecision, ProgramDecision
from graftwork.decision.partial_goal import YES, LessonProposal
from graftwork.decision.program import decide_program
from graftwork.decision.taught import Situation, taught_goal
from graftwork.decision.taught_programs import filled, others_for, programs_taught, taught_program, with_slots
from graftwork.memory.instruction import instruction_key
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Consent
from semantics.hints import hint
from semantics.logic.atoms import Atom, dnf
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.lesson import ANY, Lesson, parts_of_program
from semantics.logic.reply import ProgramText
from semantics.logic.state import State
from semantics.plain_text import counted, shortened
from semantics.words.english import GRAMMAR
from semantics.words.names import NameIndex

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn

_ASKING = re.compile(r"(?:please )?(?:tell me )?what (?:did|have|has) (?:you|i|we) (?:learn(?:ed|t)?|taught|teach)\b.*")
_FORGETTING = re.compile(
    r"(?:please )?forget (?:(?:what i(?:'ve| have)? (?:said|told you|taught you)|that)(?: about (?P<about>.+))?"
    r"|(?:the )?(?:lesson )?l?(?P<number>\d+)|(?P<all>everything(?: that)? i(?:'ve| have)? (?:taught|told) you))"
)
_WHY = re.compile(
    r"(?:but )?why (?:(?:did|do|are|were|have) you .*)?(?:(?:like|in) (?:that|this)(?: way)?|that way|this way"
    r"|so (?:slow|fast|quick|careful)\w*|slowly|carefully|so|instead|again|first|last)"
)
"""What is said about lessons; and how it is asked why something was done as it was."""


def decide_lesson(
    lesson: Lesson, words: str, context: DecisionContext, state: State, decide: Decide
) -> FinalDecision | Rejection:
    """Return the question whether a lesson shall be kept, or why it cannot be.

    Args:
        lesson: The lesson.
        words: What the person said.
        context: The services of the decision, with what was said before and with the lessons from before.
        state: The believed state, for what was said in another process.
        decide: Decides about a goal in a state.
    """
    if context.learn is Consent.NEVER or context.memory is None:
        why, how = "nothing is kept of what is taught", "Use a memory, and --learn ask."
        return Rejection((Feedback(Code.DECLINED, shortened(words), why, how),))
    turn = next((turn for turn in reversed(context.turns) if turn.goal is not None or turn.program), None)
    state = turn.begun if turn is not None and turn.begun is not None else state
    if turn is not None and turn.program:  # whoever corrects it does not want it again, also if nothing is kept
        context.memory.distrust(turn.words, context.domain.name)
    if lesson.program:
        return _decide_program(replace(lesson, text=words), turn, context, state)
    believed = Situation(context.vocabulary, state)
    if mistakes := tuple(mistakes_in(lesson, context, believed)):
        return Rejection(mistakes)
    asked = None if turn is None else turn.goal
    if lesson.asked and asked is not None and not _is_about(lesson, asked, believed):
        why = f"it is about what was not asked for last ({asked})."
        how = "Its 'asked' has to be met by facts of that, and 'sorts' and 'given' by what was so."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the lesson", why, how),))
    tried = TrialResult() if asked is None or lesson.phrase else try_lesson(lesson, asked, context, state, decide)
    lesson = replace(lesson, text=words)
    return _proposed(lesson, context, _doubt(tried, context), _success(tried), tuple(sorted(tried.broken)))


def _proposed(
    lesson: Lesson, context: DecisionContext, doubt: str, success: str, replaced: tuple[int, ...]
) -> FinalDecision:
    """Return the question whether a lesson shall be kept in the place of others; that it is, if that needs no asking.

    Args:
        lesson: The lesson.
        context: The services of the decision.
        doubt: What speaks against it, in words.
        success: What speaks for it, in words.
        replaced: The numbers of the lessons whose place it takes.
    """
    told = f"From now on, {lesson.told(context.vocabulary.predicates)}."
    if context.learn is Consent.ALLOW and not doubt:
        return FinalDecision(Outcome.ANSWERED, told, lesson=(lesson, replaced))
    asks = (
        "Shall it take the place of that?"
        if replaced and doubt
        else "Shall I keep it all the same?"
        if doubt
        else "Shall I keep that?"
    )
    reason = Feedback(
        Code.QUESTION, shortened(lesson.text), "what is taught is kept only if you agree", "Say yes or no."
    )
    question = Question(" ".join(filter(None, (told, doubt or success, asks))), (YES, "no"), reason)
    proposal = LessonProposal(lesson, told, question, replaced)
    return FinalDecision(Outcome.QUESTION, question.text, (reason,), question=question, offer=proposal)


def _decide_program(
    lesson: Lesson, turn: Turn | None, context: DecisionContext, state: State
) -> FinalDecision | Rejection:
    """Return the question whether a program shall be kept for the last request, or why it cannot be.

    It is rehearsed on the model from where the request began, and then with other things in its slots.
    """
    if turn is None:
        why, how = "nothing was asked for that it could be for.", "Give the program itself as the reply."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the lesson", why, how),))
    seen = turn.seen or None
    whole = decide_program(context, ProgramText(lesson.program), state, seen)
    if not isinstance(whole, ProgramDecision):
        return Rejection(whole.feedback)
    lesson = with_slots(replace(lesson, program=whole.text), turn.words, NameIndex(context.vocabulary, state=state))
    if not parts_of_program(lesson.program)[1]:
        why, how = "it only defines functions.", "Call them below."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the program of the lesson", why, how),))
    ends, tried, right = time.monotonic() + MOST_SECONDS, 0, 0
    for things in others_for(lesson, context.vocabulary):
        if tried == SAMPLES or time.monotonic() > ends:
            break
        tried += 1
        right += isinstance(
            decide_program(context, ProgramText(filled(lesson.program, things)), state, seen), ProgramDecision
        )
    old = [(number, each) for number, each in context.lessons if each.program and each.phrase == lesson.phrase]
    comes = f"It comes to its end on the model, with other things in {right} of {counted(tried, 'trial')}."
    if not tried:
        comes = "It comes to its end on the model."
    comes += " It takes the place of what you taught me for that before." if old else ""
    return _proposed(lesson, context, "", comes, tuple(number for number, _ in old))


def decide_about_taught(words: str, context: DecisionContext, state: State) -> FinalDecision | None:
    """Return what comes of words about what was taught, or of those for which a program was; None for others.

    Args:
        words: What the person says.
        context: The services of the decision, in a world with what was taught.
        state: The believed state.
    """
    about = about_lessons(words, context)
    if about is not None or not context.world.taught:
        return about
    names = NameIndex.of(context.vocabulary, state, context.positions)
    program = taught_program(words, names, context.world.taught)
    decided = None if program is None else decide_program(context, program, state)
    return decided if isinstance(decided, ProgramDecision) else None


def about_lessons(words: str, context: DecisionContext) -> FinalDecision | None:
    """Return what comes of words about the lessons themselves: what was taught, or that it is to be forgotten.

    Args:
        words: What the person says.
        context: The services of the decision, with the lessons.
    """
    said = " ".join(words.lower().strip(" .!?").split())
    predicates = context.vocabulary.predicates
    told = {number: f"L{number}: {lesson.told(predicates)}" for number, lesson in context.lessons}
    if _ASKING.fullmatch(said):
        return FinalDecision(Outcome.ANSWERED, "; ".join(told.values()) or "You have taught me nothing yet.")
    if _WHY.fullmatch(said.removesuffix("?")) and (numbers := _used_last(context)):
        reasons = "; ".join(told[number] for number in numbers)
        return FinalDecision(Outcome.ANSWERED, f"Because you have taught me {reasons}.")
    match = _FORGETTING.fullmatch(said)
    if match is None:
        return None
    meant = {f"l{number}" for number in told} & {f"l{match['number']}"}
    about = _words_in(match["about"] or "") - GRAMMAR
    numbers = [
        number
        for number, lesson in context.lessons
        if (match["all"] or f"l{number}" in meant or about & _words_in(f"{lesson.text} {told[number]}"))
    ]
    if not numbers and not (about or match["number"] or match["all"]):
        numbers = [number for number, _ in context.lessons[-1:]]  # "forget that"
    if not numbers:
        feedback = Feedback(Code.NOT_UNDERSTOOD, shortened(words), "nothing of that was taught", "Ask what I learned.")
        return FinalDecision.refused(feedback)
    what = "; ".join(told[number] for number in numbers)
    reason = Feedback(
        Code.QUESTION, shortened(words), "what was taught is forgotten only if you agree", "Say yes or no."
    )
    question = Question(f"Shall I forget {what}?", (YES, "no"), reason)
    proposal = LessonProposal(None, f"I have forgotten {what}.", question, tuple(numbers))
    return FinalDecision(Outcome.QUESTION, question.text, (reason,), question=question, offer=proposal)


def _used_last(context: DecisionContext) -> list[int]:
    """Return the numbers of the lessons that the last request was done by."""
    turn = next((turn for turn in reversed(context.turns) if turn.goal is not None or turn.program), None)
    if turn is None or turn.begun is None:
        return []
    if turn.goal is None:
        names = NameIndex(context.vocabulary, state=turn.begun)
        each = ((kept.number, programs_taught([kept])) for kept in context.lessons if kept.lesson.program)
        return [number for number, programs in each if taught_program(turn.words, names, programs) is not None]
    taught = taught_goal(turn.goal, turn.words, context.lessons, context.vocabulary, turn.begun)
    notes = () if isinstance(taught, Rejection) else taught.notes
    return [int(number) for note in notes for number in re.findall(r"\(lesson (\d+)\)", note)]


def _words_in(text: str) -> set[str]:
    return set(instruction_key(re.sub(r"(?<=[a-z])\d+\b", "", text)).split())


def _doubt(tried: TrialResult, context: DecisionContext) -> str:
    """Return what speaks against a lesson, in words; empty if nothing does."""
    if tried.broken:
        predicates = context.vocabulary.predicates
        told = "; ".join(f"lesson {each.number}: {each.lesson.told(predicates)}" for each in tried.broken.values())
        return f"That goes against what you have taught me before ({told})."
    if tried.scenes and not tried.solvable:
        why = f": {tried.why}" if tried.why else "."
        return f"It can be done in {tried.right} of {counted(tried.scenes, 'scene')} that I tried on the model{why}"
    return f"With it, this would be so besides: {tried.aside}." if tried.aside else ""


def _success(tried: TrialResult) -> str:
    return f"It works in {tried.right} of {counted(tried.scenes, 'scene')} on the model." if tried.scenes else ""


def mistakes_in(lesson: Lesson, context: DecisionContext, believed: Situation) -> Iterator[Feedback]:
    """Yield what of a lesson the world does not know."""
    for atom in lesson.atoms:
        if atom.predicate != ANY:
            yield from _wrong_in(atom, context)
    for name, sorts in (*lesson.sorts, *lesson.choose_sorts):
        for words in sorts:
            if not (believed.meant((words,)) or believed.is_noun(words) or words in context.domain.affordances):
                why, how = "no sort of things is called so.", "Use a class, a kind, a name, or words for them."
                yield Feedback(Code.UNKNOWN_NAME, f"'{name} {words}'", why, how, (words,))


def _wrong_in(atom: Atom, context: DecisionContext) -> Iterator[Feedback]:
    predicates, things = context.vocabulary.predicates, context.vocabulary.things
    model, world = predicates.get(atom.predicate), context.vocabulary.world
    if model is None:
        how = hint(atom.predicate, predicates, "predicate", world, "What can be said")
        yield Feedback(Code.UNKNOWN_PREDICATE, str(atom), "there is no such predicate.", how, (atom.predicate,))
        return
    if len(model.parameters) != len(atom.args):
        yield Feedback(Code.WRONG_ARITY, str(atom), f"it takes {counted(len(model.parameters), 'argument')}.")
    for name in atom.args:
        if not name.startswith("?") and name not in things:
            how = hint(name, things, "object", world, "What there is")
            yield Feedback(Code.UNKNOWN_NAME, name, "nothing here has this name.", how, (name,))


def _is_about(lesson: Lesson, asked: Goal, believed: Situation) -> bool:
    facts = [sorted(conjunct) for stage in asked.stages for conjunct in dnf(stage.formula)]
    return any(next(believed.bindings(lesson, each), None) is not None for each in facts)
