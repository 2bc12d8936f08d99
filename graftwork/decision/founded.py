"""What of a model's goal or program the words of a person account for, and the question about the rest.

A model that answers "bring me the milk" with a goal about the shelf has an idea of its own. A name is founded by a word
for it, for its class or kind, or for what it is like; by a phrase of the world that implies it ("throw it away"); by
being in a named vessel, or holding a named liquid; and by a fact that never changes and joins it to a named thing, as a
recipe does. A place is also founded by its use ("chill the juice") where no place is named. A thing is so where the
words are vague ("something to drink", "I am thirsty", "clear the table"), and by its place and by likeness of meaning.

A goal may also say less or something else than the words: it leaves out what they name, or has a fact that no phrase,
verb or word of it stands for. Neither is done before a yes, unless a note of the model tells what is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import permutations

from affordances.substitutes.knowledge import Knowledge, spoken_uses
from domains.capability import effects_of
from domains.model import Domain
from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PlanDecision, ProgramDecision
from graftwork.decision.partial_goal import YES, GoalProposal, ProgramProposal
from graftwork.language.offline.patterns import compiled, verbs_in
from graftwork.language.offline.places import PlaceReader
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Consent
from semantics.errors import OutsideError
from semantics.hints import surely
from semantics.logic.atoms import Atom, Exists, ForAll, Formula, Or, literals, names_in, walked
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import unit_said
from semantics.logic.reply import ProgramText
from semantics.logic.sentences import in_words
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Thing
from semantics.plain_text import shortened, together
from semantics.words.description import TraitReader
from semantics.words.embedding import Embedder
from semantics.words.english import GRAMMAR, THINGS, spoken_number
from semantics.words.lexicon import Lexicon, MatchKind, WordEntry, plain

LONGEST_NOUN, SHORTEST = 6, 4
"""Words of the longest description that is read; letters of the shortest word compared by spelling or meaning."""
LEAST_LIKENESS = 0.55
"""Cosine from which a word speaks of a class or a kind: "hungry" and "food" have 0.71, "sticky" and "towel" 0.41."""
LEAST_USE = 0.3  # share of the weight of the use of things here that is spoken of most, from which another one counts
WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
FIRST_PERSON = frozenset("i i'm i'd i'll i've me my mine myself we we're we'd we'll we've us our ours".split())  # noqa: SIM905
SUBJECTS, ONES = frozenset({"i", "you", "we", "they", "he", "she", "it"}), frozenset({"one", "ones"})
AUXILIARIES = frozenset({"can", "could", "would", "should", "might", "must", "will", "shall", "does", "please"})
"""Words that name nothing beside one of `SUBJECTS`, as "can" does not in "can you"."""
EXCEPTING = frozenset({"except", "but", "not", "no", "or", "without", "unless", "leave", "instead", "already"})
REACH = 3  # words so near to a noun say that nothing is to be done with it, or with something else as well
_COMPARED = re.compile(r"\([<>=]")  # a number in a goal: "(< (size ?x) 10)"
AMOUNTS, ALL = frozenset({"half", "quarter", "third"}), frozenset("all every everything both each whatever".split())  # noqa: SIM905
SENTENCE_WORDS = frozenset({"is", "the", "of", "a", "there", "has"})
SAME = {"in": ("into", "inside"), "on": ("onto", "upon", "top")}
"""What stands in many sentences of facts; and other words for a relation."""


def unfounded_names(names: Iterable[str], heard: Iterable[Heard]) -> tuple[str, ...]:
    """Return those of some names that nothing accounts for in what was heard, in their order."""
    left = list(dict.fromkeys(names))
    for each in heard:
        left = each.unfounded(left)
    return tuple(left)


def consent_needed(
    goal: CheckedGoal,
    words: str,
    context: DecisionContext,
    state: State,
    *,
    said: Sequence[str] = (),
    known: Collection[str] = (),
    steps: Sequence[Operator] | None = None,
) -> GoalProposal | Rejection | None:
    """Return the question whether a model's goal is meant that the words do not account for; None if none is due.

    Args:
        goal: The goal.
        words: What the person said.
        context: The world, and whether the person is asked; where that is never done, the answer is a rejection.
        state: The believed state.
        said: What was said in the last exchanges, by either side.
        known: Names that need no words, since the person knows of them.
        steps: The plan, if the goal is all that is to come of the words, so that nothing that they say is left out.
    """
    if context.unsaid is Consent.ALLOW:
        return None
    heard = [Heard(each, context.world, state, context.embedder) for each in (words, *said)]
    names = unfounded_names(goal_names(goal.goal, context.world), heard)
    unfounded = tuple(name for name in names if name not in known)
    doubts = [f"Nothing was said of {together(unfounded)}."] if unfounded else []
    if steps is not None and not said:
        doubts += heard[0].doubts(goal.goal, {name for step in steps for name in step.action.args}, names)
    if not doubts:
        return None
    stages = (in_words(stage.formula, context.vocabulary.predicates) for stage in goal.goal.stages)
    asked = _asked(goal.goal.text, ", then ".join(stages), doubts, unfounded, context)
    return asked if isinstance(asked, Rejection) else GoalProposal(goal, asked)


def consent_to_decision(
    decided: Decision,
    words: str,
    context: DecisionContext,
    state: State,
    *,
    said: Sequence[str] = (),
    known: Collection[str] = (),
) -> GoalProposal | ProgramProposal | Rejection | None:
    """Return the question whether what a model's reply has led to is meant; None if none is due."""
    match decided:
        case ProgramDecision(text=text):
            return _program_consent_needed(ProgramText(text), words, context, state, said)
        case PlanDecision(goal=goal, plan=plan):
            return consent_needed(goal, words, context, state, said=said, known=known, steps=plan.steps)
        case FinalDecision(outcome=Outcome.ALREADY, goal=CheckedGoal() as goal):
            return consent_needed(goal, words, context, state, said=said, known=known, steps=())
    return None


