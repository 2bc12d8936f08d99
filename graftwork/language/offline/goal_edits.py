"""What a person says about what is under way: an edit of its goal.

"No, the banana", "on the shelf, not on the table", "the banana too", "not the lemon", "the banana first", "slower",
"bring me the milk when you are done". Words are read as a continuation of what is under way (see `recall`), and the
facts that they ask for replace facts of its goal, are added to them, or come before or after them. What names nothing
of what is under way is refused, and where two of its facts could be meant, it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from graftwork.language.conversation import Turn
from graftwork.language.offline.frames import plain_words, spoken, tables, without_noise
from graftwork.language.offline.said_values import values_taken_out, with_quantities
from graftwork.language.offline.statements import STOPS, remark_at
from semantics.logic.atoms import And, Formula, Literal, literals
from semantics.logic.correction import EditKind, GoalEdit
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.quantity import Quantity
from semantics.logic.reply import Answer, Query
from semantics.logic.sentences import in_words
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import together

_PAIRS, _CLAUSES, _NAMED_TWICE = (
    tuple(map(re.compile, tables()["edits"][name])) for name in ("pairs", "later", "twice")
)
"""Two things, one of which takes the place of the other; a wish for a later time; "the yellow one, the banana"."""
_PREPOSITIONS = frozenset({"on", "in", "into", "onto", "to", "at", "inside", "from", "with"})
_OWN = frozenset({"everything", "all", "that", "this", "it", "you", "done", "finished", "ready", "through"})
"""Words of a clause about what is under way."""
_ONLY = frozenset({"only", "just", "please", "about", ",", "and", "make", "it", "that", "then", "with", "at"})
LESS, MORE = 0.5, 1.5  # how much slower and faster it becomes when no number is said

Words = tuple[str, ...]
_ENDS = {(), *((stop,) for stop in STOPS)}
Read = Callable[[str], "Goal | Query | Question | Answer | Rejection"]
NamesOf = Callable[[str], Collection[str]]
_THEN = re.compile(r"(?<=\w)(?: ,)?(?: and)? then ")
_MARKS = {
    EditKind.INSTEAD: "in_place",
    EditKind.AFTERWARDS: "afterwards",
    EditKind.ADD: "adding",
    EditKind.ORDER: "ahead",
}
"""The words that say what a wish changes."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What is under way."""

    turn: Turn  # what was said and understood
    goals: tuple[Goal, ...]  # the goals that are still pursued, in order
    vocabulary: Vocabulary  # the names that goals may use, and what values actions take
    values: Sequence[tuple[str, Quantity]] = ()  # the values that are kept to, by their names

    @property
    def facts(self) -> tuple[Literal, ...]:
        """The facts that are still pursued, or held already, in order."""
        return self.turn.facts

    def names(self) -> frozenset[str]:
        """Return every name in its facts."""
        return frozenset(name for fact in self.facts for name in fact.atom.args)


def read_edit(
    said: str, under_way: UnderWay, read: Read, names_of: NamesOf
) -> GoalEdit | Query | Question | Rejection | None:
    """Return how words change what is under way; None if they say nothing about it.

    Args:
        said: The words of the person.
        under_way: What is under way.
        read: Reads words as a continuation of it.
        names_of: Returns the things that a noun phrase means; nothing where this is not sure.
    """
    plainly = _without_reason(without_noise(_one_thing(plain_words(said))))
    _, words = _without(plainly, ("exclamations",), ("exclamations",))
    corrected, words = _without(words, ("corrections",), ("correcting_ends",))
    if not words:
        return None
    meaning: GoalEdit | Rejection | _Wish | None = None
    for form in _FORMS:
        meaning = form(words, under_way, names_of) if meaning is None else meaning
    if meaning is None:
        meaning = _Wish(EditKind.REPLACE if corrected else None, " ".join(words))
    if not isinstance(meaning, _Wish):
        return meaning
    got = read(meaning.words)
    if isinstance(got, Answer):  # to a remark, which may be about what is under way
        return None
    return _edit_to(got, meaning, under_way) if isinstance(got, Goal) else got


