"""Guess the affordances of an unknown class from the nearest known classes. The result is never more than a guess."""

from affordances.elicitation.estimate.guess import LIKELY, Guess, Guesser, evidence_of_guess

__all__ = ["LIKELY", "Guess", "Guesser", "evidence_of_guess"]
