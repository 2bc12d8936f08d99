"""From votes to confidences: a logistic calibration, fitted by leaving one class out at a time.

For class *c* and affordance *a*, the neighbours' vote *v* (the share of the vote of those that have *a*) and the base
rate *b* (how common *a* is among the known classes) become

    confidence = 1 / (1 + exp(-(w0 + w1 * logit(v) + w2 * logit(b))))

where *v* and *b* are kept away from 0 and 1 (Platt 1999, with the base rate as a second input). Newton's method with a
small ridge penalty fits the three weights on every known class as guessed from all the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["LIKELY", "Calibration", "NeighbourTable", "calibrate"]

Array = NDArray[np.float64]
KEPT_FROM = 0.02
"""The smallest distance of votes and base rates from 0 and 1."""
LIKELY = 0.4
"""The least confidence of a yes. It is below one half because F1 is highest there (Lipton et al. 2014)."""
RIDGE = 1.0
STEPS = 50
HALVINGS = 20
LEAST_CLASSES = 20
"""The fewest known classes on which a calibration is fitted."""


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
