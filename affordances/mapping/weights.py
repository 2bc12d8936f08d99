"""From evidence to a probability: a Beta distribution whose two counts are weighted sums.

For a class and an affordance, with *e* ranging over the evidence about the pair,

    yes = PRIOR_YES + sum of weight(e) * times(e) * share(e)
    no  = PRIOR_NO  + sum of weight(e) * times(e) * (1 - share(e))
    p   = yes / (yes + no)

which is the mean of Beta(yes, no). A weight is the number of sensed outcomes that a piece is worth:

| source | weight | why |
|---|---|---|
| (prior) | 0.2 and 0.8 | about one pair in five is true in a household; without evidence, p is 0.2 |
| authored | 10 | a person decided it for this world and robot; ten failures in a row overrule it |
| asked, logic | 4 | the best strategy (AutoGPT+P, table II: precision .87, recall .91); one yes gives .84 |
| asked, yes-no | 3 | one yes gives .80 |
| asked, list | 2 | one yes gives .73 |
| guessed | 2 | split between yes and no by its confidence; a confidence of .65 or more gives p of at least .5 |
| worked, failed | 1 each | an outcome that a sensing showed |

So a piece that supports a pair never lowers p, a piece against the pair never raises it, and their order does not
matter, since both counts are sums. Neither a single model nor two models together overrule an author.
"""

from __future__ import annotations

from collections.abc import Iterable

from affordances.mapping.evidence import Evidence, EvidenceSource

__all__ = ["PRIOR_NO", "PRIOR_YES", "counts", "probability", "weight"]

PRIOR_YES = 0.2
PRIOR_NO = 0.8
WEIGHTS = {
    EvidenceSource.AUTHORED: 10.0,
    EvidenceSource.ASKED: 3.0,
    EvidenceSource.GUESSED: 2.0,
    EvidenceSource.WORKED: 1.0,
    EvidenceSource.FAILED: 1.0,
}
STRATEGY_WEIGHTS = {"list": 2.0, "yes-no": 3.0, "logic": 4.0}


def weight(piece: Evidence) -> float:
    """Return how many sensed outcomes one piece is worth."""
    return STRATEGY_WEIGHTS.get(piece.how, WEIGHTS[piece.source])


def counts(evidence: Iterable[Evidence]) -> tuple[float, float]:
    """Return the counts for and against the pair, including the prior."""
    yes, no = PRIOR_YES, PRIOR_NO
    for piece in evidence:
        amount = weight(piece) * piece.times
        yes += amount * piece.share
        no += amount * (1.0 - piece.share)
    return yes, no


def probability(evidence: Iterable[Evidence]) -> float:
    """Return the probability that follows from the evidence about one pair."""
    yes, no = counts(evidence)
    return yes / (yes + no)