class _Wish(NamedTuple):
    """Words that are still to be read: what they change, if it is known, and what they take the place of."""

    kind: EditKind | None
    words: str
    old: frozenset[str] = frozenset()


def _edit_to(got: Goal, wish: _Wish, under_way: UnderWay) -> GoalEdit | Question:
    """Return the edit that brings a goal into what is under way."""
    match wish.kind:
        case EditKind.REPLACE:
            return _replaced(got, wish, under_way)
        case EditKind.INSTEAD:
            return GoalEdit(EditKind.INSTEAD, got, f"I do this instead: {_told(_facts_of(got), under_way, got)}.")
        case EditKind.AFTERWARDS:
            return _afterwards(got, under_way)
        case EditKind.ADD:
            return _edited(EditKind.ADD, got, under_way, [])
        case EditKind.ORDER:
            told = f"I do this first: {_told(_facts_of(got), under_way, got)}."
            return GoalEdit(
                EditKind.ORDER, replace(got, later=(*got.later, _goal_of(under_way.facts, under_way))), told
            )
    return _new(got, under_way)


def _called_off(words: Words, under_way: UnderWay, names_of: NamesOf) -> _Wish | None:
    """Read "leave that, this is more urgent: …", whose first clauses call off what runs."""
    called_off = False
    while (end := next((at for at, word in enumerate(words) if word in ",.;:!?"), 0)) and end + 1 < len(words):
        clause = words[:end]
        length = next((n for n in range(min(8, end), 0, -1) if clause[:n] in spoken("leaving")), 0)
        names = frozenset(names_of(_bare(" ".join(clause[length:])))) if length and length < end else frozenset()
        is_all = bool(names) and all(names & set(fact.atom.args) for fact in under_way.facts)
        if not (clause in spoken("in_place") or is_all):
            break
        called_off, words = True, _trimmed(words[end + 1 :])
    return _Wish(EditKind.INSTEAD, " ".join(words)) if called_off else None


def _in_place(words: Words, under_way: UnderWay, names_of: NamesOf) -> _Wish | None:
    """Read "the banana, not the apple" and "the banana instead of the apple", of which one is under way."""
    for pair in _PAIRS:
        if match := pair.fullmatch(" ".join(words)):
            old = frozenset(names_of(_bare(match["old"]))) & under_way.names()
            new = _without(tuple(match["new"].split()), ("corrections",), ("correcting_ends",))[1]
            if old and new:
                return _Wish(EditKind.REPLACE, " ".join(new), old)
    return None


def _marked(words: Words, under_way: UnderWay, names_of: NamesOf) -> _Wish | None:
    """Read words with a mark, such as "instead", "when you are done" and "too"."""
    for kind, marks in _MARKS.items():
        joint = kind is EditKind.AFTERWARDS and words[0] in ("and", "so", "but")  # "and when you are done …"
        found, rest = _without(words[joint:], (marks,), (marks,))
        if found and rest:
            return _Wish(kind, " ".join(rest))
    return None


def without_objection(said: str, last: Turn | None, names_of: NamesOf) -> str:
    """Return what a sentence asks for that objects to what was done: "the banana" of "no, not the apple, the banana".

    Args:
        said: The sentence.
        last: The last turn that asked for something; None if there is none.
        names_of: As for `read_edit`.
    """
    known = frozenset() if last is None else frozenset(last.things)
    begins = ("exclamations", "corrections", "afterwards")
    objects, words = _without(_one_thing(plain_words(said)), begins, ("exclamations", "correcting_ends"))
    text = " ".join(words)
    for pair in _PAIRS:
        match = pair.fullmatch(text)
        if match and known & frozenset(names_of(_bare(match["old"]))):
            return " ".join(_without(tuple(match["new"].split()), begins, ("correcting_ends",))[1])
    return text if objects and text else said


def _without(words: Words, begins: Sequence[str], ends: Sequence[str]) -> tuple[bool, tuple[str, ...]]:
    """Return words without the phrases of lists at their begin and at their end, and whether there were some."""
    rest, found = words, False
    opened, closed = (frozenset().union(*map(spoken, names)) for names in (begins, ends))
    while True:
        rest = _trimmed(rest)
        if length := _beginning(rest, opened):
            rest, found = rest[length:], True
        elif length := _ending(rest, closed):
            rest, found = rest[:-length], True
        else:
            return found, rest


