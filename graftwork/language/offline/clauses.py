"""From segments to a goal: group the segments into clauses, read each clause, and join those of a stage into a goal.

"Put the cup and the plate in the sink and open the fridge" has three segments and two clauses. A beam search tries
every way of joining neighbours. At each segment it keeps the few best readings of the words so far, so the cost is
quadratic in the number of segments.

Each clause is matched with every pattern. The reading with the fewest doubts wins, then the one whose objects have the
needed affordances, then the pattern that the domain lists first. A clause without a verb takes over the beginning of
the clause before it: "put the cup on the table and the plate in the sink".

A choice ("a cup") is made once for the whole sentence: the goal is a disjunction of conjunctions, one for each choice.
So "put a cup on the tray and bring it to me" speaks of one cup. A clause about the robot's own hand or place is only
an intermediate step if a later clause speaks of the same objects: "pick up the apple and put it on the table" asks for
an apple on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import prod

from graftwork.language.offline.patterns import AND, Match, Pattern, filled, said
from graftwork.language.offline.referents import (
    MOST_ALTERNATIVES,
    PRONOUNS,
    Doubt,
    Pairs,
    Referent,
    Slots,
    pairs_of,
    with_partners,
)
from graftwork.language.offline.said_values import SaidValue, Values, values_of
from graftwork.language.offline.segments import Boundary, Segment
from semantics.logic.atoms import And, Atom, Formula, Or, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.words.english import noun_phrase
from semantics.words.names import Resolved, Unknown

MOST_READINGS = 24
"""Maximum number of matches for the same words."""
POINTED_OUT = 0.05
"""Weight of a place that describes an object. It makes "put the cup on the tray and the plate in the sink" two clauses
rather than one about the cup that is on the tray."""
MISSING = 0.9
"""Weight of an object that is not at the named place."""
_FOR = "for"
_ME = ("me",)
_BY_THEMSELVES = {"robot": ("you",), "speaker": ("me",)}
"""The words for slots of a goal that a pattern need not contain."""


@dataclass(frozen=True, eq=False, slots=True)
class Clause:
    """The words of a clause; a `MeaningfulClause` also has a pattern that matches them."""

    words: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class MeaningfulClause(Clause):
    """A clause with a meaning.

    Attributes:
        words: The words that the pattern matches, with those taken over from the clause before.
        pattern: The pattern.
        match: The positions of its elements in `words`.
        referents: The objects of each slot.
        held: For each slot without words, the slot of the object and the believed place of each such object: the place
            that "take out the milk" does not name.
        taken_for_so: The believed places of these objects, in words.
        pairs: For a slot whose objects go with those of another one, that other slot, and the partners of each object.
        values: How it is to be done: what was said of a speed, a duration, an amount.
    """

    pattern: Pattern
    match: Match
    referents: dict[str, Referent]
    held: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    taken_for_so: tuple[str, ...] = ()
    pairs: Mapping[str, Pairs] = field(default_factory=dict)
    values: tuple[SaidValue, ...] = ()

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts about all its slots."""
        return tuple(doubt for referent in self.referents.values() for doubt in referent.doubts)

    @property
    def notes(self) -> tuple[str, ...]:
        """The assumptions, one sentence each."""
        notes = [note for referent in self.referents.values() for note in referent.notes]
        for slot, (start, end) in self.match.slots.items():
            referent, text = self.referents[slot], said(self.words[start:end])
            if text in PRONOUNS:
                notes.append(f"'{text}' was read as '{referent.words}'.")
        notes += [f"It is believed that {fact}." for fact in self.taken_for_so]
        return tuple(notes)

    @property
    def made(self) -> set[str]:
        """The predicates of its goal."""
        return {atom.predicate for atom, _ in literals(self.pattern.template)}

    @property
    def mentioned(self) -> tuple[Referent, ...]:
        """The referents that it mentions, in the order of its words."""
        named = (self.referents[slot] for slot in self.match.slots)
        return tuple(item for referent in named for item in (*referent.within, referent))

    @property
    def trouble(self) -> float:
        """The penalty of this reading: unknown words weigh most, then missing affordances, then describing places."""
        certain = [referent for referent in self.referents.values() if not referent.doubts]
        weights = sum(_weight(doubt) for doubt in self.doubts)
        weights += POINTED_OUT * sum(len(referent.within) for referent in certain)
        return weights + 0.4 * sum(referent.misfits for referent in self.referents.values())


