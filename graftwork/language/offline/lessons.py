"""`read_lesson`: what a person says afterwards, for the next time, as a lesson.

Words about the next time change the goal of the sentence that was done last: another value, another order, something
more, something else, or something that must never be so. What they say decides what the lesson is about: a sort that is
named, a place that is named. Where nothing is named, it is about things of the same class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from graftwork.language.conversation import Turn
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal, literals
from semantics.logic.goal import Goal
from semantics.logic.lesson import ANY, Lesson
from semantics.logic.quantity import Quantity, ValueModel
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.process.reading import read_table
from semantics.words.lexicon import Resolved
from semantics.words.names import NameIndex

X, Y, P, Q = "?x", "?y", "?p", "?q"
_DETERMINER = re.compile(r"^(?:an?|the|some|any|all(?: the)?|your|my|each|every)\s+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?\s*(?:%|[a-z]+(?:/[a-z]+)?)")
MOST_WORDS = 5  # of a noun phrase
Read = Callable[[str], object]


@cache
def _tables() -> Mapping[str, Any]:
    tables: Mapping[str, Any] = read_table(__file__)
    return tables


def _table(name: str) -> Any:  # noqa: ANN401 - texts
    return _tables()[name]


@cache
def _table_of_words() -> frozenset[str]:
    return frozenset(_table("no_nouns"))


@dataclass(frozen=True)
class _Words:
    """Words about what was done last.

    Attributes:
        said: The words, in small letters and without what only says that they are for the next time.
        turn: What was done last.
        vocabulary: The names of the world.
        state: What was believed before it was done.
        read: Reads a clause as a goal.
        is_general: Whether they say that it is so whatever is asked for.
    """

    said: str
    turn: Turn
    vocabulary: Vocabulary
    state: State
    read: Read
    is_general: bool

    @property
    def facts(self) -> list[Atom]:
        """The facts that were asked for."""
        goal = self.turn.goal
        found = [] if goal is None else [each for stage in goal.stages for each in literals(stage.formula)]
        return [atom for atom, positive in dict.fromkeys(found) if positive and atom.args]

    @property
    def clauses(self) -> list[str]:
        """The clauses, without reasons and conditions."""
        parts = re.split(_table("between"), self.said)
        return [part.strip() for part in parts if part.strip() and not re.match(_table("reasons"), part.strip())]

    def meant(self, phrase: str) -> frozenset[str]:
        """Return what a noun phrase can stand for."""
        bare = _DETERMINER.sub("", phrase.strip(" ,.!?"))
        found = NameIndex(self.vocabulary, state=self.state).resolve(f"all the {bare}") if bare else None
        return frozenset(found.names if isinstance(found, Resolved) else ())

    def nouns(self) -> Iterator[tuple[str, str, frozenset[str]]]:
        """Yield each noun phrase, longest first, with the word before it and what it can stand for."""
        words, at = re.findall(r"[\w'-]+", self.said), 0
        while at < len(words):
            for end in range(min(len(words), at + MOST_WORDS), at, -1):
                phrase = " ".join(words[at:end])
                is_noun = _table_of_words().isdisjoint(_DETERMINER.sub("", phrase).split())
                if is_noun and (found := self.meant(phrase)):
                    yield words[at - 1] if at else "", _DETERMINER.sub("", phrase), found
                    at = end - 1
                    break
            at += 1

    def goal(self, clause: str) -> list[Literal]:
        """Return the facts that a clause asks for; none if it is no order."""
        found = self.read(" ".join(re.sub(_table("beside"), " ", clause).split()))
        return list(literals(found.formula)) if isinstance(found, Goal) and not found.later else []

    def class_of(self, name: str) -> str:
        """Return the class of a thing, in words."""
        return self.vocabulary.things[name].class_name.replace("_", " ")


def read_lesson(said: str, turn: Turn, vocabulary: Vocabulary, state: State, read: Read) -> Lesson | None:
    """Read what is said about what was done, for the next time; None if it teaches nothing.

    Args:
        said: The words.
        turn: What was done last.
        vocabulary: The names of the world.
        state: What is believed, if it is not known what was believed before that.
        read: Reads a clause as a goal.
    """
    plain = said.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    plain = " ".join(re.sub(r"[.!?…]+", " . ", plain).split()).strip(" .")
    bare = " ".join(re.sub(_table("next_time"), " ", plain).split()).strip(" ,.")
    general = re.search(_table("general"), plain) is not None
    if turn.goal is None or not (bare != plain or re.search(_table("cues"), plain)):
        return None
    words = _Words(bare, turn, vocabulary, turn.begun or state, read, general)
    if re.search(_table("unreadable"), bare):
        return None
    for way in (_meaning, _never, _value, _order, _more, _elsewhere):
        if words.facts and (lesson := way(words)) is not None:
            return lesson
    return None


def _meaning(words: _Words) -> Lesson | None:
    """Read "when I say a drink I mean the juice", "for coffee take the mug"."""
    asked = words.turn.words.lower()
    for pattern in _table("meanings"):
        match = re.search(pattern, words.said)
        if match is None:
            continue
        phrase = match["phrase"].strip(" ,'\"")
        bare = _DETERMINER.sub("", phrase)
        found = re.search(rf"(?:\b(?:an?|the|some) )?\b{re.escape(bare)}\b", asked)
        meaning = re.sub(r"\bones?\b", bare, match["meaning"].strip(" ,'\""))
        if found and words.meant(meaning):
            article = "" if _DETERMINER.match(meaning) else "the "
            return Lesson(phrase=found[0], meaning=f"{article}{meaning}")
    return None


def _never(words: _Words) -> Lesson | None:
    """Read "never hand me a knife, lay it on the table"."""
    match = re.search(_table("never"), words.said)
    if match is None:
        return None
    first, *others = re.split(_table("between"), words.said[match.end() :])
    facts = [fact.atom for fact in words.goal(first) if fact.positive]
    if not facts:
        return None
    fact, sort = facts[0], {words.class_of(each.args[0]) for each in facts if each.args}
    forbidden = Atom(fact.predicate, (X, *fact.args[1:]))
    sorts = ((X, tuple(sorted(sort))),)
    instead = next((found for each in others if (found := words.goal(each))), [])
    made = tuple(Literal(Atom(each.atom.predicate, (X, *each.atom.args[1:])), each.positive) for each in instead)
    return Lesson((Literal(forbidden),) if made else (), sorts, instead=made, never=(forbidden,))


def _value(words: _Words) -> Lesson | None:
    """Read "slowly with glasses", "not more than 40 cm/s"."""
    value, scope = _value_said(words), _scope(words)
    if re.search(r"\bfrom the\b", words.said) and not scope.given:
        return None  # from somewhere else
    is_wide = not scope.sorts and scope.asked[0].atom.args[-1].startswith("?")
    if value is None or (is_wide and re.search(_table("some_sort"), words.said)):
        return None  # a sort of things is spoken of that the world has no word for
    return replace(scope, values=(value,))


def _value_said(words: _Words) -> tuple[str, Quantity] | None:
    models: dict[str, ValueModel] = {each.name: each for of in words.vocabulary.values.values() for each in of}
    for text in _NUMBER.findall(words.said):
        for name, model in models.items():
            try:
                return name, model.fitting(Quantity.read(text))
            except UsageError:
                continue
    said = " . ".join(words.clauses)
    manners = (manner for manner, pattern in _table("manners").items() if re.search(pattern, said))
    told = ((name, model, manner) for manner in manners for name, model in models.items() if manner in model.words)
    return next(((name, Quantity(model.words[word], model.unit)) for name, model, word in told), None)


def _scope(words: _Words) -> Lesson:
    """Return the condition that words say: the sorts and places that they name; of none, the class of what was done."""
    fact, vocabulary = words.facts[0], words.vocabulary
    sorts: list[str] = []
    given: list[Literal] = []
    where: str = P
    for before, phrase, names in words.nouns():
        placed = [atom for atom in words.state.atoms if len(atom.args) == 2 and atom.args[0] == fact.args[0]]
        source = [atom for atom in placed if atom.args[1] in names and vocabulary.predicates[atom.predicate].goal]
        if source and before in ("from", "of", "the", "off"):
            given.append(Literal(Atom(source[0].predicate, (X, source[0].args[1]))))
        elif names == {*fact.args[1:2]}:
            where = where if "whatever" in words.said else fact.args[1]
        elif all("location" not in vocabulary.things[name].affordances for name in names):
            sorts.append(f"{phrase} thing" if before == "of" and "made of" in words.said else phrase)
    if vocabulary.speaker in fact.args[1:] and re.search(_table("to_me"), words.said):
        where = str(vocabulary.speaker)
    named = tuple(dict.fromkeys(sorts))
    if not named and not (given or where != P or words.is_general):
        named = (words.class_of(fact.args[0]),)
    pattern = Atom(ANY if len(fact.args) == 2 else fact.predicate, (X, where)[: len(fact.args)])
    return Lesson((Literal(pattern),), ((X, named),) if named else (), tuple(given))


def _order(words: _Words) -> Lesson | None:
    """Read "the plate first", "the cup before the milk", "knives come last"."""
    if len(words.facts) < 2 and not re.search(r"\bfirst\b|\bbefore\b", words.said):
        return None
    for pattern in _table("orders"):
        match = re.search(pattern, words.said)
        if match is None:
            continue
        said = match.groupdict()
        first, last = ((said.get(name) or "").strip(" ,") for name in ("first", "last"))
        if any(_is_named(each, words) for each in (first, last)) and len(words.facts) > 1:
            return _in_order(words, first, last)
        if facts := words.goal(first):
            return replace(_about(words, facts), first=_general(facts, words))
    return None


def _is_named(phrase: str, words: _Words) -> bool:
    return bool(words.meant(phrase) & {atom.args[0] for atom in words.facts})


def _in_order(words: _Words, first: str, last: str) -> Lesson:
    same = len({atom.args[1:] for atom in words.facts}) == 1
    one, other = Atom(ANY, (X, P)), Atom(ANY, (Y, P if same else Q))
    named = {X: first, Y: last}
    sorts = tuple((name, (_DETERMINER.sub("", of),)) for name, of in named.items() if of and words.meant(of))
    return Lesson((Literal(one), Literal(other)), sorts, first=(Literal(one),))


def _more(words: _Words) -> Lesson | None:
    """Read "and always shut the fridge again", "wash the board first"."""
    for clause in _with_nouns(words):
        facts = words.goal(clause)
        if not facts or all(fact.positive and fact.atom in words.facts for fact in facts):
            continue
        if facts[0].atom.args[:1] == words.facts[0].args[:1] and facts[0].atom.predicate == words.facts[0].predicate:
            return None  # it is to be elsewhere
        about, made = _about(words, facts), _general(facts, words)
        return replace(about, first=made) if "first" in clause.split() else replace(about, also=made)
    return None


def _with_nouns(words: _Words) -> Iterator[str]:
    """Yield the clauses, each also with what the clause before it was about instead of "it"."""
    before: list[str] = []
    for clause in words.clauses:
        if re.search(r"\bit\b", clause):
            yield from (re.sub(r"\bit\b", f"the {noun}", clause, count=1) for noun in before)
        yield clause
        before = [noun for _, noun, _ in replace(words, said=clause).nouns()]


def _about(words: _Words, facts: Sequence[Literal]) -> Lesson:
    """Return a condition for what was done, and where it was taken from if `facts` are about that."""
    fact, goals = words.facts[0], words.vocabulary.predicates
    about = {literal.atom.args[0] for literal in facts if len(literal.atom.args) == 1}
    held = [atom for atom in sorted(words.state.atoms) if len(atom.args) == 2 and atom.args[0] == fact.args[0]]
    given = [Literal(Atom(atom.predicate, (X, atom.args[1]))) for atom in held if atom.args[1] in about]
    given = [literal for literal in given if goals[literal.atom.predicate].goal]
    if not given:
        named = {name for literal in facts for name in literal.atom.args}
        return _scope(replace(words, said=_without(words, named)))
    return Lesson((Literal(Atom(ANY, (X, P))),), (), tuple(given))


def _without(words: _Words, names: set[str]) -> str:
    """Return the words without the nouns of some things."""
    said = words.said
    for _, noun, found in words.nouns():
        said = said.replace(noun, " ") if found <= names else said
    return said


def _general(facts: Sequence[Literal], words: _Words) -> tuple[Literal, ...]:
    """Return facts with variables for what was asked for."""
    fact = words.facts[0]
    names = dict(zip(fact.args, (X, P), strict=False))
    made = [each.replaced(names) for each in facts]
    same = [each.positive and each.atom.predicate == fact.predicate and each.atom.args[1:] == (P,) for each in made]
    return tuple(
        Literal(Atom(ANY, each.atom.args)) if is_same else each for each, is_same in zip(made, same, strict=True)
    )


def _elsewhere(words: _Words) -> Lesson | None:
    """Read "on the shelf, please": the same thing elsewhere."""
    fact = words.facts[0]
    if len(fact.args) != 2:
        return None
    for clause in words.clauses:
        for way in (clause, _table("moved").format(clause)) if re.match(_table("places"), clause) else ():
            facts = [each for each in words.goal(way) if each.positive and len(each.atom.args) == 2]
            if facts and facts[0].atom not in words.facts and facts[0].atom.args[0] == fact.args[0]:
                scope = _scope(replace(words, said=""))
                made = tuple(Literal(Atom(each.atom.predicate, (X, *each.atom.args[1:]))) for each in facts)
                return replace(scope, asked=(Literal(Atom(fact.predicate, (X, *fact.args[1:]))),), instead=made)
    return None
