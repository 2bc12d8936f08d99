"""`AskedClasses`: what a language model takes things for of which nobody knows what they are; one request for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from affordances.elicitation import AnswerCache
from affordances.elicitation.conversation import Conversation, ModelQuestion, StoppedError
from affordances.elicitation.replies import json_in
from affordances.newcomers import Guess, guesses
from domains.world import World
from semantics.body.protocols import LanguageModel, Message
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import shortened
from semantics.words.embedding import Embedder
from semantics.words.lexicon import plain

__all__ = ["AskedClasses"]

SYSTEM = (
    "A household robot sees things that nobody has told it about. Say as which known class each can be handled, "
    "by what it is called, its size, and whether it is open above. Answer with one JSON object and nothing else."
)
AGAIN = 'That cannot be read. Answer {"things": [{"thing": NAME, "class": CLASS or null, "probability": 0 to 1}]}.'
MOST_OFFERED = 12
"""How many classes are offered for each thing, those that it is guessed to be."""
MOST_SURE = 0.89
"""What a model says is never so sure that a person is not asked."""
TRIES = 2
_PARTS = {"thing": {"type": "string"}, "class": {"type": ["string", "null"]}, "probability": {"type": "number"}}
_THING = {"type": "object", "properties": _PARTS, "required": [*_PARTS], "additionalProperties": False}
SCHEMA = {
    "type": "object",
    "properties": {"things": {"type": "array", "items": _THING}},
    "required": ["things"],
    "additionalProperties": False,
}
Said = Mapping[str, tuple[str, float]]
"""By what a thing is called: a class, and how sure it is."""


@dataclass(eq=False)
class AskedClasses:
    """What a language model says of things; each label is asked about once.

    Attributes:
        model: The model.
    """

    model: LanguageModel
    conversation: Conversation = field(init=False)
    _said: dict[str, tuple[str, float] | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.conversation = Conversation(self.model, AnswerCache(None), tries=TRIES)

    def about(self, name: str, world: World, embedder: Embedder | None) -> Guess | None:
        """Return what the model takes a thing for; None if it says nothing, or cannot be reached.

        The first call asks about all things of the world of which nobody knows what they are.
        """
        label = plain(world.origins[name].label)
        if label not in self._said:
            self._ask(world, embedder)
        said = self._said.get(label)
        return (
            None
            if said is None or said[0] not in world.domain.classes
            else Guess(world.domain.classes[said[0]], said[1])
        )

    def _ask(self, world: World, embedder: Embedder | None) -> None:
        names = {plain(world.origins[name].label): name for name in world.unknown}
        names = {label: name for label, name in names.items() if label not in self._said}
        offered = sorted({each for name in names.values() for each in _likely(name, world, embedder)})
        listed = "\n".join(f"- {label}: {_form(name, world)}" for label, name in names.items())
        text = (
            f"The things:\n{listed}\nThe classes: {', '.join(offered)}.\nAnswer as in {AGAIN.partition('Answer ')[2]}"
        )
        messages = (Message("system", SYSTEM), Message("user", text))

        def read(reply: str) -> Said | Feedback:
            return _read(reply, {*names}, {*offered})

        try:
            said, _ = self.conversation.ask(ModelQuestion(messages, SCHEMA, read, AGAIN))
        except StoppedError:  # it could not be reached so often that it is asked no more
            said = {}
        self._said |= {label: None if isinstance(said, Feedback) else said.get(label) for label in names}


def _likely(name: str, world: World, embedder: Embedder | None) -> Iterator[str]:
    likely = guesses(world.objects[name], world.origins[name], world.domain, embedder)
    return (guess.object_class.name for guess in islice(likely, MOST_OFFERED))


def _form(name: str, world: World) -> str:
    size = world.objects[name].size or ()
    sides = " x ".join(f"{100 * side:.0f}" for side in size)
    return f"{sides} cm, {'open above' if world.origins[name].is_open else 'closed'}"


def _read(reply: str, labels: set[str], classes: set[str]) -> Said | Feedback:
    """Read an answer; things that were not asked about, and classes that were not offered, are left out."""
    document = json_in(reply)
    things = document.get("things") if isinstance(document, dict) else None
    if not isinstance(things, list):
        return Feedback(Code.UNREADABLE, f"the reply '{shortened(reply)}'", "it is no list of things")
    said = dict[str, tuple[str, float]]()
    for each in filter(lambda each: isinstance(each, dict), things):
        label, known, sure = plain(str(each.get("thing"))), each.get("class"), each.get("probability")
        is_number = isinstance(sure, int | float) and 0.0 <= sure <= 1.0
        if label in labels and isinstance(known, str) and known in classes and is_number:
            said[label] = known, round(min(float(sure), MOST_SURE), 2)
    return said
