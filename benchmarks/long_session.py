"""One session through a thousand instructions, also while its processes are killed: ``graftwork bench session``.

A fake kitchen gets random instructions, one after the other: things to bring and to put somewhere, doors to open and to
close, questions with and without a good answer, things that are not there, and text that is none. A judge looks at the
world itself after each. With ``--kill SECONDS`` a process that the session has started, or one of theirs, is killed at
random moments, that many seconds apart in the mean. With ``--replies NUMBER`` a stand-in for a language model answers
instead of the reader of sentences, with goals whose text is broken at random, until it has answered that often.

A fault is: an instruction that ends in a fault of the program, that is reported as achieved and is not so, or that
takes more than two minutes; a memory that cannot be read afterwards; and growth of memory, open files, threads or
processes after the first tenth. Exit code 0 when there is none, 1 when there is one, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import Progress

from affordances.substitutes import everyday_classes
from benchmarks.faults.judging import RoomJudge
from domains.model import SceneFile
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.memory import Memory
from robots.fake import FakeRobot
from semantics.body.protocols import Message, ModelReply
from semantics.logic.goal import CheckedGoal, Question
from semantics.process.child import family

__all__ = ["main"]

LONGEST = 120.0
"""The most wall-clock seconds that an instruction may take."""
GROWTH = 30.0
"""How much the memory of this process may grow after the first tenth, MB."""
MORE = 4
"""How many more open files, threads or processes there may be at the end than after the first tenth."""
LETTERS = "abc ()\\'\"\n\t\x1b[2J{}:;!?äé漢\U0001f4a5\x00"


PIECES = (
    *"(){}[]'\"`:,.-?\\\n\0",
    *("é", "\u2028", "\ud800", "1e999", "NaN", "9" * 3000, " " * 3000, "(" * 300, "[" * 3000, '{"a":' * 500),
    *(
        "null",
        "true",
        "and ",
        "or ",
        "not ",
        "forall ",
        "?x",
        "```",
        "<think>",
        '"refusal": "no"',
        "\\u0000",
        "\x1b[2J",
    ),
)
"""What a broken reply has too much of."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the session's process has at one moment."""

    memory: float
    files: int
    threads: int
    processes: int


@dataclass
class Watch:
    """What was seen."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    killed: Counter[str] = field(default_factory=Counter)
    samples: list[Sample] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    def look(self) -> None:
        """Take a sample."""
        process = os.getpid()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        files, below = len(os.listdir("/proc/self/fd")), len(family(process)) - 1
        self.samples.append(Sample(memory, files, threading.active_count(), below))


class Speaker:
    """Makes up instructions about a scene, and answers questions about them."""

    def __init__(self, scene: SceneFile, random: Random) -> None:
        self._random = random
        self._all = sorted(scene.things)
        self._movable, self._supports, self._hollow, self._doors = (
            sorted(name for name, thing in scene.things.items() if need in thing.affordances)
            for need in ("grasp", "support", "contain", "close")
        )
        self._words = sorted({thing.class_name for thing in scene.things.values()})

    def instruction(self) -> str:
        """Return an instruction: half of them can be done as a rule, one in ten is no sentence."""
        random = self._random
        thing, other = random.choice(self._movable), random.choice([*self._all, *self._words])
        return random.choice(
            [
                f"bring me {thing}",
                f"put {thing} on {random.choice(self._supports)}",
                f"put {random.choice(self._movable)} in {random.choice(self._hollow)}",
                f"open {random.choice(self._doors)}",
                f"close {random.choice(self._doors)}",
                f"put {thing} on {other} and {random.choice(self._movable)} on table0",
                f"bring me the {random.choice(self._words)}",
                f"clean {random.choice(self._all)}",
                f"bring me {thing}{random.randrange(100)}",
                "".join(random.choices(LETTERS, k=random.randrange(1, 400))),
            ]
        )

    def answer(self, question: Question) -> str:
        """Return an answer: an option, or something that is none."""
        return self._random.choice([*question.options, "yes", "the other one"])


class BreakingModel:
    """A stand-in for a language model: its replies are goals and questions about a scene, most of them broken.

    Attributes:
        replies: The number of its replies so far.
    """

    name = "breaking"

    def __init__(self, scene: SceneFile, random: Random) -> None:
        self.replies = 0
        self._random, self._things = random, sorted(scene.things)
        self._facts = (
            "on {} {}",
            "in {} {}",
            "inhand {} {}",
            "opened {}",
            "closed {}",
            "at {} {}",
            "clean {}",
            "{} {} {}",
        )

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Return a reply: one in five is whole."""
        self.replies += 1
        random = self._random
        facts = [f"({random.choice(self._facts)})".format(*random.choices(self._things, k=3)) for _ in range(3)]
        goal = random.choice([facts[0], f"(and {facts[0]} (not {facts[1]}))", f"(or {' '.join(facts)})"])
        text = json.dumps({"goal": goal, "question": None, "refusal": None})
        text = random.choice([text, f"Yes.\n```json\n{text}\n```", json.dumps({"question": f"Which {facts[0]}?"})])
        for _ in range(random.choice((0, 1, 1, 2, 4))):
            start = random.randrange(len(text) + 1)
            end = min(start + random.choice((0, 1, 5, 40)), len(text))
            piece = random.choice((random.choice(PIECES), "", text[start:end] * 2, text))
            text = text[:start] + piece + text[end:]
        return ModelReply(text)


