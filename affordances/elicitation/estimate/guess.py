"""Guess the affordances of an unknown class, with a confidence for each.

The nearest known classes vote (`affordances.elicitation.estimate.neighbours`). A calibration turns the vote into a
confidence. Loading the sentence model takes seconds, so `Guesser` uses it last,
and only when a name is neither known nor clearly misspelt.

For class *c* and affordance *a*, the neighbours' vote *v* (the share of the vote of those that have *a*) and the base
rate *b* (how common *a* is among the known classes) become

    confidence = 1 / (1 + exp(-(w0 + w1 * logit(v) + w2 * logit(b))))

where *v* and *b* are kept away from 0 and 1 (Platt 1999, with the base rate as a second input). Newton's method with a
small ridge penalty fits the three weights on every known class as guessed from all the others.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affordances.elicitation.estimate.neighbours import (
    NameSimilarity,
    Neighbour,
    Neighbourhood,
    Sign,
    Vector,
    plain_words,
)
from affordances.mapping import Evidence, ObjectAffordances
from semantics.errors import OutsideError
from semantics.hints import surely
from semantics.words.embedding import Embedder

Array = NDArray[np.float64]
KEPT_FROM = 0.02  # the smallest distance of votes and base rates from 0 and 1
LIKELY = 0.4  # The least confidence of a yes. It is below one half because F1 is highest there (Lipton et al. 2014).
RIDGE = 1.0
STEPS = 50
HALVINGS = 20
LEAST_CLASSES = 20  # the fewest known classes on which a calibration is fitted


class NeighbourTable(NamedTuple):
    """Known classes, with what their neighbours would guess."""

    true: Array  # the affordances they have, shape (classes, affordances)
    votes: Array  # the vote of their neighbours, of the same shape
    voted: NDArray[np.bool_]  # whether the class has any neighbour, shape (classes,)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How votes become confidences, by the weights w0, w1, w2 of the module's formula."""

    weights: tuple[float, float, float]

    def confidence(self, votes: Array, base: Array, *, voted: bool = True) -> Array:
        """Return the confidence of each affordance; the base rate when no neighbour voted."""
        return _sigmoid(_inputs(votes, base) @ np.array(self.weights)).reshape(votes.shape) if voted else base


def calibrate(table: NeighbourTable) -> Calibration:
    """Fit the calibration on known classes.

    With fewer than `LEAST_CLASSES` classes the weights are (0, 1, 0): the confidence equals the vote. The weight of the
    vote is never negative.
    """
    start = weights = np.array([0.0, 1.0, 0.0])
    if table.voted.sum() >= LEAST_CLASSES:
        inputs = _inputs(table.votes[table.voted], table.true.mean(axis=0))
        weights = _fitted(start, inputs, table.true[table.voted].ravel())
        weights[1] = max(weights[1], 0.0)
    return Calibration((float(weights[0]), float(weights[1]), float(weights[2])))


def _inputs(votes: Array, base: Array) -> Array:
    """Return the inputs of the formula, shape (votes, 3)."""
    base = np.broadcast_to(base, votes.shape)
    return np.stack([np.ones(votes.size), _logit(votes).ravel(), _logit(base).ravel()], axis=1)


def _logit(values: Array) -> Array:
    clipped: Array = np.clip(values, KEPT_FROM, 1.0 - KEPT_FROM)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def _fitted(start: Array, inputs: Array, target: Array) -> Array:
    """Return the maximum-likelihood weights.

    The ridge pulls them towards `start`, so that a calibration on little data changes the vote little.
    """
    weights, likelihood = start, -np.inf
    for _ in range(STEPS):
        predicted = _sigmoid(inputs @ weights)
        gradient = inputs.T @ (target - predicted) - RIDGE * (weights - start)
        hessian = (inputs * (predicted * (1.0 - predicted))[:, None]).T @ inputs + RIDGE * np.eye(3)
        before = likelihood
        step = np.asarray(np.linalg.solve(hessian, gradient), np.float64)
        weights, likelihood = _stepped(weights, step, inputs, target, start)
        if likelihood - before < 1e-9:
            break
    return weights


def _stepped(weights: Array, step: Array, inputs: Array, target: Array, start: Array) -> tuple[Array, float]:
    """Go along `step`, and halve it until the likelihood does not fall: a whole Newton step may overshoot.

    Returns:
        The new weights and their likelihood.
    """
    current = _likelihood(weights, inputs, target, start)
    for _ in range(HALVINGS):
        reached = _likelihood(weights + step, inputs, target, start)
        if reached >= current:
            return weights + step, reached
        step = step / 2.0
    return weights, current


def _likelihood(weights: Array, inputs: Array, target: Array, start: Array) -> float:
    """Return the log-likelihood of the truth minus the ridge penalty."""
    sums = inputs @ weights
    fit = target * sums - np.logaddexp(0.0, sums)
    return float(fit.sum() - RIDGE / 2.0 * ((weights - start) ** 2).sum())


def _sigmoid(sums: Array) -> Array:
    return np.asarray(np.exp(-np.logaddexp(0.0, -sums)))


LEAST_SHARE = 0.1  # the smallest share of the vote with which the evidence names a neighbour


class GuessSource(StrEnum):
    """Where the answer about a class comes from."""

    KNOWN = "known"  # the name is a known class, a word for it, its plural, or a typing error of one of them
    WORDS = "words"  # the words of the name relate to known classes
    MEANING = "meaning"  # known classes are near in meaning only
    NOTHING = "nothing"  # no class is near; each confidence is how common the affordance is


@dataclass(frozen=True, slots=True)
class Guess:
    """What a class may be good for."""

    class_name: str  # the class, as it was given
    how: GuessSource  # where this comes from
    confidence: Mapping[str, float]  # how sure it is that the class has each affordance, from 0 to 1
    # the known classes that the guess is taken from, the largest share of the vote first
    neighbours: tuple[Neighbour, ...] = ()
    # the known class that the name stands for; None when the class is unknown, so that this is a guess
    known_as: str | None = None
    note: str = ""  # a remark for the reader, such as that no sentence model is installed; or empty

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
