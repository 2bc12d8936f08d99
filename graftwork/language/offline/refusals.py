"""Why a sentence is not taken: a question where an answer would help, else a rejection with every reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graftwork.language.offline.clauses import Clause, Clauses, Wish
from graftwork.language.offline.patterns import Pattern, verbs
from graftwork.language.offline.referents import Doubt
from semantics.feedback import Code, Feedback
from semantics.goal import Question, Rejection
from semantics.lexicon import How
from semantics.naming import Ambiguous, Names, Resolved, Unknown
from semantics.spelling import distance

__all__ = ["Refusals"]

_NEGATIONS = frozenset(
    {
        "not",
        "no",
        "never",
        "don't",
        "dont",
        "doesn't",
        "cannot",
        "can't",
        "without",
        "except",
        "but",
        "nothing",
        "nobody",
    }
)
_CONDITIONS = frozenset({"if", "when", "whenever", "while", "until", "unless", "before", "after", "because", "as"})
MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Refusals:
    """Explains what stands in the way of a goal.

    Attributes:
        clauses: Reads a clause anew with another verb.
        names: The names that were tried.
        meaning: The same, comparing by meaning too.
    """

    clauses: Clauses
    names: Names
    meaning: Names

    def explain(self, clauses: Sequence[Clause]) -> Question | Rejection | None:
        """Return why `clauses` make no goal, or None when nothing is in doubt."""
        unread = [clause for clause in clauses if not isinstance(clause, Wish)]
        doubts = [doubt for wish in clauses if isinstance(wish, Wish) for doubt in self._doubts(wish)]
        unknown = (self._unknown(doubt, affordance) for doubt, affordance in doubts)
        reasons = tuple(dict.fromkeys(filter(None, (*unknown, *map(self._refused, unread)))))
        if reasons:
            return Rejection(reasons)
        questions = [*map(self._asked, unread), *(_which(doubt) for doubt, _ in doubts if isinstance(doubt, Ambiguous))]
        return next((question for question in questions if question is not None), None)

    def _doubts(self, wish: Wish) -> Iterator[tuple[Doubt, str | None]]:
        """Yield each doubt about a wish with the affordance its slot needs; a likeness of meaning makes it a choice."""
        for slot, referent in wish.referents.items():
            affordance = wish.pattern.phrase.slots.get(slot)
            for doubt in referent.doubts:
                again = self.meaning.resolve(doubt.words, affordance) if isinstance(doubt, Unknown) else doubt
                yield again if isinstance(again, Ambiguous) and again.how is How.MEANING else doubt, affordance

    def _unknown(self, doubt: Doubt, affordance: str | None) -> Feedback | None:
        forbidden = _forbidden(tuple(doubt.words.split()))
        if forbidden or not isinstance(doubt, Unknown):
            return forbidden
        how = self._instead(doubt, affordance)
        return Feedback(Code.UNKNOWN_NAME, f"'{doubt.words}'", f"{doubt.why}.", how, (doubt.words,))

    def _instead(self, doubt: Unknown, affordance: str | None) -> str:
        if doubt.nearest:
            return f"Did you mean {' or '.join(doubt.nearest)}?"
        known = sorted(self.names.lexicon.able(self.names.vocabulary.things, affordance))
        return f"What would do here: {_listed(known)}." if known else "Nothing in this scene would do here."

    def _refused(self, clause: Clause) -> Feedback | None:
        """Return why an unread clause is refused; None when it can be asked about."""
        said = f"'{' '.join(clause.words)}'"
        if forbidden := _forbidden(clause.words):
            return forbidden
        known = verbs(self.clauses.patterns)
        first = clause.words[0]
        if first in known:
            forms = dict.fromkeys(form for each in self.clauses.patterns for form in _forms(each, first))
            why, how = f"'{first}' is not followed by what it needs.", f"Say {_listed(tuple(forms))}."
            return Feedback(Code.NOT_UNDERSTOOD, said, why, how, (first,))
        if self._near_verb(clause) or self._noun(clause):
            return None
        why = f"'{first}' is not something that can be asked for here."
        return Feedback(Code.NOT_UNDERSTOOD, said, why, f"A wish begins with one of: {_listed(known, 40)}.", (first,))

    def _asked(self, clause: Clause) -> Question | None:
        near = self._near_verb(clause)
        if near:
            return _which(Ambiguous(clause.words[0], near, "no such verb is known", How.SPELLING))
        said = " ".join(clause.words)
        why = Feedback(Code.AMBIGUOUS, f"'{said}'", "it names a thing and says nothing about it.", culprits=(said,))
        return Question(f"What should be done with {said}?", (), why)

    def _near_verb(self, clause: Clause) -> tuple[str, ...]:
        """Return the verbs one mistake away from the first word, with which the clause would be understood."""
        first, *rest = clause.words
        known = verbs(self.clauses.patterns)
        if first in known or self.names.lexicon.knows(first):
            return ()
        near = (verb for verb in known if len(first) > 2 and distance(first, verb) == 1)
        return tuple(verb for verb in near if self._understood((verb, *rest)))

    def _understood(self, words: tuple[str, ...]) -> bool:
        wish = self.clauses.read(words, ())
        return wish is not None and not any(isinstance(doubt, Unknown) for doubt in wish.doubts)

    def _noun(self, clause: Clause) -> bool:
        return isinstance(self.names.resolve(" ".join(clause.words)), Resolved | Ambiguous)


def _forbidden(words: tuple[str, ...]) -> Feedback | None:
    """Return why words that deny or set a condition are refused."""
    for words_of, what in ((_NEGATIONS, "what must not be"), (_CONDITIONS, "conditions and times")):
        culprits = tuple(word for word in words if word in words_of)
        if culprits:
            why = f"'{culprits[0]}': {what} cannot be said in these words."
            return Feedback(
                Code.NOT_UNDERSTOOD, f"'{' '.join(words)}'", why, "Say what should hold in the end.", culprits
            )
    return None


def _forms(pattern: Pattern, verb: str) -> Iterator[str]:
    """Yield how a phrase that begins with `verb` goes on, in its shortest form."""
    variant = pattern.variants[-1]
    if isinstance(variant[0], frozenset) and verb in variant[0]:
        rest = ("…" if isinstance(element, str) else "/".join(sorted(element)) for element in variant[1:])
        yield f"'{' '.join((verb, *rest))}'"


def _which(doubt: Ambiguous) -> Question:
    options = [f"'{option}'" for option in doubt.options]
    choice = ", ".join(options[:-1]) + (" or " if len(options) > 1 else "") + options[-1]
    if doubt.how in (How.SPELLING, How.MEANING) or len(options) == 1:
        text = f"Did you mean {choice} by '{doubt.words}'?"
    else:
        text = f"Which is meant by '{doubt.words}': {choice}?"
    why = Feedback(Code.AMBIGUOUS, f"'{doubt.words}'", f"{doubt.why}.", f"Say {choice}.", (doubt.words,))
    return Question(text, doubt.options, why)


def _listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
