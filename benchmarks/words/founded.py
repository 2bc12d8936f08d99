"""Are right goals done and wrong ones asked about? A model's goal may name only what the words account for.

The data are half a of the household sentences. Each end is a right goal, each ``reject`` a wrong one; further wrong
goals are made of right ones, by putting another thing that fits the predicates in the place of one of theirs. Run with
``python -m benchmarks.words.founded [--embeddings]``. With ``--sessions``, each right goal is given to a session as the
reply of its model instead, so that all that is asked about counts, not names alone.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from rich.console import Console

from benchmarks.words.crew import Job, results_of
from benchmarks.words.entries import Instruction, load
from benchmarks.words.rows import Kind, Row
from benchmarks.words.trial import Manner, perform
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.decision.founded import Heard, goal_names, unfounded_names
from semantics.logic.atoms import Atom, Formula, names_in, walked
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing
from semantics.proportion import wilson_interval
from semantics.words.embedding import Embedder, SentenceEmbedder
from semantics.words.lexicon import plain

FOLDER = Path(__file__).parent
FILES = ("household_a1.yaml", "household_a2.yaml")
SUBSTITUTIONS = 300
WORTH_ASKING = {
    "knowledge-01": "which things belong in the fridge is the model's own knowledge",
    "implicit-04": "that the juice is to go into the fridge is the model's own conclusion",
    "implicit-10": "that the milk is to go into the fridge is the model's own conclusion",
}
"""Sentences of which a person would want to be asked as well, beside those about a thing that is not there."""


class Case(NamedTuple):
    """A goal for a sentence, in a scene.

    Attributes:
        name: Name of the entry.
        sentence: What was said.
        goal: The goal, in PDDL.
        names: Its names that nothing accounts for.
        is_plain: Whether the sentence says the class of each thing that is meant.
    """

    name: str
    sentence: str
    goal: str
    names: tuple[str, ...]
    is_plain: bool


class Figures(NamedTuple):
    """What became of the goals.

    Attributes:
        right: Right goals.
        asked: Those that are asked about though nobody would want it.
        worth_asking: Those that are asked about, and a person would want it.
        rejected: Wrong goals of the data; `rejected_caught` are those that are asked about.
        substituted: Goals with another thing that the words do not speak of.
        caught: Those whose other thing is asked about.
        alike: How many more had another thing of a class or a kind that the words name, and were left out.
    """

    right: Sequence[Case]
    asked: Sequence[Case]
    worth_asking: Sequence[Case]
    rejected: Sequence[Case]
    rejected_caught: Sequence[Case]
    substituted: Sequence[Case]
    caught: Sequence[Case]
    alike: int


@cache
def world_of(scene: str) -> tuple[World, State]:
    """Return the world and the state of a scene."""
    domain, file = load_domain("kitchen"), FOLDER / "scenes" / f"{scene}.yaml"
    read = load_scene(domain, file if file.exists() else scene)
    return World.of(read, domain), State(read.facts)


def ends_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the right goals of an entry."""
    yield from (*row.get("ends", ()), *row.get("part", ()))
    yield from (f"(and {' '.join(pair)})" for pair in row.get("order", ()))


def unfounded_in(
    goal: Goal, words: str, world: World, state: State, history: Sequence[str] = (), embedder: Embedder | None = None
) -> tuple[str, ...]:
    """Return the things and places of a goal that neither words nor what was said before account for."""
    heard = [Heard(said, world, state, embedder) for said in (words, *history)]
    return unfounded_names(goal_names(goal, world), heard)


def judged(row: Mapping[str, Any], goal: str, embedder: Embedder | None) -> Case:
    """Return a goal for the sentence of an entry with the names that nothing accounts for."""
    world, state = world_of(row["scene"])
    formula = parse_formula(goal, variables=True, adl=True)
    names = unfounded_in(Goal(formula), row["sentence"], world, state, embedder=embedder)
    return Case(row["id"], row["sentence"], goal, names, row["names"])


def speaks_of(sentence: str, thing: Thing, synonyms: Mapping[str, str]) -> bool:
    """Return whether a sentence says a word for a class or for a kind of a thing."""
    words = {word for word, meant in synonyms.items() if meant in {thing.class_name, *thing.kinds}}
    every = "|".join(re.escape(plain(word)) for word in (thing.class_name, *thing.kinds, *words))
    return bool(re.search(rf"\b(?:{every})(?:e?s)?\b", plain(sentence)))


def with_other(goal: str, world: World, chance: random.Random) -> tuple[str, str]:
    """Return a goal with another thing in the place of one of its things, and that thing; "" if none fits."""
    formula = parse_formula(goal, variables=True, adl=True)
    names = [name for name in dict.fromkeys(names_in(formula)) if name in world.objects and name != "robot0"]
    old = chance.choice(names or [""])
    fitting = [name for name in world.objects if name not in {*names, "robot0"} and _fits(formula, old, name, world)]
    other = chance.choice(fitting) if old and fitting else ""
    return re.sub(rf"\b{old}\b", other, goal), other


def _fits(formula: Formula, old: str, other: str, world: World) -> bool:
    atoms = (part for part, _ in walked(formula) if isinstance(part, Atom) and old in part.args)
    replaced = (atom.replaced({old: other}) for atom in atoms)
    return all(
        world.domain.takes(atom, world.objects) or any(arg.startswith("?") for arg in atom.args) for atom in replaced
    )


