"""What a person says to a run: an option by its number, or that it is to stop."""

from __future__ import annotations

from collections.abc import Callable

from semantics.goal import Question

__all__ = ["Answering", "is_stop", "option"]

Answering = Callable[[Question], str | None]
"""Answers a question in a person's words, or not yet."""

STOP_WORDS = frozenset({"stop", "halt", "cancel", "abort", "freeze"})


def is_stop(words: str) -> bool:
    """Return whether words ask for no more than to stop."""
    return words.strip().lower().strip(".!") in STOP_WORDS


def option(question: Question | None, words: str) -> str:
    """Return the option that a number stands for; other words as they are."""
    options, number = question.options if question else (), words.strip()
    return options[int(number) - 1] if number in {str(one + 1) for one in range(len(options))} else words
