"""`read`: what is said, by a person or a language model, becomes a reply, and the caller judges it.

The grammar reads a person's words once. A language model is asked until its reply stands before the judge: each
objection, such as a name that is unknown or a goal without a plan, goes back to it with all its reasons. So words that
try to manipulate a model can do no more than choose another reply that the judge accepts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from domains.world import World
from graftwork.language.formal_goal import ground_goal
from graftwork.language.models import Fallback
from semantics.body.exchange import INSTEAD, Exchange, ModelUse, Told, Unusable, server_of
from semantics.body.protocols import LanguageModel, Message
from semantics.errors import ModelError, UnusableReplyError, UsageError
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.reply import Content, Refusal, Reply
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import shortened
from semantics.words.embedding import Embedder
from semantics.words.names import NameIndex
from semantics.words.positions import Positions

logger = logging.getLogger("graftwork")

if TYPE_CHECKING:
    from affordances.scene import Scene
    from graftwork.language.conversation import Turn

T = TypeVar("T")
KINDS = ("goal", "program", "plan", "query", "question", "answer", "refusal", "tool")
"""The kinds of reply that answer a request when nothing is under way."""


@dataclass(frozen=True, slots=True)
class RequestInWords:
    """What is asked, with all that was said about it."""

    words: str  # the words of the person
    answers: tuple[tuple[Question, str], ...] = ()  # earlier questions about them, each with the person's answer
    situation: str = ""  # what happened so far, if it was tried before
    kinds: tuple[str, ...] = KINDS  # the kinds of reply that are allowed
    tries: int = 5  # the most requests to a model
    believed: Scene | None = None  # the beliefs behind the state, for sources, ages and positions; None without a body
    viewer: str = ""  # as whom left and right are meant; empty if it is not known
    turns: tuple[Turn, ...] = ()  # what was said before in the same conversation, oldest first
    positions: Positions | None = None  # where things are, for the grammar; None if that is not known


@dataclass(frozen=True, slots=True)
class Judged(Generic[T]):
    """What comes of a reply."""

    answer: T  # what comes of it if no better one follows
    objections: tuple[Feedback, ...] = ()  # why another reply is asked for; empty if this one is accepted
    told: str = ""  # what a model is told that has chosen a tool, so that it goes on
    offers: tuple[str, ...] = ()  # what there is instead of what was objected to


Judge: TypeAlias = "Callable[[Content | Rejection], Judged[T]]"


def read(
    request: RequestInWords,
    world: World,
    state: State,
    reader: LanguageModel | None,
    judge: Judge[T],
    *,
    revise: Callable[[T, str], T] = lambda answer, _: answer,
    confirm: Callable[[T], T] = lambda answer: answer,
    embedder: Embedder | None = None,
    use: ModelUse | None = None,
    called_off: Callable[[], object] = lambda: False,
    notes: list[str] | None = None,
) -> T:
    """Return what `judge` makes of the reply to a request.

    Args:
        request: What is asked.
        world: The world, with the names that a reply may use.
        state: The believed state.
        reader: A language model; None for the grammar.
        judge: Accepts a reply, or objects to it.
        revise: Called with what comes of the grammar's reading, and with the words.
        confirm: Called with what comes of a model's reply.
        embedder: Suggests names with a similar meaning to the grammar, or None.
        use: Counts the requests to the model.
        called_off: Returns whether no reply is needed any more; then a request to a model is abandoned.
        notes: Gets what there is to tell of the reading.

    Raises:
        UsageError: The request allows no request to a model.
        OutsideError: The model cannot be reached, or none of its replies can be read (`UnusableReplyError`).
    """
    *others, last = reader.models if isinstance(reader, Fallback) else (reader,)

    def read_by(reader: LanguageModel | None) -> T:
        if reader is not None:
            return confirm(_ask(request, world, state, reader, judge, use or ModelUse(), called_off))
        words = said_in(request) if request.answers else request.words
        if isinstance(words, Rejection):
            return judge(words).answer
        read = partial(
            read_words,
            vocabulary=world.vocabulary,
            state=state,
            embedder=embedder,
            turns=request.turns,
            positions=request.positions,
        )
        taught = _lesson_in(words, request.turns, world.vocabulary, state, read) if "lesson" in request.kinds else None
        return revise(judge(taught or read(words)).answer, words)

    for each in others:
        try:
            return read_by(each)
        except ModelError as error:
            if called_off():
                raise
            name = "" if each is None else each.name
            note = f"{name} gave no usable answer ({error.what}), so the next one read the sentence anew."
            logger.warning(note)
            if notes is not None:
                notes.append(note)
    return read_by(last)


def _lesson_in(
    words: str, turns: Sequence[Turn], vocabulary: Vocabulary, state: State, read: Callable[[str], object]
) -> Content | None:
    """Return what words teach for the next time; None if they teach nothing."""
    from graftwork.language.offline.lessons import read_lesson  # few sentences come after another one

    turn = next((turn for turn in reversed(turns) if turn.goal is not None or turn.program), None)
    return None if turn is None else read_lesson(words, turn, vocabulary, state, read)


def read_words(
    words: str,
    vocabulary: Vocabulary,
    state: State,
    embedder: Embedder | None = None,
    turns: Sequence[Turn] = (),
    positions: Positions | None = None,
) -> Content | Rejection:
    """Read words by grammar; `turns` are what was said before, oldest first."""
    from graftwork.language.offline import interpret  # a session with a model needs no grammar

    reader = partial(interpret, vocabulary=vocabulary, state=state, embedder=embedder, turns=turns, positions=positions)
    content = reader(words)
    if not vocabulary.programs:
        return content
    from graftwork.language.offline.said_programs import program_in  # few worlds have phrases for programs

    if isinstance(content, Goal) and (_is_measured(content) or (turns and _looks_back(words))):
        return content
    program = program_in(words, NameIndex.of(vocabulary, state, positions), reader)
    return content if program is None else program


def _looks_back(words: str) -> bool:
    """Return whether words hang on what was said before: "put it back", which a phrase takes for where it stands."""
    from graftwork.language.conversation import stands_alone

    return not stands_alone(words)


def _is_measured(goal: Goal) -> bool:
    """Return whether a goal says amounts, speeds or times; one that wants a fact and its contrary was misread."""
    facts = [{(fact.atom, fact.positive) for fact in literals(stage.formula)} for stage in goal.stages]
    is_possible = not any((atom, not positive) in stage for stage in facts for atom, positive in stage)
    is_more = not {"another", "more"}.isdisjoint(goal.text.lower().split())  # "10 ml and then another 5"
    return is_possible and not is_more and any(stage.values for stage in goal.stages)


def said_in(request: RequestInWords) -> str | Rejection:
    """Return the words of a request with the answers in the place of what was in doubt; a rejection for a no."""
    from graftwork.language.answers import with_answer  # most requests raise no question

    words = request.words
    for question, answer in request.answers:
        answered = with_answer(words, question, answer)
        if isinstance(answered, Rejection):
            return answered
        words = answered
    return words


@dataclass(slots=True)
class _Hearing(Generic[T]):
    """Hears the replies of a model."""

    request: RequestInWords
    world: World
    judge: Judge[T]
    refused: list[T] = field(default_factory=list)  # what comes of the replies to which there were objections, in order
    offers: tuple[str, ...] = ()  # what there is instead of what the last objection was about

    def take(self, text: str) -> Judged[T] | Unusable | Told:
        """Return what comes of a reply, why it cannot be used, or what a tool tells."""
        from graftwork.language.replies import read_reply

        self.offers = ()
        reply = read_reply(text, self.request.kinds)
        if isinstance(reply, Unusable):
            return reply
        try:
            said = _said_by_model(reply, self.request.words, self.world)
        except UsageError as error:
            return Unusable((Feedback(Code.UNREADABLE, "the goal", f"{error}."),))
        judged = self.judge(said)
        if judged.told:
            return Told(judged.told)
        if not judged.objections:
            return judged
        self.refused.append(judged.answer)
        self.offers = judged.offers
        return Unusable(judged.objections)


def _ask(
    request: RequestInWords,
    world: World,
    state: State,
    model: LanguageModel,
    judge: Judge[T],
    use: ModelUse,
    called_off: Callable[[], object],
) -> T:
    """Ask a model until the judge accepts its reply, at most so many times as the request allows."""
    from graftwork.language import prompts
    from semantics.logic.reply_form import reply_schema

    if request.tries < 1:
        raise UsageError(f"a model has to be asked at least once, not {request.tries} times")
    exchange = Exchange(model, _opening(request, world, state), reply_schema(request.kinds), use, called_off)
    hearing = _Hearing(request, world, judge)

    def correction(unusable: Unusable) -> str:
        return prompts.correction(unusable.feedback, hearing.offers)

    judged = exchange.ask(hearing.take, correction, request.tries)
    if judged is not None:
        return judged.answer
    if hearing.refused:
        return hearing.refused[-1]
    wrong = exchange.unusable
    if all(unusable.nonsense for unusable in wrong):
        last = wrong[-1].feedback[0].what
        what = f"{len(wrong)} answers and none can be read, the last one was {last!r}"
        raise UnusableReplyError(server_of(model), what, INSTEAD)
    return judge(Rejection(wrong[-1].feedback[: prompts.MOST_ERRORS])).answer


def _opening(request: RequestInWords, world: World, state: State) -> list[Message]:
    from graftwork.language.prompts import PromptRequest, opening_messages

    answers = tuple((question.text, words) for question, words in request.answers)
    told: tuple[tuple[str, str], ...] = ()
    if request.turns:
        from graftwork.language.conversation import exchanges_in

        told = exchanges_in(request.turns)
    asked = PromptRequest(request.words, world, state, request.believed, request.viewer, answers, told)
    return opening_messages(replace(asked, situation=request.situation), request.kinds)


def _said_by_model(reply: Reply, words: str, world: World) -> Content | Rejection:
    """Return the content of a model's reply to a person's words, in the form in which the grammar says the same.

    Raises:
        UsageError: A goal quantifies over what the world does not know.
    """
    match reply.content:
        case Goal() as goal:
            notes = (f"The model says: {reply.note}",) if reply.note else ()
            return replace(ground_goal(goal, world.domain, world.objects), text=words, notes=notes)
        case Question(text=asked, options=options):
            reason = Feedback(Code.QUESTION, shortened(words), "the model needs an answer first", asked)
            return Question(asked, options, reason)
        case Refusal(why=why, missing=missing):
            code = Code.UNKNOWN_NAME if missing else Code.NOT_UNDERSTOOD
            return Rejection((Feedback(code, shortened(words), why, "", missing, recoverable=False),))
        case content:
            return content
