"""The three ways to ask a model what a class of things is good for (AutoGPT+P, section III-A).

``list`` asks one thing of each class: which of these affordances has it? ``yes-no`` asks one thing of each affordance;
``logic`` asks the plain questions of its logical combination one by one, and joins the answers. Each costs more than
the one before, and in the paper each was more often right (F1 0.62, 0.86 and 0.89 with its best model). The prompts are
our own. A strategy is a list of pieces of work that do not wait for one another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from affordances.elicitation.conversation import Conversation, ModelQuestion
from affordances.elicitation.questions import Question, decide, filled, parse_question
from affordances.elicitation.replies import LIST_KEY, YES_NO_KEY, Listed, read_list, read_yes_no
from domains.reader.nodes.fields import SYMBOL, SYMBOL_RULE
from semantics.errors import UsageError
from semantics.feedback import Feedback
from semantics.protocols import Message
from semantics.sentences import shortened

__all__ = ["STRATEGIES", "AskedAffordance", "AskingTask", "Findings", "Strategy", "class_symbol", "words_of"]

SYSTEM = (
    "You tell a household robot what things are good for. You are asked about a class of things: think of an ordinary "
    "one, whole and working, as people have it at home. Judge by what it is made for or plainly serves for, not by "
    "what could be done with it at a pinch."
)
ONE_WORD = "Answer with one word, yes or no."
YES_NO_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {YES_NO_KEY: {"type": "string", "enum": ["yes", "no"]}},
    "required": [YES_NO_KEY],
    "additionalProperties": False,
}


class AskedAffordance(NamedTuple):
    """An affordance as it is asked about.

    Attributes:
        sentence: About a thing that has it, with "it" for the thing.
        question: A yes/no question with ``{}`` for the class, or several joined by ``&``, ``|``, ``!``.
    """

    sentence: str
    question: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a piece of work found: whether the class has each affordance (None where nobody knows), and when."""

    answers: Mapping[str, bool | None]
    feedback: tuple[Feedback, ...] = ()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AskingTask:
    """One piece of work: a class, the affordances it settles, and how."""

    class_name: str
    affordances: tuple[str, ...]
    work: Callable[[Conversation], Findings] = field(repr=False)


Ontology = Mapping[str, AskedAffordance]
Strategy = Callable[[str, Ontology], tuple[AskingTask, ...]]
"""From a class and the affordances to the pieces of work."""


def words_of(class_name: str) -> str:
    """Return a class name as people write it."""
    return " ".join(class_name.replace("_", " ").split())


def class_symbol(words: str) -> str:
    """Return the name of the class that people write as `words`: "Tea towel" as ``tea_towel``.

    Raises:
        UsageError: No name can be made of them.
    """
    name = "_".join(words_of(words).lower().split())
    if not SYMBOL.fullmatch(name):
        raise UsageError(f"'{shortened(words)}' is no name of a class; {SYMBOL_RULE}, such as tea_towel")
    return name


def _list(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return (AskingTask(class_name, tuple(ontology), partial(_listed, class_name, ontology)),)


def _listed(class_name: str, ontology: Ontology, conversation: Conversation) -> Findings:
    found, at = conversation.ask(_list_request(class_name, ontology))
    if isinstance(found, Feedback):
        return Findings(dict.fromkeys(ontology, None), (found,))
    return Findings({name: name in found.names for name in ontology}, found.feedback, at)


def _list_request(class_name: str, ontology: Ontology) -> ModelQuestion[Listed]:
    described = "\n".join(f"- {name}: {affordance.sentence}" for name, affordance in ontology.items())
    asked = (
        f"The class of things: {words_of(class_name)}\n\nThe affordances, each with what is true of a thing that has "
        f"it:\n{described}\n\nWhich of these affordances does the class have? Answer with their names in JSON: "
        f'{{"{LIST_KEY}": ["name", …]}}'
    )
    item = {"type": "string", "enum": list(ontology)}
    schema = {
        "type": "object",
        "properties": {LIST_KEY: {"type": "array", "items": item}},
        "required": [LIST_KEY],
        "additionalProperties": False,
    }
    again = f'That was no list of the names above. Answer only in JSON: {{"{LIST_KEY}": ["name", …]}}'
    return ModelQuestion(_messages(asked), schema, lambda text: read_list(text, ontology), again)


def _yes_no(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return tuple(
        AskingTask(class_name, (name,), partial(_told, class_name, name, affordance.sentence))
        for name, affordance in ontology.items()
    )


def _told(class_name: str, name: str, sentence: str, conversation: Conversation) -> Findings:
    asked = f'The class of things: {words_of(class_name)}\nIs this true of it: "{sentence.rstrip(".")}"? {ONE_WORD}'
    found, at = conversation.ask(_yes_no_request(asked))
    return Findings({name: None}, (found,)) if isinstance(found, Feedback) else Findings({name: found}, (), at)


def _logic(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return tuple(
        AskingTask(class_name, (name,), partial(_reasoned, class_name, name, parse_question(affordance.question)))
        for name, affordance in ontology.items()
    )


def _reasoned(class_name: str, name: str, question: Question, conversation: Conversation) -> Findings:
    """Decide a logical combination by its plain questions, each asked by itself."""
    feedback: list[Feedback] = []
    times: list[datetime] = []

    def answer(text: str) -> bool | None:
        asked = f"The class of things: {words_of(class_name)}\n{filled(text, words_of(class_name))} {ONE_WORD}"
        found, at = conversation.ask(_yes_no_request(asked))
        if isinstance(found, Feedback):
            feedback.append(found)
            return None
        times.extend([at] if at else [])
        return found

    decided = decide(question, answer)
    return Findings({name: decided}, tuple(feedback), max(times, default=None))


def _yes_no_request(asked: str) -> ModelQuestion[bool]:
    return ModelQuestion(_messages(asked), YES_NO_SCHEMA, read_yes_no, f"That was neither. {ONE_WORD}")


def _messages(asked: str) -> tuple[Message, ...]:
    return Message("system", SYSTEM), Message("user", asked)


STRATEGIES: Mapping[str, Strategy] = {"list": _list, "yes-no": _yes_no, "logic": _logic}
"""Every strategy, by the name it has on the command line."""