def _beginning(words: Words, opened: Collection[Words]) -> int:
    """Return the length of a phrase at the begin; an exclamation ends there or goes on: "look", but no "look at"."""
    for length in range(min(7, len(words)), 0, -1):
        goes_on = words[length : length + 1] in _ENDS or words[:length] not in spoken("exclamations")
        if words[:length] in opened and (goes_on or _beginning(words[length:], opened)):
            return length
    return 0


def _ending(words: Words, closed: Collection[Words]) -> int:
    """Return the length of a phrase at the end; an exclamation stands by itself there: "as well" ends with none."""
    for length in range(min(7, len(words)), 0, -1):
        if words[-length:] in closed:
            stands_alone = words[-length - 1 : -length] in _ENDS or words[-length:] not in spoken("exclamations")
            return length if stands_alone else 0
    return 0


def _one_thing(words: Words) -> Words:
    """Return words with "the yellow banana" for "the yellow one, the banana"."""
    text = _NAMED_TWICE[0].sub(r"the \1 ", " ".join(words))
    return tuple(text.split())


def _without_reason(words: Words) -> Words:
    """Return words without a remark before or behind them: "the cup with it, so I can drink"."""
    said = (*_trimmed(words), ".")
    if 0 < (begin := remark_at(said, 0, (), at_begin=True)) < len(said) - 1 and said[begin] in STOPS:
        said = said[begin + 1 :]
    ends = (at for at in range(1, len(said)) if said[at] == ",")
    return said[: next((at for at in ends if remark_at(said, at + 1, (), at_begin=True) == len(said) - 1), -1)]


def _trimmed(words: tuple[str, ...]) -> tuple[str, ...]:
    while words and words[0] in ",.;:!?":
        words = words[1:]
    while words and words[-1] in ",.;:!?":
        words = words[:-1]
    return words


def _bare(words: str) -> str:
    """Return a noun phrase without a preposition before it."""
    first, _, rest = words.strip(" ,.;!?").partition(" ")
    return rest if first in _PREPOSITIONS else f"{first} {rest}".strip()


def _replaced(got: Goal, wish: _Wish, under_way: UnderWay) -> GoalEdit | Question:
    """Return the edit in which a goal takes the place of facts about the `old` names, or of the facts like it."""
    new = _facts_of(got)
    about_old = [fact for fact in under_way.facts if wish.old & set(fact.atom.args)]
    dropped = about_old or _nearest(new, under_way.facts)
    options = tuple(dict.fromkeys(fact.atom.args[0] for fact in dropped))
    if not wish.old and len(options) > 1 and len(new) == 1:
        why = Feedback(Code.AMBIGUOUS, f"'{wish.words}'", "it can stand for several of them.")
        return Question.among(tuple(f"{wish.words} instead of {name}" for name in options), why)
    return _edited(EditKind.REPLACE, got, under_way, dropped)


def _nearest(new: Sequence[Literal], facts: Sequence[Literal]) -> list[Literal]:
    """Return the facts that new ones are most like: about the same thing, or else of the same sort and place."""
    first = {fact.atom.args[0] for fact in new if fact.atom.args}
    same = [fact for fact in facts if fact.atom.args[:1] and fact.atom.args[0] in first]
    alike = [
        fact
        for fact in facts
        if any(fact.atom.predicate == each.atom.predicate and fact.atom.args[1:] == each.atom.args[1:] for each in new)
    ]
    return same or alike or list(facts)


def _behind_clause(words: Words, under_way: UnderWay, names_of: NamesOf) -> _Wish | None:
    """Read "bring me the glass when everything is wiped", whose clause is about what is under way."""
    text = " ".join(words)
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _CLAUSES)), None)
    if match is None:
        return None
    clause = match["clause"].split()
    if (match["wish"],) in spoken("adding"):
        return None  # "and after that the cup"
    is_own = not _OWN.isdisjoint(clause)
    named = (names_of(" ".join(clause[start:end])) for start in range(len(clause)) for end in (start + 1, start + 2))
    if is_own or any(under_way.names() & set(names) for names in named):
        return _Wish(EditKind.AFTERWARDS, match["wish"])
    return None


