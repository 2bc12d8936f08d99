"""Which things and places of a model's goal the words of the person account for, and the question about the others.

A model that answers "bring me the milk" with a goal about the shelf has an idea of its own. A name is founded by a word
for it, for its class or kind, or for what it is like; by a phrase of the world that implies it ("throw it away"); by
being in a named vessel, or holding a named liquid; and by a fact that never changes and joins it to a named thing, as a
recipe does. A place is also founded by its use ("chill the juice") where no place is named. A thing is so where the
words are vague ("something to drink", "I am thirsty", "clear the table"), and by its place and by likeness of meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from affordances.substitutes.knowledge import Knowledge, spoken_uses
from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.decision.partial_goal import YES, GoalProposal
from graftwork.language.offline.patterns import compiled, verbs
from graftwork.language.offline.places import PlaceReader
from graftwork.setup.limits import Consent
from semantics.errors import OutsideError
from semantics.logic.atoms import Exists, ForAll, Or, names_in, walked
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.plain_text import shortened, together
from semantics.words.description import TraitReader
from semantics.words.embedding import Embedder
from semantics.words.english import GRAMMAR, THINGS
from semantics.words.lexicon import Lexicon, MatchKind, WordEntry, plain
from semantics.words.spelling import surely

__all__ = ["consent_needed", "unfounded_names"]

LONGEST_NOUN, SHORTEST = 6, 4
"""Words of the longest description that is read; letters of the shortest word compared by spelling or meaning."""
LEAST_LIKENESS = 0.55
"""Cosine from which a word speaks of a class or a kind: "hungry" and "food" have 0.71, "sticky" and "towel" 0.41."""
WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
FIRST_PERSON = frozenset("i i'm i'd i'll i've me my mine myself we we're we'd we'll we've us our ours".split())  # noqa: SIM905
SUBJECTS, ONES = frozenset({"i", "you", "we", "they", "he", "she", "it"}), frozenset({"one", "ones"})
AUXILIARIES = frozenset({"can", "could", "would", "should", "might", "must", "will", "shall", "does", "please"})
"""Words that name nothing beside one of `SUBJECTS`, as "can" does not in "can you"."""


def unfounded_names(
    goal: Goal, words: str, world: World, state: State, history: Sequence[str] = (), embedder: Embedder | None = None
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
        heard = _Heard(said, world, state, embedder)
        for founds in (heard.names, heard.implies, heard.finds_there, heard.tells_use, heard.resembles):
            names = [name for name in names if not founds(name)]
    return tuple(names)


def consent_needed(
    goal: CheckedGoal,
    words: str,
    context: DecisionContext,
    state: State,
    *,
    said: Sequence[str] = (),
    known: Collection[str] = (),
) -> GoalProposal | Rejection | None:
    """Return the question whether a model's goal is meant that names what nobody has spoken of; None if none is due.

    Args:
        goal: The goal.
        words: What the person said.
        context: The world, and whether such names are asked about; where they never are, the answer is a rejection.
        state: The believed state.
        said: What was said in the last exchanges, by either side.
        known: Names that need no words, since the person knows of them.
    """
    if context.unsaid is Consent.ALLOW:
        return None
    names = unfounded_names(goal.goal, words, context.world, state, said, embedder=context.embedder)
    unfounded = tuple(name for name in names if name not in known)
    if not unfounded:
        return None
    stages = (in_words(stage.formula, context.vocabulary.predicates) for stage in goal.goal.stages)
    own = f"Nothing was said of {together(unfounded)}."
    text = f"Is this meant: {', then '.join(stages)}? {own}"
    what = f"'{shortened(goal.goal.text)}'"
    if context.unsaid is Consent.NEVER:
        return Rejection((Feedback(Code.QUESTION, what, own, "Say it, or allow questions by 'unsaid'.", unfounded),))
    return GoalProposal(goal, Question(text, (YES, "no"), Feedback(Code.QUESTION, what, own, text, unfounded)))


def _names_of(goal: Goal, world: World) -> Iterator[str]:
    """Yield the things of a goal but robots, and those that its quantifiers range over without a condition."""
    for stage in goal.stages:
        told = next((each.words for each in stage.every if each.words.startswith("(")), "")
        formula = parse_formula(split_values(told)[0], variables=True, adl=True) if told else stage.formula
        names = {*names_in(formula)}.union(*(wish.atom.args for wish, _ in stage.weights))
        parts = [part for part, _ in walked(formula) if isinstance(part, ForAll | Exists)]
        ranges = {each.affordance for part in parts if not isinstance(part.part, Or) for each in part.variables}
        for name, thing in world.objects.items():
            sorts = {"object", thing.class_name, *thing.kinds, *thing.affordances}
            if thing.class_name != world.domain.conventions.robot and (name in names or ranges & sorts):
                yield name


class _Heard:
    """What somebody said.

    Attributes:
        spots: The places of the world; `portions` are the things without a body of their own, which are in vessels.
        words: The words, without sure typing errors; those in `sure` are none.
        named: The things that its nouns and descriptions can mean.
        loose: The words that name nothing, or only a kind.
        has_verb: Whether it says what is to be done, by a verb of the world.
        is_open: Whether it asks for things of any sort, or tells a need. It `is_vague` then, or when it names a kind.
    """

    def __init__(self, said: str, world: World, state: State, embedder: Embedder | None) -> None:
        self.world, self.state, self.embedder = world, state, embedder
        self.lexicon, self.traits = Lexicon.of(world.vocabulary), TraitReader(world.vocabulary, state)
        self.phrases, self.places = compiled(world.vocabulary), PlaceReader(world.vocabulary, state)
        conventions = world.domain.conventions
        kinds = (conventions.carry, conventions.location, conventions.actor)
        carried, fixed, agents = (frozenset(self.lexicon.able(world.objects, kind)) for kind in kinds)
        self.spots = fixed - agents
        self.portions = frozenset(world.objects) - carried - fixed - agents if carried else frozenset[str]()
        parts = (part for phrase in self.phrases for variant in phrase.variants for part in variant)
        self.sure = GRAMMAR.union(THINGS, *(part for part in parts if isinstance(part, frozenset)))
        self.words = tuple(map(self._corrected, WORD.findall(plain(said))))
        nouns, self.loose, at = list[WordEntry](), list[str](), 0
        while at < len(self.words):
            end, noun = self._noun_at(at)
            nouns += [noun] if noun else []
            self.loose += () if noun and noun.how is not MatchKind.KIND else self.words[at:end]
            at = end
        self.named = frozenset(name for noun in nouns for name in noun.names)
        moved = self.named & carried or not all(noun.names for noun in nouns)
        self.has_verb = not set(verbs(self.phrases)).isdisjoint(self.words)
        self.is_open = not THINGS.isdisjoint(self.words) or not (moved or self.has_verb)
        self.is_vague = self.is_open or any(noun.how is MatchKind.KIND for noun in nouns)

    def _corrected(self, word: str) -> str:
        """Return a word without its typing error, if it surely has one."""
        if len(word) < SHORTEST or word in self.sure or self.lexicon.knows(word) or self.traits.knows(word):
            return word
        meant = [known for known in (*self.lexicon.present(), *sorted(THINGS)) if surely(word, known)]
        return meant[0] if len(meant) == 1 else word

    def _noun_at(self, at: int) -> tuple[int, WordEntry | None]:
        """Return the end and the meaning of the longest noun or description that begins with a word."""
        beside = {*self.words[max(at - 1, 0) : at], *self.words[at + 1 : at + 2]}
        least = at + (self.words[at] in AUXILIARIES and not SUBJECTS.isdisjoint(beside))
        for end in range(min(at + LONGEST_NOUN, len(self.words)), least, -1):
            words = self.words[at:end]
            if (entry := self.lexicon.find(words)[0]) is not None:
                return end, entry
            if (described := self.traits.read(words, self._is_noun)) is not None:
                how = MatchKind.PRONOUN if described.noun[0] in ONES else MatchKind.KIND
                noun = self.lexicon.find(described.noun)[0] or WordEntry((*self.world.objects,), how)
                return end, WordEntry(self.traits.fitting(described.traits, noun.names) or noun.names, noun.how)
        return at + 1, None

    def _is_noun(self, words: tuple[str, ...]) -> bool:
        return words[0] in THINGS | ONES or self.lexicon.find(words)[0] is not None

    def names(self, name: str) -> bool:
        """Return whether the words name a thing."""
        return name in self.named or (name == self.world.speaker and not FIRST_PERSON.isdisjoint(self.words))

    def implies(self, name: str) -> bool:
        """Return whether a phrase that was said implies a thing, or a fact joins it to a named one."""
        for phrase in self.phrases:
            meant = (self.lexicon.find((*plain(slot).split(),))[0] for slot in phrase.free)
            if any(noun and name in noun.names for noun in meant) and any(map(self._says, phrase.variants)):
                return True
        lasting = self.world.domain.static_predicates
        joined = [fact for fact in self.state.atoms if name in fact.args and not self.named.isdisjoint(fact.args)]
        is_joined = any(fact.predicate in lasting or fact.args[0] in self.portions for fact in joined)
        return is_joined and name not in self.spots

    def _says(self, phrase: Sequence[frozenset[str] | str]) -> bool:
        """Return whether the words of a phrase were said in its order, with whatever between them."""
        words = iter(self.words)
        return all(any(word in part for word in words) for part in phrase if isinstance(part, frozenset))

    def finds_there(self, name: str) -> bool:
        """Return whether open words name what a thing is on or in."""
        return self.is_open and name in self.places.there(self.world.domain.conventions.resting, self.named, mixed=True)

    def tells_use(self, name: str) -> bool:
        """Return whether the words say what a thing or place is good for, or only a vessel for a portion."""
        thing, own = self.world.objects[name], self._uses(name)
        poured = spoken_uses(plain(thing.class_name)) if name in self.portions and not self.has_verb else ()
        if any(not self._uses(vessel).isdisjoint(poured) for vessel in self.named):  # "kettle on": with what in it?
            return True
        if self.named & self.spots if name in self.spots else not self.is_vague:
            return False
        own |= {part for affordance in thing.affordances for part in affordance.split("-")}
        return not own.isdisjoint((*spoken_uses(" ".join(self.loose)), *self.loose))

    def _uses(self, name: str) -> frozenset[str]:
        return Knowledge().profile(self.world.objects[name].class_name).uses

    def resembles(self, name: str) -> bool:
        """Return whether vague words are near in meaning to a word for a thing or a kind of it."""
        if self.embedder is None or not self.is_vague:
            return False
        words = [word for word in self.loose if len(word) >= SHORTEST and word not in GRAMMAR | THINGS | AUXILIARIES]
        nouns = ((word, self.lexicon.find((*word.split(),))[0]) for word in self.lexicon.present())
        own = [word for word, noun in nouns if noun and name in noun.names]
        with suppress(OutsideError):
            return any(max(self.embedder.similarities(word, own), default=0.0) >= LEAST_LIKENESS for word in words)
        return False
