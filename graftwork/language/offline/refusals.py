"""The reason why a sentence makes no goal: a question if an answer would help, else a rejection with all reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graftwork.language.offline.clause import Clause, MeaningfulClause
from graftwork.language.offline.clauses import Clauses
from graftwork.language.offline.frames import tables
from graftwork.language.offline.patterns import AND, Pattern, said, verbs
from graftwork.language.offline.referents import Doubt
from graftwork.language.offline.segments import unordered
from semantics.hints import FEW, SOME, choices, distance
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question, Rejection
from semantics.plain_text import shortened
from semantics.words.english import GRAMMAR, THINGS, noun_phrase
from semantics.words.lexicon import MatchKind, plain
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown

_NEGATIONS = frozenset(tables()["negations"].split())
_RULES = frozenset({"never", "always", "meanwhile", "whenever"})
"""Words of a rule that holds on the whole way, and not in the end."""
MOST_TRIED = 4  # how many sentences are tried at most for the nearest one that can be read
_CONDITIONS = frozenset({"if", "unless", "because", "as"})


@dataclass(frozen=True, slots=True)
class Refusals:
    """Explains why clauses make no goal.

    Attributes:
        clauses: Reads a clause again with another verb.
        names: The names that were tried.
        meaning: The same names, which also compares words by meaning.
    """

    clauses: Clauses
    names: NameIndex
    meaning: NameIndex

    def explain(self, clauses: Sequence[Clause]) -> Question | Rejection | None:
        """Return why `clauses` make no goal, or None when nothing is in doubt."""
        unread = [
            clause
            for clause in clauses
            if not isinstance(clause, MeaningfulClause) or (unordered(clause.words) and not clause.doubts)
        ]
        doubts = [doubt for wish in clauses if isinstance(wish, MeaningfulClause) for doubt in self._doubts(wish)]
        unknown = (self._unknown(doubt, affordance) for doubt, affordance in doubts)
        reasons = tuple(dict.fromkeys(filter(None, (*unknown, *map(self._refused, unread)))))
        if reasons:
            return Rejection(reasons)
        questions = [*map(self._asked, unread), *(_which(doubt) for doubt, _ in doubts if isinstance(doubt, Ambiguous))]
        return next((question for question in questions if question is not None), None)

    def about(self, doubt: Doubt) -> Question | Rejection:
        """Return what is told, or asked, about words in doubt outside of a wish."""
        if isinstance(doubt, Ambiguous):
            return _which(doubt)
        refused = self._unknown(doubt, None)
        return Rejection(() if refused is None else (refused,))

    def _doubts(self, wish: MeaningfulClause) -> Iterator[tuple[Doubt, str | None]]:
        """Yield each doubt about a clause with the affordance of its slot; names of similar meaning become options."""
        for slot, referent in wish.referents.items():
            affordance = wish.pattern.phrase.slots.get(slot)
            for doubt in referent.doubts:
                alike = isinstance(doubt, Unknown) and not doubt.how
                by_meaning = self.meaning.resolve(doubt.words, affordance) if alike else doubt
                yield (
                    by_meaning if isinstance(by_meaning, Ambiguous) and by_meaning.how is MatchKind.MEANING else doubt,
                    affordance,
                )

    def _unknown(self, doubt: Doubt, affordance: str | None) -> Feedback | None:
        words = tuple(doubt.words.split())
        # "The cans that are not open" denies nothing of what is to hold.
        describing = self.names.described(noun_phrase(words)) or self.clauses.slots.places.read(words)
        forbidden = None if describing else _forbidden(words)
        if forbidden or not isinstance(doubt, Unknown):
            return forbidden
        able = () if doubt.how else self.names.lexicon.able(self.names.vocabulary.things, affordance)
        how = doubt.how or self._instead(doubt, able)
        instead = doubt.nearest or able[: FEW if len(able) <= FEW else SOME]
        return Feedback(Code.UNKNOWN_NAME, _quoted(doubt.words), f"{doubt.why}.", how, (doubt.words,), instead=instead)

    def _instead(self, doubt: Unknown, able: Sequence[str]) -> str:
        """Return a remedy: similar names, or objects that the slot accepts, or the command that lists them."""
        if doubt.nearest:
            return f"Did you mean {' or '.join(doubt.nearest)}?"
        return f"What would do here: {choices(able, 'object')}." if able else "Nothing in this scene would do here."

    def _refused(self, clause: Clause) -> Feedback | None:
        """Return why a clause without a reading is refused; None when a question about it would help."""
        if forbidden := _forbidden(clause.words):
            return forbidden
        what, first = _quoted(said(clause.words)), clause.words[0]
        if first in verbs(self.names.vocabulary):
            forms = dict.fromkeys(form for pattern in self.clauses.patterns for form in _forms(pattern, first))
            strange = self._strange(clause.words)
            why = f"'{first}' is not followed by what it needs"
            why += f", and '{' '.join(strange)}' is not understood after it." if strange else "."
            return Feedback(
                Code.NOT_UNDERSTOOD,
                what,
                why,
                f"Say {choices(forms, 'phrase', self.names.vocabulary.world)}.{self._nearest(clause.words)}",
                (first, *strange),
            )
        if self._near_verb(clause) or isinstance(self.names.resolve(" ".join(clause.words)), Resolved | Ambiguous):
            return None
        why = f"'{shortened(first)}' is not something that can be asked for here."
        world = self.names.vocabulary.world
        how = f"A wish begins with a word such as {choices(self._usual_verbs(), 'phrase', world)}."
        how += self._nearest(clause.words)
        return Feedback(Code.NOT_UNDERSTOOD, what, why, how, (first,))

    def _nearest(self, words: Sequence[str]) -> str:
        """Return " Nearest: 'wipe the table'." for words that share a noun or a verb with a phrase; else nothing."""
        names = self.names
        nouns = {word: meant for word in words if names.knows(word) and (meant := names.meant(word))}
        ranked: list[tuple[int, int, int, tuple[str, ...]]] = []
        for order, pattern in enumerate(self.clauses.patterns):
            if pattern.is_frame or pattern.is_state or pattern.recipient is not None:
                continue
            left, text, shared, added = dict(nouns), list[str](), 0, 0
            for element in pattern.variants[-1]:
                if isinstance(element, frozenset):
                    word = next((word for word in words if word in element), "")
                    shared += bool(word) and word not in GRAMMAR
                    usual = pattern.phrase.pattern.split()[0].split("|")[0]
                    text.append(word or (usual if usual in element else min(element)))
                    continue
                affordance = pattern.phrase.slots.get(element)
                noun = next((noun for noun, meant in left.items() if names.lexicon.able(meant, affordance)), "")
                shared += 2 * bool(noun)
                added += not noun
                left.pop(noun, None)
                others = names.lexicon.able(names.vocabulary.things, affordance)
                text += ["the", noun] if noun else others[:1]
            ranked.append((-shared, added, order, tuple(text)))
        for *_, sentence in sorted(ranked)[:MOST_TRIED]:
            wish = self.clauses.read(sentence, ())
            if any(word in nouns for word in sentence) and wish is not None and not wish.doubts:
                return f" Nearest: '{' '.join(sentence)}'."
        return ""

    def _strange(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return the words after the verb that name no object, are no grammar, and do not belong to the verb."""
        shortest = (pattern.variants[-1] for pattern in self.clauses.patterns)
        of_verb = (variant for variant in shortest if isinstance(variant[0], frozenset) and words[0] in variant[0])
        elements = (element for variant in of_verb for element in variant if isinstance(element, frozenset))
        known_words = GRAMMAR.union(THINGS, {AND}, *elements)
        return tuple(
            word
            for word in dict.fromkeys(words[1:])
            if noun_phrase((word, "thing")).head == (word, "thing")
            and word not in known_words
            and not self.names.lexicon.knows(plain(word))
            and not self.names.traits.knows(word)
        )

    def _usual_verbs(self) -> tuple[str, ...]:
        """Return all verbs; the first verb of each phrase comes first."""
        first = (pattern.phrase.pattern.split()[0].split("|")[0] for pattern in self.clauses.patterns)
        known_verbs = verbs(self.names.vocabulary)
        return tuple(dict.fromkeys((*(verb for verb in first if verb in known_verbs), *known_verbs)))

    def _asked(self, clause: Clause) -> Question | None:
        near = self._near_verb(clause)
        if near:
            return _which(Ambiguous(clause.words[0], near, "no such verb is known", MatchKind.SPELLING))
        words = said(clause.words)
        why = Feedback(Code.AMBIGUOUS, _quoted(words), "it names a thing and says nothing about it.", culprits=(words,))
        return Question(f"What should be done with {shortened(words)}?", (), why)

    def _near_verb(self, clause: Clause) -> tuple[str, ...]:
        """Return the verbs at edit distance 1 from the first word that make the clause readable."""
        first, *rest = clause.words
        known_verbs = verbs(self.names.vocabulary)
        if first in known_verbs or self.names.lexicon.knows(first):
            return ()
        near = (verb for verb in known_verbs if len(first) > 2 and distance(first, verb) == 1)
        return tuple(verb for verb in near if self._understood((verb, *rest)))

    def _understood(self, words: tuple[str, ...]) -> bool:
        wish = self.clauses.read(words, ())
        return wish is not None and not any(isinstance(doubt, Unknown) for doubt in wish.doubts)