def _program_consent_needed(
    program: ProgramText, words: str, context: DecisionContext, state: State, said: Sequence[str]
) -> ProgramProposal | Rejection | None:
    """Return the question whether a model's program is meant that names what nobody has spoken of, like a goal's."""
    if context.unsaid is Consent.ALLOW:
        return None
    world, text = context.world, program.text
    named, ranges = (set(re.findall(pattern, text)) for pattern in (r"[\w-]+", r"objects\(\s*['\"]([\w-]+)"))
    meant = [name for name, thing in world.objects.items() if _is_meant(thing, named, ranges, world)]
    heard = [Heard(each, world, state, context.embedder) for each in (words, *said)]
    # A step says where it takes a thing from, and where the robot goes from.
    moved = {*meant, context.vocabulary.robot}
    places = {atom.args[1] for atom in state.atoms if len(atom.args) == 2 and atom.args[0] in moved}
    names = tuple(name for name in unfounded_names(meant, heard) if name not in places)
    doubts = [f"Nothing was said of {together(names)}."] if names else []
    doubts += [] if said or meant else heard[0].left_out(())  # a program about nothing is words alone
    about = {*meant} - heard[0].spots
    if not (ranges or said or ALL.isdisjoint(heard[0].words)) and len(about) == 1:
        doubts.append(f"It is about {about.pop()} alone.")
    if not doubts:
        return None
    asked = _asked(words, text, doubts, names, context)
    return asked if isinstance(asked, Rejection) else ProgramProposal(program, asked)


def _asked(
    words: str, meant: str, doubts: Sequence[str], names: tuple[str, ...], context: DecisionContext
) -> Question | Rejection:
    what, why = f"'{shortened(words)}'", " ".join(doubts)
    if context.unsaid is Consent.NEVER:
        return Rejection((Feedback(Code.QUESTION, what, why, "Say it, or allow questions by 'unsaid'.", names),))
    text = f"Is this meant: {meant}? {why}"
    return Question(text, (YES, "no"), Feedback(Code.QUESTION, what, why, text, names))


