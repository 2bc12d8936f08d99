"""`recall`: what the memory knows of a sentence, or of one that differs from it in its arguments only.

For the latter, the reader of the grammar decides, never a likeness: the sentence has the same words but for its nouns,
the grammar reads it without any assumption, and what it reads has the form of the goal that the other sentence was
understood as. So a negation, an exception, a number or an order more is another sentence. It is checked and planned
for as ever; what is saved is the request to a language model.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graftwork.decision.context import DecisionContext
from graftwork.memory import Experience, Memory
from semantics.logic.goal import Goal
from semantics.logic.state import State

_ARGUMENT = re.compile(r"(?<= )[\w-]+")


def recall(words: str, memory: Memory, context: DecisionContext, state: State) -> Experience | None:
    """Return what is remembered of a sentence; None if that is nothing, or it means nothing by itself."""
    if context.turns:
        from graftwork.language.conversation import stands_alone

        if not stands_alone(words):
            return None
    known = memory.recall(words, context.vocabulary, context.domain, state)
    if known is not None or context.model is None:  # without a model, the grammar reads it anyway
        return known
    return _recall_alike(words, memory, context, state)


def _recall_alike(words: str, memory: Memory, context: DecisionContext, state: State) -> Experience | None:
    read: Goal | None = None
    for key, experience in memory.like(words, context.vocabulary, context.domain):
        if read is None:
            from graftwork.language.dialogue import read_words  # few sentences are like another one

            found = read_words(words, context.vocabulary, context.described(state, words))
            if not isinstance(found, Goal) or found.notes or found.every:
                return None
            read = found
        if _form(read) == _form(experience.goal):
            times = f"{experience.worked} of {experience.worked + experience.failed} times"
            note = f"read like '{key}', which worked {times}"
            return replace(experience, goal=replace(read, notes=(note,)))
    return None


def _form(goal: Goal) -> list[tuple[str, object]]:
    """Return a goal with numbers in the place of its things."""
    forms = list[tuple[str, object]]()
    for stage in goal.stages:
        names = dict.fromkeys(_ARGUMENT.findall(str(stage.formula)))
        numbers = {name: f"*{number}" for number, name in enumerate(names)}
        masked = _ARGUMENT.sub(lambda match: numbers[match[0]], str(stage.formula))  # noqa: B023 - it is called here
        forms.append((masked, stage.values))
    return forms
