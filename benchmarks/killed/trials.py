"""One trial: a sentence that is begun, killed, gone on with, killed again, until it is done; and its judgement."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.killed.body import Judged
from benchmarks.killed.lives import Length, Moment, Task, chosen, complaints, live
from bt.errors import RecordError
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from graftwork.run.past import Past, read_past
from robots.perturb import perturbed
from robots.served import BodyServer
from semantics.logic.atoms import dnf
from semantics.logic.goal import Goal

__all__ = ["SENTENCES", "Told", "Undisturbed", "trial", "undisturbed"]

SENTENCES = (
    ("small", "put the apple in the fridge and close it"),
    ("small", "put the milk on the table and close the fridge"),
    ("small", "bring me the cola"),
    ("small", "put the juice in the fridge"),
    ("full", "put the apple on the counter"),
    ("full", "bring me the milk"),
)
KILLED = -9
AGAIN = 0.75
"""How likely a run that goes on is killed too."""
TORN = 0.3
"""How likely the last line of a record is cut after a kill, as if the disk had not taken all of it."""
COMMANDS = 0.1
"""How likely a trial is by the command line, with planning in processes of its own."""
MOST_LIVES = 12


class Undisturbed(NamedTuple):
    """A sentence done without a kill: how long that is, and how many motions it takes."""

    length: Length
    motions: int


@dataclass
class Told:
    """What came of trials.

    Attributes:
        kills: By kind of moment.
        readable: Records that were read after a kill, and those that were not.
        ends: Exit codes of the last life of each trial.
        faults: What should not have happened, each with how to have it again.
        counts: Further counts.
    """

    kills: Counter[str] = field(default_factory=Counter)
    readable: Counter[bool] = field(default_factory=Counter)
    achieved: Counter[bool] = field(default_factory=Counter)
    twice: Counter[bool] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@cache
def _world(scene: str, seed: int) -> tuple[Domain, SceneFile]:
    domain = load_domain("kitchen")
    written = load_scene(domain, scene)
    return domain, replace(written, layout=perturbed(written.arrangement, seed))


def undisturbed(scene: str, sentence: str) -> Undisturbed:
    """Do a sentence without a kill.

    Raises:
        RuntimeError: It was not done.
    """
    body = Judged(*_world(scene, 0))
    with tempfile.TemporaryDirectory() as folder, BodyServer(body, Path(folder, "body")) as server:
        record = Path(folder, "record")
        code, before = live(Task(scene, 0, server.path, record, sentence), body, Moment("never"))
        if code:
            raise RuntimeError(f"'{sentence}' in {scene} ends with {code} without any kill")
        written = (record / "record.jsonl").stat().st_size
    return Undisturbed(Length(before, body.asked, written), len(body.motions))


def trial(number: int, seed: int, usual: dict[str, Undisturbed], told: Told) -> None:
    """Go through one trial; it hangs on its number and the seed alone, but for when the kills come."""
    random = Random(f"{seed}/{number}")
    scene, sentence = SENTENCES[number % len(SENTENCES)]
    scene_seed = random.randrange(1000)
    body = Judged(*_world(scene, scene_seed))
    with tempfile.TemporaryDirectory() as folder, BodyServer(body, Path(folder, "body")) as server:
        place = f"trial {number} (seed {seed}): '{sentence}' in {scene}, scene seed {scene_seed}"
        by_command = random.random() < COMMANDS
        first = Task(scene, scene_seed, server.path, Path(folder, "record-0"), sentence, None, by_command)
        one = _Trial(body, Path(folder), first, usual[sentence], random, told, place)
        one.run()


@dataclass
class _Trial:
    body: Judged
    folder: Path
    task: Task
    usual: Undisturbed
    random: Random
    told: Told
    place: str
    goal: Goal | None = None
    resumed: int | None = None

    def run(self) -> None:
        """Live again and again."""
        for life in range(1, MOST_LIVES + 1):
            again = life == 1 or (life < MOST_LIVES and self.random.random() < AGAIN)
            moment = chosen(self.random, self.usual.length) if again else Moment("never")
            try:
                code, _ = live(self.task, self.body, moment)
            except TimeoutError as error:
                self.told.faults.append(f"{self.place}: {error}")
                return
            self.told.counts["lives by the command line" if self.task.by_command else "lives by a session"] += 1
            if code != KILLED:
                self._judge(code)
                return
            self.told.kills[moment.kind] += 1
            past = self._read(self.task.record)
            if past is not None and past.is_settled:  # it was killed after its end was written: nothing is left to do
                self._judge(0 if past.outcome == "achieved" else 1)
                return
            what = {} if past is None else {"sentence": None, "resume": self.task.record}
            self.task = self.task._replace(record=self.folder / f"record-{life}", **what)

    def _read(self, record: Path) -> Past | None:
        """Return the record to go on from, if there is one, and look whether it can be read."""
        file = record / "record.jsonl"
        text = file.read_bytes() if file.exists() else b""
        if b"\n" not in text:
            self.told.counts["killed before the record began"] += 1
            return None
        if self.random.random() < TORN:
            self._torn(file, text)
        try:
            past = read_past(record)
        except RecordError as error:
            self.told.readable[False] += 1
            self.told.faults.append(f"{self.place}: {error}")
            return None
        self.told.readable[True] += 1
        self.goal = past.goal or self.goal
        if not past.is_settled:
            self.resumed = len(self.body.motions) if self.resumed is None else self.resumed
        return past

    def _torn(self, file: Path, text: bytes) -> None:
        """Cut a record somewhere in its last line."""
        whole = text.rstrip(b"\n")
        begin = whole.rfind(b"\n") + 1
        kept = text[: self.random.randint(begin, len(whole))]
        if b"\n" in kept:  # the first line is left whole: without it there is nothing to go on with
            file.write_bytes(kept)
            self.told.counts["records torn in a line"] += 1

    def _judge(self, code: int) -> None:
        """Look at the world, and at what was done to bring it about."""
        told, record = self.told, self.task.record
        if not (record / "record.jsonl").exists():
            why = complaints(record).read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            told.achieved[False] += 1
            told.faults.append(f"{self.place}: exit {code} without a record: {' '.join(why)}")
            return
        goal = read_past(record).goal or self.goal
        assert goal is not None
        truth = self.body.truth()
        reached = code == 0 and any(truth.satisfies(conjunct) for conjunct in dnf(goal.formula))
        told.achieved[reached] += 1
        if not reached:
            told.faults.append(f"{self.place}: exit {code}, {record_end(record)}")
        if self.resumed is None:
            told.counts["ended without a resume"] += 1
            return
        needless = [str(command) for command, _, needless in self.body.motions[self.resumed :] if needless]
        told.twice[bool(needless)] += 1
        told.counts["motions after a resume"] += len(self.body.motions) - self.resumed
        told.counts["motions done"] += self.body.done
        told.counts["motions of undisturbed runs"] += self.usual.motions
        if needless:
            told.faults.append(f"{self.place}: done though it was so: {', '.join(needless)}")
        if self.body.done > self.usual.motions:
            told.counts["trials with more motions done than undisturbed"] += 1
            done = ", ".join(str(command) for command, motion, _ in self.body.motions if motion.poll().fraction >= 1)
            told.faults.append(f"{self.place}: {self.body.done} motions instead of {self.usual.motions}: {done}")


def record_end(record: Path) -> str:
    """Return the last line of a record."""
    file = record / "record.jsonl"
    return file.read_text(encoding="utf-8", errors="replace").splitlines()[-1][:300] if file.exists() else "no record"
