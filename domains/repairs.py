"""`RepairRule` and `Spending`: how to repair a known small failure, and what the repair ladder may spend, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from semantics.logic.atoms import Formula, Variable


@dataclass(frozen=True, slots=True)
class RepairStep:
    """A step of a repair: a capability's name, and arguments: ``?parameters`` of the failed step, or new ones."""

    capability: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RepairRule:
    """The repair of a known small failure, as data (after CoPAL, section III-C)."""

    name: str  # symbol, such as ``hand-full``
    code: str  # the `semantics.logic.feedback.Code` that it answers
    capability: str = ""  # the step that failed: its name, or empty for any
    # condition for the rule to apply, over the parameters of that capability and `variables`
    when: Formula | None = None
    variables: tuple[Variable, ...] = ()  # further things it needs, such as a place to park, by affordance
    culprits: tuple[str, ...] = ()  # names of those variables that are bound to the culprits of the failure
    before: tuple[RepairStep, ...] = ()  # steps inserted before the failed one
    instead: tuple[RepairStep, ...] = ()  # steps that replace the failed one; empty to repeat it
    # Pairs of names: in later steps that handle the same thing as the failed one, the second replaces the first. So a
    # bottle that was taken with the other hand is poured with that hand.
    rename: tuple[tuple[str, str], ...] = ()
    # steps that restore the state afterwards, such as to pick up or close something again
    after: tuple[RepairStep, ...] = ()
    say: str = ""  # sentence that tells a person about the repair


RUNGS = ("again", "rule", "replan", "explore", "substitute", "part", "consult", "ask")  # the rungs, the cheapest first


@dataclass(frozen=True, slots=True)
class Spending:
    """The budget of a rung for one instruction; None where the rung's default applies."""

    # how many failures it handles; for replanning, how many since the last progress of the run
    tries: int | None = None
    same: int | None = None  # how often it handles the same failure
    seconds: float | None = None  # how long it may work, from its first failure, on the body's clock
    money: float | None = None  # total price of its answers
    most: int | None = None  # how many failures it handles in total, regardless of progress


Ladder = Mapping[str, Spending | None]
"""Budget by rung; None disables the rung, and a rung that is not named has its default budget."""
