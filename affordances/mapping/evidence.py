"""`Evidence`: one reason to believe, or not to, that the things of a class have an affordance.

Every piece adds to the two counts of a Beta distribution: `share` of its weight speaks for the affordance, the rest
against it. What the same voice says again about the same pair replaces what it said before; what was seen in execution
adds up.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from semantics.errors import UsageError

__all__ = ["Evidence", "EvidenceSource", "joined"]


class EvidenceSource(StrEnum):
    """Where evidence comes from."""

    AUTHORED = "authored"  # written down by a person, in a world or a mapping
    ASKED = "asked"  # answered by a language model
    GUESSED = "guessed"  # taken over from the nearest classes
    WORKED = "worked"  # a step that asks for it was sensed to have worked
    FAILED = "failed"  # a step that asks for it failed, and the body blamed the thing

    @property
    def adds_up(self) -> bool:
        """Whether a further piece adds to the earlier ones instead of replacing them."""
        return self in (EvidenceSource.WORKED, EvidenceSource.FAILED)


class Evidence(NamedTuple):
    """One reason; build it with `authored`, `asked`, `guessed`, `worked` or `failed`.

    Attributes:
        class_name: The class it is about.
        affordance: The affordance it is about.
        source: Where it comes from.
        share: How far it speaks for the affordance, from 0 (against) to 1 (for).
        by: Who says so: an author, a model, the classes a guess is taken from, a body.
        how: The strategy a model was asked with; empty elsewhere.
        times: How often; 1 but for what was seen in execution.
        at: When, in UTC and whole seconds, the last time if several; None when nobody knows.
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
        """Return what a person wrote down; leaving an affordance out of a complete list is a no."""
        return cls(class_name, affordance, EvidenceSource.AUTHORED, float(yes), author)

    @classmethod
    def asked(
        cls, class_name: str, affordance: str, yes: bool, *, model: str, strategy: str, at: datetime | None = None
    ) -> Evidence:
        """Return the answer of a language model, such as ``gpt-5``, asked with a strategy: list, yes-no or logic."""
        return cls(class_name, affordance, EvidenceSource.ASKED, float(yes), model, strategy, 1, _whole_seconds(at))

    @classmethod
    def guessed(
        cls, class_name: str, affordance: str, confidence: float, *, after: str, at: datetime | None = None
    ) -> Evidence:
        """Return a guess from the nearest classes, such as ``mug, glass``.

        Args:
            class_name: The class it is about.
            affordance: The affordance it is about.
            confidence: That the class has it, from 0 to 1.
            after: The classes it is taken from.
            at: When.

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
        """Return that a step which asks for the affordance was sensed to have worked."""
        return cls(class_name, affordance, EvidenceSource.WORKED, 1.0, body, "", times, _whole_seconds(at))

    @classmethod
    def failed(
        cls, class_name: str, affordance: str, *, body: str, at: datetime | None = None, times: int = 1
    ) -> Evidence:
        """Return that a step which asks for the affordance failed, and the body blamed the thing."""
        return cls(class_name, affordance, EvidenceSource.FAILED, 0.0, body, "", times, _whole_seconds(at))

    @property
    def pair(self) -> tuple[str, str]:
        """Class and affordance."""
        return self.class_name, self.affordance

    @property
    def voice(self) -> tuple[EvidenceSource, str, str]:
        """Who speaks: a later piece of the same voice about the same pair replaces this one, or adds to it."""
        return self.source, self.by, self.how

    def with_another(self, other: Evidence) -> Evidence:
        """Join two pieces of one voice about one pair; which of them came first does not matter."""
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
    """Return the voices about a pair with one more piece taken in."""
    before = voices.get(more.voice)
    return {**voices, more.voice: before.with_another(more) if before else more}


def _recency(piece: Evidence) -> tuple[bool, float, float]:
    """Order pieces by age, undated ones first; of two that are equally old the more cautious counts."""
    return piece.at is not None, piece.at.timestamp() if piece.at else 0.0, -piece.share


def _whole_seconds(at: datetime | None) -> datetime:
    moment = at or datetime.now(UTC)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).replace(microsecond=0)