@dataclass(slots=True)
class Clauses:
    """Reads clauses with the patterns of a domain."""

    patterns: tuple[Pattern, ...]
    slots: Slots
    _covered: dict[tuple[str, ...], tuple[tuple[Pattern, Match], ...]] = field(default_factory=dict, init=False)
    _plain: dict[tuple[str, ...], MeaningfulClause | None] = field(default_factory=dict, init=False)

    def read(
        self, words: tuple[str, ...], before: Sequence[Clause], *, begins_stage: bool = False
    ) -> MeaningfulClause | None:
        """Return the best reading of `words` that follow the clauses `before`, or None.

        Args:
            words: The words.
            before: The clauses before them.
            begins_stage: Whether a word of order stands between, as in "put the cup in the sink, then the plate".
        """
        if words in self._plain:
            return self._plain[words]
        mentioned = [
            referent for clause in before if isinstance(clause, MeaningfulClause) for referent in clause.mentioned
        ]
        readings = [self._wish(words, pattern, match, mentioned, {}) for pattern, match in self._cover(words)]
        if not readings and before and isinstance(before[-1], MeaningfulClause):
            readings = list(self._elliptical(words, before[-1], mentioned))
            if begins_stage:
                readings = [*self._in_place_of(words, before[-1], mentioned), *readings]
        # "for me" may belong to the name of a thing, so it is split off only when no other reading is without doubt.
        if _FOR in words[2:-1] and not any(wish.trouble == 0 for wish in readings):
            readings += self._favours(words, before)
        best = min(readings, key=lambda wish: wish.trouble, default=None)
        # Only a reading that does not depend on the clauses before may be cached.
        if self._cover(words) and not PRONOUNS & set(words):
            self._plain[words] = best
        return best

    def _favours(self, words: tuple[str, ...], before: Sequence[Clause]) -> Iterator[MeaningfulClause]:
        """Read "open the box for me" as "open the box", and "fetch the cup for me" as "fetch me the cup"."""
        at = len(words) - 1 - words[::-1].index(_FOR)
        whom = words[at + 1 :]
        if whom != _ME and not self._is_actor(whom, self.slots.names.vocabulary.actor):
            return
        plainly = self.read(words[:at], before)
        spoken_of = plainly is not None and {"speaker"} & {*plainly.pattern.free, *plainly.referents}
        if plainly is not None and "robot" not in plainly.pattern.free and (whom == _ME or not spoken_of):
            yield plainly
        shifted = self.read((words[0], *whom, *words[1:at]), before)
        if shifted is not None:
            yield shifted

    def _cover(self, words: tuple[str, ...]) -> tuple[tuple[Pattern, Match], ...]:
        if words not in self._covered:
            matches = (
                (pattern, match)
                for pattern in self.patterns
                for match in pattern.matches(words)
                # The words in place of "me" name an agent, so that no wrong split of the words matches.
                if pattern.recipient is None
                or self._is_actor(
                    words[slice(*match.slots[pattern.recipient])], pattern.phrase.slots.get(pattern.recipient)
                )
            )
            self._covered[words] = tuple(islice(matches, MOST_READINGS))
        return self._covered[words]

    def _is_actor(self, words: tuple[str, ...], affordance: str | None) -> bool:
        resolved = self.slots.names.resolve(said(words), affordance)
        return isinstance(resolved, Resolved) and resolved.fits

    def _elliptical(
        self, words: tuple[str, ...], last: MeaningfulClause, mentioned: Sequence[Referent]
    ) -> Iterator[MeaningfulClause]:
        """Read words together with a beginning of the clause before, the longest beginning first."""
        for end in reversed(last.match.ends[:-1]):
            taken_over = {
                last.match.slots[slot]: referent
                for slot, referent in last.referents.items()
                if slot in last.match.slots and last.match.slots[slot][1] <= end
            }
            joined = last.words[:end] + words
            for pattern, match in self._cover(joined):
                if match.ends[-2:-1] == (end,) and isinstance(pattern.variants[0][-1], str):
                    continue  # a bare noun continues a list and is no clause
                yield self._wish(joined, pattern, match, mentioned, taken_over, last)

    def _in_place_of(
        self, words: tuple[str, ...], last: MeaningfulClause, mentioned: Sequence[Referent]
    ) -> Iterator[MeaningfulClause]:
        """Read words as a slot of the clause before, the first slot first, with the rest as it was."""
        for start, end in sorted(last.match.slots.values()):
            joined = last.words[:start] + words + last.words[end:]
            longer = len(words) - (end - start)
            spans = {
                (first + longer, after + longer) if first >= end else (first, after): last.referents[slot]
                for slot, (first, after) in last.match.slots.items()
                if (first, after) != (start, end)
            }
            for pattern, match in self._cover(joined):
                if (start, start + len(words)) in match.slots.values():
                    yield self._wish(joined, pattern, match, mentioned, spans)

    def _wish(
        self,
        words: tuple[str, ...],
        pattern: Pattern,
        match: Match,
        mentioned: Sequence[Referent],
        taken_over: dict[tuple[int, int], Referent],
        like: MeaningfulClause | None = None,
    ) -> MeaningfulClause:
        """Return a clause; in one that is built `like` the last one, a pronoun stands for what was in its place."""
        earlier = [like.referents[slot] for slot in like.match.slots] if like is not None else []
        alike = dict(zip(match.slots, earlier, strict=False))
        asked = pattern.phrase.slots
        held = self._held_slots(pattern) if pattern.denied else {}
        referents: dict[str, Referent] = {}
        for slot in sorted(
            match.slots, key=lambda name: name in pattern.denied
        ):  # places first, then the objects that leave them
            span = match.slots[slot]
            among = self._taken_from(pattern, slot, referents) if slot in pattern.denied else None
            referent = taken_over.get(span) or self.slots.referent(
                words[slice(*span)], asked.get(slot), mentioned, among, alike.get(slot)
            )
            referents[slot] = self._somewhere(referent, pattern.denied[slot][0]) if slot in held.values() else referent
        for slot in pattern.free:
            if slot not in held:
                words_for = _BY_THEMSELVES.get(slot) or ("the", *slot.split("_"))
                referents[slot] = self.slots.referent(words_for, asked.get(slot), ())
        pairs: dict[str, Pairs] = {}
        if any(referent.pairing for referent in referents.values()):
            pairs = dict(pairs_of(match.slots, referents, self.slots.names.traits))
        for slot, (by, partners_of) in pairs.items():
            referents[slot] = with_partners(referents[slot], referents[by], partners_of)
        named = frozenset().union(*(each.names for each in referents.values() if len(each.names) == 1))
        # Without what another slot names: "all the blocks on the red block" are the others.
        referents = {slot: each if each.single else each.without(named) for slot, each in referents.items()}
        places = {slot: (by, self.slots.places.place_of(pattern.denied[by][0])) for slot, by in held.items()}
        meant = [name for by in held.values() for name in referents[by].names]
        return MeaningfulClause(
            words, pattern, match, referents, places, self.slots.places.whereabouts(meant) if meant else (), pairs
        )

    def _held_slots(self, pattern: Pattern) -> dict[str, str]:
        """Return the slots of the goal that stand for an object's present place, each with the slot of the object."""
        names = self.slots.names
        return {
            spot: slot
            for slot, (_, spot) in pattern.denied.items()
            if spot in pattern.free and spot not in _BY_THEMSELVES and not names.knows(spot)
        }

    def _taken_from(self, pattern: Pattern, slot: str, referents: Mapping[str, Referent]) -> frozenset[str] | None:
        """Return the preferred objects of a slot: those at the place that the goal wants them to leave."""
        relation, spot = pattern.denied[slot]
        if spot in referents:
            return self.slots.places.there((relation,), referents[spot].names)
        return frozenset(self.slots.places.place_of(relation)) if spot in pattern.free else None

    def _somewhere(self, referent: Referent, relation: str) -> Referent:
        """Keep the alternatives in which every object has a known place under the relation."""
        places = self.slots.places.place_of(relation)
        alternatives = tuple(names for names in referent.alternatives if all(name in places for name in names))
        if referent.doubts or alternatives == referent.alternatives:
            return referent
        if alternatives and referent.words not in PRONOUNS:
            return replace(referent, alternatives=alternatives)
        word = self.slots.places.said((relation,)) or relation
        elsewhere = sorted(name for name in referent.names if name not in places)
        whereabouts = ", ".join(self.slots.places.whereabouts(elsewhere))
        why = f"it is not known to be {word} anything"
        how = f"As far as is known, {whereabouts}." if whereabouts else "Say where it is to be in the end."
        return replace(
            referent, alternatives=(), misfits=0, doubts=(Unknown(referent.words, (), why, how, missing=True),)
        )


