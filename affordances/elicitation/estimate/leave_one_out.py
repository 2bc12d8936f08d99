"""From votes to confidences: a logistic calibration, fitted and evaluated by leaving one class out at a time.

For class *c* and affordance *a*, the neighbours' vote *v* (the share of the vote of those that have *a*) and the base
rate *b* (how common *a* is among the known classes) become

    confidence = 1 / (1 + exp(-(w0 + w1 * logit(v) + w2 * logit(b))))

where *v* and *b* are kept away from 0 and 1 (Platt 1999, with the base rate as a second input). Newton's method with a
small ridge penalty fits the three weights on every known class as guessed from all the others. For the figures of
`Calibration`, the weights are fitted again for each tenth of the classes on the other nine tenths, so that no class
takes part in its own evaluation (cross-validation).
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
"""The smallest distance of votes and base rates from 0 and 1."""
LIKELY = 0.4
"""The least confidence of a yes. It is below one half because F1 is highest there (Lipton et al. 2014)."""
RIDGE = 1.0
STEPS = 50
HALVINGS = 20
FOLDS = 10
LEAST_CLASSES = 20
"""The fewest known classes on which a calibration is fitted."""
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


class NeighbourTable(NamedTuple):
    """Known classes, with what their neighbours would guess.

    Attributes:
        true: The affordances they have, shape (classes, affordances).
        votes: The vote of their neighbours, of the same shape.
        voted: Whether the class has any neighbour, shape (classes,).
    """

    true: Array
    votes: Array
    voted: NDArray[np.bool_]


class Band(NamedTuple):
    """Guesses of similar confidence: bounds, number, mean confidence, and the fraction that is true."""

    low: float
    high: float
    size: int
    confidence: float
    true: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How votes become confidences, and how accurate this is.

    Attributes:
        weights: w0, w1, w2 of the module's formula.
        precision: The fraction of the guesses with a confidence of at least `LIKELY` that is true.
        recall: The fraction of the true pairs that has a confidence of at least `LIKELY`.
        f1: The harmonic mean of precision and recall.
        macro_f1: The mean of the F1 of each affordance that some class has; rare affordances weigh as much as common.
        error: The mean distance between confidence and truth over the bands, weighted by their size.
        bands: The guesses, grouped by confidence.
    """

    weights: tuple[float, float, float]
    precision: float
    recall: float
    f1: float
    macro_f1: float
    error: float
    bands: tuple[Band, ...]

    def confidence(self, votes: Array, base: Array, *, voted: bool = True) -> Array:
        """Return the confidence of each affordance; the base rate when no neighbour voted."""
        return _confidence(np.array(self.weights), votes, base) if voted else base


def calibrate(table: NeighbourTable) -> Calibration:
    """Fit the calibration on known classes, and evaluate it by cross-validation over tenths."""
    guessed = np.zeros_like(table.true)
    for fold in range(min(FOLDS, len(table.true))):
        held_out = np.arange(len(table.true)) % FOLDS == fold
        weights, base = _fitted(table, ~held_out)
        confidences = _confidence(weights, table.votes[held_out], base)
        guessed[held_out] = np.where(table.voted[held_out][:, None], confidences, base)
    return _judged(_fitted(table)[0], guessed, table.true)


def _inputs(votes: Array, base: Array) -> Array:
    """Return the inputs of the formula, shape (votes, 3)."""
    base = np.broadcast_to(base, votes.shape)
    return np.stack([np.ones(votes.size), _logit(votes).ravel(), _logit(base).ravel()], axis=1)


def _logit(values: Array) -> Array:
    clipped: Array = np.clip(values, KEPT_FROM, 1.0 - KEPT_FROM)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def _confidence(weights: Array, votes: Array, base: Array) -> Array:
    return _sigmoid(_inputs(votes, base) @ weights).reshape(votes.shape)


def _fitted(table: NeighbourTable, rows: NDArray[np.bool_] | None = None) -> tuple[Array, Array]:
    """Return the maximum-likelihood weights for those classes, and their base rates.

    With fewer than `LEAST_CLASSES` classes the weights are (0, 1, 0): the confidence equals the vote. The weight of the
    vote is never negative.
    """
    rows = np.ones(len(table.true), dtype=bool) if rows is None else rows
    base = table.true[rows].mean(axis=0) if rows.any() else np.zeros(table.true.shape[1])
    usable = rows & table.voted
    weights = np.array([0.0, 1.0, 0.0])
    if usable.sum() < LEAST_CLASSES:
        return weights, base
    inputs, target = _inputs(table.votes[usable], base), table.true[usable].ravel()
    # The ridge pulls the weights towards their start, so that a calibration on little data changes the vote little.
    start, likelihood = weights, -np.inf
    for _ in range(STEPS):
        predicted = _sigmoid(inputs @ weights)
        gradient = inputs.T @ (target - predicted) - RIDGE * (weights - start)
        hessian = (inputs * (predicted * (1.0 - predicted))[:, None]).T @ inputs + RIDGE * np.eye(3)
        before = likelihood
        weights, likelihood = _stepped(weights, np.linalg.solve(hessian, gradient), inputs, target, start)
        if likelihood - before < 1e-9:
            break
    weights[1] = max(weights[1], 0.0)
    return weights, base


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


def _judged(weights: Array, guessed: Array, true: Array) -> Calibration:
    positive = guessed >= LIKELY
    right = (positive * true).sum(axis=0)
    claimed = positive.sum(axis=0) + true.sum(axis=0)
    f1 = 2 * right[true.any(axis=0)] / claimed[true.any(axis=0)]
    candidates = (_band(low, high, guessed, true) for low, high in pairwise(EDGES))
    bands = tuple(band for band in candidates if band is not None)
    error = sum(band.size * abs(band.confidence - band.true) for band in bands) / max(guessed.size, 1)
    return Calibration(
        (float(weights[0]), float(weights[1]), float(weights[2])),
        float(right.sum()) / max(float(positive.sum()), 1.0),
        float(right.sum()) / max(float(true.sum()), 1.0),
        2 * float(right.sum()) / max(float(claimed.sum()), 1.0),
        float(f1.mean()) if f1.size else 0.0,
        error,
        bands,
    )


def _band(low: float, high: float, guessed: Array, true: Array) -> Band | None:
    within = (guessed >= low) & ((guessed < high) | (high >= 1.0))
    if not within.any():
        return None
    return Band(low, high, int(within.sum()), float(guessed[within].mean()), float(true[within].mean()))