def measure(embedder: Embedder | None = None, seed: int = 1) -> Figures:
    """Judge all goals of the data, and `SUBSTITUTIONS` wrong ones."""
    rows = [row for file in FILES for row in yaml.safe_load((FOLDER / file).read_text(encoding="utf-8"))]
    pairs = [(row, goal) for row in rows for goal in ends_of(row)]
    right = [(row, judged(row, goal, embedder)) for row, goal in pairs]
    stopped = [(row, case) for row, case in right if case.names]
    worth = [case for row, case in stopped if case.name in WORTH_ASKING or row.get("substitutes")]
    rejected = [judged(row, goal, embedder) for row in rows for goal in row.get("reject", ())]
    chance, substituted, caught, alike = random.Random(seed), list[Case](), list[Case](), 0
    while len(substituted) < SUBSTITUTIONS:
        row, goal = chance.choice(pairs)
        world, _ = world_of(row["scene"])
        wrong, other = with_other(goal, world, chance)
        if not other:
            continue
        if speaks_of(row["sentence"], world.objects[other], world.vocabulary.synonyms):
            alike += 1
            continue
        substituted.append(judged(row, wrong, embedder))
        caught += [substituted[-1]] if other in substituted[-1].names else []
    return Figures(
        [case for _, case in right],
        [case for _, case in stopped if case not in worth],
        worth,
        rejected,
        [case for case in rejected if case.names],
        substituted,
        caught,
        alike,
    )


class Reply(NamedTuple):
    """A right goal as the reply of a model, and what a session has made of it."""

    entry: Instruction
    goals: tuple[str, ...]
    row: Row

    @property
    def is_asked(self) -> bool:
        """Whether the person is asked first."""
        return self.row.kind in (Kind.OFFER, Kind.QUESTION)

    @property
    def is_worth_asking(self) -> bool:
        """Whether a person would want to be asked: for what is left out, not here, open, or the model's own idea."""
        entry = self.entry
        return bool(entry.part or entry.substitutes or entry.asks) or entry.id in WORTH_ASKING


def right_goals(entry: Instruction) -> Iterator[tuple[str, ...]]:
    """Yield the right goals of an entry, each as those that are reached one after the other."""
    yield from ((goal,) for goal in (*entry.ends, *entry.part))
    if entry.order:
        before: dict[str, list[str]] = {}
        for first, then in entry.order:
            before.setdefault(then, []).append(first)
        yield tuple(TopologicalSorter(before).static_order())


def tried_in_sessions(entries: Sequence[Instruction]) -> Iterator[Reply]:
    """Yield what a session makes of each right goal of some entries, when its model answers with that."""
    jobs, asked = list[Job](), dict[str, tuple[Instruction, tuple[str, ...]]]()
    for entry in entries:
        for number, goals in enumerate(right_goals(entry)):
            key, reply = f"{entry.id} {number}", {"reply": {"goal": goals, "prefer": None, "note": None}}
            asked[key] = (entry, goals)
            jobs.append(Job(key, perform, (entry, Manner(said=json.dumps(reply)))))
    for key, row in results_of(jobs, 1):
        yield Reply(*asked[key], row)


def _tell_sessions(told: Callable[[str], None]) -> None:
    """Print how many right goals a session asks about."""
    replies = []
    for reply in tried_in_sessions(load("household")):
        replies.append(reply)
        if reply.is_asked:
            worth = "worth asking" if reply.is_worth_asking else "needless"
            told(f"  {worth}  {reply.entry.id}: {reply.entry.sentence} {' '.join(reply.goals)}: {reply.row.question}")
    asked = [reply for reply in replies if reply.is_asked]
    needless = [reply for reply in asked if not reply.is_worth_asking]
    low, high = wilson_interval(len(needless), len(replies))
    told(f"right goals asked about needlessly in sessions: {len(needless)} of {len(replies)} ({low:.3f} to {high:.3f})")
    told(f"right goals asked about as a person would want: {len(asked) - len(needless)}")


def _plain(cases: Sequence[Case]) -> list[Case]:
    return [case for case in cases if case.is_plain]


def main() -> None:
    """Print the figures, and the goals that are asked about or slip through."""
    told = Console(soft_wrap=True, highlight=False, markup=False).print
    if "--sessions" in sys.argv:
        _tell_sessions(told)
        return
    figures = measure(SentenceEmbedder() if "--embeddings" in sys.argv else None)
    for title, part, whole in (
        ("right goals asked about needlessly", figures.asked, figures.right),
        ("right goals asked about as a person would want", figures.worth_asking, figures.right),
        ("wrong goals of the data asked about", figures.rejected_caught, figures.rejected),
        ("substituted things asked about", figures.caught, figures.substituted),
        ("those where the sentence says all classes", _plain(figures.caught), _plain(figures.substituted)),
    ):
        low, high = wilson_interval(len(part), len(whole))
        told(f"{title}: {len(part)} of {len(whole)} ({low:.3f} to {high:.3f})")
    told(f"left out, of a class or kind that the words name: {figures.alike}")
    for case in (*figures.asked, *figures.worth_asking):
        told(f"  asked  {case.name}: {case.sentence} {case.goal} {', '.join(case.names)}")
    for case in figures.substituted:
        if case not in figures.caught:
            told(f"  done   {case.name}: {case.sentence} {case.goal}")


if __name__ == "__main__":
    main()
