"""Sentences in all worlds: done, refused, already so, recalled, stopped, broken; with mishaps and with two hands."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.faults.models import CARRYING, ModelHands
from benchmarks.mishaps import Faulty, MishapKind, RoomHands
from domains.reader import load_domain, load_scene
from robots.fake import FakeRobot, InjectedFault
from robots.perturb import perturbed
from semantics.body.observation import Observation
from semantics.errors import OutsideError
from semantics.logic.feedback import Code
from tests.golden.adapter import SERVED, body_in_model, settled
from tests.golden.stories import Story, after, at, hiding, moved, near_sighted, play, taken

__all__ = ["PLAYED", "STORIES"]

PART = "chop the apple and open the fridge"
BAR = {"world": "barman", "scene": "counter", "robot": "symbolic"}
SODA = InjectedFault(Code.NOT_GRASPED, "get", {"o": "soda_bottle"}, fraction=0.5)
MISHAPS = dict.fromkeys((kind for kind in MishapKind if kind is not MishapKind.BLIND), 0.2)
"""Blindness lasts a second, so that what it hides would hang on moments; all others happen in parts of a motion."""


def faulty(world: str, scene: str, seed: int, *about: str) -> Callable[[], Faulty]:
    """Return what makes a body to which things happen, some of them to named things."""

    def made() -> Faulty:
        domain = load_domain(world)
        written = load_scene(domain, scene)
        if world in CARRYING:
            model = body_in_model(domain, written)
            body = Faulty(model, ModelHands(model, written.things, CARRYING[world]), seed, MISHAPS)
        else:
            fake = FakeRobot(perturbed(written.layout, seed))
            body = Faulty(fake, RoomHands(fake), seed, MISHAPS)
        body.about |= frozenset(about)
        return body

    return made


class Blinded(FakeRobot):
    """Its camera goes after three seconds."""

    def observation(self) -> Observation:
        """Return what is seen, as long as it sees."""
        if self.clock.now() >= 3.0:
            raise OutsideError("the camera is unplugged")
        return super().observation()


def blinded() -> FakeRobot:
    return Blinded(load_scene(load_domain("kitchen"), "small").arrangement)


class Loose:
    """A skill that breaks."""

    def start(self, operator: object, robot: object) -> Any:
        """Break."""
        raise RuntimeError("the arm has come loose")


def gone(name: str) -> Callable[[Any], object]:
    """Return the deed that takes a thing out of a body's model."""

    def deed(played: Any) -> None:
        state = played.robot.state
        played.robot.change(deleted=[atom for atom in state.atoms if name in atom.args])

    return deed