def _forbidden(words: tuple[str, ...]) -> Feedback | None:
    """Return why words with a negation or a condition are refused; None if there are none."""
    conditions = (*unordered(words), *(word for word in words if word in _CONDITIONS))
    negations = tuple(word for word in words if word in _NEGATIONS | _RULES)
    for culprits, what in ((negations, "what must not be"), (conditions, "conditions and times")):
        if culprits:
            why = f"'{culprits[0]}': {what} cannot be said in these words."
            how = "Say what should hold in the end."
            behind = words[words.index(culprits[0]) + 1 :]
            if culprits[0] in _RULES or (culprits[0] == "without" and behind[:1] and behind[0].endswith("ing")):
                why = f"'{culprits[0]}': a rule for the whole way is not possible yet."
            return Feedback(Code.NOT_UNDERSTOOD, _quoted(said(words)), why, how, culprits)
    return None


def _forms(pattern: Pattern, verb: str) -> Iterator[str]:
    """Yield the shortest form of a phrase that begins with `verb`."""
    variant = pattern.variants[-1]
    if pattern.recipient is None and isinstance(variant[0], frozenset) and verb in variant[0]:
        rest = ("…" if isinstance(element, str) else min(element) for element in variant[1:])
        yield f"'{' '.join((verb, *rest))}'"


def _which(doubt: Ambiguous) -> Question:
    why = Feedback(Code.AMBIGUOUS, _quoted(doubt.words), f"{doubt.why}.", culprits=(doubt.words,))
    guessed = doubt.how in (MatchKind.SPELLING, MatchKind.MEANING) or len(doubt.options) == 1
    return Question.among(doubt.options, why, guessed=guessed)


def _quoted(words: str) -> str:
    return f"'{shortened(words)}'"
