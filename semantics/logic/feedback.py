"""`Feedback`: the one record of anything that went wrong, from a misspelt name to a collision.

Feedback is data; text is rendered last, for each reader. `Code` is a closed list, the key of repair rules and reports.
The levels follow CoPAL (section III): syntax and semantic errors are found before planning, symbolic ones in the model,
physical ones by the body, and the last two by the runner and by people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    """The level of a problem."""

    SYNTAX = "syntax"
    SEMANTIC = "semantic"
    SYMBOLIC = "symbolic"
    PHYSICAL = "physical"
    RUNTIME = "runtime"
    HUMAN = "human"


class Code(StrEnum):
    """Every kind of problem, with its level and a sentence about it.

    Attributes:
        level: Where such a problem is found.
        meaning: What it is, in words.
    """

    level: Level
    meaning: str

    def __new__(cls, name: str, level: Level = Level.RUNTIME, meaning: str = "") -> Code:
        """Make a member, which equals its name; a call with a name alone looks a member up."""
        code = str.__new__(cls, name)
        code._value_, code.level, code.meaning = name, level, meaning
        return code

    UNREADABLE = "unreadable", Level.SYNTAX, "a reply or a formula that cannot be parsed"
    NOT_UNDERSTOOD = "not-understood", Level.SYNTAX, "a sentence without a reading"
    AMBIGUOUS = "ambiguous", Level.SYNTAX, "a sentence or a word with several readings"
    UNKNOWN_NAME = "unknown-name", Level.SEMANTIC, "an object, class or thing that nobody knows"
    UNKNOWN_PREDICATE = (
        "unknown-predicate",
        Level.SEMANTIC,
        "a predicate that the domain does not have, or that may not stand in a goal",
    )
    WRONG_ARITY = "wrong-arity", Level.SEMANTIC, "a predicate with too few or too many arguments"
    WRONG_AFFORDANCE = "wrong-affordance", Level.SEMANTIC, "an object that does not afford what the predicate needs"
    CONTRADICTION = "contradiction", Level.SEMANTIC, "facts that cannot hold together"
    NO_PLAN = "no-plan", Level.SYMBOLIC, "proven: no sequence of actions reaches the goal"
    WHEREABOUTS_UNKNOWN = "whereabouts-unknown", Level.SYMBOLIC, "nobody knows where the thing is"
    PLANNER_TIMEOUT = "planner-timeout", Level.SYMBOLIC, "the planner ran out of time or memory"
    INVALID_PLAN = "invalid-plan", Level.SYMBOLIC, "a plan whose steps do not lead to its goal"
    UNSUPPORTED = (
        "unsupported",
        Level.SYMBOLIC,
        "the world asks for something that no planner at hand takes; it is named",
    )
    PRECONDITION = "precondition", Level.SYMBOLIC, "a step's condition does not hold when it starts, or stops holding"
    EFFECT_MISSING = "effect-missing", Level.SYMBOLIC, "the motion ended and its effect was not sensed"
    OUT_OF_REACH = "out-of-reach", Level.PHYSICAL, "no collision-free posture reaches the thing"
    OBSTRUCTED = "obstructed", Level.PHYSICAL, "something stands in the way; the culprits name it"
    NOT_GRASPED = "not-grasped", Level.PHYSICAL, "the fingers closed without contact of both"
    DROPPED = "dropped", Level.PHYSICAL, "held before, not any more"
    NO_ROOM = "no-room", Level.PHYSICAL, "no free spot on or in the target"
    STUCK = "stuck", Level.PHYSICAL, "the motion makes no progress"
    UNDONE = "undone", Level.PHYSICAL, "what was done is undone each time, by somebody or something else"
    NOT_VISIBLE = "not-visible", Level.PHYSICAL, "what has to be seen cannot be seen"
    BODY_FAILED = "body-failed", Level.PHYSICAL, "the body, or its driver, raised an error; the text names it"
    SENSING_LOST = "sensing-lost", Level.PHYSICAL, "the body senses nothing any more"
    REFUSED_BY_BODY = "refused-by-body", Level.PHYSICAL, "an unknown primitive, a missing role, or a wrong object"
    TIMEOUT = "timeout", Level.RUNTIME, "the time limit of a run has passed"
    CANCELLED = "cancelled", Level.RUNTIME, "stopped before it ended"
    EXCEPTION = "exception", Level.RUNTIME, "a fault in a node; the text names it"
    BUDGET_SPENT = "budget-spent", Level.RUNTIME, "a rung, a program or a model has used all it may"
    UNAVAILABLE = "unavailable", Level.RUNTIME, "something outside is not there"
    UNUSABLE_REPLY = "unusable-reply", Level.RUNTIME, "no answer of a language model can be used"
    DECLINED = "declined", Level.HUMAN, "a person said no"
    QUESTION = "question", Level.HUMAN, "an answer is needed and nobody can be asked"


def sentences(*parts: str) -> str:
    """Return the parts that are not empty as sentences, each with a full stop unless it has a mark at its end."""
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)


def left_out(reason: Mapping[str, Any]) -> str:
    """Return the sentence that tells why a part of a goal is left out, from the `as_dict` of the reason."""
    return sentences(f"left out: {reason.get('what')}: {reason.get('why')}", str(reason.get("how") or ""))


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
        instead: What `how` proposes to say in the place of the first culprit, word by word; no part of `as_dict`.
    """

    code: Code
    what: str
    why: str
    how: str = ""
    culprits: tuple[str, ...] = ()
    recoverable: bool = True
    instead: tuple[str, ...] = ()

    @property
    def level(self) -> Level:
        """The level of the problem."""
        return self.code.level

    def __str__(self) -> str:
        return sentences(f"{self.what}: {self.why}", self.how)

    def proposing(self, kept: tuple[str, ...]) -> Feedback:
        """Return it with some of what it proposes; without any, it gives no advice."""
        how = self.how if kept or not self.instead else ""
        for joint in (" or ", ", ", "' or '"):
            how = how.replace(joint.join(self.instead), joint.join(kept))
        return replace(self, how=how, instead=kept)

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