def goal_names(goal: Goal, world: World) -> Iterator[str]:
    """Yield the things of a goal but robots, and those that its quantifiers range over without a condition."""
    for stage in goal.stages:
        formula = _as_told(stage)
        names = {*names_in(formula)}.union(*(wish.atom.args for wish, _ in stage.weights))
        parts = [part for part, _ in walked(formula) if isinstance(part, ForAll | Exists)]
        ranges = {each.affordance for part in parts if not isinstance(part.part, Or) for each in part.variables}
        yield from (name for name, thing in world.objects.items() if _is_meant(thing, names, ranges, world))


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _opposites(domain: Domain) -> Mapping[str, frozenset[str]]:
    """Return for each predicate of one thing those that an action ends for a thing when it makes that one hold."""
    found = defaultdict[str, set[str]](set)
    for verb in domain.capabilities.values():
        alone = [effect for effect in effects_of(verb) if len(effect.atom.args) == 1]
        for own, other in permutations(alone, 2):
            if own.positive != other.positive and own.atom.args == other.atom.args:
                found[own.atom.predicate].add(other.atom.predicate)
    return {name: frozenset(others) for name, others in found.items()}


def _as_told(goal: Goal) -> Formula:
    """Return the formula of a goal as it was said, with its quantifiers."""
    told = next((each.words for each in goal.every if each.words.startswith("(")), "")
    return parse_formula(split_values(told)[0], variables=True, adl=True) if told else goal.formula


def _is_meant(thing: Thing, names: Collection[str], ranges: Collection[str], world: World) -> bool:
    """Return whether a thing but a robot is among names, or of a sort over which something ranges."""
    sorts = {"object", thing.class_name, *thing.kinds, *thing.affordances}
    return thing.class_name != world.domain.conventions.robot and (thing.name in names or not sorts.isdisjoint(ranges))


