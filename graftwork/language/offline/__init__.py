"""The offline interpreter: controlled English, driven by the phrases, predicates and synonyms of a domain.

It cuts a sentence into segments, joins segments into clauses, matches each clause with a pattern, and resolves each
slot of the pattern to objects. "Put the cup and the plate in the sink and open the fridge" has three segments and two
clauses: a beam search tries every way of joining neighbours. At each segment it keeps the few best readings of the
words so far, so the cost is quadratic in the number of segments. The clauses together make the goal, or one goal after
the other if the words say an order. The interpreter knows grammar and polite words, but no word of any world. Where it
is not sure it asks or refuses. It takes a few milliseconds and needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import TYPE_CHECKING

from graftwork.language.offline.clause import Clause, MeaningfulClause
from graftwork.language.offline.clauses import Clauses, Placed
from graftwork.language.offline.frames import VIEW_WORDS, WANT, plain_words, tables
from graftwork.language.offline.joined_goal import Stage, goal_of
from graftwork.language.offline.patterns import AND, known_words, said, verbs
from graftwork.language.offline.places import PlaceReader
from graftwork.language.offline.questions import read_question
from graftwork.language.offline.recall import answer_to, layers_of, recalled, swapped, without_again
from graftwork.language.offline.referents import Doubt
from graftwork.language.offline.remarks import asides_of, without_remarks
from graftwork.language.offline.said_values import Models, SaidValue, of_relation, values_taken_out
from graftwork.language.offline.segments import Boundary, Segment, segments, unordered, words_in
from graftwork.language.offline.slots import Slots
from graftwork.language.offline.typing_errors import Spelling
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.reply import Answer, OwnQuery, Query, QueryKind
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.embedding import Embedder
from semantics.words.english import noun_phrase, singulars
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown
from semantics.words.positions import Positions

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn
    from graftwork.language.offline.goal_edits import UnderWay
    from semantics.logic.correction import GoalEdit

__all__ = ["interpret", "interpret_under_way"]

NOWHERE = State()
_ANSWER = re.compile(r"\s*\(the ([a-z0-9 ]+): ([^():]+)\)$")
"""What a person has answered about a thing that the phrase of a world leaves open."""
_ANY, _OF_IT, _IF = (re.compile(tables()["conditions"][name], re.IGNORECASE) for name in ("any", "pronoun", "branch"))


def interpret(
    instruction: str,
    vocabulary: Vocabulary,
    state: State = NOWHERE,
    *,
    embedder: Embedder | None = None,
    turns: Sequence[Turn] = (),
    positions: Positions | None = None,
) -> Goal | Query | Question | Answer | Rejection:
    """Read an instruction, or a question about the scene and the doings.

    Args:
        instruction: One or a few English sentences.
        vocabulary: The names that a goal may use, and the phrases of the domain.
        state: The believed state, for words that describe the place of an object.
        embedder: Suggests names with a similar meaning for an unknown word; None disables that.
        turns: What was said before in the same conversation, oldest first.
        positions: Where things are, for words such as "the second cup from the left"; None if that is not known.

    Returns:
        An unchecked goal whose notes list the assumptions; a query; an answer to what asks for nothing; a question
        whose feedback names the unclear words, which each option can replace; or a rejection with all reasons.

    Raises:
        UsageError: A phrase of the domain cannot be read.
    """
    said = answer_to(instruction, remarks=False) or _what_follows(instruction, vocabulary, state, turns, positions)
    if not isinstance(said, str):
        return said
    instruction, reader = said, _reader(vocabulary, state, turns, positions)
    if answer := _ANSWER.search(instruction):
        slot, words = answer[1].replace(" ", "_"), answer[2]
        instruction = answer.string[: answer.start()]
        if not any(slot in pattern.free for pattern in reader.patterns):
            instruction = words
        reader.answered = {slot: words_in(words)}
    instruction, asked = _question_in(instruction, reader)
    if isinstance(asked, Query | Rejection):
        return asked
    wish = _read_wishes(instruction, reader, embedder)
    says = turns and isinstance(wish, Rejection) and "?" not in instruction
    if says and (remark := answer_to(instruction, remarks=True)):
        return remark
    if turns and isinstance(wish, Goal) and wish.formula in state.atoms:
        # Who has the can that was spoken of, and asks for "the can" again, may mean another one.
        afresh = interpret(instruction, vocabulary, state, embedder=embedder, positions=positions)
        wish = afresh if isinstance(afresh, Question) else wish
    late = None if isinstance(wish, Goal) else _read_late(instruction, reader)
    if late is None or isinstance(late, Query | Rejection):
        return wish if late is None or isinstance(wish, Question) else late
    names = reader.slots.names
    from graftwork.language.offline.refusals import Refusals  # most sentences are read

    return Refusals(reader, names, NameIndex(vocabulary, embedder, state, names.positions)).about(late)


def _with_what_is_asked_for(said: str) -> str:
    """Return "are there any apples? Bring me one" as "bring me an apple"."""
    if (asked := _ANY.search(said)) is None:
        return said
    noun = asked["noun"]
    one = next(iter(singulars(noun)), noun)
    whole = {"one": f"a {one}", "it": f"the {noun}", "them": f"the {noun}"}

    def named(part: re.Match[str]) -> str:
        joint = " of " if part[1][-5:] in ("piece", "a bit") else " "
        return whole.get(part[1].lower(), f"{part[1]}{joint}{noun}")

    order, changed = _OF_IT.subn(named, asked["order"], count=1)
    return said[: asked.start()] + order if changed else said


def _branch(said: str, reader: Clauses) -> str:
    """Return what is to be done by "if there is milk in the fridge, … otherwise …", as far as it is known which."""
    if (choice := _IF.fullmatch(said.strip(" .!"))) is None:
        return said
    what = re.sub(r"^the | (?:is|are)(?= )", "", choice["what"].lower())
    doubts = reader.slots.referent(("the", *what.split()), None, ()).doubts
    if all(isinstance(doubt, Ambiguous) for doubt in doubts):
        done = re.sub(r"\b(?:it|them|one)\b", f"the {what}", choice["then"], count=1)
    elif all(isinstance(doubt, Unknown) and doubt.missing for doubt in doubts):
        done = choice["other"]
    else:
        return said
    reader.assumed = (f"As far as is known, of '{said}' it is this that is to be done: '{done}'.",)
    return done


def _read_late(instruction: str, reader: Clauses) -> Query | Doubt | Rejection | None:
    """Read a question that cannot be read as a wish, also with its typing errors corrected."""
    late = read_question(instruction, reader, late=True)
    if late is None or isinstance(late, Query):
        return late
    spelling = Spelling(known_words(reader.slots.names.vocabulary), reader.slots.names)
    right = read_question(" ".join(map(spelling.meant, plain_words(instruction))), reader)
    return right if isinstance(right, Query) else late


def _what_follows(
    said: str, vocabulary: Vocabulary, state: State, turns: Sequence[Turn], positions: Positions | None
) -> str | Goal | Rejection:
    """Return words without what they object to, or what they ask for again, or ask to undo."""
    if turns:
        from graftwork.language.offline.goal_edits import without_objection

        last = next((turn for turn in reversed(turns) if turn.facts), None)
        said = without_again(without_objection(said, last, _namer(vocabulary, state, turns, positions)))
    places = PlaceReader(vocabulary, state)
    again = recalled(said, turns, places)
    again = again or swapped(said, _namer(vocabulary, state, turns, positions), state, places.relations)
    return said if again is None else again


def _question_in(instruction: str, reader: Clauses) -> tuple[str, Query | Doubt | Rejection | None]:
    """Return an instruction and the question that it asks.

    "Where is the jam? Put it on the table" is "the jam, put it on the table", which finds it; and "the fridge open?" is
    "is the fridge open?".
    """
    instruction = _branch(_with_what_is_asked_for(instruction), reader)
    asked = read_question(instruction, reader)
    question, _, order = instruction.partition("?")
    if isinstance(asked, Rejection) and "?" not in order:
        before = read_question(question, reader)
        if isinstance(before, Query) and before.asked in (QueryKind.WHERE, OwnQuery.THERE) and len(before.about) == 1:
            return f"the {before.about[0]}, {order}", None
    words = list(plain_words(instruction))
    is_order = (
        words[0] in verbs(reader.slots.names.vocabulary) or not {"you", "please"}.isdisjoint(words) if words else True
    )
    if asked is None and not order.strip() and question != instruction and not is_order:
        again = read_question(f"is {instruction}", reader)
        asked = again if isinstance(again, Query) else None
    return instruction, asked


def _reader(vocabulary: Vocabulary, state: State, turns: Sequence[Turn], positions: Positions | None) -> Clauses:
    names = NameIndex.of(vocabulary, state, positions)
    return Clauses(Slots(names, PlaceReader(vocabulary, state), tuple(layers_of(turns))), turns)


def _read_wishes(instruction: str, reader: Clauses, embedder: Embedder | None) -> Goal | Question | Rejection:
    """Read what is to be done."""
    names = reader.slots.names
    vocabulary, state = names.vocabulary, names.state
    spelling = Spelling(known_words(vocabulary), names)
    read = segments(instruction, verbs(vocabulary), spelling.is_noun, spelling.meant)
    if not isinstance(read, Rejection) and vocabulary.values:
        read = _without_values(read, vocabulary.values, names.knows)
    if isinstance(read, Rejection):
        return read
    reader.asides = asides_of(read, reader.slots)
    if any(not VIEW_WORDS.isdisjoint(segment.words) for segment in read):
        from graftwork.language.offline.viewpoints import without_views  # few sentences say from where they are meant

        read = without_views(read, vocabulary, names.knows)
    placed = read_sentence(_without_address(read, names) if len(read) > 1 else read, reader)
    seen = _seen(placed, reader.slots) if any(segment.views for segment in read) else placed
    if isinstance(seen, Rejection):
        return seen
    placed = tuple((_valued(clause, parts, vocabulary.values), parts) for clause, parts in seen)
    placed, notes = without_remarks(placed, reader.asides, reader.slots)
    clauses = tuple(clause for clause, _ in placed)
    wishes = [clause for clause in clauses if isinstance(clause, MeaningfulClause)]
    if len(wishes) < len(clauses) or any(wish.doubts or unordered(wish.words) for wish in wishes):
        from graftwork.language.offline.refusals import Refusals  # most sentences are read

        # Loading the sentence model takes seconds, so it is used only to explain a doubt, never to read a sentence.
        refusal = Refusals(reader, names, NameIndex(vocabulary, embedder, state, names.positions)).explain(clauses)
        if refusal is not None:
            return refusal
    order = stages(placed, vocabulary.momentary)
    if isinstance(order, Rejection):
        return order
    goal = goal_of(instruction, order, vocabulary.robot)
    notes = (*reader.assumed, *notes, *spelling.notes)
    return replace(goal, notes=(*goal.notes, *notes)) if isinstance(goal, Goal) and notes else goal


def _seen(placed: Sequence[Placed], slots: Slots) -> tuple[Placed, ...] | Rejection:
    from graftwork.language.offline.viewpoints import viewed  # few sentences say from where they are meant

    return viewed(placed, slots)


def interpret_under_way(
    said: str,
    under_way: UnderWay,
    state: State = NOWHERE,
    *,
    embedder: Embedder | None = None,
    turns: Sequence[Turn] = (),
    positions: Positions | None = None,
) -> GoalEdit | Query | Question | Rejection | None:
    """Read what a person says about what is under way, or asks meanwhile.

    Args:
        said: The words.
        under_way: What is under way.
        state: The believed state.
        embedder: As in `interpret`.
        turns: What was said before, without what is under way.
        positions: As in `interpret`.

    Returns:
        An edit of its goal; a query; a question or a rejection; None if the words say nothing about it.
    """
    from graftwork.language.offline.goal_edits import read_edit

    vocabulary, every = under_way.vocabulary, (*turns, under_way.turn)

    def read(words: str) -> Goal | Query | Question | Answer | Rejection:
        return interpret(words, vocabulary, state, embedder=embedder, turns=every, positions=positions)

    asked = read_question(said, _reader(vocabulary, state, every, positions))
    if isinstance(asked, Query):
        return asked
    return read_edit(said, under_way, read, _namer(vocabulary, state, every, positions))


def _namer(
    vocabulary: Vocabulary, state: State, turns: Sequence[Turn], positions: Positions | None
) -> Callable[[str], Collection[str]]:
    """Return what finds the things that a noun phrase can mean in a conversation."""
    slots = _reader(vocabulary, state, turns, positions).slots

    def names_of(words: str) -> Collection[str]:
        meant = slots.referent(tuple(words.split()), None, ())
        return meant.names or slots.names.meant(words)

    return names_of


def _without_values(
    segments: Sequence[Segment], models: Models, is_name: Callable[[str], bool]
) -> tuple[Segment, ...] | Rejection:
    """Return segments whose words for values are in `Segment.values`; a rejection if it is unclear what they mean.

    A segment that says nothing else, as in "bring me the milk, slowly", belongs to the one before it, or to the next.

    Args:
        segments: The segments of a sentence.
        models: What capabilities take beside things.
        is_name: Returns whether words name a thing, so that "fast food" is not food that is to be brought fast.
    """
    read: list[Segment] = []
    ahead: tuple[SaidValue, ...] = ()
    for segment in segments:
        if segment.is_statement:
            read.append(segment)
            continue
        words, said, unclear = values_taken_out(segment.words, models, is_name)
        if unclear is not None:
            return Rejection((unclear,))
        if words:
            boundary = segment.boundary if read or not ahead else segments[0].boundary
            read.append(replace(segment, words=words, boundary=boundary, values=(*ahead, *said)))
            ahead = ()
        elif read and read[-1].stage == segment.stage and not read[-1].is_statement:
            read[-1] = replace(read[-1], values=(*read[-1].values, *said))
        else:
            ahead = (*ahead, *said)
    if (
        ahead
        and (last := next((at for at in reversed(range(len(read))) if not read[at].is_statement), None)) is not None
    ):
        read[last] = replace(read[last], values=(*read[last].values, *ahead))
    return tuple(read) or tuple(segments)


def _valued(clause: Clause, parts: Sequence[Segment], takers: Models) -> Clause:
    """Return a clause with the values of its segments; clauses are shared, so that it becomes another one."""
    if not isinstance(clause, MeaningfulClause) or not any(part.values for part in parts):
        return clause
    values = [value for part in parts for value in part.values]
    return replace(clause, values=tuple(of_relation(value, clause.made, takers) for value in values))


def _without_address(read: Sequence[Segment], names: NameIndex) -> Sequence[Segment]:
    """Remove an address to the robot from two or more segments: "robot, open the door" and "open the door, robot"."""
    if read[1].boundary is not Boundary.AND and _is_robot(read[0], names):
        read = read[1:]
    if len(read) > 1 and read[-1].boundary is Boundary.COMMA and _is_robot(read[-1], names):
        return read[:-1]
    return read


def _is_robot(segment: Segment, names: NameIndex) -> bool:
    resolved = names.resolve(said(segment.words))
    return isinstance(resolved, Resolved) and resolved.names == (names.vocabulary.robot,)


def _alike(wish: MeaningfulClause, other: MeaningfulClause) -> bool:
    """Return whether two clauses ask for the same of the same things."""
    names = [sorted(map(sorted, (each.names for each in clause.referents.values()))) for clause in (wish, other)]
    return wish.made == other.made and names[0] == names[1]


def stages(placed: Sequence[Placed], momentary: Set[str]) -> tuple[Stage, ...] | Rejection:
    """Return the clauses in the order in which they are to be done; a rejection if that is unclear.

    A clause about momentary facts alone, such as "wait", is a stage of its own: what it asks for is over when something
    else is done, so that it is done where it is said.
    """
    last = max((parts[0].stage for _, parts in placed), default=0)
    found: list[Stage] = []
    for rank in range(last + 1):
        here = [(clause, parts) for clause, parts in placed if parts[0].stage == rank]
        every = [clause for clause, _ in here if isinstance(clause, MeaningfulClause)]
        ends = [clause for clause, parts in here if any(part.last for part in parts)]
        if ends and ends != every[-1:]:
            why = f"what comes before '{said(ends[0].words)}' is not clear."
            how = "Name the jobs in their order, with 'then' between them."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (said(ends[0].words),)),))
        begins = [clause for clause, parts in here if any(part.first for part in parts)]
        pairs = ((wish, other) for wish in every if wish in begins for other in every if other is not wish)
        twice = next((wish for wish, other in pairs if _alike(wish, other)), None)
        if twice is not None:
            why, how = f"'{said(twice.words)}' is asked for twice, and once to be first.", "Name each job once."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (said(twice.words),)),))
        if begins == every[:1] and rank < last and len(here) > 1 and here[1][1][0].boundary is Boundary.AND:
            begins = []  # "first open the fridge and the door, then …"
        between = [clause for clause in every if clause not in begins and clause not in ends]
        ordered = ([clause for clause in every if clause in begins], between)
        found += [*filter(None, ordered), *([[every[-1]]] if ends and every[-1] not in begins else [])]
    divided: list[Stage] = []
    for stage in found:
        for is_momentary, clauses in groupby(stage, lambda wish: wish.made <= momentary):
            group = list(clauses)
            divided += [[wish] for wish in group] if is_momentary else [group]
    return tuple(divided)


BEAM = 4
UNREAD = 0.9
"""Penalty of a segment without a reading: a little less than an unknown word, so that "bring me the milk and dance"
blames the verb."""
UNREAD_NOUN = 1.5
ASIDE = 0.6
MORE_CLAUSES = 0.001


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A reading of the first segments: its clauses, the number of segments of each, and its penalty."""

    clauses: tuple[Clause, ...] = ()
    lengths: tuple[int, ...] = ()
    trouble: float = 0.0


