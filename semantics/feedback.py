"""`Feedback`: the one record of anything that went wrong, from a misspelt name to a collision.

It is data; text is rendered last, per reader. `Code` is a closed list that repair rules, tests and reports key on.
The levels follow CoPAL (section III): syntax and semantic errors are found before planning, symbolic ones in the model,
physical ones by the body, and the last two by the runner and by people.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Code", "Feedback", "Level"]


class Level(StrEnum):
    """Where the trouble lies."""

    SYNTAX = "syntax"
    SEMANTIC = "semantic"
    SYMBOLIC = "symbolic"
    PHYSICAL = "physical"
    RUNTIME = "runtime"
    HUMAN = "human"


class Code(StrEnum):
    """Every kind of trouble, each with the level it belongs to (see `LEVEL_OF`)."""

    # words and formulas
    UNREADABLE = "unreadable"  # the reply or the formula cannot be parsed
    NOT_UNDERSTOOD = "not-understood"  # no reading of the sentence
    AMBIGUOUS = "ambiguous"  # several readings, none sure
    # checks of a goal
    UNKNOWN_NAME = "unknown-name"  # an object, class or thing nobody knows
    UNKNOWN_PREDICATE = "unknown-predicate"
    WRONG_ARITY = "wrong-arity"
    WRONG_AFFORDANCE = "wrong-affordance"  # the object does not afford what the predicate needs
    CONTRADICTION = "contradiction"  # facts that cannot hold together
    # planning
    NO_PLAN = "no-plan"  # proven: no sequence of actions reaches the goal
    WHEREABOUTS_UNKNOWN = "whereabouts-unknown"  # nobody knows where the thing is
    PLANNER_TIMEOUT = "planner-timeout"
    INVALID_PLAN = "invalid-plan"
    # what a step finds
    PRECONDITION = "precondition"  # does not hold when the step starts, or stops holding
    EFFECT_MISSING = "effect-missing"  # the motion ended, the effect was not sensed
    # what a body finds
    OUT_OF_REACH = "out-of-reach"  # no collision-free posture reaches it
    OBSTRUCTED = "obstructed"  # something stands in the way; culprits name it
    COLLISION = "collision"
    NOT_GRASPED = "not-grasped"  # the fingers closed without verified contact of both
    DROPPED = "dropped"  # held before, not any more
    NO_ROOM = "no-room"  # no free spot on or in the target
    STUCK = "stuck"  # the motion makes no progress
    NOT_VISIBLE = "not-visible"
    REFUSED_BY_BODY = "refused-by-body"  # unknown primitive, missing role, wrong object
    # running
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    EXCEPTION = "exception"
    BUDGET_SPENT = "budget-spent"
    UNAVAILABLE = "unavailable"  # something outside is not there
    # people
    DECLINED = "declined"  # a person said no
    QUESTION = "question"  # an answer is needed and nobody can be asked


_FIRST_OF_LEVEL = {
    Code.UNREADABLE: Level.SYNTAX,
    Code.UNKNOWN_NAME: Level.SEMANTIC,
    Code.NO_PLAN: Level.SYMBOLIC,
    Code.OUT_OF_REACH: Level.PHYSICAL,
    Code.TIMEOUT: Level.RUNTIME,
    Code.DECLINED: Level.HUMAN,
}


def _levels() -> dict[Code, Level]:
    """Spread each level over the codes that follow its first one in the list above."""
    table: dict[Code, Level] = {}
    level = Level.SYNTAX
    for code in Code:
        level = _FIRST_OF_LEVEL.get(code, level)
        table[code] = level
    return table


LEVEL_OF: dict[Code, Level] = _levels()


@dataclass(frozen=True, slots=True)
class Feedback:
    """What failed, why, and how to mend it.

    Attributes:
        code: Kind of trouble.
        what: What failed, a short noun phrase or the failed text.
        why: The reason, one sentence.
        how: What would mend it, one sentence, or empty.
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
        """Where the trouble lies."""
        return LEVEL_OF[self.code]

    def __str__(self) -> str:
        return " ".join(part for part in (f"{self.what}: {self.why}", self.how) if part)

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
