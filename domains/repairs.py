"""`RepairRule`: what mends a known small mishap, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from semantics.atoms import Formula, Variable

__all__ = ["RUNGS", "Ladder", "RepairRule", "RepairStep", "Spending"]


@dataclass(frozen=True, slots=True)
class RepairStep:
    """A step of a repair: a capability's name, and arguments that are ``?parameters`` of what failed, or new ones."""

    capability: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepairRule:
    """What mends a known small mishap, as data (after CoPAL, section III-C).

    Attributes:
        name: Symbol, such as ``hand-full``.
        code: The `semantics.feedback.Code` that it answers.
        capability: The step that failed: its name, or empty for any.
        when: What must hold for the rule to apply, over the parameters of that capability and `variables`.
        variables: Further things it needs, such as a place to park, by affordance.
        culprits: Those variables that stand for what the failure blames, by name.
        before: Steps inserted before the failed one.
        instead: Steps that take the failed one's place; none to do that again.
        rename: Pairs of names: in later steps that handle the same thing as the failed one, the second stands for the
            first. So what was taken with the other hand is poured with that hand.
        after: What is restored once that is done: taken up again, closed again.
        say: Sentence that tells a person what is done.
    """

    name: str
    code: str
    capability: str = ""
    when: Formula | None = None
    variables: tuple[Variable, ...] = ()
    culprits: tuple[str, ...] = ()
    before: tuple[RepairStep, ...] = ()
    instead: tuple[RepairStep, ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    after: tuple[RepairStep, ...] = ()
    say: str = ""


RUNGS = ("again", "rule", "replan", "explore", "substitute", "part", "consult", "ask")
"""The rungs, the cheapest first."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a rung may spend on one instruction; None where its own default counts.

    Attributes:
        tries: How many failures it answers; planning anew, how many since the run last got further.
        same: How often it answers the same failure.
        seconds: How long it answers, from the first failure it was asked about, on the body's clock.
        money: What its answers may cost together.
        most: How many failures it answers in all, however far the run gets.
    """

    tries: int | None = None
    same: int | None = None
    seconds: float | None = None
    money: float | None = None
    most: int | None = None


Ladder = Mapping[str, Spending | None]
"""By rung; None leaves it out, and a rung that is not named spends what it does by default."""
