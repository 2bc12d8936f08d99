"""What a sentence says about earlier turns of a conversation: "again", "undo that", "put it back", "the banana too".

The facts of an earlier turn are written as a clause with the names of things, such as "want apple0 is on table0", and
read as any other; so a later sentence continues it as it would continue a clause of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from graftwork.language.offline.frames import (
    PLACING,
    SHOULD,
    WANT,
    plain_words,
    reduced,
    spoken,
    tables,
    without_manners,
    without_noise,
)
from graftwork.language.offline.patterns import AND
from graftwork.language.offline.referents import MANY, ONE, PRONOUNS, Referent
from graftwork.language.offline.segments import tokens_of
from graftwork.language.offline.statements import STOPS, remark_at
from semantics.logic.atoms import And, Atom, Formula, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.reply import Answer
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.lexicon import Lexicon

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn
    from graftwork.language.offline.places import PlaceReader

Words = tuple[str, ...]
_USUAL = frozenset({"usual", "proper", "own", "belongs", "belong", SHOULD, "normal"})
"""Words for the place where a thing was at first."""


_DENYING = frozenset({"not", "no", "nobody", "nothing", "never"})
_ASKED = {"again": -1, "at_first": 0, "before_that": -2}
"""Which of the goals of earlier turns is asked for again, by the lists of ``english.yaml`` that say so."""


def recalled(said: str, turns: Sequence[Turn], places: PlaceReader) -> Goal | Rejection | None:
    """Return the goal of words that ask for an earlier turn again, or for undoing the last; None for other words.

    What is said beside it may be remarks; beside "undo that" also what says the same, such as "put it back".
    """
    clauses = list(_clauses_in(said))
    for name, at in _ASKED.items():
        if len(clauses) == 1 and _is_spoken(clauses[0], name):
            goals = [turn.goal for turn in turns if turn.facts or turn.goal is not None]  # a program has none
            goal = goals[at] if len(goals) >= max(1, -at) else None
            return goal or _nothing_before(clauses[0], "asked for that can be told again")
    if len(clauses) == 1 and " ".join(named_to_return(clauses[0])[0]) in MANY:
        several = next((each.alternatives[0] for layer in layers_of(turns) for each in layer if not each.single), ())
        found = [place_before(name, turns, places) for name in several]
        atoms = [atom for atom in found if atom is not None]
        if len(atoms) == len(several) and len({atom.predicate for atom in atoms}) > 1:  # else it is one clause
            words = " ".join(clauses[0])
            return Goal(And(tuple(atoms)), words, (f"'{words}' was read as: each is to be where it was.",))
    name = _undoing(said)
    rest = [clause for clause in clauses if not (name and _is_spoken(clause, name))]
    goes_on = name != "undo_next" or (bool(turns) and bool(_undoing(turns[-1].words)))
    if name and goes_on and all(" ".join(named_to_return(clause)[0]) in PRONOUNS for clause in rest):
        last = [turn for turn in turns if turn.was][-1:]  # undoing the last undoing is redoing
        undone = last if name == "undo" else _still_done(turns)[-_UNDONE[name] :]
        return _undone(next(clause for clause in clauses if clause not in rest), undone, places)
    return None


_UNDONE = {"undo": 1, "undo_next": 1, "undo_both": 2, "undo_all": 1000}
"""How many turns are undone, by the lists of ``english.yaml`` that say so; the next is one more after an undoing."""


def _undoing(said: str) -> str:
    return next((name for clause in _clauses_in(said) for name in _UNDONE if _is_spoken(clause, name)), "")


def _still_done(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns that have changed something and were not undone."""
    kept: list[Turn] = []
    gone: list[Turn] = []
    for turn in (turn for turn in turns if turn.was):
        name = _undoing(turn.words)
        count = _UNDONE.get(name, 0) if name != "undo" or not gone else 0
        kept += gone if name == "undo" else [] if name else [turn]  # undoing an undoing is redoing
        kept, gone = kept[: max(len(kept) - count, 0)], kept[-count:] if count else []
    return kept


def without_again(said: str) -> str:
    """Return what goes on from "do it again, to the right side" without its begin; other words as they are."""
    begin, stop, rest = said.partition(",")
    tail = tuple(tokens_of(rest))
    goes_on = bool(stop) and tail[:1] != () and tail[0] in PLACING | {"with", "for"}
    return rest if goes_on and all(_is_spoken(clause, "again") for clause in _clauses_in(begin)) else said


