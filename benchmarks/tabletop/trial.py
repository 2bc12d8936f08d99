"""One instance carried out in PyBullet: the scene, what is done before, the program or the words, and the verdict.

What the judge is shown is read from the simulator's own bodies, never from what the robot senses or believes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks import stagehand
from benchmarks.tabletop.board import Pose
from benchmarks.tabletop.evidence import Evidence, Gripper, Sample
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.judge import Verdict, judge
from benchmarks.tabletop.programs import program_text
from graftwork import Episode, Outcome, Session
from graftwork.run.run import Run
from robots.informed import body_of
from robots.pybullet import PyBulletRobot

__all__ = ["Observed", "Trial", "observed", "trial"]

COUNTING, NAMING_ONE = frozenset({"L11", "L15"}), frozenset({"L10", "L14"})
"""The templates that ask for a number, and for one name."""
PERIOD, SAMPLES, SETTLING = 0.05, 24, 1.0
"""How far the samples of the end are apart, how many there are, and how long things settle before; seconds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of an instance.

    Attributes:
        template: Name of the template.
        seed: Seed of the instance.
        words: The instruction.
        outcome: What the session says: achieved, refused, failed and so on.
        message: Its message.
        verdict: What the judge says.
        simulated: Seconds on the clock of the body, from the instruction to the end.
        processor: Seconds of the processor for all of it.
    """

    template: str
    seed: int
    words: str
    outcome: Outcome
    message: str
    verdict: Verdict
    simulated: float
    processor: float


@dataclass(frozen=True, slots=True)
class Observed:
    """What a session did in the scene of an instance, and what the judge says of it.

    Attributes:
        episode: What the session says.
        verdict: What the judge says.
        simulated: Seconds on the clock of the body, from the instruction to the end.
    """

    episode: Episode
    verdict: Verdict
    simulated: float


def trial(given: Instance, *, said: bool = False) -> Trial:
    """Carry out an instance by its program, or by its words alone, and judge it.

    Raises:
        RuntimeError: What has to be done before the instruction could not be done.
    """
    began = process_time()
    with TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.yaml"
        scene.write_text(given.scene, encoding="utf-8")
        with Session(domain="tabletop", scene=str(scene), robot="pybullet", memory=None) as session:
            begun = (lambda: session.start(given.words)) if said else (lambda: session.program(program_text(given)))
            seen = observed(session, given, begun)
    return Trial(
        given.template,
        given.seed,
        given.words,
        seen.episode.outcome,
        seen.episode.message,
        seen.verdict,
        seen.simulated,
        process_time() - began,
    )


def observed(session: Session, given: Instance, begin: Callable[[], Run]) -> Observed:
    """Carry out what is begun in the scene of an instance, in PyBullet, and judge it.

    Args:
        session: A session in that scene.
        given: The instance.
        begin: Tells the session what to do.

    Raises:
        RuntimeError: What has to be done before the instruction could not be done.
    """
    robot = body_of(session.environment.robot)
    assert isinstance(robot, PyBulletRobot)
    robot.clock.sleep(SETTLING)
    _prepare(session, given)
    robot.clock.sleep(SETTLING)
    initial, start = _sample(robot), robot.clock.now()
    watch = _Release(robot)
    episode = begin().finish(tick=watch)
    simulated = robot.clock.now() - start
    evidence = Evidence(initial, _trace(robot), robot.rig.held, _answer(episode, given), watch.released)
    return Observed(episode, judge(given, evidence), simulated)


class _Release:
    """Notes where the gripper is when it lets go of what it holds.

    Args:
        robot: The body.

    Attributes:
        released: The gripper in the last tick before it let go, or None.
    """

    def __init__(self, robot: PyBulletRobot) -> None:
        self.released: Gripper | None = None
        self._robot = robot
        self._held, self._at = robot.rig.held, _gripper(robot)

    def __call__(self) -> None:
        """Look at the hand after a tick."""
        if self._held is not None and self._robot.rig.held is None:
            self.released = self._at
        self._held, self._at = self._robot.rig.held, _gripper(self._robot)


def _prepare(session: Session, given: Instance) -> None:
    """Bring the hand where it has to be before the instruction."""
    programs = [f"pick_up({given.held})"] if given.held else []
    if given.starts_closed:
        programs.append("close_gripper()")
    if given.start is not None:
        programs.append(f"move_hand(to=point({', '.join(map(str, given.start))}))")
    for program in programs:
        episode = session.program(program).finish()
        if episode.outcome is not Outcome.ACHIEVED:
            raise RuntimeError(f"{given.template}, seed {given.seed}: {program}: {episode.message}")


def _sample(robot: PyBulletRobot) -> Sample:
    world = robot.rig.world
    poses = {name: Pose(*world.box(name).centre, world.yaw(name)) for name in world.shapes}
    return Sample(robot.clock.now(), poses, _gripper(robot))


def _gripper(robot: PyBulletRobot) -> Gripper:
    point, _ = robot.rig.chassis.tool()
    return Gripper(*point, stagehand.posture(robot).opening)


def _trace(robot: PyBulletRobot) -> list[Sample]:
    samples = []
    for _ in range(SAMPLES):
        robot.clock.sleep(PERIOD)
        samples.append(_sample(robot))
    return samples


def _answer(episode: Episode, given: Instance) -> object:
    """Return the answer of a program, or that to a question that was read, in the type that is asked for."""
    told = episode.answer
    if told is None or "value" in told:
        return None if told is None else told["value"]
    if told["yes"] is not None:
        return told["yes"]
    things = told["things"] or ()
    if given.template in COUNTING:
        return told["count"] if told["count"] is not None else len(things)
    if given.template in NAMING_ONE:
        return things[0] if len(things) == 1 else None
    return things
