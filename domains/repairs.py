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
    """The repair of a known small failure, as data (after CoPAL, section III-C).

    Attributes:
        name: Symbol, such as ``hand-full``.
        code: The `semantics.logic.feedback.Code` that it answers.
        capability: The step that failed: its name, or empty for any.
        when: Condition for the rule to apply, over the parameters of that capability and `variables`.
        variables: Further things it needs, such as a place to park, by affordance.
        culprits: Names of those variables that are bound to the culprits of the failure.
        before: Steps inserted before the failed one.
        instead: Steps that replace the failed one; empty to repeat it.
        rename: Pairs of names: in later steps that handle the same thing as the failed one, the second replaces the
            first. So a bottle that was taken with the other hand is poured with that hand.
        after: Steps that restore the state afterwards, such as to pick up or close something again.
        say: Sentence that tells a person about the repair.
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
    """The budget of a rung for one instruction; None where the rung's default applies.

    Attributes:
        tries: How many failures it handles; for replanning, how many since the last progress of the run.
        same: How often it handles the same failure.
        seconds: How long it may work, from its first failure, on the body's clock.
        money: Total price of its answers.
        most: How many failures it handles in total, regardless of progress.
    """

    tries: int | None = None
    same: int | None = None
    seconds: float | None = None
    money: float | None = None
    most: int | None = None


Ladder = Mapping[str, Spending | None]
"""Budget by rung; None disables the rung, and a rung that is not named has its default budget."""