STORIES: dict[str, Story] = {
    "milk": Story("bring me the milk"),
    "milk-in-the-full-kitchen": Story("bring me the milk", scene="full", given={"seed": 5}),
    "apple-into-the-fridge": Story("put the apple in the fridge and close it", given={"seed": 3}),
    "two-things": Story("put the juice on the table and the apple in the fridge", given={"seed": 3}),
    "milk-in-the-model": Story("bring me the milk", robot="symbolic"),
    "part-in-the-model": Story(
        "put the apple on the shelf and the banana on the counter",
        robot="symbolic",
        deeds=[(at(0.1), gone("banana0"))],
        given={"substitute": "never", "part": "allow"},
    ),
    "water": Story("give me a glass of water", scene="tea", robot="symbolic"),
    "blocks": Story("put the green block on the blue block", "blocks", "sussman", "symbolic"),
    "tabletop": Story("put the green block in the blue bowl", "tabletop", "four", "symbolic"),
    "pizza": Story("prepare a garden pizza", "pizza", "corner", "symbolic"),
    "barman": Story("pour milk into the tall glass", "barman", "counter", "symbolic"),
    "weights": Story("bring me the milk", given={"costs": {"robot": 3}}),
    "model-asked-again": Story(
        "I would like something cold", goal="(in nothing nowhere)", model=['{"goal": "(in juice0 fridge0)"}']
    ),
    "refused": Story("put the fridge on the table"),
    "refused-contradiction": Story("put the apple on the table and in the fridge"),
    "refused-no-plan": Story("chop the apple", scene="small", given={"part": "never"}),
    "already": Story("close the fridge"),
    "question-nobody": Story(PART),
    "question-yes": Story(PART, answers=["well, it depends", "yes"]),
    "question-no": Story(PART, answers=["no"]),
    "question-part-allowed": Story(PART, given={"part": "allow"}),
    "question-which": Story("bring me the can", scene="full", answers=["can1"]),
    "recalled": Story("bring me the milk", given={"memory": "memory.sqlite"}, again=["put the milk in the fridge",
                      "bring me the milk"]),
    "three-in-turn": Story("open the fridge", again=["close the fridge", "open the fridge"]),
    "stopped": Story("open the fridge", deeds=[(at(1.0), lambda played: played.run.say("stop"))]),
    "cancelled": Story("open the fridge", deeds=[(at(2.0), lambda played: played.run.cancel("the test said so"))],
                       again=["open the fridge"]),
    "cancelled-while-asked": Story("put the apple on the shelf", answers=[None],
                                   faults=[InjectedFault(Code.OUT_OF_REACH, "put")] * 9,
                                   deeds=[(after("asked"), lambda played: played.run.cancel("enough"))]),
    "words-of-no-use": Story("open the fridge", deeds=[(at(1.0), lambda played: played.run.say("a nice day"))]),
    "out-of-time": Story("put all the fruit on the shelf", limits={"run_seconds": 3.0}),
    "camera-gone": Story("put the apple on the counter", robot=blinded),
    "broken-skill": Story("open the fridge", given={"skills": {"open": Loose()}}),
    "moved-twice": Story(
        "put the apple on the shelf",
        deeds=[(at(0.5), moved("apple0", "counter0")), (at(4.0), moved("apple0", "table0"))],
        faults=[InjectedFault(Code.NOT_GRASPED, "pick")],
    ),
    "shut-under-way": Story(
        "bring me the milk", deeds=[(at(6.0), lambda played: played.robot.set_door("fridge0", 0.0))]
    ),
    "done-by-luck": Story("put the apple on the counter", deeds=[(at(1.0), moved("apple0", "counter0"))]),
    "near-sighted": Story("bring me the juice", scene=hiding("juice0"), robot=near_sighted),
    "lost-near-sighted": Story(
        "bring me the juice", robot=near_sighted, deeds=[(at(0.1), taken("juice0"))], answers=["stop"]
    ),
    "hands-at-once": Story(goal=SERVED, **BAR),
    "hands-in-turn": Story(goal=SERVED, **BAR, given={"together": "never"}),
    "hands-one-slips": Story(goal=SERVED, **BAR, faults=[SODA]),
    "hands-both-slip": Story(
        goal=SERVED, **BAR, faults=[SODA, InjectedFault(Code.NOT_GRASPED, "get", {"o": "apple_bottle"}, fraction=0.5)]
    ),
    "hands-one-fails-for-good": Story(
        goal=SERVED, **BAR, faults=[SODA] * 12, given={"part": "allow"}, ladder={"consult": None}
    ),
    "hands-thing-gone": Story(
        goal=SERVED, **BAR, deeds=[(at(3.0), gone("soda_bottle"))], given={"part": "allow", "substitute": "never"},
        ladder={"consult": None},
    ),
    **{
        f"mishaps-barman-{seed}": Story(
            goal=SERVED, world="barman", scene="counter", given={"part": "never"}, ladder={"consult": None},
            robot=faulty("barman", "counter", seed, "soda_bottle", "apple_bottle"), limits={"run_seconds": 7200.0},
        )
        for seed in (1, 2, 3)
    },
    **{
        f"mishaps-kitchen-{seed}": Story(
            said, given={"part": "never"}, robot=faulty("kitchen", "small", seed, *about),
            limits={"run_seconds": 7200.0},
        )
        for seed, said, about in (
            (4, "put the apple in the fridge and close it", ("apple0", "fridge0")),
            (7, "bring me the milk", ("milk0",)),
            (8, "put all the fruit on the shelf", ("apple0", "banana0")),
        )
    },
    "mishaps-blocks": Story(
        "put the green block on the blue block", "blocks", "sussman", faulty("blocks", "sussman", 6, "green_block"),
        given={"part": "never"}, limits={"run_seconds": 7200.0},
    ),
    "mishaps-tabletop": Story(
        "put the green block in the blue bowl", "tabletop", "four", faulty("tabletop", "four", 5, "green_block"),
        given={"part": "never"}, limits={"run_seconds": 7200.0},
    ),
    "mishaps-pizza": Story(
        "prepare a garden pizza", "pizza", "corner", faulty("pizza", "corner", 1), given={"part": "never"},
        limits={"run_seconds": 7200.0},
    ),
}  # fmt: skip


def declined(folder: Path) -> list[dict[str, Any]]:
    """Say no to the plan, and then only plan."""
    played = Story("open the fridge").opened(folder)
    with played.session as session:
        settled(session.start("open the fridge")).decline()
        settled(session.start("open the fridge")).leave()
    return played.journal.events


def broken(folder: Path) -> list[dict[str, Any]]:
    """Let a skill break, with the log beside."""
    with patch.dict(os.environ, {"XDG_STATE_HOME": str(folder)}):
        return play(STORIES["broken-skill"], folder)


def subtree(folder: Path) -> list[dict[str, Any]]:
    """Tick a behaviour of a session in a loop of one's own, with a slip on the way."""
    played = Story(faults=[InjectedFault(Code.NOT_GRASPED, "pick")]).opened(folder)
    with played.session as session:
        root = session.subtree("put the apple on the shelf")
        end = session.run(root)
        told = {"e": "ended", "t": round(played.robot.clock.now(), 3), "status": str(end.status)}
        where = played.robot.world.carriers["apple0"]
    return [*played.journal.events, {**told, "apple0": list(where)}]


PLAYED: dict[str, Callable[[Path], list[dict[str, Any]]]] = {
    "declined": declined,
    "broken-skill": broken,
    "subtree": subtree,
}
"""What takes more than a story."""
