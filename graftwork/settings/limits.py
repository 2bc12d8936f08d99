"""What a session may spend, and what it may do without being told."""

from __future__ import annotations

from dataclasses import dataclass, field

from domains.ladder import Ladder
from graftwork.deciding.substituting import Consent, consent_named
from semantics.protocols import Clock

__all__ = ["Consents", "Limits", "consents_named"]

PATIENCE = 0.3
"""How long a proof is waited for on a real clock, seconds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take.

    Attributes:
        run_seconds: One instruction, in seconds of the body's clock.
        planning_seconds: One planning call.
        model_seconds: One answer of a language model, retries included.
        model_tries: How often a language model is asked about one instruction.
        patience: How long the proof that a plan is cheapest is waited for before the robot sets off with the first
            plan, in seconds; None for 0.3 on a real clock, and `planning_seconds` on a simulated one, which stands
            still meanwhile, so that a run does not hang on how fast the machine is.
        ladder: What each rung of the repair ladder may spend, other than the world says.
        answer_seconds: How long a person's answer is waited for while a run is under way, in seconds of the body's
            clock.
        model_price: What 1,000 tokens of a language model cost, in the unit of a rung's ``money``.
    """

    run_seconds: float = 1800.0
    planning_seconds: float = 20.0
    model_seconds: float = 30.0
    model_tries: int = 5
    patience: float | None = None
    ladder: Ladder = field(default_factory=dict)
    answer_seconds: float = 60.0
    model_price: float = 0.0

    def patience_on(self, clock: Clock) -> float:
        """Return the patience on a clock, in seconds."""
        if self.patience is not None:
            return self.patience
        return self.planning_seconds if clock.simulated else PATIENCE


@dataclass(frozen=True, slots=True)
class Consents:
    """What may be done without being said: something `instead` of what is missing, only a `part` of a goal."""

    instead: Consent = Consent.ASK
    part: Consent = Consent.ASK


def consents_named(instead: str, part: str) -> Consents:
    """Return what may be done without being said, by the names of each consent.

    Raises:
        UnknownNameError: There is no such consent.
    """
    return Consents(consent_named(instead), consent_named(part, "parts of a goal"))
