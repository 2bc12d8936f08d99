"""Runs the sentences of a half in the fake body or the simulator, and judges them from the body's own world.

python -m benchmarks.open_world.suite --half a --json rows.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from benchmarks.faults.judging import RoomJudge
from benchmarks.judge import Track, Watch, judge
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.record.episode import Episode, Outcome
from graftwork.setup.bodies import robot_for
from robots.fake import FakeRobot
from robots.pybullet import PyBulletRobot
from semantics.body.layout import MovableObject, Shape
from semantics.logic.atoms import Atom, Not, dnf
from semantics.logic.goal import Question
from semantics.logic.parsing import parse_formula

FOLDER = Path(__file__).parent
WORLD = FOLDER / "world" / "domain.yaml"
ANSWERED = ("question", "refused")
"""How a run about an unknown thing may end."""


@dataclass(frozen=True)
class Row:
    """One run of a sentence.

    Attributes:
        id: The sentence.
        guesses: Whether things may be guessed.
        right: Whether everything was as it should be.
        outcome: How the run ended.
        message: What it said.
        asked: The questions that it put.
        wrong: What was not as it should be.
        harm: Whether something happened that should never have happened, or success was claimed falsely.
    """

    id: str
    guesses: bool
    right: bool
    outcome: str
    message: str
    asked: list[str]
    wrong: list[str]
    harm: bool


def piece(thing: Mapping[str, Any], placed: Mapping[str, Any] | None = None) -> MovableObject:
    """Return an unlisted thing as the body has it, at its own place or where it appears."""
    shape, at = thing["shape"], placed or thing
    offset = tuple(at.get("offset", (0.0, 0.0)))
    solid = Shape(shape["form"], tuple(shape["size"]), shape["mass"])
    return MovableObject(
        thing["name"], solid, "on", at["place"], offset, at.get("level", 0), at.get("yaw", 0.0), thing["label"]
    )


class Room:
    """The world of a fake body."""

    def __init__(self, body: FakeRobot) -> None:
        self._judge = RoomJudge(body)

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so."""
        return any(map(self._judge.holds, dnf(parse_formula(fact))))

    def look(self) -> None:
        """Nothing has to be watched here."""

    def end(self) -> None:
        """Nothing has to come to rest here."""