def _left_out(words: Words, under_way: UnderWay, names_of: NamesOf) -> GoalEdit | Rejection | None:
    """Return the edit of words that only say what is to be left out: "not the lemon", "leave the cup where it is"."""
    said = words
    length = next((n for n in range(min(8, len(said)), 0, -1) if said[:n] in spoken("leaving")), 0)
    end = next((n for n in range(min(6, len(said)), 0, -1) if said[-n:] in spoken("leaving_ends")), 0)
    if not length and not (end and said[-end:] not in (("is",), ("there",), ("out",))):
        return None
    named = " ".join(said[length : len(said) - end])
    names = frozenset(names_of(_bare(named))) if named else frozenset()
    dropped = [fact for fact in under_way.facts if names & set(fact.atom.args)]
    if not dropped:
        return None
    kept = [fact for fact in under_way.facts if fact not in dropped]
    if not kept:
        why = "that is all that I do."
        return Rejection(
            (Feedback(Code.NOT_UNDERSTOOD, f"'{' '.join(said)}'", why, "Say 'stop', or what else.", said),)
        )
    goal = _goal_of(kept, under_way)
    return GoalEdit(EditKind.REMOVE, goal, f"I leave {together(sorted(names & under_way.names()))} out.")


def _first(words: Words, under_way: UnderWay, names_of: NamesOf) -> GoalEdit | None:
    """Return the edit of "the banana first", of several facts under way."""
    said, rest = _without(tuple(_THEN.split(" ".join(words))[0].split()), ("ahead",), ("ahead",))
    names = frozenset(names_of(" ".join(rest))) if said and rest else frozenset()
    ahead = [fact for fact in under_way.facts if names & set(fact.atom.args[:1])]
    if not ahead or len(ahead) == len(under_way.facts):
        return None
    behind = [fact for fact in under_way.facts if fact not in ahead]
    goal = replace(_goal_of(ahead, under_way), later=(_goal_of([*ahead, *behind], under_way),))
    return GoalEdit(EditKind.ORDER, goal, f"I do this first: {_told(ahead, under_way)}.")


def _pace(words: Words, under_way: UnderWay, names_of: NamesOf) -> GoalEdit | Rejection | None:
    """Return the edit of "slower" and "faster"."""
    said = _trimmed(words)
    factor = LESS if said in spoken("slower") else MORE if said in spoken("faster") else 0.0
    if not factor:
        return None
    models = {model.name: model for taken in under_way.vocabulary.values.values() for model in taken}
    speed = models.get("speed")
    if speed is None:
        why = "no action here takes a speed."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, f"'{' '.join(said)}'", why, culprits=said[:1]),))
    known = dict(under_way.values).get("speed")
    usual = sorted(speed.words.values())
    if known is None and not usual:
        why = "how fast I am is not known, so no slower and no faster speed is."
        how = f"Say a speed: {speed.form}."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, f"'{' '.join(said)}'", why, how, said[:1]),))
    number = known.to(speed.unit).number * factor if known is not None else usual[0 if factor == LESS else -1]
    quantity = Quantity(min(max(number, speed.low), speed.high), speed.unit)
    goal = _goal_of(under_way.facts, under_way)
    goal = replace(goal, values=tuple(sorted({**dict(goal.values), "speed": quantity}.items())))
    return GoalEdit(EditKind.VALUE, goal, f"I go on with a speed of {quantity}.")


