"""From votes to confidences: a logistic calibration, fitted and judged by leaving one class out at a time.

For class *c* and affordance *a* the neighbours' vote *v* (the share of the say of those that have *a*) and the base
rate *b* (how common *a* is among the known classes) become

    confidence = 1 / (1 + exp(-(w0 + w1 * logit(v) + w2 * logit(b))))

with *v* and *b* kept from 0 and 1 (Platt 1999, with the base rate as a second input). The three numbers are fitted by
Newton's method with a little ridge, on every known class as guessed from all the others. For the figures of
`Calibration` they are fitted anew for each tenth of the classes on the other nine, so that no class judges itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["LIKELY", "Band", "Calibration", "NeighbourTable", "calibrate"]

Array = NDArray[np.float64]
KEPT_FROM = 0.02
"""How far votes and base rates are kept from 0 and 1."""
LIKELY = 0.4
"""Confidence from which on a guess counts as a yes: below one half, for F1 is highest there (Lipton et al. 2014)."""
RIDGE = 1.0
STEPS = 50
HALVINGS = 20
FOLDS = 10
LEAST_CLASSES = 20
"""Known classes from which on a calibration is fitted."""
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


class NeighbourTable(NamedTuple):
    """Known classes, each as its neighbours would guess it.

    Attributes:
        true: What they afford, shape (classes, affordances).
        votes: How their neighbours voted, of the same shape.
        voted: Whether anything was near, shape (classes,).
    """

    true: Array
    votes: Array
    voted: NDArray[np.bool_]


class Band(NamedTuple):
    """Guesses of like confidence: bounds, how many, their mean confidence, and the fraction that was true."""

    low: float
    high: float
    size: int
    confidence: float
    true: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How votes become confidences, and how right that was.

    Attributes:
        weights: w0, w1, w2 of the module's formula.
        precision: Of the guesses with a confidence of at least `LIKELY`, the fraction that is true.
        recall: Of what is true, the fraction that was guessed so.
        f1: Their harmonic mean.
        macro_f1: The mean of the F1 of each affordance that some class has; common affordances weigh no more than rare.
        error: Mean distance between confidence and truth over the bands, weighted by their size.
        bands: Guesses by confidence.
    """

    weights: tuple[float, float, float]
    precision: float
    recall: float
    f1: float
    macro_f1: float
    error: float
    bands: tuple[Band, ...]

    def confidence(self, votes: Array, base: Array, *, voted: bool = True) -> Array:
        """Return the confidence of each affordance; the base rate when nobody voted."""
        return _confidence(np.array(self.weights), votes, base) if voted else base


def calibrate(table: NeighbourTable) -> Calibration:
    """Fit the calibration on known classes, and judge it by tenths."""
    guessed = np.zeros_like(table.true)
    for fold in range(min(FOLDS, len(table.true))):
        held = np.arange(len(table.true)) % FOLDS == fold
        weights, base = _fitted(table, ~held)
        said = _confidence(weights, table.votes[held], base)
        guessed[held] = np.where(table.voted[held][:, None], said, base)
    return _judged(_fitted(table)[0], guessed, table.true)


def _inputs(votes: Array, base: Array) -> Array:
    """Return the inputs of the formula, shape (votes, 3)."""
    base = np.broadcast_to(base, votes.shape)
    return np.stack([np.ones(votes.size), _logit(votes).ravel(), _logit(base).ravel()], axis=1)


def _logit(values: Array) -> Array:
    kept: Array = np.clip(values, KEPT_FROM, 1.0 - KEPT_FROM)
    return np.asarray(np.log(kept / (1.0 - kept)))


def _confidence(weights: Array, votes: Array, base: Array) -> Array:
    return _sigmoid(_inputs(votes, base) @ weights).reshape(votes.shape)


def _fitted(table: NeighbourTable, rows: NDArray[np.bool_] | None = None) -> tuple[Array, Array]:
    """Return the weights that make the truth of those classes likeliest, and their base rates.

    With few classes to learn from, the weights are (0, 1, 0): the vote is trusted. A vote never counts against itself.
    """
    rows = np.ones(len(table.true), dtype=bool) if rows is None else rows
    base = table.true[rows].mean(axis=0) if rows.any() else np.zeros(table.true.shape[1])
    seen = rows & table.voted
    weights = np.array([0.0, 1.0, 0.0])
    if seen.sum() < LEAST_CLASSES:
        return weights, base
    inputs, wanted = _inputs(table.votes[seen], base), table.true[seen].ravel()
    start, reached = weights, -np.inf
    for _ in range(STEPS):
        said = _sigmoid(inputs @ weights)
        slope = inputs.T @ (wanted - said) - RIDGE * (weights - start)
        curve = (inputs * (said * (1.0 - said))[:, None]).T @ inputs + RIDGE * np.eye(3)
        before = reached
        weights, reached = _stepped(weights, np.linalg.solve(curve, slope), inputs, wanted, start)
        if reached - before < 1e-9:
            break
    weights[1] = max(weights[1], 0.0)
    return weights, base


def _stepped(weights: Array, step: Array, inputs: Array, wanted: Array, start: Array) -> tuple[Array, float]:
    """Go along `step`, but only so far that the likelihood grows; a whole Newton step may overshoot."""
    here = _likelihood(weights, inputs, wanted, start)
    for _ in range(HALVINGS):
        there = _likelihood(weights + step, inputs, wanted, start)
        if there >= here:
            return weights + step, there
        step = step / 2.0
    return weights, here


def _likelihood(weights: Array, inputs: Array, wanted: Array, start: Array) -> float:
    """Return the logarithm of how likely the truth is, less the ridge."""
    sums = inputs @ weights
    fit = wanted * sums - np.logaddexp(0.0, sums)
    return float(fit.sum() - RIDGE / 2.0 * ((weights - start) ** 2).sum())


def _sigmoid(sums: Array) -> Array:
    return np.asarray(np.exp(-np.logaddexp(0.0, -sums)))


def _judged(weights: Array, guessed: Array, true: Array) -> Calibration:
    said = guessed >= LIKELY
    right = (said * true).sum(axis=0)
    claimed = said.sum(axis=0) + true.sum(axis=0)
    each = 2 * right[true.any(axis=0)] / claimed[true.any(axis=0)]
    found = (_band(low, high, guessed, true) for low, high in pairwise(EDGES))
    bands = tuple(band for band in found if band is not None)
    error = sum(band.size * abs(band.confidence - band.true) for band in bands) / max(guessed.size, 1)
    return Calibration(
        (float(weights[0]), float(weights[1]), float(weights[2])),
        float(right.sum()) / max(float(said.sum()), 1.0),
        float(right.sum()) / max(float(true.sum()), 1.0),
        2 * float(right.sum()) / max(float(claimed.sum()), 1.0),
        float(each.mean()) if each.size else 0.0,
        error,
        bands,
    )


def _band(low: float, high: float, guessed: Array, true: Array) -> Band | None:
    within = (guessed >= low) & ((guessed < high) | (high >= 1.0))
    if not within.any():
        return None
    return Band(low, high, int(within.sum()), float(guessed[within].mean()), float(true[within].mean()))
