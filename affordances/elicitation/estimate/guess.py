"""A guess at the affordances of an unknown class, with a confidence for each.

Its nearest known classes vote (`affordances.elicitation.estimate.neighbours`). A calibration turns the vote into a
confidence; it was fitted on the known classes themselves, each guessed from all the others
(`affordances.elicitation.estimate.leave_one_out`). Loading the sentence model takes seconds, so it is asked last, and
only when a name is neither known nor plainly misspelt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from affordances.elicitation.estimate.leave_one_out import LIKELY, Calibration, NeighbourTable, calibrate
from affordances.elicitation.estimate.neighbours import NameSimilarity, Neighbour, Neighbourhood, Vector
from affordances.elicitation.estimate.nouns import Sign, plain_words
from affordances.mapping import Evidence, ObjectAffordances
from semantics.embedding import Embedder
from semantics.errors import OutsideError
from semantics.spelling import surely

__all__ = ["Guess", "GuessSource", "Guesser", "evidence_of_guess"]

LEAST_SHARE = 0.1
"""Share of the say from which on a neighbour is named in the evidence."""


class GuessSource(StrEnum):
    """Where the answer about a class comes from."""

    KNOWN = "known"  # the class, a word for it, its plural, or a slip of the fingers
    WORDS = "words"  # the words of its name point to known classes
    MEANING = "meaning"  # known classes are near in meaning only
    NOTHING = "nothing"  # nothing is near; the confidence is only how common each affordance is


@dataclass(frozen=True, slots=True)
class Guess:
    """What a class may be good for.

    Attributes:
        class_name: The class, as it was given.
        how: Where this comes from.
        confidence: That it has each affordance, from 0 to 1.
        neighbours: The known classes it is taken from, the weightiest first.
        known_as: The known class that it is; None when it is unknown, and this a guess.
        note: What the reader must know, such as that no sentence model is installed; or empty.
    """

    class_name: str
    how: GuessSource
    confidence: Mapping[str, float]
    neighbours: tuple[Neighbour, ...] = ()
    known_as: str | None = None
    note: str = ""

    @property
    def affordances(self) -> frozenset[str]:
        """The affordances with a confidence of at least `LIKELY`."""
        return frozenset(name for name, confidence in self.confidence.items() if confidence >= LIKELY)


class Guesser:
    """Guesses from one mapping; made for free, fitted at the first guess."""

    def __init__(self, known: ObjectAffordances, affordances: Sequence[str], *, embed: Embedder | None = None) -> None:
        """Take the known classes.

        Args:
            known: The mapping guessed from; classes without any evidence have no say.
            affordances: What to guess about, in order.
            embed: Compares names by meaning; None leaves only their words.
        """
        self.affordances = tuple(affordances)
        self.note = "" if embed is not None else _WITHOUT
        self._known = known
        self._embed = embed
        classes = {name: kind for name, kind in known.classes.items() if known.affordances_about(name)}
        self._place = Neighbourhood(
            {name: kind.words for name, kind in classes.items()}, {name: kind.kinds for name, kind in classes.items()}
        )
        affords = [[known.affords(name, each) for each in self.affordances] for name in classes]
        self._affords: Vector = np.array(affords, dtype=float).reshape(len(classes), len(self.affordances))
        self._calibration: Calibration | None = None

    @property
    def calibration(self) -> Calibration:
        """How votes become confidences, and how right that was on the known classes."""
        if self._calibration is None:
            self._calibration = calibrate(self.table())
        return self._calibration

    def table(self) -> NeighbourTable:
        """Return each known class as its neighbours would guess it."""
        likenesses = [
            self._likeness(name, words[0]) for name, words in zip(self._place.names, self._place.words, strict=True)
        ]
        shares = np.zeros((len(likenesses), len(likenesses)))
        for i, likeness in enumerate(likenesses):
            shares[i] = self._place.shares(likeness, without=i)
        return NeighbourTable(self._affords, shares @ self._affords, shares.sum(axis=1) > 0.0)

    def guess(self, class_name: str, *, as_unknown: bool = False) -> Guess:
        """Guess what a class is good for; a class that is known by some name is answered from the mapping.

        Args:
            class_name: The class.
            as_unknown: Whether to guess even a known class, from all the others.
        """
        known = self.known_as(class_name)
        if known is not None and not as_unknown:
            confidence = {name: self._known.probability(known, name) for name in self.affordances}
            return Guess(class_name, GuessSource.KNOWN, confidence, known_as=known)
        if not self._place.names:
            return Guess(
                class_name, GuessSource.NOTHING, dict.fromkeys(self.affordances, 0.0), note="no class is known at all"
            )
        likeness = self._likeness(class_name, " ".join(plain_words(class_name)) or class_name)
        shares = self._place.shares(likeness, without=None if known is None else self._place.names.index(known))
        neighbours = self._place.neighbours(likeness, shares)
        values = self.calibration.confidence(shares @ self._affords, self._affords.mean(axis=0), voted=bool(neighbours))
        confidence = dict(zip(self.affordances, map(float, values), strict=True))
        return Guess(class_name, _how(neighbours), confidence, neighbours, note=self.note)

    def known_as(self, class_name: str) -> str | None:
        """Return the known class that a name stands for, or None."""
        if class_name in self._place.names:
            return class_name
        for alike in (_is_name, _is_word, _is_slip):
            fits = [
                name
                for name, words in zip(self._place.names, self._place.words, strict=True)
                if alike(class_name, words)
            ]
            if fits:
                return fits[0] if len(fits) == 1 else None
        return None

    def _likeness(self, name: str, written: str) -> NameSimilarity:
        return NameSimilarity(self._cosines(written), self._place.signs(name))

    def _cosines(self, written: str) -> Vector | None:
        """Return the likeness in meaning of each class, by the likest of its words."""
        if self._embed is None:
            return None
        words = [word for each in self._place.words for word in each]
        try:
            found = self._embed.similarities(written, words)
        except OutsideError as error:
            self._embed, self.note = None, f"{error}; {_WITHOUT}"
            return None
        likest = iter(found)
        return np.array([max(next(likest) for _ in each) for each in self._place.words])


_WITHOUT = "guessed by spelling and head nouns only, without comparing meanings"


def _is_name(said: str, words: Sequence[str]) -> bool:
    return " ".join(plain_words(said)) == words[0]


def _is_word(said: str, words: Sequence[str]) -> bool:
    return " ".join(plain_words(said)) in words


def _is_slip(said: str, words: Sequence[str]) -> bool:
    return any(surely(" ".join(plain_words(said)), word) for word in words)


def _how(neighbours: Sequence[Neighbour]) -> GuessSource:
    if not neighbours:
        return GuessSource.NOTHING
    return (
        GuessSource.MEANING
        if all(each.sign in (Sign.NONE, Sign.MODIFIER) for each in neighbours)
        else GuessSource.WORDS
    )


def evidence_of_guess(guess: Guess) -> tuple[Evidence, ...]:
    """Return one piece for each affordance; none for a class that is known or that nothing is near to."""
    if not guess.neighbours or guess.known_as is not None:
        return ()
    heard = [near.class_name for near in guess.neighbours if near.share >= LEAST_SHARE]
    after = ", ".join(heard or [guess.neighbours[0].class_name])
    return tuple(
        Evidence.guessed(guess.class_name, name, confidence, after=after)
        for name, confidence in guess.confidence.items()
    )