def _weight(doubt: Doubt) -> float:
    """Return the penalty of a doubt: smallest for an ambiguity, and smaller for fewer unknown words."""
    if isinstance(doubt, Unknown) and doubt.missing:
        return MISSING
    return 1.0 + 0.01 * len(doubt.words.split()) if isinstance(doubt, Unknown) else 0.5


BEAM = 4
UNREAD = 0.9
"""Penalty of a segment without a reading: a little less than an unknown word, so that "bring me the milk and dance"
blames the verb."""
UNREAD_NOUN = 1.5
MORE_CLAUSES = 0.001


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A reading of the first segments: its clauses, the number of segments of each, and its penalty."""

    clauses: tuple[Clause, ...] = ()
    lengths: tuple[int, ...] = ()
    trouble: float = 0.0


Placed = tuple[Clause, tuple[Segment, ...]]
"""A clause with its segments."""


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
            begins_stage = start > 0 and segments[start].stage != segments[start - 1].stage
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
    if wish is not None:
        trouble = beginning.trouble + wish.trouble + MORE_CLAUSES
        yield _Beginning((*beginning.clauses, wish), (*beginning.lengths, length), trouble)
    if length == 1 and (wish is None or (wish.doubts and wish.words != words)):
        weight = UNREAD if noun_phrase(words).head == words else UNREAD_NOUN
        lengths = (*beginning.lengths, length)
        yield _Beginning((*beginning.clauses, Clause(words)), lengths, beginning.trouble + weight)


Stage = list[MeaningfulClause]
"""Clauses without an order among them."""


def goal_of(instruction: str, order: Sequence[Stage], robot: str) -> Goal | Question | Rejection:
    """Join the clauses, which have no doubts, into one goal for each stage; the first one has the others as `later`."""
    wishes = [wish for stage in order for wish in stage]
    steps = [wish for at, wish in enumerate(wishes[:-1], 1) if _is_step(wish, wishes[at:], robot)]
    notes = dict.fromkeys(note for wish in wishes for note in wish.notes)
    notes |= dict.fromkeys(
        f"'{said(wish.words)}' was taken as a step on the way, not as something that holds in the end."
        for wish in steps
    )
    remaining = [left for stage in order if (left := [wish for wish in stage if wish not in steps])]
    if len(remaining) > 1 and (choice := _choice_between(remaining)) is not None:
        return _which_one(choice)
    formulas = [_formula_of(stage) for stage in remaining]
    refused = next((formula for formula in formulas if isinstance(formula, Rejection)), None)
    if refused is not None:
        return refused
    told = [" and ".join(said(wish.words) for wish in stage) for stage in remaining]
    values: list[Values] | Feedback = [()] * len(remaining)
    if any(wish.values for wish in wishes):
        values = _values_of(order, steps, notes)
    if isinstance(values, Feedback):
        return Rejection((values,))
    first, *later = (
        Goal(
            formula,
            text,
            values=each,
            every=tuple(
                dict.fromkeys(each for wish in stage for said_of in wish.referents.values() for each in said_of.every)
            ),
        )
        for formula, text, each, stage in zip(formulas, (instruction, *told[1:]), values, remaining, strict=True)
        if not isinstance(formula, Rejection)
    )
    return replace(first, notes=tuple(notes), later=tuple(later))


def _values_of(
    order: Sequence[Stage], steps: Sequence[MeaningfulClause], notes: dict[str, None]
) -> list[Values] | Feedback:
    """Return the values of each stage that is left, and add their notes; those of a mere step hold for the next one."""
    found: list[Values] = []
    values: list[SaidValue] = []
    for stage in order:
        values += [value for wish in stage for value in wish.values]
        if clauses := [(said(wish.words), wish.values, wish.made) for wish in stage if wish not in steps]:
            read = values_of(values, clauses)
            if isinstance(read, Feedback):
                return read
            found.append(read[0])
            notes |= dict.fromkeys(read[1])
            values = []
    return found


def _choice_between(order: Sequence[Stage]) -> Referent | None:
    """Return what leaves a choice open and is named in more than one stage, so that it must be the same in each."""
    named = [dict.fromkeys(referent for wish in stage for referent in wish.referents.values()) for stage in order]
    choices = (referent for names in named for referent in names if len(referent.alternatives) > 1)
    return next((referent for referent in choices if sum(referent in names for names in named) > 1), None)


def _which_one(referent: Referent) -> Question:
    options = tuple(" and ".join(names) for names in referent.alternatives)
    why = "several do, and what comes later speaks of the same one"
    feedback = Feedback(Code.AMBIGUOUS, f"'{referent.words}'", f"{why}.", culprits=(referent.words,))
    return Question.among(options, feedback)


def _formula_of(remaining: Stage) -> Formula | Rejection:
    """Join the clauses of a stage into a formula."""
    referents = list(dict.fromkeys(referent for wish in remaining for referent in wish.referents.values()))
    if prod(len(referent.alternatives) for referent in referents) > MOST_ALTERNATIVES:
        why = f"it leaves more than {MOST_ALTERNATIVES} choices open."
        return Rejection((Feedback(Code.AMBIGUOUS, "the instruction", why, "Name the things one by one."),))
    choices = product(*(referent.alternatives for referent in referents))
    bindings = [dict(zip(referents, choice, strict=True)) for choice in choices]
    # Two choices may pick the same object; drop those combinations unless no other is left.
    if len(bindings) > 1:
        bindings = [binding for binding in bindings if _distinct(remaining, binding)] or bindings
    made = dict.fromkeys(_conjunction(remaining, binding) for binding in bindings)
    branches = tuple(branch for branch in made if branch != And(()))  # "a block" that goes with nothing is not meant
    return branches[0] if len(branches) == 1 else Or(branches)


Binding = Mapping[Referent, tuple[str, ...]]


def _conjunction(wishes: Sequence[MeaningfulClause], binding: Binding) -> Formula:
    """Return the conjunction of the clauses' goals, each for every combination of its objects."""
    parts: dict[Formula, None] = {}  # in order, each once
    for wish in wishes:
        slots = [slot for slot in wish.referents if slot not in wish.pairs]
        for names in product(*(binding[wish.referents[slot]] for slot in slots)):
            bound = dict(zip(slots, names, strict=True))
            held = {slot: where[bound[by]] for slot, (by, where) in wish.held.items()}
            # With any of their partners; nothing for what has none.
            options = [[(slot, name) for name in of.get(bound[by], ())] for slot, (by, of) in wish.pairs.items()]
            ways = [filled(wish.pattern.template, {**bound, **held, **dict(choice)}) for choice in product(*options)]
            for formula in (ways[0] if len(ways) == 1 else Or(tuple(ways)),) if ways else ():
                parts |= dict.fromkeys(formula.parts if isinstance(formula, And) else (formula,))
    return next(iter(parts)) if len(parts) == 1 else And(tuple(parts))


def _distinct(wishes: Sequence[MeaningfulClause], binding: Binding) -> bool:
    """Return whether no clause relates an object to itself, which "put a cup on a plate" never means."""
    for wish in wishes:
        names = [name for referent in wish.referents.values() for name in binding[referent]]
        if len(set(names)) < len(names):
            return False
    return True


def _is_step(wish: MeaningfulClause, later: Sequence[MeaningfulClause], robot: str) -> bool:
    """Return whether a clause is only about the robot, and its other objects appear again in `later` clauses.

    A clause that names no object, such as "wait", is no step on the way to anything.
    """
    own = [referent for referent in wish.referents.values() if referent.names != {robot}]
    if wish in later or not own or len(own) == len(wish.referents):  # or the same words once more
        return False
    if not all(_speaks_of(atom, robot, wish) for atom, _ in literals(wish.pattern.template)):
        return False
    later_names = {name for other in later for referent in other.referents.values() for name in referent.names}
    return all(referent.names <= later_names for referent in own)


def _speaks_of(atom: Atom, name: str, wish: MeaningfulClause) -> bool:
    args = filled(atom, {slot: name for slot, referent in wish.referents.items() if referent.names == {name}})
    return isinstance(args, Atom) and name in args.args
