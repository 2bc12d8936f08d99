"""`Exchange`: a conversation with a language model, and the one loop that asks a model until its answer can be used.

Whoever asks a model (for a goal, affordances, a substitute, the class of a thing) gives the opening messages, a reader
of the answer, and what is said to an answer that cannot be used. An unusable answer is answered with all its mistakes.

A request is counted before it is sent, and its tokens when the answer is there. So requests that are under way at the
same time may exceed a budget together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, ServedModel
from semantics.errors import BudgetSpentError, GraftworkError, ModelNonsenseError, ModelUnreachableError, OutsideError
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import plain, shortened

T = TypeVar("T")
CalledOff = Callable[[], object]
"""Returns whether an answer is no longer needed."""
LONGEST_ANSWER = 20_000  # how many characters of an answer are read; `LONGEST_KEPT` are kept in a record
LONGEST_KEPT = 4_000
MOST_KEPT, LONGEST_ERROR = 20, 600
LONGEST_CAUSE = 200
OFFLINE = "or use --model offline"
INSTEAD = f"try another model, {OFFLINE}"
ANY = "*"  # the name of the price of models that have none of their own
Spent = tuple[int, int, float]
"""What was spent on language models: requests, tokens, money."""
SPENT = ("calls", "tokens", "money")
SpendToday = Callable[[Spent, Callable[[Spent], None]], None]
"""Adds to what is spent today, unless the second argument raises an error about what it was before."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer of a model: its text, why it could not be used, and what it was told if it asked for something."""

    text: str
    feedback: tuple[Feedback, ...] = ()
    told: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        text = shortened(self.text, LONGEST_KEPT)
        errors = [shortened(str(record), LONGEST_ERROR) for record in self.feedback[:MOST_KEPT]]
        return {"text": text, "errors": errors, "told": self.told}


@dataclass(slots=True)
class ModelUse:
    """The use of language models for an instruction so far; any thread may count."""

    calls: int = 0  # number of requests
    tokens_in: int = 0  # number of tokens that the models read
    tokens_out: int = 0  # number of tokens that they wrote
    money: float = 0.0  # what these cost
    # what may be spent on the instruction (``calls``, ``tokens``, ``money``) and today (``day_calls`` ...)
    budget: Mapping[str, float] = field(default_factory=dict)
    # what a million tokens cost that a model reads, and that it writes, by its name; ``*`` is any other
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    day: SpendToday = lambda spent, check: None  # counts what is spent today, see `semantics.body.day_use`
    turns: list[ModelAnswer] = field(default_factory=list)  # the answers, in order
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    @property
    def tokens(self) -> int:
        """Number of tokens, those that were read and those that were written."""
        return self.tokens_in + self.tokens_out

    def begin(self, server: str) -> None:
        """Count a request to a model before it is sent, or raise `BudgetSpentError`; messages call it `server`."""
        with self._lock:
            self._check(server, (self.calls, self.tokens, self.money))
            self.day((1, 0, 0.0), lambda spent: self._check(server, spent, "day_"))
            self.calls += 1

    def _check(self, server: str, spent: Spent, prefix: str = "") -> None:
        for name, amount in zip((f"{prefix}{name}" for name in SPENT), spent, strict=True):
            if amount >= self.budget.get(name, math.inf):
                whose = "of today" if prefix else "of this instruction"
                what = f"the budget {whose} is spent (the setting model_budget has {name}={self.budget[name]:.12g})"
                raise BudgetSpentError(server, what, f"allow more, {OFFLINE}")

    def add(self, reply: ModelReply, model: str, *, is_late: bool = False) -> None:
        """Count the tokens of an answer of a model, for today only if the instruction `is_late`: it has ended."""
        price_in, price_out = self.prices.get(reply.model or model, self.prices.get(ANY, (0.0, 0.0)))
        written = min(reply.tokens_out, reply.tokens)
        read = reply.tokens - written
        money = (read * price_in + written * price_out) / 1e6
        with self._lock:
            self.day((0, reply.tokens, money), lambda _: None)
            if not is_late:
                self.tokens_in += read
                self.tokens_out += written
                self.money += money


@dataclass(frozen=True, slots=True)
class Unusable:
    """An answer that cannot be used."""

    feedback: tuple[Feedback, ...]  # the reasons
    nonsense: bool = False  # whether the answer does not even have the form of one


@dataclass(frozen=True, slots=True)
class Told:
    """What a model is told that has asked for something, so that it can go on; such an answer counts as no try."""

    text: str


def answer_of(
    model: LanguageModel, called_off: CalledOff, messages: Sequence[Message], schema: Mapping[str, Any] | None
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
    called_off: CalledOff = lambda: False
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
                self.use.turns.append(ModelAnswer(text, told=answer.text))
                said = answer.text
                continue
            self.use.turns.append(ModelAnswer(text, answer.feedback if isinstance(answer, Unusable) else ()))
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
