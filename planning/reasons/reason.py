"""`Reason`: why there is no plan, as data. `Kind` is a closed list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from semantics.logic.atoms import Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.vocabulary import Predicate


class Kind(StrEnum):
    """The kinds of reasons why a goal has no plan."""

    ALREADY_TRUE = "already-true"  # nothing: no action is needed
    WHEREABOUTS_UNKNOWN = "whereabouts-unknown"  # the location of an object is unknown
    NO_ACTION = "no-action"  # no action of the domain makes it true
    NO_AFFORDANCE = "no-affordance"  # an object lacks an affordance that the action needs
    NO_AGENT = "no-agent"  # no agent present can do it
    NO_WAY = "no-way"  # a place is unreachable
    EXCLUSION = "exclusion"  # each part is reachable, but not together
    UNEXPLAINED = "unexplained"  # proved only by the search


CODES = {Kind.WHEREABOUTS_UNKNOWN: Code.WHEREABOUTS_UNKNOWN}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a goal is unreachable.

    Attributes:
        kind: The kind of reason.
        literals: The unreachable part of the goal; the explanation needs all of it.
        what: That part in words.
        why: The reason, half a sentence.
        how: What would help, one sentence, or empty.
        culprits: The names of the objects that cause it.
    """

    kind: Kind
    literals: tuple[Literal, ...]
    what: str
    why: str
    how: str = ""
    culprits: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.feedback)

    @property
    def feedback(self) -> Feedback:
        """The reason as a `Feedback`, the record that all other parts read."""
        recoverable = self.kind in (Kind.EXCLUSION, Kind.WHEREABOUTS_UNKNOWN, Kind.UNEXPLAINED)
        code = CODES.get(self.kind, Code.NO_PLAN)
        return Feedback(code, self.what, self.why, self.how, self.culprits, recoverable)


def said(literal: Literal, predicates: Mapping[str, Predicate]) -> str:
    """Return one literal in words."""
    sentence = predicates[literal.atom.predicate].description.format(*literal.atom.args).rstrip(".")
    return sentence if literal.positive else f"not: {sentence}"