def _is_spoken(clause: Words, name: str) -> bool:
    plainly = without_manners(clause[clause[:1] in (("and",), ("so",), ("but",)) :])
    return not reduced(name).isdisjoint((clause, plainly))


def _clauses_in(text: str) -> Iterator[Words]:
    """Yield the clauses of a sentence that are more than remarks and exclamations."""
    for is_stop, group in groupby(tokens_of(text), STOPS.__contains__):
        clause = tuple(group)
        if not (is_stop or clause in spoken("exclamations") or _is_remark(clause)):
            yield clause


def _is_remark(clause: Words) -> bool:
    return remark_at((*clause, "."), 0, (), at_begin=True) == len(clause)


def answer_to(text: str, *, remarks: bool) -> Answer | None:
    """Return what is answered to words that ask for nothing, such as "hello"; None if they may ask for something.

    Args:
        text: The words.
        remarks: Whether statements that deny nothing are answered as well.
    """
    replies: dict[str, None] = {}
    every = {
        tuple(said.split()): reply
        for reply, lines in tables()["small_talk"].items()
        for line in lines
        for said in line.split(", ")
    }
    for is_stop, group in groupby(plain_words(text), STOPS.__contains__):
        words = without_noise(tuple(group))
        if is_stop or not words:
            continue
        reply = (
            every.get(words)
            or every.get(without_manners(words))
            or ("All right." if words in spoken("exclamations") else "")
        )
        asks = not spoken("question_words").isdisjoint((words[:1], words[:2]))
        if not reply and remarks and not asks and _is_remark(words) and _DENYING.isdisjoint(words):
            reply = "I take that for a remark, and do nothing."
        if not reply:
            return None
        replies[reply] = None
    if len(replies) > 1:
        replies.pop("All right.", None)
    return Answer(" ".join(replies)) if replies else None


def _undone(words: Words, undone: Sequence[Turn], places: PlaceReader) -> Goal | Rejection:
    """Return the goal that all is as before some turns; what several have moved is where it was before the first."""
    if not undone:
        return _nothing_before(words, "changed")
    from graftwork.language.conversation import restorable

    before: set[Atom] = set()
    for turn in undone:
        known = {atom.args[:1] for atom in before}
        before |= {atom for atom in turn.was if atom.args[:1] not in known}
    changed = restorable(before - places.state.atoms, places.vocabulary)
    wanted = sorted(changed, key=lambda atom: (-len(atom.args), atom))
    if not wanted:
        return _nothing_before(words, "changed that is not as before")
    facts: tuple[Formula, ...] = tuple(wanted)
    note = f"'{' '.join(words)}' was read as: things are to be as before '{undone[0].words}'."
    return Goal(facts[0] if len(facts) == 1 else And(facts), " ".join(words), (note,))


_SWAPS = re.compile(tables()["swaps"])


def swapped(
    said: str, names_of: Callable[[str], Collection[str]], state: State, relations: Collection[str]
) -> Goal | None:
    """Return the goal of "swap them": each of two things is to be where the other one is; None for other words."""
    match = _SWAPS.fullmatch(" ".join(without_manners(tuple(tokens_of(said)[:-2]))))
    named = re.split(r" (?:and|with|for) ", (match["both"] or match["two"]).replace("the two", "them")) if match else []
    names = [name for each in named for name in sorted(names_of(each))]
    where = {a.args[0]: a for a in sorted(state.atoms) if a.predicate in relations and a.args[0] in names}
    if len({*names}) != 2 or len(where) != 2:
        return None
    first, other = (where[name] for name in names)
    facts = (Atom(other.predicate, (names[0], *other.args[1:])), Atom(first.predicate, (names[1], *first.args[1:])))
    note = f"'{said}' was read as {names[0]} and {names[1]}."
    return None if {*names} & {*first.args[1:], *other.args[1:]} else Goal(And(facts), said, (note,))


def _nothing_before(words: Words, what: str) -> Rejection:
    said = " ".join(words)
    return Rejection((Feedback(Code.NOT_UNDERSTOOD, f"'{said}'", f"nothing was {what} before.", culprits=(said,)),))