def _valued(words: Words, under_way: UnderWay, names_of: NamesOf) -> GoalEdit | Rejection | None:
    """Return the edit of words that say a value and nothing else: "only 20 ml", "at 10 cm/s"."""
    tokens = tuple(with_quantities([*(word for word in words if word not in _ONLY), "."])[:-1])
    left, said, unclear = values_taken_out(tokens, under_way.vocabulary.values, lambda _: False)
    if unclear is not None or left or not said:
        return None if unclear is None or left else Rejection((unclear,))
    values = {name: quantity for each in said for name, quantity in each.values}
    goal = _goal_of(under_way.facts, under_way)
    goal = replace(goal, values=tuple(sorted({**dict(goal.values), **values}.items())))
    return GoalEdit(EditKind.VALUE, goal, f"I go on with {_values_told(values.items())}.")


def _new(got: Goal, under_way: UnderWay) -> GoalEdit:
    """Return the edit of a further order: about the same thing it takes the place of what runs, else it comes after."""
    new = _facts_of(got)
    first = {fact.atom.args[0] for fact in new if fact.atom.args}
    same = [fact for fact in under_way.facts if fact.atom.args[:1] and fact.atom.args[0] in first]
    if set(new) <= set(under_way.facts) and got.values:
        goal = replace(_goal_of(under_way.facts, under_way), values=got.values)
        return GoalEdit(EditKind.VALUE, goal, f"I go on with {_values_told(got.values)}.")
    return _edited(EditKind.REPLACE, got, under_way, same) if same else _afterwards(got, under_way)


def _afterwards(got: Goal, under_way: UnderWay) -> GoalEdit:
    return GoalEdit(EditKind.AFTERWARDS, got, f"I do this afterwards: {_told(_facts_of(got), under_way, got)}.")


def _edited(kind: EditKind, got: Goal, under_way: UnderWay, dropped: Collection[Literal]) -> GoalEdit:
    """Return the edit by which a goal takes the place of some facts, and all others stay."""
    kept = [fact for fact in under_way.facts if fact not in dropped]
    formula = _joined([*(fact.formula for fact in kept), got.formula])
    values = got.values or (under_way.goals[0].values if under_way.goals else ())
    goal = replace(got, formula=formula, values=values)
    if kind is EditKind.ADD or not dropped:
        return GoalEdit(EditKind.ADD, goal, f"I do this as well: {_told(_facts_of(got), under_way, got)}.")
    before = {name for fact in dropped for name in fact.atom.args}
    after = {name for fact in _facts_of(got) for name in fact.atom.args}
    gone, come = sorted(before - after), sorted(after - before)
    if len(gone) == 1 and come and all(fact.positive for fact in _facts_of(got)):
        return GoalEdit(kind, goal, f"I take {' or '.join(come)} instead of {gone[0]}.")
    if set(_facts_of(got)) == set(dropped) and got.values:
        return GoalEdit(EditKind.VALUE, goal, f"I go on with {_values_told(got.values)}.")
    return GoalEdit(kind, goal, f"I do this instead: {_told(_facts_of(got), under_way, got)}.")


def _facts_of(goal: Goal) -> list[Literal]:
    return [literal for stage in goal.stages for literal in literals(stage.formula)]


def _goal_of(facts: Sequence[Literal], under_way: UnderWay) -> Goal:
    values = under_way.goals[0].values if under_way.goals else ()
    return Goal(_joined([fact.formula for fact in facts]), under_way.turn.words, values=values)


def _joined(parts: Iterable[Formula]) -> Formula:
    every = tuple(dict.fromkeys(part for formula in parts for part in _parts(formula)))
    return every[0] if len(every) == 1 else And(every)


def _parts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        yield from formula.parts
    else:
        yield formula


def _told(facts: Sequence[Literal], under_way: UnderWay, goal: Goal | None = None) -> str:
    formula = _joined([fact.formula for fact in facts]) if goal is None else goal.formula
    return in_words(formula, under_way.vocabulary.predicates)


def _values_told(values: Iterable[tuple[str, Quantity]]) -> str:
    return together([f"{name.rpartition('.')[2].replace('_', ' ')} {quantity}" for name, quantity in values])


_FORMS: tuple[Callable[[Words, UnderWay, NamesOf], GoalEdit | Rejection | _Wish | None], ...] = (
    _pace,
    _valued,
    _in_place,
    _called_off,
    _left_out,
    _first,
    _behind_clause,
    _marked,
)
"""What words can say about what is under way, tried in this order."""
