"""`said_of`: what a language model takes a thing for of which nobody knows what it is; one request asks about all."""

from __future__ import annotations

from itertools import islice

from affordances.elicitation.replies import json_in
from affordances.newcomers import Guess, guesses
from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.language.interpretation import ModelUse
from semantics.body.protocols import Message
from semantics.errors import OutsideError
from semantics.words.lexicon import plain

__all__ = ["said_of"]

SYSTEM = (
    "A household robot sees things that nobody has told it about. Say as which known class each can be handled, by "
    "what it is called, its size, and whether it is open above. Answer with nothing else than "
    '{"things": [{"thing": NAME, "class": CLASS or null, "probability": 0 to 1}]}.'
)
MOST_OFFERED = 12
"""How many classes are offered for each thing, those that it is guessed to be."""
MOST_SURE = 0.89
"""What a model says is never so sure that a person is not asked."""


def said_of(name: str, context: DecisionContext, use: ModelUse) -> Guess | None:
    """Return what the model takes a thing for; None without a model, or if it says nothing that can be used.

    The first call asks about all things of the world of which nobody knows what they are; each label is asked about
    once in a session.
    """
    world, label = context.world, plain(context.world.origins[name].label)
    if context.model is not None and label not in context.said:
        labels = {plain(world.origins[each].label): each for each in world.unknown}
        labels = {each: name for each, name in labels.items() if each not in context.said}
        offered = {guess.object_class.name for each in labels.values() for guess in _likely(each, context)}
        listed = "\n".join(f"- {label}: {_form(each, world)}" for label, each in labels.items())
        question = f"The things:\n{listed}\nThe classes: {', '.join(sorted(offered))}."
        try:
            reply = context.model.complete((Message("system", SYSTEM), Message("user", question)))
            use.count(1, reply.tokens)
            said = _read(reply.text, offered)
        except OutsideError:
            said = {}
        context.said.update((each, said.get(each, ("", 0.0))) for each in labels)
    known, probability = context.said.get(label, ("", 0.0))
    return Guess(context.domain.classes[known], probability) if known in context.domain.classes else None


def _likely(name: str, context: DecisionContext) -> list[Guess]:
    world = context.world
    likely = guesses(world.objects[name], world.origins[name], world.domain, context.embedder)
    return list(islice(likely, MOST_OFFERED))


def _form(name: str, world: World) -> str:
    sides = " x ".join(f"{100 * side:.0f}" for side in world.objects[name].size or ())
    return f"{sides} cm, {'open above' if world.origins[name].is_open else 'closed'}"


def _read(reply: str, offered: set[str]) -> dict[str, tuple[str, float]]:
    """Read an answer as a class and its probability by label; what cannot be used of it is left out."""
    document = json_in(reply)
    things = document.get("things") if isinstance(document, dict) else None
    said = dict[str, tuple[str, float]]()
    for each in filter(lambda each: isinstance(each, dict), things if isinstance(things, list) else ()):
        known, sure = each.get("class"), each.get("probability")
        if isinstance(known, str) and known in offered and isinstance(sure, int | float) and 0.0 <= sure <= 1.0:
            said[plain(str(each.get("thing")))] = known, round(min(float(sure), MOST_SURE), 2)
    return said
