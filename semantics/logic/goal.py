"""The results of interpreting a sentence: a goal, a question, an answer, or a rejection.

`interpret` returns a `Goal` (not yet checked), a `Question` or a `Rejection`; `semantics.logic.goal_check` turns a
`Goal` into a `CheckedGoal`, whose conjuncts are the goal of a `domains.problem.Problem`, the only type that planning
takes.

A goal says what is to hold, and a value how it is to be done: ``(at robot0 table0) :speed 20cm/s``. The name of a value
stands for that value of every capability that has one of this name; ``move.speed`` is that of one capability only, and
goes before. What is said once holds for all steps of the goal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from semantics.errors import UsageError
from semantics.hints import hint
from semantics.logic.atoms import Conjunct, Formula, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.quantity import Quantity, QuantityError, ValueModel
from semantics.logic.vocabulary import Vocabulary
from semantics.plain_text import together

MOST_TOLD = 6  # how many reasons of a refusal its text has
_VALUE = re.compile(r"(?<=[)\w%])\s+:([a-z][\w.-]*)\s")
Values = Mapping[str, tuple[ValueModel, ...]]
"""What capabilities take beside things, by the name of the capability."""


@dataclass(frozen=True, slots=True)
class Every:
    """Words of a goal that mean all things of a sort, also those that appear while it is pursued."""

    words: str  # such as ``all the fruit on the table``; or a whole goal in PDDL that quantifies
    names: tuple[str, ...] = ()  # the things that they meant when the goal was read
    affordance: str = ""  # what the things are needed for; empty for anything, and for a goal in PDDL


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition that a person wants to hold; it is not checked yet.

    Attributes:
        formula: The condition.
        text: The sentence it came from, or empty.
        notes: What the interpretation assumed, one sentence each ("'glass' was read as cup0 (synonym)").
        later: What is to hold afterwards, one goal after the other; each is sensed to hold before the next is begun,
            and need not hold any longer then. None of them has a `later` of its own.
        values: What was said about the way there, such as a speed, sorted by name: for every step that takes a value of
            this name, or for the steps of one capability, as in ``move.speed``.
        every: The words in it that mean all things of a sort.
        weights: What each wish is worth, without a unit. A goal with weights is reached as far as it is worth most:
            its condition has to be reached, and the wishes as far as they can be.
        jobs: What it asks for one by one, in the order of the words, where these speak of the same thing repeatedly:
            "take it to the sink, wash it and bring it back". What cannot hold at once is meant one after the other.
    """

    formula: Formula
    text: str = ""
    notes: tuple[str, ...] = ()
    later: tuple[Goal, ...] = ()
    values: tuple[tuple[str, Quantity], ...] = ()
    every: tuple[Every, ...] = ()
    weights: tuple[tuple[Literal, float], ...] = ()
    jobs: tuple[Goal, ...] = field(default=(), compare=False, repr=False)

    @property
    def stages(self) -> tuple[Goal, ...]:
        """This goal without the later ones, and these, in order."""
        return (replace(self, later=()), *self.later)

    @property
    def manner(self) -> str:
        """Its values in words, behind its condition in words: `` (speed 20cm/s)``; empty without values."""
        return f" ({', '.join(f'{name} {quantity}' for name, quantity in self.values)})" if self.values else ""

    def __str__(self) -> str:
        return ", then ".join(" ".join((str(stage.formula), *_said(stage))) for stage in (self, *self.later))


def _said(goal: Goal) -> Iterator[str]:
    for name, quantity in goal.values:
        yield f":{name} {quantity}"


@dataclass(frozen=True, slots=True)
class CheckedGoal:
    """A goal that names only existing things and contradicts nothing."""

    goal: Goal  # the goal as said
    conjuncts: tuple[Conjunct, ...]  # the disjuncts that passed, in reading order; never empty
    already: bool = False  # whether one of them holds in the state of the check
    dropped: tuple[Feedback, ...] = ()  # why other disjuncts, and denials of what can never hold, were dropped


