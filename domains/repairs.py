"""`RepairRule`: what mends a known small mishap, as data."""

from __future__ import annotations

from dataclasses import dataclass

from semantics.atoms import Formula, Variable

__all__ = ["RepairRule", "RepairStep"]


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
