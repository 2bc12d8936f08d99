"""Questions of a person, read as the same `Query` that a language model replies with.

What people ask stands as forms in ``english.yaml``: "where is {thing}", "how many {noun} are {state}". The conditions
in them are read with the words that a world has for its states ("the fridge is open") and for what can be asked for
("put the cup on the table"), so that a world states them once. A question is read whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from typing import NamedTuple, NoReturn

from graftwork.language.offline.clauses import Clauses
from graftwork.language.offline.frames import SHOULD, Variant, english, plain_words, rewrite, spoken, tables
from graftwork.language.offline.patterns import AND, Match, Pattern, filled, matches_of, said, variants_of, verbs
from graftwork.language.offline.referents import PRONOUNS, Doubt
from semantics.hints import distance
from semantics.logic.atoms import And, Atom, Exists, Formula, Not, Or, Variable, literals, names_in, rebuilt
from semantics.logic.conditions import TRUE, joined
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.reply import OwnQuery, Query, QueryKind
from semantics.logic.vocabulary import GoalPhrase
from semantics.plain_text import shortened
from semantics.words.description import Trait
from semantics.words.english import THINGS, Quantifier, gerunds, noun_phrase, past_forms
from semantics.words.lexicon import plain, singular_forms
from semantics.words.names import Ambiguous, Resolved, Unknown

WHAT, ASKED, ANY = "what", "?x", "object"
"""The word for what a condition leaves open, its variable in the query, and the sort of all things."""
EXAMPLES = "'where is …', 'what is on …', 'how many things are on …', 'is … open', 'what did you do', 'what can you do'"
Words = tuple[str, ...]


class _Form(NamedTuple):
    """What a form asks, what is said, and the words of the condition that it asks about."""

    asked: QueryKind | OwnQuery
    said: Pattern
    condition: Words


class _Noun(NamedTuple):
    """What a noun phrase means: any of the choices, each of things that are all meant; or any thing of a sort.

    The things of a sort must also have the traits, which are conditions of `ASKED`.
    """

    choices: tuple[Words, ...] = ()
    sort: str = ""
    traits: tuple[Formula, ...] = ()
    asked: bool = False

    @property
    def about(self) -> Words:
        """The things or the sort, for a query."""
        names = tuple(dict.fromkeys(name for choice in self.choices for name in choice))
        return names or (self.sort,) * (self.sort != ANY)


class _Condition(NamedTuple):
    """A reading of a condition: what is asked for in it, how many of its things do not fit, and where these stand.

    It `is_own` if it is the world's own sentence for that, or the world has none.
    """

    formula: Formula
    asked: _Noun | None
    misfits: int
    spans: tuple[tuple[int, int], ...]
    is_own: bool
    denied: bool = False


class _DoubtError(Exception):
    """A noun phrase of a question cannot be read; its argument is the doubt."""


def read_question(instruction: str, clauses: Clauses, *, late: bool = False) -> Query | Doubt | Rejection | None:
    """Read a question.

    Args:
        instruction: The words of the person.
        clauses: Has the phrases of the world, and reads noun phrases.
        late: Whether they cannot be read as a wish; then "can you chop bread" is a question, and so is what begins like
            one, of which the words in doubt are returned, or a rejection.

    Returns:
        The query; a rejection of a question beside something else; or None.
    """
    parts = [tuple(part) for is_end, part in groupby(plain_words(instruction), ".!?;".__contains__) if not is_end]
    wordings = [each for part in parts if (each := _wordings(part))[-1]]
    reader = _Reader(clauses)
    read = [reader.read(each, late=late) for each in wordings]
    what = f"'{shortened(instruction)}'"
    if len(read) > 1 and any(isinstance(each, Query) for each in read):
        why = "it asks something beside something else."
        return Rejection((Feedback(Code.NOT_UNDERSTOOD, what, why, "Say one after the other."),))
    if len(read) != 1 or isinstance(read[0], Query):
        return read[0] if len(read) == 1 else None
    begins = {words[:length] for words in wordings[0] for length in (1, 2)}
    if not late or ("do", "not") in begins or spoken("question_words").isdisjoint(begins):
        return None
    unread = Feedback(Code.NOT_UNDERSTOOD, what, "it is no question that I can answer.", f"Ask, such as {EXAMPLES}.")
    return read[0] or Rejection((unread,))


@cache
def _forms(name: str) -> tuple[_Form, ...]:
    made = []
    for asked, lines in tables()[name].items():
        kind = OwnQuery(asked) if asked in list(OwnQuery) else QueryKind(asked)
        for text in (text for line in lines for text in line.split(", ")):
            form, _, condition = text.partition(" = ")
            made.append(_Form(kind, Pattern(GoalPhrase(form, ""), variants_of(form), TRUE), tuple(condition.split())))
    return tuple(made)


def _wordings(part: Words) -> tuple[Words, ...]:
    """Return a sentence without its commas, as it is, and without more and more of what is said around a question."""
    text = f" {' '.join(part)} ".replace(" am i ", " is me ")
    words = tuple(AND if word == "and" else word for word in text.split())
    commas = ((word, words[at + 1 : at + 2]) for at, word in enumerate(words))
    words = tuple(AND if word == "," else word for word, after in commas if (word, after) != (",", (AND,)))
    noise = frozenset(run for run, meant in english().runs.items() if not meant)
    found = dict.fromkeys((words, _without(words, noise), _without(words, noise | spoken("question_asides"))))
    for longer in tuple(found):
        rest = longer
        while (shorter := _trimmed(rest)) != rest:
            rest = shorter
            found[rest] = None
    return tuple(found)


def _without(words: Words, runs: frozenset[Words]) -> Words:
    out, at, longest = list[str](), 0, max(map(len, runs))
    while at < len(words):
        length = next((n for n in range(longest, 0, -1) if words[at : at + n] in runs), 0)
        out += words[at : at + (not length)]
        at += length or 1
    return tuple(out)


def _trimmed(words: Words) -> Words:
    """Return words without the longest run that can stand before or after a question."""
    words = words[words[:1] == (AND,) : len(words) - (words[-1:] == (AND,))]
    for length in range(min(9, len(words)), 0, -1):
        if words[:length] in spoken("question_begins"):
            return words[length:]
        if words[-length:] in spoken("question_ends"):
            return words[:-length]
    return words


@dataclass
class _Reader:
    """Reads questions, with the phrases and the names of `clauses`."""

    clauses: Clauses

    def __post_init__(self) -> None:
        self.names = self.clauses.slots.names
        self.vocabulary = self.names.vocabulary

    @cached_property
    def verbs(self) -> Mapping[str, Mapping[str, str]]:
        """The verbs that orders begin with, by their forms in each slot for an order."""
        forms: dict[str, Callable[[str], Words]] = {"order": lambda verb: (verb,), "doing": gerunds, "past": past_forms}
        known = verbs(self.vocabulary)
        made = {slot: {form: verb for verb in known for form in of(verb)} for slot, of in forms.items()}
        return made | {"verb": made["order"]}

    @cached_property
    def states(self) -> tuple[Pattern, ...]:
        """The sentences of states, and the frames in which a thing should be so, such as "the cup should be washed"."""
        every = (
            each if each.is_state else replace(each, variants=tuple(filter(_is_duty, each.variants)))
            for each in self.clauses.patterns
            if each.is_state or each.is_frame
        )
        return tuple(each for each in every if each.variants)

    @cached_property
    def behind_being(self) -> frozenset[str]:
        """The words that stand behind "is" in these."""
        behind = (variant[2] for each in self.states for variant in each.variants if len(variant) > 2)
        return frozenset().union(*(words for words in behind if isinstance(words, frozenset)))

    @cached_property
    def stated(self) -> frozenset[str]:
        """The predicates that have a sentence of their own for what is so."""
        patterns = (each.template for each in self.states if each.is_state)
        return frozenset(atom.predicate for template in patterns for atom, _ in literals(template))

    def read(self, wordings: Sequence[Words], *, late: bool) -> Query | Doubt | None:
        """Return the query of the first form that fits a wording; or what is in doubt in the shortest of them.

        What is known of a thing is an answer to something else only where nothing else can be read.
        """
        doubts: list[tuple[int, int, Doubt]] = []
        instead: Query | None = None
        forms = (*_forms("late_questions"), *_forms("questions")) if late else _forms("questions")
        for words, form in ((words, form) for words in wordings for form in forms):
            for match in form.said.matches(words):
                try:
                    query = self.query(form, {name: words[slice(*span)] for name, span in match.slots.items()})
                except _DoubtError as error:
                    doubts.append((len(words), len(error.args[0].words), error.args[0]))
                else:
                    if query is not None and query.asked is form.asked:
                        return query
                    instead = instead or query
        return instead or (min(doubts, key=lambda each: each[:2])[2] if doubts else None)

    def query(self, form: _Form, slots: Mapping[str, Words]) -> Query | None:
        """Return what a form asks with these words in its slots; None if they do not fit it."""
        if not all(self._fits(slot, words) for slot, words in slots.items()):
            return None
        if "attribute" in slots:
            return self._attribute(form, slots)
        noun = self._sort(slots["noun"]) if "noun" in slots else _Noun(sort=ANY)
        first = "".join(form.condition[:1])
        if first == "about":
            return Query(form.asked, self._sort(self._words(form.condition[1:], slots)).about)
        if first:
            words = self._words(form.condition[first == "not" :], {**slots, "noun": (WHAT,)})
            return self._asked(form.asked, self._condition(words, noun, form.asked), denies=first == "not")
        if "noun" in slots:
            return Query(form.asked, noun.about, joined(And, iter(noun.traits)))
        about = tuple(name for slot in ("thing", "it") if slot in slots for name in self._named(slots[slot]).about)
        return Query(form.asked, about, TRUE if about and form.asked is QueryKind.WHICH else None)

    def _asked(self, kind: QueryKind | OwnQuery, read: _Condition | None, *, denies: bool) -> Query | None:
        """Return the query about a condition; where the world says nothing of that, what is known of its things."""
        if read is None or (read.misfits and denies):
            return None
        facts = [atom for atom, _ in literals(read.formula)]
        sensed = {name for name, predicate in self.vocabulary.predicates.items() if predicate.on_demand}
        is_open = any(len(fact.args) < 2 or fact.predicate in sensed for fact in facts)
        if read.misfits and (read.asked is not None or (kind is QueryKind.HOLDS and is_open)):
            names = tuple(name for name in dict.fromkeys(names_in(read.formula)) if not name.startswith("?"))
            return Query(OwnQuery.KNOWN, names) if names else None
        asked = read.asked or _Noun(sort=ANY)
        formula = Not(read.formula) if denies else read.formula
        return Query(kind, asked.about, joined(And, iter((*asked.traits, formula))))

    def _fits(self, slot: str, words: Words) -> bool:
        """Return whether words can stand in a slot, as far as their form says."""
        phrase = noun_phrase(words)
        if slot == "it":
            return phrase.definite or said(words) in PRONOUNS or self.names.lexicon.find(phrase.head)[1]
        if slot == "noun":
            return words == phrase.head or phrase.quantifier is not Quantifier.THE
        return words[0] in self.verbs.get(slot, words)

    def _words(self, condition: Iterable[str], slots: Mapping[str, Words]) -> Words:
        """Return the words of a condition with those of its slots; the verbs of orders as they are in phrases."""
        out: list[str] = []
        for token in condition:
            first, *rest = slots[token[1:-1]] if token.startswith("{") else (token,)
            out += (self.verbs.get(token[1:-1], {}).get(first, first), *rest)
        return tuple(out)

    def _attribute(self, form: _Form, slots: Mapping[str, Words]) -> Query | None:
        """Read "what colour is the cup"."""
        listed = [each.name for each in self.vocabulary.attributes.values() if not each.is_number]
        name = next((name for name in listed if distance(said(slots["attribute"]), name) <= 1), None)
        if name is None:
            return None
        return Query(
            form.asked, (name,), joined(Or, (Atom(name, (each, ASKED)) for each in self._named(slots["thing"]).about))
        )

    def _named(self, words: Words) -> _Noun:
        """Return the things that words name; of several that fit "the mug", all; or a class that is not here."""
        noun, phrase = self._noun(words, None), noun_phrase(words)
        if isinstance(noun, Ambiguous):
            noun = self._noun(("all", *phrase.head), None)
        if isinstance(noun, Unknown) and phrase.definite and (sorts := self._sorts(phrase.head)):
            noun = _Noun(sort=sorts[0])
        return noun if isinstance(noun, _Noun) else _doubt(noun)

    def _noun(self, words: Words, affordance: str | None) -> _Noun | Doubt:
        """Return what a noun phrase means: any thing of a sort without "the", else the things themselves."""
        phrase = noun_phrase(words)
        if phrase.quantifier in (Quantifier.COUNT, Quantifier.THE_COUNT):
            return Unknown(said(words), (), "a question with a number of things is not understood", "Ask 'how many …'.")
        definite = phrase.definite or phrase.ordinal or phrase.quantifier is Quantifier.ALL
        if not definite and {AND, "or", "me", "you", *PRONOUNS}.isdisjoint(words):
            try:
                return self._sort(words, affordance)
            except _DoubtError:
                pass  # it may have a place: "a cup on the table"
        read = self.clauses.slots.referent(words, affordance, ())
        return read.doubts[0] if read.doubts else _Noun(read.alternatives)

    def _sort(self, words: Words, affordance: str | None = None) -> _Noun:
        """Return what a noun without "the" means: "mugs", "of the red mugs", "any milk", "things"."""
        words = words[words[:1] == ("of",) :]
        if said(words) in PRONOUNS:
            return self._named(words)
        phrase = noun_phrase(("something", *words[1:]) if words[:1] == ("anything",) else words)
        if (
            phrase.head
            and phrase.head[0] in {*THINGS, "anybody", "somebody", "anyone", "someone"}
            and not phrase.head[1:]
        ):
            return _Noun(sort=ANY)
        entry, _ = self.names.lexicon.find(phrase.head, affordance) if phrase.head else (None, False)
        described = self.names.described(phrase) if entry is None else None
        if described is not None and described.rank is None:
            sorts = [ANY] if described.noun[0] in THINGS else self._sorts(described.noun)
            if sorts:
                return _Noun(sort=sorts[0], traits=tuple(_of_trait(trait, ASKED) for trait in described.traits))
        if sorts := self._sorts(phrase.head):
            meant = () if entry is None else entry.names
            of = (sort for sort in sorts if {*self._things(sort)} == {*meant})
            return _Noun(sort=next(of, sorts[0]))
        if entry is not None and entry.names:
            return _Noun(tuple((name,) for name in entry.names))
        resolved = self.names.resolve(said(words), affordance)
        return _Noun(tuple((name,) for name in resolved.names)) if isinstance(resolved, Resolved) else _doubt(resolved)

    def _things(self, sort: str) -> Words:
        return (*self.vocabulary.of_class(sort), *self.vocabulary.of_kind(sort))

    def _sorts(self, head: Words) -> list[str]:
        """Return the classes and kinds that a noun names."""
        named = {plain(name): name for name in (*self.vocabulary.kinds, *self.vocabulary.classes)}
        meant = {plain(word): name for word, name in self.vocabulary.synonyms.items()}
        forms = [" ".join(form) for form in (head, *singular_forms(head))] if head else []
        return list(dict.fromkeys(each[form] for form in forms for each in (named, meant) if form in each))

    def _condition(self, words: Words, noun: _Noun, kind: QueryKind | OwnQuery) -> _Condition | None:
        """Read a condition in the words of a state, or of an order; `noun` stands for "what" in it."""
        found, doubts, asked = list[_Condition](), list[Doubt](), noun._replace(asked=True)
        rewritten = tuple(AND if word == "and" else word for word in rewrite((*words, "."))[:-1])
        readings = [self._state(each, asked) for each in dict.fromkeys((words, rewritten))]
        readings.append(self._order(words, asked))
        if kind is QueryKind.ABLE:  # "can you chop"
            readings.append(self._order((*words, "anything"), asked))
        for reading in readings:
            for read in () if found else reading:
                (found if isinstance(read, _Condition) else doubts).append(read)  # type: ignore[arg-type]
        if not found:
            return _doubt(min(doubts, key=lambda doubt: len(doubt.words))) if doubts else None
        best = min(found, key=lambda each: each.misfits)
        alike = [each for each in found if each.misfits == best.misfits and each.spans == best.spans]
        own = [each for each in alike if each.is_own] or alike
        formula = joined(Or, (each.formula for each in own))
        if best.denied and best.asked is None and not isinstance(formula, Atom):
            return None  # "some are not" and "not all are" are no denials of the whole
        return best._replace(formula=Not(formula) if best.denied else formula)

    def _state(self, words: Words, asked: _Noun) -> Iterator[_Condition | Doubt]:
        """Read a state such as "the fridge is open"; "the cup is washed" is read as what should be so."""
        words = tuple("is" if word == "are" else word for word in words)
        if words.count("is") != 1:
            return
        at = words.index("is")
        denied = words[at + 1 : at + 2] == ("not",)
        words = words[: at + 1] + words[at + 1 + denied :]
        wished, found = (*words[:at], SHOULD, *words[at + 1 :]), list[_Condition | Doubt]()
        traits, rest = self.names.traits.before(words[at + 1 :])
        if traits and not rest and not any(trait.predicates for trait in traits):
            red = joined(And, (_of_trait(trait, "slot-thing") for trait in traits))
            pattern = Pattern(GoalPhrase("", "", {"thing": ANY}), (("thing",),), red)
            found += self._filled(pattern, Match({"thing": (0, at)}, ()), words, asked)
        for pattern in self.states if {*words[at + 1 : at + 2]} <= self.behind_being else ():
            so = words if pattern.is_state else wished
            found += [read for match in pattern.matches(so) for read in self._filled(pattern, match, so, asked)]
        yield from (read._replace(denied=denied) if isinstance(read, _Condition) else read for read in found)

    def _order(self, words: Words, asked: _Noun) -> Iterator[_Condition | Doubt]:
        """Read an order such as "put the cup on the table", in the first way in which it can be read."""
        is_order = words[0] in self.verbs["order"]
        for each, match in matches_of(words, self.names.vocabulary, lambda each: is_order and not each.is_state):
            for read in self._filled(each, match, words, asked):
                yield read
                if isinstance(read, _Condition) and not read.misfits:
                    return

    def _filled(self, pattern: Pattern, match: Match, words: Words, asked: _Noun) -> Iterator[_Condition | Doubt]:
        """Yield the goal of a pattern with the things of its slots, or the words that are in doubt."""
        own = {"robot": ("you",), "speaker": ("me",)}
        parts = {slot: words[slice(*span)] for slot, span in match.slots.items()}
        parts |= {slot: own.get(slot) or ("the", *slot.split("_")) for slot in pattern.free}
        nouns: dict[str, _Noun] = {}
        misfits = 0
        for slot, part in parts.items():
            needed = pattern.phrase.slots.get(slot, ANY)
            noun = asked if part == (WHAT,) else self._noun(part, needed)
            if not isinstance(noun, _Noun):
                yield noun
                return
            nouns[slot] = noun._replace(sort=needed) if noun.sort == ANY and not noun.asked else noun
            misfits += not self._affords(nouns[slot], needed)
        formula = _built(pattern.template, list(nouns.items()), {}, "yzuvw")
        what = asked if ASKED in names_in(formula) else None
        is_own = pattern.is_state or not {atom.predicate for atom, _ in literals(pattern.template)} <= self.stated
        yield _Condition(formula, what, misfits, tuple(match.slots.values()), is_own)

    def _affords(self, noun: _Noun, needed: str) -> bool:
        """Return whether things have an affordance: all that are named, any of a sort, or else its class."""
        if ANY in (needed, noun.sort) or noun.sort == needed:
            return True
        names = self._things(noun.sort) if noun.sort else noun.about
        able = self.names.lexicon.able(names, needed)
        return (
            bool(able)
            if noun.sort and names
            else able == names
            if names
            else needed in self.vocabulary.classes.get(noun.sort, ())
        )


def _doubt(doubt: Doubt) -> NoReturn:
    raise _DoubtError(doubt)


def _is_duty(variant: Variant) -> bool:
    return isinstance(variant[0], str) and SHOULD in variant[1]


def _of_trait(trait: Trait, name: str) -> Formula:
    """Return the condition that a thing has a trait."""
    facts = [Atom(attribute, (name, value)) for attribute, value in trait.meanings]
    formula = joined(Or, iter([*facts, *(Atom(predicate, (name,)) for predicate in trait.predicates)]))
    return Not(formula) if trait.denied else formula


def _built(template: Formula, nouns: list[tuple[str, _Noun]], binding: dict[str, str], letters: str) -> Formula:
    """Return a template with the things of nouns: all that are meant of any choice, or some thing of a sort."""
    if not nouns:
        return filled(template, binding)
    (slot, noun), *rest = nouns

    def with_name(name: str, letters: str = letters) -> Formula:
        return _built(template, rest, {**binding, slot: name}, letters)

    if noun.asked:
        return with_name(ASKED)
    if noun.sort:
        name = f"?{letters[0]}"
        parts = (*(_renamed(trait, name) for trait in noun.traits), with_name(name, letters[1:]))
        return Exists((Variable(letters[0], noun.sort),), joined(And, iter(parts)))
    return joined(Or, (joined(And, map(with_name, choice)) for choice in noun.choices))


def _renamed(formula: Formula, name: str) -> Formula:
    """Return a condition of `ASKED` as one of another variable."""
    if isinstance(formula, Atom):
        return Atom(formula.predicate, tuple(name if arg == ASKED else arg for arg in formula.args))
    return rebuilt(formula, lambda part: _renamed(part, name))
