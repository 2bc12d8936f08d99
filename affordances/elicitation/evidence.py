"""From answers and guesses to evidence in the object-affordance mapping.

What a model left open is no evidence. The mapping keeps one piece for each pair, model and strategy, so that asking
again replaces and never adds up.
"""

from __future__ import annotations

from affordances.elicitation.estimate import Guess
from affordances.elicitation.inquiry import ClassReply
from affordances.mapping import Evidence

__all__ = ["evidence_of_answers", "evidence_of_guess"]

LEAST_SHARE = 0.1
"""Share of the say from which on a neighbour is named in the evidence."""


def evidence_of_answers(asked: ClassReply, *, model: str, strategy: str) -> tuple[Evidence, ...]:
    """Return one piece for each affordance that the model answered, dated when it did."""
    return tuple(
        Evidence.asked(asked.class_name, name, yes, model=model, strategy=strategy, at=asked.times.get(name))
        for name, yes in asked.answers.items()
        if yes is not None
    )


def evidence_of_guess(guess: Guess) -> tuple[Evidence, ...]:
    """Return one piece for each affordance; none for a class that is known or that nothing is near to."""
    if not guess.neighbours or guess.known_as is not None:
        return ()
    heard = [near.class_name for near in guess.neighbours if near.share >= LEAST_SHARE]
    after = ", ".join(heard or [guess.neighbours[0].class_name])
    return tuple(
        Evidence.guessed(guess.class_name, name, confidence, after=after)
        for name, confidence in guess.confidence.items()
    )
