"""A memory with very many entries, and one whose writers are killed: ``graftwork bench memory``.

A memory of the kitchen is filled with goals that were reached for as many sentences (``--entries``), each under a
sentence and with a sentence form of its own; some of one form. Told is how long it takes to recall one that was said
before, to find those of the same form (at most 16 are looked at), and to read all that a session reads when it opens;
and how long the nearest 16 of as many taught sentences are looked for.

Then processes write episodes and lessons into one memory, two at a time, and are killed (SIGKILL) at random moments,
``--kills`` times. What a process has said to be written has to be there, and all that is there has to be whole. Exit
code 0 when nothing is lost or half written, 1 otherwise, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from affordances.scene import completed
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.language.dialogue import read_words
from graftwork.language.examples import Examples
from graftwork.memory import Memory, Subtree
from graftwork.memory.store import checksum
from graftwork.memory.upkeep import checked
from graftwork.record.episode import Episode, Outcome
from semantics.logic.atoms import dnf
from semantics.logic.goal import Goal
from semantics.logic.lesson import read_lesson
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Plan, State

__all__ = ["main"]

SENTENCE, GOAL = "put the cup on the counter", "(on cup0 counter0)"
ALIKE = 16
REPEATS = 25
LONGEST_LIFE = 0.4
"""Seconds after which a writer is killed at the latest."""
LESSON = {"asked": ["(on ?x ?p)"], "sorts": ["?x cup"], "also": ["(closed fridge0)"]}


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print the figures, and return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench memory", description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000, help="how many sentences the memory holds (100000)")
    parser.add_argument("--kills", type=int, default=500, help="how many writers are killed (500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memories-") as folder:
        found: dict[str, object] = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "python": platform.python_version()}
        if given.entries:
            found |= _measured(Path(folder) / "many.sqlite", given.entries)
        if given.kills:
            found |= _killed(Path(folder) / "killed.sqlite", given.kills, random.Random(given.seed))
    for name, value in found.items():
        sys.stdout.write(f"{name.replace('_', ' '):34} {value}\n")
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if found.get("lost") or found.get("half_written") else 0


def _kitchen() -> tuple[World, State]:
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    world = World.of(scene, domain)
    facts = frozenset(scene.facts) | frozenset(scene.beliefs)
    return world, completed(world.problem(State(facts)))


def _subtree(world: World, state: State, sentence: str = SENTENCE, goal: str = GOAL) -> Subtree:
    formula = parse_formula(goal)
    plan = Plan((), dnf(formula)[0], planner="none")
    return Subtree.learned(Goal(formula, sentence), plan, world.domain, world.vocabulary, state)


def _episode(sentence: str = SENTENCE) -> Episode:
    return Episode(Outcome.ACHIEVED, sentence, "kitchen", "full", "fake", "offline", goal=GOAL)


def _fill(path: Path, entries: int, world: World, state: State) -> None:
    """Write rows as `Memory.remember` does, in one transaction; each 6000th has the form of the sentence."""
    memory, subtree = Memory(path), _subtree(world, state)
    memory.remember(_episode(), subtree)
    document = json.dumps(subtree.as_dict(), ensure_ascii=False)
    told = json.dumps(_episode().as_dict(), ensure_ascii=False)
    at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S+00:00}"
    subtrees, episodes = [], []
    for number in range(entries):
        is_alike = number % max(entries // ALIKE, 1) == 0
        words = f"put the cup on the counter {'' if is_alike else 'as said '}{number}"
        identity = (words, "kitchen", GOAL, subtree.scene)
        form = subtree.form if is_alike else f"{subtree.form} as said {number}"
        subtrees.append((*identity, document, at, checksum(*identity, document, at), form, 1))
        episodes.append((at, told, checksum(at, told)))
    with sqlite3.connect(path) as connection:
        columns = "(key, domain, goal, scene, document, at, crc, form, worked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        connection.executemany(f"INSERT INTO subtrees {columns}", subtrees)
        connection.executemany("INSERT INTO episodes (at, document, crc) VALUES (?, ?, ?)", episodes)
    connection.close()


def _measured(path: Path, entries: int) -> dict[str, object]:
    world, state = _kitchen()
    _fill(path, entries, world, state)
    memory, vocabulary, domain = Memory(path), world.vocabulary, world.domain
    other = "put the banana on the shelf"
    goal = read_words(other, vocabulary, state)
    examples = Examples([f"put the cup on {number:x} and {number % 997:x}" for number in range(entries)])

    def alike() -> object:
        return memory.recall_alike(other, vocabulary, domain, lambda: goal)

    assert memory.recall(SENTENCE, vocabulary, domain, state) is not None
    assert alike() is not None
    return {
        "entries": entries,
        "recalled_ms": _milliseconds(lambda: memory.recall(SENTENCE, vocabulary, domain, state)),
        "sixteen_alike_ms": _milliseconds(alike),
        "opened_ms": _milliseconds(lambda: (memory.labels(), memory.turns("kitchen", "full", vocabulary)), 3),
        "tried_ms": _milliseconds(lambda: memory.tried("kitchen"), 3),
        "nearest_sixteen_ms": _milliseconds(lambda: examples.nearest([other, SENTENCE], ALIKE)),
    }


def _milliseconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median of a few times that a call takes."""
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return round(1000 * statistics.median(seconds), 2)


def _killed(path: Path, kills: int, draw: random.Random) -> dict[str, object]:
    world, state = _kitchen()
    subtree = _subtree(world, state)
    Memory(path)
    said, done = 0, 0
    try:
        while done < kills:
            writers = [_begun(path, subtree) for _ in range(2)]
            time.sleep(draw.uniform(0.0, LONGEST_LIFE))
            for process, _ in writers:
                os.kill(process, signal.SIGKILL)
            for process, pipe in writers:
                os.waitpid(process, 0)
                said += os.read(pipe, 1 << 20).count(b".")
                os.close(pipe)
            done += len(writers)
            if done % 100 == 0:
                sys.stderr.write(f"{done} of {kills} killed, {said} writings said to be done\n")
    except KeyboardInterrupt:
        sys.stderr.write(f"interrupted after {done}\n")
    with sqlite3.connect(path) as connection:
        ((sound,),) = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    bad = sum(len(each.bad) for each in checked(path))
    there = len(Memory(path).list()) + len(Memory(path).taught.list())
    return {
        "kills": done,
        "written": said,
        "there": there,
        "lost": max(said - there, 0),
        "half_written": bad + (sound != "ok"),
    }


def _begun(path: Path, subtree: Subtree) -> tuple[int, int]:
    """Begin a process that writes until it is killed, and says of each writing when it is done."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    memory, number = Memory(path), 0
    while True:
        number += 1
        if number % 2:
            memory.remember(_episode(), subtree)
        else:
            memory.taught.learn(read_lesson(LESSON), "kitchen")
        os.write(writing, b".")


if __name__ == "__main__":
    sys.exit(main())
