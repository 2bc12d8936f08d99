"""What of a scene a request is about, so that a prompt tells more of it.

Words come first: names, classes and kinds, with typing errors, and attributes. What is like them in the hierarchy of
classes follows, what serves a use that the words speak of (a drink for who is thirsty), what the actions take that the
words call for (a knife to cut), what is in one place with something named, and what is in a hand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from affordances.substitutes.everyday import known_class
from affordances.substitutes.knowledge import Knowledge, spoken_uses
from domains.world import World
from semantics.hints import surely
from semantics.logic.state import State
from semantics.logic.vocabulary import ProgramPhrase, Vocabulary
from semantics.words.english import GRAMMAR, gerunds, past_forms
from semantics.words.lexicon import Lexicon, MatchKind, plain

LONGEST_NAME = 3
NAMED, KIND, LIKE, USE, NEEDED, NEARBY, VALUE, HELD = 8.0, 5.0, 3.0, 2.0, 2.0, 1.0, 1.0, 3.0
"""The most words of a name; and how much each reason counts, in the order in which the text above has them."""
MOST_PROGRAMS, LEAST_SHARE = 4, 0.2
"""How many programs are shown, and how much of them words must share: a word that no other program has counts 1."""
_NUMBER, _WAYS = "0", frozenset({"left", "right", "forward", "backward", "back", "closer", "away"})


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return re.findall(r"[a-z]+\d*|\d+", plain(text))


def rank_things(said: Sequence[str], world: World, state: State) -> list[str]:
    """Return all things, first those that words are about, last those of which nothing is to be told, as of persons."""
    scores = _named(said, world.vocabulary)
    near = {name for atom in state.atoms if scores.keys() & {*atom.args} for name in atom.args}
    held = {atom.args[0] for atom in state.atoms if atom.predicate == world.domain.conventions.inhand}
    by_class = _class_scores(said, world)
    for name, thing in world.objects.items():
        values = sum(str(value) in said for _, value in thing.attributes)
        scores[name] += by_class[thing.class_name] + NEARBY * (name in near) + VALUE * values + HELD * (name in held)
    for name, score in _needed(said, world):
        scores[name] += score
    usual = {name: fluent.default for name, fluent in world.domain.fluents.items()}
    told = {name for each, number in state.numbers.items() if usual.get(each.predicate) != number for name in each.args}
    told |= {name for name, thing in world.objects.items() if thing.attributes}
    return sorted(world.objects, key=lambda name: (name not in told, -scores[name], name))


def rank_programs(said: Sequence[str], programs: Mapping[str, ProgramPhrase]) -> list[ProgramPhrase]:
    """Return the phrases with a program that words may be about; a word that stands in few of them counts more."""
    spoken = (
        {_NUMBER if word.isdigit() else word for word in said} - GRAMMAR - {"one", "want", "should", "let", "bring"}
    )
    doing = {name: phrase for name, phrase in programs.items() if phrase.patterns and "return" not in phrase.text}
    parts = {name: _words_in(phrase) for name, phrase in doing.items()}
    often = Counter(word for words in parts.values() for word in words)
    scores = {name: sum(1 / often[word] for word in words & spoken) for name, words in parts.items()}
    found = sorted((name for name in scores if scores[name] >= LEAST_SHARE), key=lambda name: -scores[name])
    return [programs[name] for name in found[:MOST_PROGRAMS]]


def _words_in(phrase: ProgramPhrase) -> set[str]:
    words = " ".join((*phrase.patterns, *(word for words in phrase.words.values() for word in words)))
    kinds = {phrase.slots.get(slot, slot) for slot in re.findall(r"\{(\w+)\}", words)}
    numbers = set() if kinds.isdisjoint(("length", "shift", "angle")) else {_NUMBER}
    ways = set() if kinds.isdisjoint(("shift", "way")) else _WAYS
    return {*re.findall("[a-z]+", re.sub(r"\{.*?\}", "", words).replace("_", " "))} - GRAMMAR | numbers | ways


def _names_in(said: Sequence[str]) -> Iterator[str]:
    for length in range(LONGEST_NAME, 0, -1):
        yield from (" ".join(said[at : at + length]) for at in range(len(said) - length + 1))


def _named(said: Sequence[str], vocabulary: Vocabulary) -> defaultdict[str, float]:
    """Return the things that words name, by themselves or by their kind."""
    lexicon, scores = Lexicon.of(vocabulary), defaultdict[str, float](float)
    present = lexicon.present()
    for name in _names_in(said):
        entry, _ = lexicon.find(tuple(name.split()))
        if entry is None and name not in GRAMMAR and " " not in name:
            meant = next((word for word in present if surely(name, word)), name)
            entry, _ = lexicon.find(tuple(meant.split()))
        for thing in entry.names if entry is not None else ():
            scores[thing] = max(scores[thing], KIND if entry and entry.how is MatchKind.KIND else NAMED)
    return scores


def _class_scores(said: Sequence[str], world: World) -> Mapping[str, float]:
    """Return how like each class is to those that are named, here or not, and how typical for the uses spoken of."""
    knowledge, uses = world.domain.remember("everyday", Knowledge), spoken_uses(" ".join(said))
    named = [knowledge.profile(name).kinds for name in map(known_class, _names_in(said)) if name is not None]
    scores = {}
    for name in {thing.class_name for thing in world.objects.values()}:
        profile = knowledge.profile(name)
        like = (len(kinds & profile.kinds) / len(kinds | profile.kinds) for kinds in named if kinds)
        used = sum(weight * profile.typical.get(use, 0.0) for use, weight in uses.items())
        scores[name] = LIKE * max(like, default=0.0) + USE * used
    return scores


_NO_VERBS = frozenset({"do", "not", "i", "am"})
"""Words of phrases such as "do not leave the door open", which call for nothing."""


def _needed(said: Sequence[str], world: World) -> Iterator[tuple[str, float]]:
    """Yield what the actions take whose effects words call for; a word of many goals, and one of many, count less."""
    goals: dict[str, set[str]] = {}
    for phrase in (phrase for phrase in world.vocabulary.phrases if phrase.told):
        for verb in set(re.findall(r"[a-z]+", re.sub(r"\{.*?\}", "", phrase.pattern))) - GRAMMAR - _NO_VERBS:
            goals.setdefault(verb, set()).add(phrase.goal)
    wanted = defaultdict[str, float](float)
    for verb, meant in goals.items():
        if not {verb, *gerunds(verb), *past_forms(verb)}.isdisjoint(said):
            for predicate in re.findall(r"\(([\w-]+)", " ".join(meant)):
                wanted[predicate] = max(wanted[predicate], NEEDED / len(meant))
    for capability in world.domain.capabilities.values():
        weight = max((wanted[part.predicate] for part in capability.effect if part.positive), default=0.0)
        for parameter in capability.parameters[not capability.agentless :] if weight else ():
            able = [name for name, thing in world.objects.items() if thing.affords(parameter.affordances)]
            yield from ((name, weight / len(able)) for name in able)
