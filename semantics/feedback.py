"""`Feedback`: the one record of anything that went wrong, from a misspelt name to a collision.

Feedback is data; text is rendered last, for each reader. `Code` is a closed list, the key of repair rules and reports.
The levels follow CoPAL (section III): syntax and semantic errors are found before planning, symbolic ones in the model,
physical ones by the body, and the last two by the runner and by people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["MEANINGS", "Code", "Feedback", "Level"]


class Level(StrEnum):
    """The level of a problem."""

    SYNTAX = "syntax"
    SEMANTIC = "semantic"
    SYMBOLIC = "symbolic"
    PHYSICAL = "physical"
    RUNTIME = "runtime"
    HUMAN = "human"


class Code(StrEnum):
    """Every kind of problem; `MEANINGS` gives the level and a sentence for each."""

    UNREADABLE = "unreadable"
    NOT_UNDERSTOOD = "not-understood"
    AMBIGUOUS = "ambiguous"
    UNKNOWN_NAME = "unknown-name"
    UNKNOWN_PREDICATE = "unknown-predicate"
    WRONG_ARITY = "wrong-arity"
    WRONG_AFFORDANCE = "wrong-affordance"
    CONTRADICTION = "contradiction"
    NO_PLAN = "no-plan"
    WHEREABOUTS_UNKNOWN = "whereabouts-unknown"
    PLANNER_TIMEOUT = "planner-timeout"
    INVALID_PLAN = "invalid-plan"
    UNSUPPORTED = "unsupported"
    PRECONDITION = "precondition"
    EFFECT_MISSING = "effect-missing"
    OUT_OF_REACH = "out-of-reach"
    OBSTRUCTED = "obstructed"
    NOT_GRASPED = "not-grasped"
    DROPPED = "dropped"
    NO_ROOM = "no-room"
    STUCK = "stuck"
    NOT_VISIBLE = "not-visible"
    REFUSED_BY_BODY = "refused-by-body"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    EXCEPTION = "exception"
    BUDGET_SPENT = "budget-spent"
    UNAVAILABLE = "unavailable"
    DECLINED = "declined"
    QUESTION = "question"


MEANINGS: dict[Code, tuple[Level, str]] = {
    Code.UNREADABLE: (Level.SYNTAX, "a reply or a formula that cannot be parsed"),
    Code.NOT_UNDERSTOOD: (Level.SYNTAX, "a sentence without a reading"),
    Code.AMBIGUOUS: (Level.SYNTAX, "a sentence or a word with several readings"),
    Code.UNKNOWN_NAME: (Level.SEMANTIC, "an object, class or thing that nobody knows"),
    Code.UNKNOWN_PREDICATE: (
        Level.SEMANTIC,
        "a predicate that the domain does not have, or that may not stand in a goal",
    ),
    Code.WRONG_ARITY: (Level.SEMANTIC, "a predicate with too few or too many arguments"),
    Code.WRONG_AFFORDANCE: (Level.SEMANTIC, "an object that does not afford what the predicate needs"),
    Code.CONTRADICTION: (Level.SEMANTIC, "facts that cannot hold together"),
    Code.NO_PLAN: (Level.SYMBOLIC, "proven: no sequence of actions reaches the goal"),
    Code.WHEREABOUTS_UNKNOWN: (Level.SYMBOLIC, "nobody knows where the thing is"),
    Code.PLANNER_TIMEOUT: (Level.SYMBOLIC, "the planner ran out of time or memory"),
    Code.INVALID_PLAN: (Level.SYMBOLIC, "a plan whose steps do not lead to its goal"),
    Code.UNSUPPORTED: (Level.SYMBOLIC, "the world asks for something that no planner at hand takes; it is named"),
    Code.PRECONDITION: (Level.SYMBOLIC, "a step's condition does not hold when it starts, or stops holding"),
    Code.EFFECT_MISSING: (Level.SYMBOLIC, "the motion ended and its effect was not sensed"),
    Code.OUT_OF_REACH: (Level.PHYSICAL, "no collision-free posture reaches the thing"),
    Code.OBSTRUCTED: (Level.PHYSICAL, "something stands in the way; the culprits name it"),
    Code.NOT_GRASPED: (Level.PHYSICAL, "the fingers closed without contact of both"),
    Code.DROPPED: (Level.PHYSICAL, "held before, not any more"),
    Code.NO_ROOM: (Level.PHYSICAL, "no free spot on or in the target"),
    Code.STUCK: (Level.PHYSICAL, "the motion makes no progress"),
    Code.NOT_VISIBLE: (Level.PHYSICAL, "what has to be seen cannot be seen"),
    Code.REFUSED_BY_BODY: (Level.PHYSICAL, "an unknown primitive, a missing role, or a wrong object"),
    Code.TIMEOUT: (Level.RUNTIME, "the time limit of a run has passed"),
    Code.CANCELLED: (Level.RUNTIME, "stopped before it ended"),
    Code.EXCEPTION: (Level.RUNTIME, "a fault in a node; the text names it"),
    Code.BUDGET_SPENT: (Level.RUNTIME, "a repair rung tried as often as it may"),
    Code.UNAVAILABLE: (Level.RUNTIME, "something outside is not there"),
    Code.DECLINED: (Level.HUMAN, "a person said no"),
    Code.QUESTION: (Level.HUMAN, "an answer is needed and nobody can be asked"),
}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What failed, why, and how to fix it.

    Attributes:
        code: Kind of problem.
        what: What failed, a short noun phrase or the failed text.
        why: The reason, one sentence.
        how: What would help, one sentence, or empty.
        culprits: Names of objects, predicates, words or joints that caused it.
        recoverable: Whether trying something else makes sense.
    """

    code: Code
    what: str
    why: str
    how: str = ""
    culprits: tuple[str, ...] = ()
    recoverable: bool = True

    @property
    def level(self) -> Level:
        """The level of the problem."""
        return MEANINGS[self.code][0]

    def __str__(self) -> str:
        parts = (f"{self.what}: {self.why}", self.how)
        return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)

    def as_dict(self) -> dict[str, object]:
        """Return the record as plain data for JSON."""
        return {
            "level": str(self.level),
            "code": str(self.code),
            "what": self.what,
            "why": self.why,
            "how": self.how,
            "culprits": list(self.culprits),
            "recoverable": self.recoverable,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Feedback:
        """Read what `as_dict` wrote.

        Raises:
            KeyError, TypeError, ValueError: `record` is not such a record.
        """
        fields = {key: value for key, value in record.items() if key != "level"}
        return cls(**{**fields, "code": Code(fields["code"]), "culprits": tuple(fields["culprits"])})
