"""`ModelUse`: how often language models were asked and what that cost, within a budget.

A request is counted before it is sent, and its tokens when the answer is there. So requests that are under way at the
same time may exceed a budget together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from semantics.body.protocols import ModelReply
from semantics.errors import BudgetSpentError, ModelError
from semantics.logic.feedback import Feedback
from semantics.plain_text import shortened

__all__ = ["DayFileError", "DayUse", "ModelBudget", "ModelUse", "Price", "Spent", "Turn"]

LONGEST_ANSWER = 20_000
"""How many characters of an answer are read."""
LONGEST_KEPT = 4_000
"""How many characters of an answer are kept in a record."""
ANY = "*"
"""The name of the price of models that have none of their own."""
MILLION = 1_000_000
OWNER = 0x47524D55
"""SQLite application id of the files of what was spent ("GRMU")."""
MIGRATIONS = ("CREATE TABLE days (day TEXT PRIMARY KEY, calls INTEGER NOT NULL, tokens INTEGER NOT NULL, money REAL)",)
REASONS = {
    "foreign": "it is a database of another program",
    "later": "it was written by a later version of this program {}",
    "damaged": "it is damaged ({}); remove it to begin anew",
}
OFFLINE = "or use --model offline"


class Price(NamedTuple):
    """What a million tokens cost, of those that a model reads and of those that it writes."""

    read: float = 0.0
    written: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer of a model.

    Attributes:
        text: The answer.
        feedback: Why it could not be used.
        told: What it was told, if it asked for something.
    """

    text: str
    feedback: tuple[Feedback, ...] = ()
    told: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        text = shortened(self.text, LONGEST_KEPT)
        return {"text": text, "errors": [record.as_dict() for record in self.feedback], "told": self.told}


class Spent(NamedTuple):
    """What was spent on language models."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelBudget:
    """What may be spent on one instruction, and in one day by all processes of a person; None is no limit."""

    calls: float | None = None
    tokens: float | None = None
    money: float | None = None
    day_calls: float | None = None
    day_tokens: float | None = None
    day_money: float | None = None

    def check(self, spent: Spent, server: str, prefix: str = "") -> None:
        """Check that another request may follow on what was spent.

        Args:
            spent: What was spent, on an instruction or today.
            server: What messages call the model.
            prefix: ``day_`` for what was spent today.

        Raises:
            BudgetSpentError: A limit is reached.
        """
        for name, amount in spent._asdict().items():
            limit = getattr(self, prefix + name)
            if limit is not None and amount >= limit:
                whose = "of today" if prefix else "of this instruction"
                what = f"the budget {whose} is spent (the setting model_budget has {prefix}{name}={limit:.12g})"
                raise BudgetSpentError(server, what, f"allow more, {OFFLINE}")


class DayFileError(BudgetSpentError):
    """The file of what was spent today cannot be used, so nothing more is spent."""

    def __init__(self, path: Path, reason: str) -> None:
        ModelError.__init__(self, str(path), f"what was spent today is not known: {reason}", f"mend that, {OFFLINE}")


class DayUse:
    """What all processes that share a file spend in a day.

    Args:
        path: The file.
        today: Returns the day.
    """

    def __init__(self, path: Path, today: Callable[[], date] = date.today) -> None:
        from semantics.process.database import Database  # settings name this module, and need no database

        self._database = Database(path, OWNER, MIGRATIONS, REASONS, DayFileError)
        self._today = today

    def add(self, spent: Spent, check: Callable[[Spent], None] = lambda _: None) -> None:
        """Add to what was spent today, unless `check` raises an error about what it was before.

        Raises:
            DayFileError: The file cannot be used.
        """
        day = self._today().isoformat()
        with self._database.transaction() as connection:
            row = connection.execute("SELECT calls, tokens, money FROM days WHERE day = ?", (day,)).fetchone()
            before = Spent(*row) if row else Spent()
            check(before)
            after = (old + new for old, new in zip(before, spent, strict=True))
            connection.execute("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?)", (day, *after))


@dataclass(slots=True)
class ModelUse:
    """The use of language models for an instruction so far; any thread may count.

    Attributes:
        calls: Number of requests.
        tokens_in: Number of tokens that the models read.
        tokens_out: Number of tokens that they wrote.
        money: What these cost.
        budget: What may be spent.
        prices: The price of each model, by its name; the one of ``*`` is that of all others.
        day: What is spent today; None if that is not counted.
        turns: The answers, in order.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0
    budget: ModelBudget = ModelBudget()
    prices: Mapping[str, Price] = field(default_factory=dict)
    day: DayUse | None = None
    turns: list[Turn] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False, compare=False)

    @property
    def tokens(self) -> int:
        """Number of tokens, those that were read and those that were written."""
        return self.tokens_in + self.tokens_out

    def begin(self, server: str) -> None:
        """Count a request to a model, which messages call `server`, before it is sent.

        Raises:
            BudgetSpentError: The budget allows none.
        """
        with self._lock:
            self.budget.check(Spent(self.calls, self.tokens, self.money), server)
            if self.day is not None:
                self.day.add(Spent(1), lambda spent: self.budget.check(spent, server, "day_"))
            self.calls += 1

    def add(self, reply: ModelReply, model: str, *, is_late: bool = False) -> None:
        """Count the tokens of an answer of a model, for today only if the instruction `is_late`: it has ended."""
        price = self.prices.get(reply.model or model, self.prices.get(ANY, Price()))
        written = min(reply.tokens_out, reply.tokens)
        read = reply.tokens - written
        money = (read * price.read + written * price.written) / MILLION
        with self._lock:
            if self.day is not None:
                self.day.add(Spent(0, reply.tokens, money))
            if not is_late:
                self.tokens_in += read
                self.tokens_out += written
                self.money += money