@dataclass(frozen=True, slots=True)
class Rejection:
    """A goal or a sentence that is refused, with all reasons; as text with the first `MOST_TOLD` of them."""

    feedback: tuple[Feedback, ...]

    def __str__(self) -> str:
        told = " ".join(map(str, self.feedback[:MOST_TOLD]))
        more = len(self.feedback) - MOST_TOLD
        return told if more <= 0 else f"{told} And {more} more."


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a person has to answer before the robot can act.

    Attributes:
        text: The question in words.
        options: Acceptable answers, most likely first; empty when any answer is acceptable.
        feedback: The reason for the question.
        first: The text with which it was put first, if this is no more the first time.
    """

    text: str
    options: tuple[str, ...] = ()
    feedback: Feedback | None = None
    first: str = ""

    @property
    def is_guess(self) -> bool:
        """Whether it asks whether an unknown word means a known one."""
        return self.text.startswith("Did you mean")

    def as_dict(self) -> dict[str, object]:
        """Return what a person is asked as plain data for JSON."""
        return {"text": self.text, "options": list(self.options)}

    @classmethod
    def among(cls, options: tuple[str, ...], reason: Feedback, *, guessed: bool = False) -> Question:
        """Ask which of some options is meant by the words that the reason names."""
        choice = together((f"'{option}'" for option in options), "or")
        asked = f"Did you mean {choice} by {reason.what}" if guessed else f"Which is meant by {reason.what}: {choice}"
        return cls(f"{asked}?", options, replace(reason, how=f"Say {choice}.", instead=options))


def takers(name: str, values: Values) -> dict[str, ValueModel]:
    """Return the capabilities that take the value `name` of a goal, each with its own form of it."""
    capability, dot, own = name.rpartition(".")
    return {
        taker: model
        for taker, models in values.items()
        for model in models
        if model.name == own and (not dot or taker == capability)
    }


def taken_values(goal: Goal, capability: str, models: Iterable[ValueModel]) -> dict[str, Quantity]:
    """Return the values of a goal that the steps of a capability take, by the names that they have there."""
    said = dict(goal.values)
    chosen = {model.name: said.get(f"{capability}.{model.name}", said.get(model.name)) for model in models}
    return {name: quantity for name, quantity in chosen.items() if quantity is not None}


def value_errors(goal: Goal, vocabulary: Vocabulary) -> Iterator[Feedback]:
    """Yield what is wrong with the values of a goal: an unknown name, another dimension, a number out of range."""
    for name, quantity in goal.values:
        models = takers(name, vocabulary.values)
        if not models:
            names = sorted({model.name for taken in vocabulary.values.values() for model in taken})
            how = hint(name, names, "value", vocabulary.world, "What can be said")
            yield Feedback(Code.UNKNOWN_NAME, f":{name}", "nothing here takes such a value.", how, (name,))
            continue
        misfits = [why for model in models.values() if (why := _misfit(model, quantity))]
        if len(misfits) == len(models):
            forms = " or ".join(dict.fromkeys(f"{model.form} of {taker}" for taker, model in models.items()))
            yield Feedback(Code.NOT_UNDERSTOOD, f":{name} {quantity}", f"{misfits[0]}.", f"Say {forms}.", (name,))


def _misfit(model: ValueModel, quantity: Quantity) -> str:
    """Return why a quantity is none for a value; empty if it is one."""
    try:
        model.fitting(quantity)
    except QuantityError as error:
        return str(error)
    return ""


def values_document(values: Iterable[tuple[str, Quantity]]) -> dict[str, dict[str, str]]:
    """Return the values of a goal as the field ``values`` of a document; no field if there are none."""
    texts = {name: str(quantity) for name, quantity in values}
    return {"values": texts} if texts else {}


def split_values(text: str) -> tuple[str, tuple[tuple[str, Quantity], ...]]:
    """Split the text of a goal into its condition and its values, as in ``(at robot0 table0) :speed 20cm/s``.

    Raises:
        QuantityError: A value is no quantity, or is said twice; the message names it.
    """
    condition, *said = _VALUE.split(text)
    if twice := sorted({name for name in said[::2] if said[::2].count(name) > 1}):
        raise QuantityError(f"{twice[0]} is said twice")
    return condition, read_values(dict(zip(said[::2], said[1::2], strict=True)))


def read_values(texts: Mapping[str, object]) -> tuple[tuple[str, Quantity], ...]:
    """Read the values of a goal from texts such as ``20 cm/s``, by name.

    Raises:
        QuantityError: One is no quantity; the message names the value.
    """
    values = {}
    for name, text in texts.items():
        try:
            values[str(name)] = Quantity.read(str(text))
        except UsageError as error:
            raise QuantityError(f"{name}: {error}") from error
    return tuple(sorted(values.items()))