def read_sentence(segments: Sequence[Segment], clauses: Clauses) -> tuple[Placed, ...]:
    """Return the clauses of the reading with the smallest penalty, each with its segments."""
    # best[n] holds the readings of the first n segments. Each is extended by one clause of any length.
    best: list[list[_Beginning]] = [[_Beginning()], *([] for _ in segments)]
    for start in range(len(segments)):
        best[start] = sorted(best[start], key=lambda beginning: beginning.trouble)[:BEAM]
        words: tuple[str, ...] = ()
        for end, segment in enumerate(segments[start:], start + 1):
            if words and segment.boundary is Boundary.FULL:
                break  # a clause never crosses a full stop
            words = (*words, AND, *segment.words) if words else segment.words
            begins_stage = start > 0 and (
                segment.also or segment.first or segments[start].stage != segments[start - 1].stage
            )
            for beginning in best[start]:
                best[end] += _continued(beginning, words, end - start, clauses, begins_stage)
    chosen, rest = min(best[-1], key=lambda beginning: beginning.trouble), iter(segments)
    own = [tuple(islice(rest, length)) for length in chosen.lengths]
    return tuple(zip(chosen.clauses, own, strict=True))


def _continued(
    beginning: _Beginning, words: tuple[str, ...], length: int, clauses: Clauses, begins_stage: bool
) -> Iterator[_Beginning]:
    """Yield a beginning extended by a clause of `length` segments: with its reading and, if in doubt, without one."""
    wish = clauses.read(words, beginning.clauses, begins_stage=begins_stage)
    is_unfit = wish is not None and words[0] == WANT and any(each.misfits for each in wish.referents.values())
    may_be_aside = length == 1 and words in clauses.asides and (wish is None or bool(wish.doubts) or is_unfit)
    is_unknown = wish is not None and any(isinstance(doubt, Unknown) for doubt in wish.doubts)
    if wish is not None and not (may_be_aside and (is_unknown or is_unfit)):
        trouble = beginning.trouble + wish.trouble + MORE_CLAUSES
        yield _Beginning((*beginning.clauses, wish), (*beginning.lengths, length), trouble)
    if may_be_aside:
        lengths = (*beginning.lengths, length)
        yield _Beginning((*beginning.clauses, clauses.asides[words]), lengths, beginning.trouble + ASIDE)
    elif length == 1 and (wish is None or (wish.doubts and wish.words != words)):
        weight = UNREAD if noun_phrase(words).head == words else UNREAD_NOUN
        lengths = (*beginning.lengths, length)
        yield _Beginning((*beginning.clauses, Clause(words)), lengths, beginning.trouble + weight)
