"""`Row`: what became of an entry, as plain data that the judge reads; one JSON line each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

__all__ = ["Kind", "Row", "read_rows"]


class Kind(StrEnum):
    """What the words were taken for."""

    GOAL = "goal"
    OFFER = "offer"  # a question whose yes would make it a goal
    PROGRAM = "program"
    QUESTION = "question"
    REFUSAL = "refusal"
    ANSWER = "answer"
    ALREADY = "already"  # a goal that is said to hold
    UNDER_WAY = "under way"  # words that are said while something runs
    NOTHING = "nothing"  # no model, no usable answer, or a fault


@dataclass
class Row:
    """What became of an entry.

    Attributes:
        id: The entry.
        kind: What its words were taken for.
        outcome: The outcome of the run.
        goals: The goals in their order, each as alternatives of literals.
        steps: The steps of the plan.
        looks_for: The thing that is looked for before there is a plan.
        program: The text of a program.
        question: What is asked; empty for nothing.
        told: What was told the person: notes, what a program says, the closing message.
        data: The answer as data, where the program gives it.
        trace: The true facts that came and went, in order, since the words were said.
        start: The true facts when the words were said.
        used: Whether words that were said in mid-run were used.
        held: Whether the run waits in the end to be told to go on.
        plans: The steps of each plan since the words were said.
        calls: Requests to a language model.
        tokens: Their tokens.
        seconds: On the clock, with everything.
        unrecorded: Whether a recording lacks a request of it.
        error: What broke it off; empty for nothing.
        world: The file of the world, from the root of the checkout.
        digest: The SHA-256 of that world.
        was_held: Whether the run waited to be told to go on when the words were said.
        changed: Whether words that were said in mid-run changed what is done.
        aims: The goals in PDDL that were pursued in the end.
        latency: Seconds of the wall clock until the words were taken in.
        longest_tick: The longest tick until they were read, in seconds of the wall clock.
        effects: What came of them, each with the seconds of the body's clock until then.
        before: What stood where at the beginning, see `benchmarks.words.poses`.
        after: What stood where in the end.
        spells: For how long each thing was in the robot's hand, in seconds of the body's clock.
        turns: Of an exchange, what became of each turn.
    """

    id: str
    kind: Kind = Kind.NOTHING
    outcome: str = ""
    goals: list[list[list[str]]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    looks_for: str = ""
    program: str = ""
    question: str = ""
    told: list[str] = field(default_factory=list)
    data: Mapping[str, Any] | None = None
    trace: list[list[list[str]]] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    used: bool = True
    held: bool = False
    plans: list[list[str]] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    unrecorded: bool = False
    error: str = ""
    world: str = ""
    digest: str = ""
    was_held: bool = False
    changed: bool = False
    aims: list[str] = field(default_factory=list)
    latency: float = 0.0
    longest_tick: float = 0.0
    effects: dict[str, float] = field(default_factory=dict)
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    spells: dict[str, list[float]] = field(default_factory=dict)
    turns: list[Row] = field(default_factory=list)

    def as_line(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_line` wrote."""
        known = {each.name for each in fields(cls)}
        read = {key: value for key, value in document.items() if key in known}
        turns = [cls.from_dict(turn) for turn in document.get("turns", ())]
        return cls(**read | {"kind": Kind(document["kind"]), "turns": turns})

    @property
    def states(self) -> Iterator[frozenset[str]]:
        """The true facts when the words were said, and after each change."""
        facts = frozenset(self.start)
        yield facts
        for came, went in self.trace:
            facts = (facts - frozenset(went)) | frozenset(came)
            yield facts


def read_rows(file: Path) -> dict[str, Row]:
    """Return the rows of a file by their entries, the last of each; an incomplete last line is ignored."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").split("\n")[:-1]
    rows = (Row.from_dict(json.loads(line)) for line in lines if line.strip())
    return {row.id: row for row in rows}
