"""Guess the affordances of an unknown class, with a confidence for each.

The nearest known classes vote (`affordances.elicitation.estimate.neighbours`). A calibration turns the vote into a
confidence. It is fitted on the known classes, each guessed from all the others
(`affordances.elicitation.estimate.leave_one_out`). Loading the sentence model takes seconds, so `Guesser` uses it last,
and only when a name is neither known nor clearly misspelt.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from affordances.elicitation.estimate.leave_one_out import LIKELY, Calibration, NeighbourTable, calibrate
from affordances.elicitation.estimate.neighbours import NameSimilarity, Neighbour, Neighbourhood, Vector
from affordances.elicitation.estimate.nouns import Sign, plain_words
from affordances.mapping import Evidence, ObjectAffordances
from semantics.errors import OutsideError
from semantics.words.embedding import Embedder
from semantics.words.spelling import surely

__all__ = ["Guess", "GuessSource", "Guesser", "evidence_of_guess"]

LEAST_SHARE = 0.1
"""The smallest share of the vote with which the evidence names a neighbour."""


class GuessSource(StrEnum):
    """Where the answer about a class comes from."""

    KNOWN = "known"  # the name is a known class, a word for it, its plural, or a typing error of one of them
    WORDS = "words"  # the words of the name relate to known classes
    MEANING = "meaning"  # known classes are near in meaning only
    NOTHING = "nothing"  # no class is near; each confidence is how common the affordance is


@dataclass(frozen=True, slots=True)
class Guess:
    """What a class may be good for.

    Attributes:
        class_name: The class, as it was given.
        how: Where this comes from.
        confidence: How sure it is that the class has each affordance, from 0 to 1.
        neighbours: The known classes that the guess is taken from, the largest share of the vote first.
        known_as: The known class that the name stands for; None when the class is unknown, so that this is a guess.
        note: A remark for the reader, such as that no sentence model is installed; or empty.
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
    """Guesses from one mapping. Making a guesser costs nothing; the first guess fits the calibration."""

    def __init__(self, known: ObjectAffordances, affordances: Sequence[str], *, embed: Embedder | None = None) -> None:
        """Take the known classes.

        Args:
            known: The mapping to guess from; classes without any evidence do not vote.
            affordances: The affordances to guess, in order.
            embed: Compares names by meaning; without it, only their words count.
        """
        self.affordances = tuple(affordances)
        self.note = "" if embed is not None else _WITHOUT
        self._known = known
        self._embed = embed
        classes = {name: kind for name, kind in known.classes.items() if known.affordances_about(name)}
        self._place = Neighbourhood(
            {name: kind.words for name, kind in classes.items()}, {name: kind.kinds for name, kind in classes.items()}
        )
        affords = [[known.affords(name, affordance) for affordance in self.affordances] for name in classes]
        self._affords: Vector = np.array(affords, dtype=float).reshape(len(classes), len(self.affordances))

    @cached_property
    def calibration(self) -> Calibration:
        """How votes become confidences."""
        return calibrate(self.table())

    def table(self) -> NeighbourTable:
        """Return, for each known class, what its neighbours would guess."""
        likenesses = [
            self._likeness(name, words[0]) for name, words in zip(self._place.names, self._place.words, strict=True)
        ]
        shares = np.zeros((len(likenesses), len(likenesses)))
        for i, likeness in enumerate(likenesses):
            shares[i] = self._place.shares(likeness, without=i)
        return NeighbourTable(self._affords, shares @ self._affords, shares.sum(axis=1) > 0.0)

    def guess(self, class_name: str, *, as_unknown: bool = False) -> Guess:
        """Guess the affordances of a class; for a known class, return those of the mapping.

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
        plain = " ".join(plain_words(class_name))
        for alike in (lambda words, name: name == words[0], operator.contains, _is_slip):
            fits = [
                name for name, words in zip(self._place.names, self._place.words, strict=True) if alike(words, plain)
            ]
            if fits:
                return fits[0] if len(fits) == 1 else None
        return None

    def _likeness(self, name: str, written: str) -> NameSimilarity:
        return NameSimilarity(self._cosines(written), self._place.signs(name))

    def _cosines(self, written: str) -> Vector | None:
        """Return the similarity in meaning of each class: that of the most similar of its words."""
        if self._embed is None:
            return None
        words = [word for class_words in self._place.words for word in class_words]
        try:
            cosines = self._embed.similarities(written, words)
        except OutsideError as error:
            self._embed, self.note = None, f"{error}; {_WITHOUT}"
            return None
        remaining = iter(cosines)
        return np.array([max(next(remaining) for _ in class_words) for class_words in self._place.words])


_WITHOUT = "guessed by spelling and head nouns only, without comparing meanings"


def _is_slip(words: Sequence[str], name: str) -> bool:
    return any(surely(name, word) for word in words)


def _how(neighbours: Sequence[Neighbour]) -> GuessSource:
    if not neighbours:
        return GuessSource.NOTHING
    unrelated = all(neighbour.sign in (Sign.NONE, Sign.MODIFIER) for neighbour in neighbours)
    return GuessSource.MEANING if unrelated else GuessSource.WORDS


def evidence_of_guess(guess: Guess) -> tuple[Evidence, ...]:
    """Return one piece of evidence for each affordance; none for a known class or a class without neighbours."""
    if not guess.neighbours or guess.known_as is not None:
        return ()
    named = [neighbour.class_name for neighbour in guess.neighbours if neighbour.share >= LEAST_SHARE]
    after = ", ".join(named or [guess.neighbours[0].class_name])
    return tuple(
        Evidence.guessed(guess.class_name, name, confidence, after=after)
        for name, confidence in guess.confidence.items()
    )