def layers_of(turns: Sequence[Turn]) -> Iterator[tuple[Referent, ...]]:
    """Yield what a pronoun can stand for in each earlier turn, the last turn first.

    "It" is one of its things, the first one that is good for what is asked; "them" is all that was to be somewhere, or,
    where that is one thing, this and what the turn before it was about. What grows so takes the place of what it was.
    """
    known: set[str] = set()
    every = [turn for turn in reversed(turns) if turn.things]
    for turn, before in zip(every, [*every[1:], None], strict=False):
        single = [Referent(name, ((name,),)) for name in turn.things]
        first = _first_things(turn)
        if len(first) == 1 and before is not None:
            first = tuple(dict.fromkeys((*_first_things(before), *first)))
        several = [Referent(" and ".join(first), (first,))] if len(first) > 1 and known.isdisjoint(first) else []
        known.update(first if several else ())
        yield (*single, *several)


def meant_earlier(
    pronoun: str, affordance: str | None, earlier: Sequence[Sequence[Referent]], lexicon: Lexicon
) -> Referent | None:
    """Return what a pronoun stands for in the last turn where something is good for it; first what moved there."""
    for turn in earlier:
        for each in turn:
            if each.single == (pronoun in ONE) and set(lexicon.able(each.names, affordance)) == each.names:
                return each
    return None


def _first_things(turn: Turn) -> Words:
    """Return what was to be somewhere, or else all that a turn was about."""
    return tuple(dict.fromkeys(fact.atom.args[0] for fact in turn.facts if fact.atom.args)) or turn.things


def named_to_return(words: Words) -> tuple[Words, bool]:
    """Return the words for what is to come back in "put it back where it was", and whether it is to its usual place.

    There are none if words ask for nothing of the kind.
    """
    start = next((at for at in range(len(words)) if words[at:] in reduced("back")), len(words))
    named, behind = words[:start], words[start:]
    if not behind and "with" in words and words[: (at := words.index("with"))] in reduced("back"):
        named, behind = words[at + 1 :], words[:at]  # "back to its place with the cup"
    elif not behind and words[:1] == ("undo",):
        named, behind = words[1:], words[:1]
    elif not behind and words[1:2] == ("back",):
        named, behind = (words[0], *words[2:]), words[1:2]  # "put back the cup"
    if named[:1] in spoken("returning"):
        named = named[1:]
    named = (named if named or len(words) < 4 else ("it",)) if behind else ()  # "back to where you got it from"
    named = tuple(word for word in named if word not in (SHOULD, "just"))
    return named, not _USUAL.isdisjoint(behind)


def place_before(
    name: str, turns: Sequence[Turn], places: PlaceReader, now: Atom | None = None, no_place: Collection[str] = ()
) -> Atom | None:
    """Return the fact of where a thing was before the last turn that has changed this; None if it is not known.

    What was to be moved, and was not, is where it was. What is `no_place` for it, such as a hand, is none that counts;
    elsewhere a place where it is `now` counts first.
    """
    state, relations = places.state, places.relations
    if now is not None and now.args[1] not in no_place:
        return now
    for turn in reversed(turns):
        moved = [atom for atom in turn.was if atom.args[:1] == (name,) and atom.args[1:]]
        for atom in sorted(moved, key=lambda atom: (atom.predicate not in relations, atom)):
            if atom not in state.atoms and atom.args[1] not in no_place:
                return atom
        if not moved and turn.facts and name in _first_things(turn):
            at = places.fact_of(name)
            if at is not None and at.args[1] not in no_place:
                return at
    return None


def clauses_said(facts: Iterable[Literal], vocabulary: Vocabulary) -> Iterator[Words]:
    """Yield the clauses of facts that hold, those of several things at one place together."""
    grouped: dict[tuple[str, Words], list[str]] = {}
    for fact in facts:
        if fact.positive and fact.atom.args:
            grouped.setdefault((fact.atom.predicate, fact.atom.args[1:]), []).append(fact.atom.args[0])
    for (predicate, others), names in grouped.items():
        if words := clause_of(predicate, names, others, vocabulary):
            yield words


def clause_of(predicate: str, names: Sequence[str], others: Words, vocabulary: Vocabulary) -> Words:
    """Return the words that ask for facts, such as "want apple0 is on table0"."""
    if predicate not in vocabulary.predicates:
        return ()
    first = f" {AND} ".join(dict.fromkeys(names))
    return (WANT, *vocabulary.predicates[predicate].description.format(first, *others).rstrip(".").lower().split())
