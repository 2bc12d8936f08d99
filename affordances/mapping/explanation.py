"""Explain in words why an affordance is believed."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from affordances.mapping.evidence import Evidence, EvidenceSource
from affordances.mapping.weights import counts
from affordances.ontology import AFFORDANCES

__all__ = ["explained", "in_words"]

UNCHANGING = "nothing would change it"


def explained(class_name: str, affordance: str, evidence: Sequence[Evidence], threshold: float) -> str:
    """Return the belief, all reasons for it, the counts, and what would change it, as text."""
    yes, no = counts(evidence)
    believed = yes / (yes + no) >= threshold
    meaning = f" ({AFFORDANCES[affordance]})" if affordance in AFFORDANCES else ""
    head = (
        f"{class_name} {'affords' if believed else 'does not afford'} {affordance}{meaning}: p = {yes / (yes + no):.2f}"
    )
    reasons = "; ".join(map(in_words, evidence)) or "nothing is known of the pair, this is how common it is at all"
    return f"{head}. {reasons}. Counts {yes:g} for, {no:g} against; {_change(yes, no, threshold)}."


def in_words(piece: Evidence) -> str:
    """Return one piece of evidence as a clause."""
    day = f" on {piece.at:%Y-%m-%d}" if piece.at else ""
    answer = "yes" if piece.share >= 0.5 else "no"
    times = "once" if piece.times == 1 else f"{piece.times} times"
    match piece.source:
        case EvidenceSource.AUTHORED:
            return f"'{piece.by}' says {answer}"
        case EvidenceSource.ASKED:
            return f"{piece.by} said {answer}{day}, asked by {piece.how}"
        case EvidenceSource.GUESSED:
            return f"guessed{day} from {piece.by} with confidence {piece.share:.2f}"
        case EvidenceSource.WORKED | EvidenceSource.FAILED:
            return f"{piece.source} {times} with {piece.by}, last{day or ' at a time nobody noted'}"


def _change(yes: float, no: float, threshold: float) -> str:
    """Return, in words, how many sensed outcomes would reverse the belief."""
    if yes / (yes + no) >= threshold and not threshold:
        return UNCHANGING
    if yes / (yes + no) >= threshold:
        failures = floor(yes / threshold - yes - no + 1e-9) + 1
        return f"{_times(failures, 'failure')} without a success would end the belief"
    # no finite number of successes reaches a threshold of 1
    successes = ceil((threshold * (yes + no) - yes) / (1.0 - threshold) - 1e-9) if threshold < 1.0 else 0
    return f"{_times(successes, 'success')} without a failure would bring it about" if successes else UNCHANGING


def _times(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith('s') else 's'}"