class Heard:
    """What somebody said.

    Attributes:
        spots: The places of the world. `carried` are the things to carry, `portions` those without a body of their own,
            which are in vessels.
        words: The words, without sure typing errors; those in `sure` are none.
        spoken: The nouns that mean certain things, each with the places of its first word and behind its last one.
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
        self.spots, self.carried = fixed - agents, carried
        self.portions = frozenset(world.objects) - carried - fixed - agents if carried else frozenset[str]()
        parts = (part for phrase in self.phrases for variant in phrase.variants for part in variant)
        self.sure = GRAMMAR.union(THINGS, *(part for part in parts if isinstance(part, frozenset)))
        self.words = tuple(map(self._corrected, WORD.findall(plain(said))))
        nouns, self.loose, at = list[WordEntry](), list[str](), 0
        self.spoken = list[tuple[int, int, WordEntry]]()
        while at < len(self.words):
            end, noun = self._noun_at(at)
            nouns += [noun] if noun else []
            self.spoken += [(at, end, noun)] if noun and noun.how not in (MatchKind.KIND, MatchKind.PRONOUN) else []
            self.loose += () if noun and noun.how is not MatchKind.KIND else self.words[at:end]
            at = end
        self.named = frozenset(name for noun in nouns for name in noun.names)
        moved = self.named & carried or not all(noun.names for noun in nouns)
        told = tuple(each for each in self.phrases if each.phrase.told)  # the others are many ways to say these
        self.has_verb = not set(verbs_in(told)).isdisjoint(self.words)
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

    def unfounded(self, names: Sequence[str]) -> list[str]:
        """Return those of some names that nothing in the words accounts for."""
        left = list(names)
        for founds in (self.names, self.implies, self.finds_there, self.tells_use, self.resembles):
            left = [name for name in left if not founds(name)]
        return left

    def left_out(self, told: Collection[str], notes: Sequence[str] = ()) -> Iterator[str]:
        """Yield of which nouns nothing is among the things that are `told`, nor a word in the notes."""
        noted = {_stem(word) for note in notes for word in WORD.findall(plain(note))}
        without = dict[str, None]()
        for start, end, noun in self.spoken if not self.is_open else ():
            around = {*self.words[max(start - REACH, 0) : start], *self.words[end : end + REACH]}
            is_noted = not noted.isdisjoint(map(_stem, self.words[start:end]))
            if not {*noun.names} & {*told} and EXCEPTING.isdisjoint(around) and not is_noted:
                without[" ".join(self.words[start:end])] = None
        yield from (f"Nothing is done with the {noun}." for noun in without)

    def doubts(self, goal: Goal, used: Collection[str], asked: Collection[str] = ()) -> Iterator[str]:
        """Yield why a goal may not be all that the words say, or something else; its notes may tell what is left out.

        Args:
            goal: The goal.
            used: The things that its plan takes.
            asked: The things that are asked about already.
        """
        atoms = [part for stage in goal.stages for part, _ in walked(_as_told(stage)) if isinstance(part, Atom)]
        known = self.world.vocabulary.predicates
        sentences = [known[atom.predicate].description for atom in atoms if atom.predicate in known]  # "on the table"
        yield from self.left_out({*goal_names(goal, self.world), *used}, (*goal.notes, *sentences))
        new = [atom for atom in atoms if not {*atom.args} & {*asked}]
        unsaid = [atom for atom in new if self._must_say(atom) and not self._says_fact(atom)]
        yield from (f"Nobody has said: {in_words(atom, known)}." for atom in unsaid)
        if self._asks_for_speaker() and self.world.speaker not in {name for atom in atoms for name in atom.args}:
            yield "Nothing of that is for you."
        if self._says_amount() and not any(stage.values or _COMPARED.search(str(stage)) for stage in goal.stages):
            yield "It says no amount."
        about = {atom.args[0] for atom in atoms if atom.args}
        if not ALL.isdisjoint(self.words) and len(about) == 1 and about <= {*self.world.objects} and not goal.notes:
            yield f"It is about {next(iter(about))} alone."

    def _says_amount(self) -> bool:
        """Return whether the words say a part or a measure: "half of", "100 ml", "twenty seconds"."""
        pairs = zip(self.words, self.words[1:], strict=False)
        numbers = (word for word, unit in pairs if unit_said((unit,)) and word not in ("a", "an"))  # "a second cup"
        measures = (word.isdigit() or spoken_number((word,)) is not None for word in numbers)
        return not AMOUNTS.isdisjoint(self.words) or any(measures)

    def _must_say(self, atom: Atom) -> bool:
        """Return whether a fact needs words: if a verb was said, or it is about the robot or two things to carry."""
        is_of_carried = len(atom.args) > 1 and self.carried >= {*atom.args}
        return self.has_verb or is_of_carried or self.world.vocabulary.robot in atom.args

    def _says_fact(self, atom: Atom) -> bool:
        """Return whether a phrase about a predicate, its verb, or a word of its sentence was said, or its opposite."""
        said, domain = {*self.words}, self.world.domain
        opposites = domain.remember("opposites", lambda: _opposites(domain))
        predicates = {atom.predicate, *opposites.get(atom.predicate, ())}
        for phrase in self.phrases:
            if predicates.isdisjoint(each.predicate for each, _ in literals(phrase.template)):
                continue
            verbs_of = (next((part for part in each if isinstance(part, frozenset)), ()) for each in phrase.variants)
            if any(map(self._says, phrase.variants)):
                return True
            if (
                phrase.phrase.told
                and "robot" not in phrase.free
                and any(not said.isdisjoint(verb) for verb in verbs_of)
            ):
                return True
        known = self.world.vocabulary.predicates
        sentences = (known[name].description for name in predicates if name in known)
        words = {word for sentence in sentences for word in re.findall("[a-z]+", sentence)} - SENTENCE_WORDS
        return not said.isdisjoint(words.union(*(SAME.get(word, ()) for word in words)))

    def _asks_for_speaker(self) -> bool:
        """Return whether "me" stands behind a verb of something that is done for who speaks."""
        for phrase in self.phrases if "me" in self.words[1:] else ():
            before = self.words[self.words.index("me", 1) - 1]
            firsts = (each[0] for each in phrase.variants if each and isinstance(each[0], frozenset))
            if "speaker" in phrase.free and any(before in first for first in firsts):
                return True
        return False

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
        sizes = {word for each in self.world.domain.attributes.values() for word in (*each.more, *each.less)}
        said = (word for word in self.loose if word not in sizes and not self.traits.knows(word))
        uses = spoken_uses(" ".join(said))
        best = max((uses.get(use, 0.0) for each in self.world.objects for use in self._uses(each)), default=0.0)
        return not own.isdisjoint((*(use for use, weight in uses.items() if weight >= LEAST_USE * best), *self.loose))

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