def _kill(random: Random, watch: Watch, stop: threading.Event, seconds: float) -> None:
    """Kill any process below this one, again and again."""
    while not stop.wait(random.expovariate(1 / seconds)):
        below = family(os.getpid())[1:]
        with contextlib.suppress(OSError, IndexError):
            process = random.choice(below)
            words = Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
            os.kill(process, signal.SIGKILL)
            watch.killed[Path(next((word for word in words if word.endswith(".py")), words[0])).name or "ended"] += 1


def _once(session: Session, judge: RoomJudge, speaker: Speaker, watch: Watch) -> None:
    began, instruction = time.monotonic(), speaker.instruction()
    run = session.start(instruction)
    episode = run.finish(answer=speaker.answer)
    seconds = time.monotonic() - began
    watch.slowest = max(watch.slowest, (seconds, instruction))
    watch.outcomes[episode.outcome] += 1
    if episode.outcome is Outcome.STOPPED:
        session.say("go on")  # a stop, also one that answers a question, lasts until then
    goals = run.goal.conjuncts if isinstance(run.goal, CheckedGoal) else ()
    if episode.outcome is Outcome.FAULT:
        watch.faults.append(f"fault: {instruction!r}: {episode.message}")
    if episode.outcome in (Outcome.ACHIEVED, Outcome.ALREADY) and not any(map(judge.holds, goals)):
        watch.faults.append(f"not so: {instruction!r}: {episode.goal}")
    if seconds > LONGEST:
        watch.faults.append(f"{seconds:.0f} s: {instruction!r}")


def _session(
    given: argparse.Namespace, watch: Watch, memory: Path, console: Console, enough: Callable[[int], bool]
) -> None:
    random, stop = Random(given.seed), threading.Event()
    scene = load_scene(load_domain("kitchen"), given.scene)
    assert scene.layout is not None
    body, speaker = FakeRobot(scene.layout), Speaker(scene, random)
    judge = RoomJudge(body)
    killer = threading.Thread(target=_kill, args=(Random(given.seed + 1), watch, stop, given.kill or 1.0), daemon=True)
    everyday_classes()  # read at the first need, which may be late
    breaking = BreakingModel(scene, random) if given.replies else None
    model = breaking or "offline"
    with (
        Session("kitchen", given.scene, robot=body, model=model, memory=memory, unsaid="allow") as session,
        Progress(console=console) as progress,
    ):
        task = progress.add_task("instructions", total=None if breaking else given.instructions)
        if given.kill:
            killer.start()
        try:
            while (breaking.replies < given.replies) if breaking else not enough(watch.outcomes.total()):
                try:
                    _once(session, judge, speaker, watch)
                except Exception as error:  # whatever it is, a person would have met it
                    watch.outcomes["exception"] += 1
                    watch.faults.append(f"{type(error).__name__}: {error}")
                watch.look()
                progress.update(task, completed=watch.outcomes.total())
        finally:
            stop.set()
            if given.kill:
                killer.join()


def _grown(watch: Watch) -> list[str]:
    """Return what has grown since the first tenth."""
    if len(watch.samples) < 20:
        return []
    settled = watch.samples[: len(watch.samples) // 10 + 1]
    last = watch.samples[-len(watch.samples) // 10 :]
    memory = min(sample.memory for sample in last) - max(sample.memory for sample in settled)
    grown = [f"memory grew by {memory:.0f} MB"] if memory > GROWTH else []
    for name in ("files", "threads", "processes"):
        before = max(getattr(sample, name) for sample in settled)
        after = min(getattr(sample, name) for sample in last)
        grown += [f"{name} grew from {before} to {after}"] if after > before + MORE else []
    return grown


def _report(watch: Watch, faults: list[str], seconds: float, console: Console) -> None:
    first, last = watch.samples[len(watch.samples) // 10], watch.samples[-1]
    console.print("outcomes: " + ", ".join(f"{count} {name}" for name, count in watch.outcomes.most_common()))
    console.print("killed: " + (", ".join(f"{n} {name}" for name, n in watch.killed.most_common()) or "nothing"))
    for name in ("memory", "files", "threads", "processes"):
        highest = max(getattr(sample, name) for sample in watch.samples)
        before, after = getattr(first, name), getattr(last, name)
        console.print(f"{name}: {before:.0f} after a tenth, {after:.0f} at the end, at most {highest:.0f}")
    console.print(f"slowest: {watch.slowest[0]:.1f} s, {watch.slowest[1]!r}", markup=False)
    for fault in faults:
        console.print(fault, style="red", markup=False)
    about = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores"
    console.print(f"{watch.outcomes.total()} instructions in {seconds:.0f} s, {len(faults)} faults; {about}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Conduct the session, print what was seen, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench session", description=__doc__)
    parser.add_argument("--instructions", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=240.0, help="stop after this time")
    parser.add_argument("--kill", type=float, metavar="SECONDS", help="mean time between two kills; default: no kills")
    parser.add_argument("--replies", type=int, metavar="NUMBER", help="broken replies of a stand-in for a model")
    parser.add_argument("--scene", default="small")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    console, watch, began, code = Console(soft_wrap=True, highlight=False), Watch(), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder) / "memory.db"

        def enough(done: int) -> bool:
            return bool(done >= given.instructions or time.monotonic() > began + 60 * given.minutes)

        try:
            _session(given, watch, memory, console, enough)
        except KeyboardInterrupt:
            code = 130
        faults = watch.faults + _grown(watch)
        try:
            Memory(memory).list()
        except Exception as error:
            faults.append(f"the memory cannot be read: {error}")
    if still := family(os.getpid())[1:]:
        faults.append(f"{len(still)} processes are left: {still}")
    if watch.samples:
        _report(watch, faults, time.monotonic() - began, console)
    return code or int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
