"""Words for what is done: which capabilities of a domain a verb may stand for."""

from __future__ import annotations

from bt.recovery.normalisation.names import plain_name
from domains.model import Domain
from semantics.errors import nearest
from semantics.feedback import Code, Feedback
from semantics.spelling import surely

__all__ = ["ALIKE", "capabilities_of"]

ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"put", "place", "put_in", "putin", "put_down", "set_down", "insert", "add", "drop", "stack"})
    | {"place_on_top"},
    frozenset({"get", "take", "grasp", "grab", "pick", "pick_up", "take_out", "fetch", "lift", "unstack"}),
    frozenset({"open", "open_door", "unscrew", "uncap"}),
    frozenset({"close", "close_door", "shut", "screw", "cap"}),
    frozenset({"pour", "pour_mix", "fill"}),
    frozenset({"switch_on", "switch_off", "turn_on", "turn_off", "finger_push", "push", "press"}),
    frozenset({"gaze", "look", "look_at", "glance", "glance_at"}),
    frozenset({"give", "handover", "hand_over", "pass"}),
    frozenset({"move", "go", "go_to", "drive", "drive_to", "move_to"}),
)
"""Verbs that people and language models use for each other. Which of them is meant, what is acted upon decides."""


def capabilities_of(verb: str, domain: Domain) -> tuple[tuple[str, ...], tuple[str, ...]] | Feedback:
    """Return the capabilities that a verb names, and those that it may stand for as well; or why none is known."""
    word = plain_name(verb)
    exact = _called(word, domain)
    alike = {other for group in ALIKE if word in group for other in group}
    more = tuple(name for other in sorted(alike) for name in _called(other, domain) if name not in exact)
    if exact or more:
        return exact, tuple(dict.fromkeys(more))
    known = {word for name, one in domain.capabilities.items() for word in (name, *one.aliases)}
    slips = [other for other in known if surely(word, plain_name(other))]
    if len(slips) == 1:
        return _called(plain_name(slips[0]), domain), ()
    close = nearest(word, known)
    how = f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(sorted(domain.capabilities))}."
    return Feedback(Code.UNKNOWN_NAME, f"'{word}'", "nobody here knows how to do that", how, (word,))


def _called(word: str, domain: Domain) -> tuple[str, ...]:
    return tuple(
        name
        for name, one in domain.capabilities.items()
        if word in (plain_name(name), *(plain_name(alias) for alias in one.aliases))
    )
