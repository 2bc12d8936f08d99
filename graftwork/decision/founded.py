"""Which things and places of a model's goal the words of the person account for, and the question about the others.

A model that answers "bring me the milk" with a goal about the shelf has an idea of its own. A name is founded by a word
for it, for its class or kind, or for what it is like; by a phrase of the world that implies it ("throw it away"); by
being in a named vessel, or holding a named liquid; and by a fact that never changes and joins it to a named thing, as a
recipe does. A place is also founded by its use ("chill the juice") where no place is named. A thing is so where the
words are vague ("something to drink", "I am thirsty", "clear the table"), and by its place and by likeness of meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from affordances.substitutes import Knowledge
from affordances.substitutes.knowledge import spoken_uses
from domains.world import World
from graftwork.decision.partial_goal import YES, GoalProposal
from graftwork.language.offline.patterns import Pattern, compiled, verbs
from graftwork.language.offline.places import PlaceReader
from semantics.errors import OutsideError
from semantics.logic.atoms import Exists, ForAll, Formula, Or, names_in, walked
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.plain_text import shortened, together
from semantics.words.description import TraitReader
from semantics.words.embedding import Embedder
from semantics.words.english import GRAMMAR, THINGS
from semantics.words.lexicon import Lexicon, MatchKind, plain
from semantics.words.spelling import surely

__all__ = ["consent_question", "unfounded_names"]

LONGEST_NOUN = 6
"""Words of the longest description that is read, such as "cups that are not red"."""
SHORTEST = 4
"""Letters of the shortest word that is compared by spelling, by its beginning or by meaning."""
LEAST_LIKENESS = 0.55
"""Cosine from which a word speaks of a class or a kind: "hungry" and "food" have 0.71, "sticky" and "towel" 0.41."""
WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
SELF = frozenset("i i'm i'd i'll i've me my mine myself we we're we'd we'll we've us our ours".split())  # noqa: SIM905
SUBJECTS = frozenset({"i", "you", "we", "they", "he", "she", "it"})
ONES = frozenset({"one", "ones"})
AUXILIARIES = frozenset({"can", "could", "would", "should", "might", "must", "will", "shall", "does", "please"})
"""Words that name nothing; "can" is one of them beside one of `SUBJECTS`."""


def unfounded_names(
    goal: Goal,
    words: str,
    world: World,
    state: State,
    history: Sequence[str] = (),
    embedder: Embedder | None = None,
) -> tuple[str, ...]:
    """Return the things and places of a goal that nothing in the words accounts for, in the order of the goal.

    Args:
        goal: The goal that a model has made of the words; it may quantify.
        words: What the person said.
        world: The world.
        state: The believed state.
        history: What was said in the last exchanges, by either side.
        embedder: Compares words by meaning, or None.
    """
    names = list(dict.fromkeys(_names_of(goal, world)))
    for said in (words, *history):
        heard = _read(said, world, state, embedder)
        for founds in (heard.names, heard.implies, heard.finds_there, heard.speaks_of_use, heard.is_like):
            names = [name for name in names if not founds(name)]
    return tuple(names)


def consent_question(goal: CheckedGoal, unfounded: Sequence[str], world: World) -> GoalProposal:
    """Return the question whether a goal is meant that names what nobody has spoken of."""
    stages = (in_words(stage.formula, world.vocabulary.predicates) for stage in goal.goal.stages)
    own = together(unfounded)
    text = f"Is this meant: {', then '.join(stages)}? Nothing was said of {own}."
    why = Feedback(
        Code.QUESTION, f"'{shortened(goal.goal.text)}'", f"it does not speak of {own}", text, tuple(unfounded)
    )
    return GoalProposal(goal, Question(text, (YES, "no"), why))


def _names_of(goal: Goal, world: World) -> Iterator[str]:
    """Yield the things of a goal but robots, and those that its quantifiers range over without a condition."""
    robot = world.domain.conventions.robot
    for stage in goal.stages:
        told = next((each.words for each in stage.every if each.words.startswith("(")), "")
        formula = parse_formula(split_values(told)[0], variables=True, adl=True) if told else stage.formula
        for part in (formula, *(wish.formula for wish, _ in stage.weights)):
            names = (*names_in(part), *(name for inner, _ in walked(part) for name in _ranged(inner, world)))
            yield from (name for name in names if name in world.objects and world.objects[name].class_name != robot)


def _ranged(formula: Formula, world: World) -> Iterator[str]:
    if isinstance(formula, Exists) or (isinstance(formula, ForAll) and not isinstance(formula.part, Or)):
        ranges = {variable.affordance for variable in formula.variables}
        for name, thing in world.objects.items():
            if ranges & {"object", thing.class_name, *thing.kinds, *thing.affordances}:
                yield name


@dataclass(frozen=True)
class _Heard:
    """What somebody said.

    Attributes:
        words: The words.
        named: The things that its nouns and descriptions can mean.
        loose: The words that name nothing, or only a kind.
        is_open: Whether it asks for things of any sort, or tells a need.
        is_vague: Whether it is open, or names a kind.
    """

    world: World
    state: State
    embedder: Embedder | None
    words: tuple[str, ...]
    named: frozenset[str]
    loose: tuple[str, ...]
    is_open: bool
    is_vague: bool

    def names(self, name: str) -> bool:
        """Return whether the words name a thing."""
        return name in self.named or (name == self.world.speaker and not SELF.isdisjoint(self.words))

    def implies(self, name: str) -> bool:
        """Return whether a phrase that was said implies a thing, or a fact joins it to a named one."""
        lexicon = Lexicon.of(self.world.vocabulary)
        slots = (slot for phrase in compiled(self.world.vocabulary) if self._says(phrase) for slot in phrase.free)
        if any(name in entry.names for slot in slots for entry in lexicon.entries((slot,))):
            return True
        lasting = self.world.domain.static_predicates
        joined = (fact for fact in self.state.atoms if name in fact.args and not self.named.isdisjoint(fact.args))
        return not self._is_place(name) and any(
            fact.predicate in lasting or self._is_portion(fact.args[0]) for fact in joined
        )

    def _says(self, phrase: Pattern) -> bool:
        """Return whether the words of a phrase were said in its order, with whatever between them."""
        for variant in phrase.variants:
            words = iter(self.words)
            if all(any(word in element for word in words) for element in variant if isinstance(element, frozenset)):
                return True
        return False

    def finds_there(self, name: str) -> bool:
        """Return whether a thing is on or in a named place, and the words are open."""
        reader = PlaceReader(self.world.vocabulary, self.state)
        return self.is_open and name in reader.there(self.world.domain.conventions.resting, self.named, mixed=True)

    def speaks_of_use(self, name: str) -> bool:
        """Return whether the words say what a thing or place is good for, or a named vessel is for a portion."""
        spoken = spoken_uses(plain(self.world.objects[name].class_name))
        if self._is_portion(name) and any(not self._uses(vessel).isdisjoint(spoken) for vessel in self.named):
            return True
        if any(map(self._is_place, self.named)) if self._is_place(name) else not self.is_vague:
            return False
        parts = {part for affordance in self.world.objects[name].affordances for part in affordance.split("-")}
        if any(part.startswith(word) for part in parts for word in self.loose if len(word) >= SHORTEST):
            return True
        return not self._uses(name).isdisjoint(spoken_uses(" ".join(self.loose)))

    def _uses(self, name: str) -> frozenset[str]:
        return Knowledge().profile(self.world.objects[name].class_name).uses

    def _is_place(self, name: str) -> bool:
        names, afforded = self.world.domain.conventions, self.world.objects[name].affordances
        return names.location in afforded and names.actor not in afforded

    def _is_portion(self, name: str) -> bool:
        """Return whether a thing has no body of its own: it is where a vessel is."""
        names, thing = self.world.domain.conventions, self.world.objects.get(name)
        return thing is not None and thing.affordances.isdisjoint({names.carry, names.location, names.actor})

    def is_like(self, name: str) -> bool:
        """Return whether vague words are near in meaning to a word for a thing, its class or a kind of it."""
        words = [word for word in self.loose if len(word) >= SHORTEST and word not in GRAMMAR | THINGS | AUXILIARIES]
        lexicon = Lexicon.of(self.world.vocabulary)
        if self.embedder is None or not self.is_vague:
            return False
        own = [
            word for word in lexicon.present() if any(name in each.names for each in lexicon.entries((*word.split(),)))
        ]
        try:
            return any(
                likeness >= LEAST_LIKENESS for word in words for likeness in self.embedder.similarities(word, own)
            )
        except OutsideError:
            return False


class _Noun(NamedTuple):
    """The things that a noun can mean, and whether it says their class and not only a kind or what they are like."""

    names: frozenset[str]
    is_class: bool


def _read(said: str, world: World, state: State, embedder: Embedder | None) -> _Heard:
    """Read the nouns of what was said; of several that begin with one word, the longest."""
    reader, carry = TraitReader(world.vocabulary, state), world.domain.conventions.carry
    words = tuple(_corrected(word, reader) for word in WORD.findall(plain(said)))
    nouns, loose, at = list[_Noun](), list[str](), 0
    while at < len(words):
        beside = {*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]}
        least = at + (words[at] in AUXILIARIES and not SUBJECTS.isdisjoint(beside))
        ends = range(min(at + LONGEST_NOUN, len(words)), least, -1)
        found = ((end, noun) for end in ends if (noun := _noun(words[at:end], reader)) is not None)
        end, noun = next(found, (at + 1, None))
        nouns += [] if noun is None else [noun]
        loose += words[at:end] if noun is None or not noun.is_class else ()
        at = end
    named = frozenset(name for noun in nouns for name in noun.names)
    is_moving = any(carry in world.objects[name].affordances for name in named) or not all(each.names for each in nouns)
    is_need = not is_moving and set(verbs(compiled(world.vocabulary))).isdisjoint(words)
    is_open = is_need or not THINGS.isdisjoint(words)
    is_vague = is_open or not all(noun.is_class for noun in nouns)
    return _Heard(world, state, embedder, words, named, tuple(loose), is_open, is_vague)


def _corrected(word: str, reader: TraitReader) -> str:
    """Return a word without its typing error, if it surely has one."""
    lexicon = Lexicon.of(reader.vocabulary)
    if len(word) < SHORTEST or word in GRAMMAR | THINGS or lexicon.knows(word) or reader.knows(word):
        return word
    meant = [known for known in (*lexicon.present(), *sorted(THINGS)) if surely(word, known)]
    return meant[0] if len(meant) == 1 else word


def _noun(words: tuple[str, ...], reader: TraitReader) -> _Noun | None:
    """Return what a noun or a description can mean; None if it is none."""
    lexicon = Lexicon.of(reader.vocabulary)
    if entries := lexicon.entries(words):
        sorts = [entry.how for entry in entries if entry.names]
        return _Noun(frozenset(name for entry in entries for name in entry.names), sorts != [MatchKind.KIND])
    described = reader.read(words, lambda noun: noun[0] in THINGS | ONES or bool(lexicon.entries(noun)))
    if described is None:
        return None
    noun = _noun(described.noun, reader) or _Noun(frozenset(reader.vocabulary.things), False)
    return _Noun(frozenset(reader.fitting(described.traits, noun.names)) or noun.names, noun.is_class)