class Simulation:
    """The world of the simulator, judged by `benchmarks.judge`, which shares no code with the robot."""

    def __init__(self, body: PyBulletRobot) -> None:
        self._body, world = body, body.rig.world
        self._names = dict(world.bodies)
        ranges = {name: place.travel for name, place in world.offered.items() if place.travel}
        self._watch = Watch(world.client, self._names, body.name, ranges=ranges, time=body.clock.now())
        self._track: Track | None = None
        self._looked = -1.0

    def look(self) -> None:
        """Watch what has come into the world, too."""
        self._names.update(self._body.rig.world.bodies)
        if (now := self._body.clock.now()) > self._looked:
            self._looked = now
            self._watch.look(now)

    def end(self) -> None:
        """Let everything come to rest."""
        self._watch.mark_end(self._body.clock.now())
        self._body.clock.sleep(1.1)
        self._watch.look(self._body.clock.now())
        self._track = self._watch.end()

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so at the end; what was to be in no hand has not moved."""
        if self._track is None:
            return False
        formula = parse_formula(fact)
        negated = isinstance(formula, Not)
        atom = formula.part if isinstance(formula, Not) else formula
        assert isinstance(atom, Atom)
        match atom.predicate, atom.args:
            case "inhand", (name, "human0"):
                said = f"has(human0, {name})"
            case "inhand", (name, _):
                said = f"moved({name})"
            case "closed", (name,):
                said = f"shut({name})"
            case "opened", (name,):
                said = f"open({name})"
            case predicate, args:
                said = f"{predicate}({', '.join(args)})"
        return judge({"not": said} if negated else said, self._track, fact).holds


def run(row: Mapping[str, Any], things: Mapping[str, Any], *, guesses: bool) -> Row:
    """Run a sentence and judge it."""
    domain = load_domain(str(WORLD))
    scene = load_scene(domain, "full")
    assert scene.layout is not None
    unlisted = tuple(piece(things[name]) for name in row["unlisted"])
    written = replace(scene, layout=replace(scene.layout, pieces=(*scene.layout.pieces, *unlisted)))
    body = robot_for(row["body"], domain, written)
    assert isinstance(body, FakeRobot | PyBulletRobot)
    world = Room(body) if isinstance(body, FakeRobot) else Simulation(body)
    asked, harm = list[str](), set[str]()

    def answer(question: Question) -> str | None:
        asked.append(question.text)
        fitting = [each for each in row["answers"] if each["asks"].lower() in question.text.lower()]
        return str(fitting[0]["answer"]) if fitting else None

    waiting = [(each["at_seconds"], piece(things[each["name"]], each)) for each in row.get("appears", ())]

    def tick() -> None:
        for due in [each for each in waiting if body.clock.now() >= each[0]]:
            waiting.remove(due)
            body.add_piece(due[1])
        world.look()
        harm.update(fact for fact in row.get("never", ()) if world.holds(fact))

    consent = "ask" if guesses else "never"
    with Session(str(WORLD), "full", robot=body, memory=None, new_things=consent) as session:
        episode = session.start(row["sentence"]).finish(tick, one_answer(answer))
        world.end()
        harm.update(fact for fact in row.get("never", ()) if world.holds(fact))
        return judged(row, episode, world, asked, sorted(harm), guesses=guesses)


def one_answer(answer: Callable[[Question], str | None]) -> Callable[[Question], str | None]:
    """Return a function that answers, or says no to a question to which the person has no answer."""
    return lambda question: answer(question) or "no"


def judged(
    row: Mapping[str, Any],
    episode: Episode,
    world: Room | Simulation,
    asked: list[str],
    harm: list[str],
    *,
    guesses: bool,
) -> Row:
    """Return a row with what was not as it should be."""
    expect = row["expect"] if guesses else row["without_guesses"]
    ends = row["ends"] if guesses else row.get("ends_without_guesses", row["ends"] if expect == "done" else ())
    wrong = [f"not so: {fact}" for fact in ends if not world.holds(fact)]
    wrong += [f"was so: {fact}" for fact in harm]
    achieved = episode.outcome in (Outcome.ACHIEVED, Outcome.ALREADY)
    if achieved != (expect == "done"):
        wrong.append(f"expected {expect}, was {episode.outcome}")
    false = bool(harm) or (achieved and bool(wrong))
    return Row(row["id"], guesses, not wrong, str(episode.outcome), episode.message, asked, wrong, false)


def main() -> None:
    """Run a half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("a", "b"), default="a")
    parser.add_argument("--body", choices=("fake", "pybullet"), default="fake")
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    things = {each["name"]: each for each in yaml.safe_load((FOLDER / "classes.yaml").read_text())["unlisted"]}
    rows = yaml.safe_load((FOLDER / f"sentences_{given.half}.yaml").read_text())
    done = []
    for row in rows:
        if row["body"] == given.body and (not given.only or row["id"] in given.only):
            for guesses in (True, False):
                done.append(run(row, things, guesses=guesses))
                last = done[-1]
                sys.stdout.write(
                    f"{'ok ' if last.right else 'BAD'} {'harm ' if last.harm else ''}{last.id} guesses={guesses}: "
                    f"{last.outcome}: {last.message[:150]} {last.asked} {last.wrong}\n"
                )
    right, harm = sum(row.right for row in done), sum(row.harm for row in done)
    sys.stdout.write(f"{right} of {len(done)} right, {harm} with harm\n")
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in done], indent=1))
    sys.exit(0 if all(row.right for row in done) else 1)


if __name__ == "__main__":
    main()
