"""`Evidence`: one reason for or against the belief that the objects of a class have an affordance.

Each piece adds to the two counts of a Beta distribution: `share` of its weight counts for the affordance, the rest
against it. A new statement of the same voice about the same pair replaces its earlier statement; observations from
execution add up. For a class and an affordance, with *e* ranging over the evidence about the pair,

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

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from semantics.errors import UsageError


class EvidenceSource(StrEnum):
    """Where evidence comes from."""

    AUTHORED = "authored"  # a person wrote it, in a world or a mapping
    ASKED = "asked"  # a language model answered it
    GUESSED = "guessed"  # taken over from the nearest classes
    WORKED = "worked"  # a step that requires the affordance succeeded, as sensed
    FAILED = "failed"  # a step that requires the affordance failed, and the robot blamed the object

    @property
    def adds_up(self) -> bool:
        """Whether a further piece adds to the earlier ones instead of replacing them."""
        return self in (EvidenceSource.WORKED, EvidenceSource.FAILED)


class Evidence(NamedTuple):
    """One piece of evidence; build it with `authored`, `asked`, `guessed`, `worked` or `failed`.

    Attributes:
        class_name: The class it is about.
        affordance: The affordance it is about.
        source: Where it comes from.
        share: How much it supports the affordance, from 0 (against) to 1 (for).
        by: Its origin: an author, a model, the classes that a guess is taken from, or a robot.
        how: The strategy with which a model was asked; empty for other sources.
        times: The number of observations; 1 except for observations from execution.
        at: The time in UTC and whole seconds, the last of several; None when unknown.
    """

    class_name: str
    affordance: str
    source: EvidenceSource
    share: float
    by: str = ""
    how: str = ""
    times: int = 1
    at: datetime | None = None

    @classmethod
    def authored(cls, class_name: str, affordance: str, yes: bool, author: str) -> Evidence:
        """Return the statement of a person; an affordance missing from a complete list is a no."""
        return cls(class_name, affordance, EvidenceSource.AUTHORED, float(yes), author)

    @classmethod
    def asked(
        cls, class_name: str, affordance: str, yes: bool, *, model: str, strategy: str, at: datetime | None = None
    ) -> Evidence:
        """Return the answer of a language model, such as ``gpt-5``, to a strategy: list, yes-no or logic."""
        return cls(class_name, affordance, EvidenceSource.ASKED, float(yes), model, strategy, 1, _whole_seconds(at))

    @classmethod
    def guessed(
        cls, class_name: str, affordance: str, confidence: float, *, after: str, at: datetime | None = None
    ) -> Evidence:
        """Return a guess from the nearest classes, such as ``mug, glass``.

        Args:
            class_name: The class it is about.
            affordance: The affordance it is about.
            confidence: How sure it is that the class has the affordance, from 0 to 1.
            after: The classes that the guess is taken from.
            at: The time of the guess; now by default.

        Raises:
            UsageError: The confidence is not between 0 and 1.
        """
        if not 0.0 <= confidence <= 1.0:
            raise UsageError(f"a confidence of {confidence:g}; expected a number from 0 to 1")
        return cls(class_name, affordance, EvidenceSource.GUESSED, confidence, after, "", 1, _whole_seconds(at))

    @classmethod
    def worked(
        cls, class_name: str, affordance: str, *, body: str, at: datetime | None = None, times: int = 1
    ) -> Evidence:
        """Return the observation that a step which requires the affordance succeeded."""
        return cls(class_name, affordance, EvidenceSource.WORKED, 1.0, body, "", times, _whole_seconds(at))

    @classmethod
    def failed(
        cls, class_name: str, affordance: str, *, body: str, at: datetime | None = None, times: int = 1
    ) -> Evidence:
        """Return the observation that a step which requires the affordance failed and the robot blamed the object."""
        return cls(class_name, affordance, EvidenceSource.FAILED, 0.0, body, "", times, _whole_seconds(at))

    @property
    def pair(self) -> tuple[str, str]:
        """Class and affordance."""
        return self.class_name, self.affordance

    @property
    def voice(self) -> tuple[EvidenceSource, str, str]:
        """The origin of the piece. A later piece of the same voice about the same pair replaces it, or adds to it."""
        return self.source, self.by, self.how

    def with_another(self, other: Evidence) -> Evidence:
        """Join two pieces of the same voice about the same pair; the result does not depend on their order."""
        last = max(filter(None, (self.at, other.at)), default=None)
        if self.source.adds_up:
            return self._replace(times=self.times + other.times, at=last)
        return max(self, other, key=_recency)

    def as_dict(self) -> Mapping[str, object]:
        """Return plain data for JSON."""
        return {**self._asdict(), "source": str(self.source), "at": self.at.isoformat() if self.at else None}


def joined(
    voices: Mapping[tuple[EvidenceSource, str, str], Evidence], more: Evidence
) -> dict[tuple[EvidenceSource, str, str], Evidence]:
    """Return the pieces about a pair, by voice, with a further piece added."""
    before = voices.get(more.voice)
    return {**voices, more.voice: before.with_another(more) if before else more}


def _recency(piece: Evidence) -> tuple[bool, float, float, int]:
    """Return the sort key by time, undated pieces first; of two pieces of the same time the lower share comes last."""
    return piece.at is not None, piece.at.timestamp() if piece.at else 0.0, -piece.share, piece.times


def _whole_seconds(at: datetime | None) -> datetime:
    moment = at or datetime.now(UTC)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)


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
