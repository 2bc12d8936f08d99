"""The three strategies to ask a model about the affordances of a class (AutoGPT+P, section III-A).

``list`` sends one question for each class: which of these affordances does it have? ``yes-no`` sends one question for
each affordance. ``logic`` sends the plain questions of the affordance's logical combination separately and joins the
answers. From ``list`` to ``logic`` the cost rises, and in the paper so does the accuracy (F1 0.62, 0.86 and 0.89 with
its best model). The prompts are our own. A strategy makes a list of independent tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import NamedTuple

from affordances.elicitation.conversation import ModelAsker, ModelQuestion
from affordances.elicitation.questions import decide, filled, parse_question
from affordances.elicitation.replies import LIST_KEY, YES_NO_KEY, Listed, read_list, read_yes_no
from domains.reader.nodes.fields import SYMBOL, SYMBOL_RULE
from semantics.body.protocols import Message
from semantics.errors import UsageError
from semantics.logic.atoms import Formula
from semantics.logic.feedback import Feedback
from semantics.plain_text import shortened
from semantics.schemas import object_schema

SYSTEM = (
    "You tell a household robot what things are good for. You are asked about a class of things: think of an ordinary "
    "one, whole and working, as people have it at home. Judge by what it is made for or plainly serves for, not by "
    "what could be done with it at a pinch."
)
ONE_WORD = "Answer with one word, yes or no."
YES_NO_SCHEMA = object_schema({YES_NO_KEY: {"type": "string", "enum": ["yes", "no"]}})


class AskedAffordance(NamedTuple):
    """The texts that describe an affordance to a model."""

    sentence: str  # a sentence about an object that has the affordance, with "it" for the object
    question: str  # a yes/no question with ``{}`` for the class, or several joined by ``&``, ``|``, ``!``


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a task: whether the class has each affordance (None where unknown), and the time of the answer."""

    answers: Mapping[str, bool | None]
    feedback: tuple[Feedback, ...] = ()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AskingTask:
    """One task: a class, and the function that asks the model about it."""

    class_name: str
    work: Callable[[ModelAsker], Findings] = field(repr=False)


Ontology = Mapping[str, AskedAffordance]
Strategy = Callable[[str, Ontology], tuple[AskingTask, ...]]
"""Makes the tasks for a class and a set of affordances."""


def words_of(class_name: str) -> str:
    """Return a class name as people write it."""
    return " ".join(class_name.replace("_", " ").split())


def class_symbol(words: str) -> str:
    """Return the name of the class that people write as `words`: "Tea towel" as ``tea_towel``.

    Raises:
        UsageError: The words make no valid name.
    """
    name = "_".join(words_of(words).lower().split())
    if not SYMBOL.fullmatch(name):
        raise UsageError(f"'{shortened(words)}' is no name of a class; {SYMBOL_RULE}, such as tea_towel")
    return name


def _list(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return (AskingTask(class_name, partial(_list_answer, class_name, ontology)),)


def _list_answer(class_name: str, ontology: Ontology, conversation: ModelAsker) -> Findings:
    reply, at = conversation.ask(_list_request(class_name, ontology))
    if isinstance(reply, Feedback):
        return Findings(dict.fromkeys(ontology, None), (reply,))
    return Findings({name: name in reply.names for name in ontology}, reply.feedback, at)


def _list_request(class_name: str, ontology: Ontology) -> ModelQuestion[Listed]:
    described = "\n".join(f"- {name}: {affordance.sentence}" for name, affordance in ontology.items())
    asked = (
        f"The class of things: {words_of(class_name)}\n\nThe affordances, each with what is true of a thing that has "
        f"it:\n{described}\n\nWhich of these affordances does the class have? Answer with their names in JSON: "
        f'{{"{LIST_KEY}": ["name", …]}}'
    )
    schema = object_schema({LIST_KEY: {"type": "array", "items": {"type": "string", "enum": list(ontology)}}})
    correction = f'That was no list of the names above. Answer only in JSON: {{"{LIST_KEY}": ["name", …]}}'
    return ModelQuestion(_messages(asked), schema, lambda text: read_list(text, ontology), correction)


def _yes_no(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return tuple(
        AskingTask(class_name, partial(_yes_no_answer, class_name, name, affordance.sentence))
        for name, affordance in ontology.items()
    )


def _yes_no_answer(class_name: str, name: str, sentence: str, conversation: ModelAsker) -> Findings:
    asked = f'The class of things: {words_of(class_name)}\nIs this true of it: "{sentence.rstrip(".")}"? {ONE_WORD}'
    reply, at = conversation.ask(_yes_no_request(asked))
    return Findings({name: None}, (reply,)) if isinstance(reply, Feedback) else Findings({name: reply}, (), at)


def _logic(class_name: str, ontology: Ontology) -> tuple[AskingTask, ...]:
    return tuple(
        AskingTask(class_name, partial(_logic_answer, class_name, name, parse_question(affordance.question)))
        for name, affordance in ontology.items()
    )


def _logic_answer(class_name: str, name: str, question: Formula, conversation: ModelAsker) -> Findings:
    """Evaluate a logical combination; ask each of its plain questions in its own request."""
    feedback: list[Feedback] = []
    times: list[datetime] = []

    def answer(text: str) -> bool | None:
        asked = f"The class of things: {words_of(class_name)}\n{filled(text, words_of(class_name))} {ONE_WORD}"
        reply, at = conversation.ask(_yes_no_request(asked))
        if isinstance(reply, Feedback):
            feedback.append(reply)
            return None
        times.extend([at] if at else [])
        return reply

    decided = decide(question, answer)
    return Findings({name: decided}, tuple(feedback), max(times, default=None))


def _yes_no_request(asked: str) -> ModelQuestion[bool]:
    return ModelQuestion(_messages(asked), YES_NO_SCHEMA, read_yes_no, f"That was neither. {ONE_WORD}")


def _messages(asked: str) -> tuple[Message, ...]:
    return Message("system", SYSTEM), Message("user", asked)


STRATEGIES: Mapping[str, Strategy] = {"list": _list, "yes-no": _yes_no, "logic": _logic}
"""All strategies, by their names on the command line."""
