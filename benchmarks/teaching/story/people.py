"""The two who talk in the story: a scripted apprentice in the place of a language model, and a scripted teacher."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.teaching.story.steps import Step, Story
from semantics.body.protocols import Message, ModelReply

__all__ = ["Apprentice", "Teacher"]

REQUEST = re.compile(r'^Request: (".*")$', re.MULTILINE)
HEAD = re.compile(r"^(\w+)\(([\w, ]*)\): ", re.MULTILINE)
UNKNOWN = "I do not know "
TELL_MORE = "Tell me more."


class Apprentice:
    """Writes the programs; see `semantics.body.protocols.LanguageModel`.

    It knows only what the messages show and what it was told since it began with a step. A program is right once every
    line about the step was said, and for each function that it needs and that is not shown as known, every line about
    the step that defines it. Until then its first attempt is naive: one of the named blocks on another one.

    Args:
        story: The story, whose right programs stand for what a model writes when it knows what is meant.
        step: The step that is talked about.
    """

    name = "apprentice"

    def __init__(self, story: Story, step: Step) -> None:
        self.calls = 0
        self._story, self._step = story, step
        self._heard: set[str] = set()

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Return the reply to a request."""
        self.calls += 1
        told = messages[1].content
        words = json.loads(REQUEST.findall(told)[-1])
        heads = dict(HEAD.findall(told))
        functions = self._story.functions
        known = {name for name, text in functions.items() if f"def {name}({heads.get(name)}):" in text}
        needed = self._story.needed(self._step, known)
        if words != self._step.say:
            self._heard.add(words)
        untold = [name for name in needed if not self._heard.issuperset(self._story.defining[name].teach)]
        if words == self._step.say:
            is_able = not untold and (self._step.knows or self._heard.issuperset(self._step.teach))
            return _reply(program=self._story.program(self._step, known) if is_able else self._attempt())
        if untold:
            return _reply(answer=f"{UNKNOWN}{untold[0]}.")
        if not self._heard.issuperset(self._step.teach):
            return _reply(answer=TELL_MORE)
        return _reply(lesson={"program": self._story.program(self._step, known)})

    def _attempt(self) -> str:
        colours = [
            block["name"] for block in self._story.blocks if re.search(rf"\b{block['colour']}\b", self._step.say)
        ]
        upper, lower, *_ = [*colours, *(block["name"] for block in self._story.blocks if block["name"] not in colours)]
        return f"achieve(on({upper}, {lower}))"


def _reply(**content: object) -> ModelReply:
    return ModelReply(json.dumps({"reply": {**content, "note": None}}))


class Teacher:
    """Says what was wrong, one line after the other.

    Args:
        story: The story.
        step: The step that is taught.
    """

    def __init__(self, story: Story, step: Step) -> None:
        self._story = story
        self._left = list(step.teach)
        self._of: dict[str, list[str]] = {}

    def next_line(self, answered: str) -> str | None:
        """Return what the person says next; None if there is nothing left to say.

        Args:
            answered: What came of the line before; what it asks about is explained first.
        """
        asked = re.search(rf"{UNKNOWN}(\w+)", answered)
        if asked is not None and not self._left:
            lines = self._of.setdefault(self._story.defining[asked[1]].id, [*self._story.defining[asked[1]].teach])
            return lines.pop(0) if lines else None
        return self._left.pop(0) if self._left else None
