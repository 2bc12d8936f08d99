"""`Exchange`: a conversation with a language model, and the one loop that asks a model until its answer can be used.

Whoever asks a model (for a goal, affordances, a substitute, the class of a thing) gives the opening messages, a reader
of the answer, and what is said to an answer that cannot be used. An unusable answer is answered with all its mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from semantics.body.model_use import LONGEST_ANSWER, ModelUse, Turn
from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, ServedModel
from semantics.errors import (
    BudgetSpentError,
    GraftworkError,
    ModelNonsenseError,
    ModelUnreachableError,
    OutsideError,
)
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import plain, shortened

__all__ = [
    "INSTEAD",
    "LONGEST_ANSWER",
    "Exchange",
    "ModelUse",
    "Told",
    "Unusable",
    "answer_of",
    "complete",
    "outage",
    "server_of",
]

T = TypeVar("T")
LONGEST_CAUSE = 200
INSTEAD = "try another model, or use --model offline"


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that cannot be used.

    Attributes:
        feedback: The reasons.
        nonsense: Whether the answer does not even have the form of one.
    """

    feedback: tuple[Feedback, ...]
    nonsense: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What a model is told that has asked for something, so that it can go on; such an answer counts as no try."""

    text: str


def answer_of(
    model: LanguageModel,
    called_off: Callable[[], object],
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None = None,
) -> ModelReply:
    """Return a model's answer; one that can abandon its request does when it is called off."""
    if isinstance(model, AbandonableModel):
        return model.complete_unless(called_off, messages, schema=schema)
    return model.complete(messages, schema=schema)


def complete(exchange: Exchange) -> ModelReply:
    """Return the model's answer to what was said, and count it; whatever fails in the model becomes an error of it.

    Raises:
        OutsideError: The model does not answer, or no more may be spent on it (`BudgetSpentError`).
    """
    model = exchange.model
    exchange.use.begin(server_of(model))
    try:
        reply = answer_of(model, exchange.called_off, tuple(exchange.messages), exchange.schema)
    except GraftworkError:
        raise
    except Exception as error:
        what = f"it failed ({type(error).__name__}: {shortened(plain(error), LONGEST_CAUSE)})"
        raise ModelUnreachableError(server_of(model), what, INSTEAD) from error
    if not isinstance(reply, ModelReply):
        raise ModelNonsenseError(server_of(model), f"its answer is no ModelReply but {type(reply).__name__}", INSTEAD)
    exchange.use.add(reply, model.name, is_late=bool(exchange.called_off()))  # an ended run has told its use already
    return reply


_CUT = Unusable((Feedback(Code.UNREADABLE, "the answer", "it was cut off", "Answer in fewer words."),))


@dataclass(slots=True)
class Exchange:
    """A conversation with a model.

    Attributes:
        model: The model.
        messages: Every turn, the model's included.
        schema: The schema of each answer; None for an answer in any form.
        use: Counts the requests, within a budget.
        called_off: Returns whether the answer is no longer needed; then the request is abandoned, and none follows.
        send: Sends what was said, and returns the answer.
        unusable: The answers that could not be used, in order.
    """

    model: LanguageModel
    messages: list[Message]
    schema: Mapping[str, Any] | None = None
    use: ModelUse = field(default_factory=ModelUse)
    called_off: Callable[[], object] = lambda: False
    send: Callable[[Exchange], ModelReply] = complete
    unusable: list[Unusable] = field(default_factory=list)

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """Why answers could not be used, in order."""
        return tuple(record for unusable in self.unusable for record in unusable.feedback)

    def ask(
        self, read: Callable[[str], T | Unusable | Told], objection: Callable[[Unusable], str], tries: int
    ) -> T | None:
        """Return the first answer that can be used; None if none of so many `tries` can, or it is called off.

        Args:
            read: Reads an answer; or returns why it cannot be used, or what the model is told that it asks for.
            objection: Returns what the model is told about an answer that cannot be used.
            tries: Maximum number of such answers.

        Raises:
            OutsideError: The model does not answer.
        """
        said = ""
        while tries > 0:
            if said:
                if self.called_off():
                    break
                self.messages.append(Message("user", said))
            reply = self.send(self)
            text = reply.text[:LONGEST_ANSWER]
            self.messages.append(Message("assistant", text))
            answer = _CUT if reply.is_cut else read(reply.text)
            if isinstance(answer, Told):
                self.use.turns.append(Turn(text, told=answer.text))
                said = answer.text
                continue
            self.use.turns.append(Turn(text, answer.feedback if isinstance(answer, Unusable) else ()))
            if not isinstance(answer, Unusable):
                return answer
            self.unusable.append(answer)
            tries, said = tries - 1, objection(answer)
        return None


def outage(what: str, error: OutsideError) -> Feedback:
    """Return the feedback that something is not there, such as a model, or that no more may be spent on it."""
    code = Code.BUDGET_SPENT if isinstance(error, BudgetSpentError) else Code.UNAVAILABLE
    return Feedback(code, shortened(what), str(error), recoverable=False)


def server_of(model: LanguageModel) -> str:
    """Return what messages call a model."""
    return model.server if isinstance(model, ServedModel) else model.name
