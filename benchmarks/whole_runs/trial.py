"""One whole run: a session does what is said, and a judge that knows the physics client alone says what came of it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pybullet

from benchmarks.judge import CommandWatch, Limits, Track, Watch, Worst, judge
from benchmarks.judge.pours import find_pour
from benchmarks.judge.predicates import check_wiped
from benchmarks.whole_runs.meddling import Meddler
from benchmarks.whole_runs.rooms import domain_of, room_of
from benchmarks.whole_runs.rows import Row
from bt.record import read_record
from graftwork import Session
from robots.informed import body_of
from robots.pybullet import PyBulletRobot
from robots.pybullet.timing import TICK

__all__ = ["Result", "conduct", "limits_of"]

SLACK = 1.03
"""How much faster than was said the base may be."""
STILL = 0.005
"""The speed below which the base rests, in metres a second."""
JERK_SLACK = 1.2
DEEPEST = 0.005
"""The deepest contact that is no fault, in metres; a wipe presses."""
GIVEN_UP = 10.0
"""How long after the second refusal a run may go on, in seconds of the body's clock."""
UNDONE = 60.0
"""How long a run may go on in which somebody undoes each time what it does, in seconds of the body's clock."""
SHARE_APART = 0.05
"""How far the share of a wipe that was told may be from the judge's."""
LONGEST = 900.0
"""Seconds of the body's clock after which a run is called off."""
MOST_SPENT, MOST_GAP = 0.1, 0.2
"""The most processor time of a tick, and from one tick to the next, in seconds."""
ACHIEVED = ("achieved", "already")


class Tick(NamedTuple):
    """A tick, or the moment at which it ended: by the processor time of its thread, and by the wall, in seconds."""

    processor: float
    wall: float


@dataclass
class Result:
    """What came of a run.

    Attributes:
        part, name, seed: The row.
        outcome: What the session told.
        judged: Whether the judge finds that what must be so in the end is so.
        right: Whether all is as it has to be, by the rules of its part.
        why: What is wrong, in words; empty if nothing is.
        simulated: Seconds of the body's clock.
        wall: Seconds.
        figures: Further numbers of its part.
    """

    part: str
    name: str
    seed: int
    outcome: str = "fault"
    judged: bool = False
    right: bool = False
    why: str = ""
    simulated: float = 0.0
    wall: float = 0.0
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def false(self) -> bool:
        """Whether it was told as done and is not."""
        return self.outcome in ACHIEVED and not self.judged and self.part != "impossible"


def limits_of(robot: PyBulletRobot) -> dict[str, Limits]:
    """Return the limits of each joint by its name: speed, acceleration, and jerk with its slack."""
    description = robot.rig.description
    coordinates = [each for each in description.coordinates if each.joint]
    return {each.joint: (each.speed, each.acceleration, each.jerk * JERK_SLACK) for each in coordinates}


def conduct(row: Row, keep: Path | None = None, real_time: bool = False) -> Result:
    """Do a row, and have it judged; with `keep`, its record stays there."""
    result = Result(row.part, row.name, row.seed)
    began = time.perf_counter()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        record = None if keep is None else keep / f"{row.part}-{row.name}-{row.seed}"
        if row.part == "impossible":
            record = record or folder / "record"
        session = stack.enter_context(
            Session(
                domain=domain_of(row),
                scene=room_of(row, folder),
                robot="pybullet",
                seed=row.seed,
                memory=None,
                record=None if real_time else record,
                real_time=real_time,
            )
        )
        _do(row, session, stack, result, real_time)
        if row.part == "impossible" and record is not None:
            _judge_giving_up(row, result, record)
    result.wall = time.perf_counter() - began
    return result


def _do(row: Row, session: Session, stack: ExitStack, result: Result, real_time: bool) -> None:
    robot = body_of(session.environment.robot)
    assert isinstance(robot, PyBulletRobot)
    world, clock = robot.rig.world, robot.clock
    offered = {name: place.travel for name, place in world.offered.items() if place.travel}
    watch = Watch(world.client, dict(world.bodies), robot.name, ranges=offered, time=clock.now())
    commands = (
        stack.enter_context(CommandWatch(world.client, robot.rig.chassis.body)) if row.part == "watched" else None
    )
    if not real_time:
        robot.rig.errands.append(_looks(robot, watch))
    meddler = Meddler(robot, row, watch) if row.part in ("disturbances", "impossible") else None
    pace, result.outcome, message, result.simulated = _tick(row, session, robot)
    if real_time:
        _judge_pace(pace, result)
        return
    watch.mark_end(clock.now())
    clock.sleep(1.1)
    track = watch.end()
    verdict = judge(_on_areas(row.data["ends"], robot), track, row.name)
    result.judged = verdict.holds
    result.right = verdict.holds and result.outcome in ACHIEVED
    told = "" if result.outcome in ACHIEVED else f"{result.outcome}: {message}; "
    result.why = "" if result.right else told + "; ".join(verdict.reasons)
    if meddler is not None:
        result.figures["deeds"] = meddler.deeds
    deepest = track.deepest()
    result.figures["deepest"] = (deepest.metres, *deepest.pair) if deepest else (0.0,)
    if commands is not None:
        _judge_motion(row, robot, commands, track, result)
    if row.part == "pours":
        pour = find_pour(track, row.data["source"], row.data["target"])
        result.figures["pour"] = (pour.over, pour.tipped, pour.wrong, pour.lip)
    if row.part == "wipes":
        _judge_wipe(row, session, track, result)


def _tick(row: Row, session: Session, robot: PyBulletRobot) -> tuple[list[Tick], str, str, float]:
    """Do what is said to the end; return the ticks, the outcome, what was told, and the simulated seconds."""
    start, pace = robot.clock.now(), [Tick(time.thread_time(), time.perf_counter())]
    goal = row.data.get("goal")
    run = session.start(goal=goal) if goal is not None else session.start(str(row.data["sentence"]))
    run.wait()

    def note() -> None:
        pace.append(Tick(time.thread_time(), time.perf_counter()))
        if robot.clock.now() - start > LONGEST:
            run.cancel()

    episode = run.finish(note)  # without anybody who answers
    return pace, str(episode.outcome), episode.message, robot.clock.now() - start


def _judge_pace(pace: Sequence[Tick], result: Result) -> None:
    """Judge how long ticks take: processor time, and from the beginning of one to that of the next."""
    ticks = [Tick(*(after - before for before, after in zip(*pair, strict=True))) for pair in pairwise(pace[1:])]
    result.figures = {
        "processor": max((tick.processor for tick in ticks), default=0.0),
        "gap": max((tick.wall for tick in ticks), default=0.0),
        "ticks": len(ticks),
        "slow": sum(tick.processor > MOST_SPENT for tick in ticks),
    }
    result.judged = result.outcome in ACHIEVED
    result.right = result.figures["processor"] <= MOST_SPENT and result.figures["gap"] <= MOST_GAP
    result.why = "" if result.right else str(result.figures)


def _looks(robot: PyBulletRobot, watch: Watch) -> Iterator[None]:
    """Look at each control tick."""
    last = -1.0
    while True:
        now = robot.clock.now()
        if now > last + TICK / 2:
            watch.look(now)
            last = now
        yield


def _on_areas(node: Any, robot: PyBulletRobot) -> Any:  # noqa: ANN401 - data
    """Return a condition in which what is on an area of a table is on the table and within the area."""
    if isinstance(node, list):
        return [_on_areas(each, robot) for each in node]
    if isinstance(node, Mapping):
        return {key: _on_areas(each, robot) for key, each in node.items()}
    world = robot.rig.world
    if not isinstance(node, str) or not node.startswith("on("):
        return node
    thing, _, place = node.removeprefix("on(").rstrip(")").partition(", ")
    if place in world.bodies or place not in world.offered:
        return node
    box = world.offered[place].box
    edges = [round(value, 4) for value in (*box.low[:2], *box.high[:2])]
    table = next(name for name in world.offered if name in world.bodies and world.offered[name].box.above(box.centre))
    return {"and": [f"on({thing}, {table})", f"within({thing}, [{edges}])"]}


def _judge_motion(row: Row, robot: PyBulletRobot, commands: CommandWatch, track: Track, result: Result) -> None:
    """Judge speeds, accelerations and jerks by the limits of the body, and the base's speed by what was said."""
    limits = limits_of(robot)
    said = row.data.get("speed")
    if said is not None and row.data.get("until") == "end" and commands.base:
        for joint in commands.base:
            limits[joint] = (min(said, limits[joint][0]), *limits[joint][1:])
    commanded = [each for each in commands.worst(limits) if each.kind != "measured speed"]
    measured = [each for each in commands.worst(_limits_of_drives(robot, limits)) if each.kind == "measured speed"]
    worst = sorted((*commanded, *measured), key=lambda each: -each.ratio)
    result.figures["worst"] = [str(each) for each in worst[:6]]
    result.figures["ratios"] = {
        kind: max(each.ratio for each in worst if each.kind == kind) for kind in {each.kind for each in worst}
    }
    broken = [each for each in worst if not _is_kept(each)]
    deep = result.figures["deepest"]
    why = [str(each) for each in broken[:3]]
    if said is not None and row.data.get("until") == "then" and commands.base:
        fastest = result.figures["first_drive"] = _speed_of_first_drive(robot, commands.base, track)
        if fastest > SLACK * said:
            why.append(f"the base drove at {fastest:.3f} m/s, and {said} was said")
    if deep[0] > DEEPEST and "wipe" not in str(row.data["sentence"]):
        why.append(f"{deep[1]} was {1000 * deep[0]:.1f} mm inside {deep[2]}")
    result.figures["kept"] = not why
    result.right &= not why
    result.why = "; ".join(filter(None, (result.why, *why)))


def _speed_of_first_drive(robot: PyBulletRobot, base: tuple[str, str], track: Track) -> float:
    """Return the largest speed of the base, as its joints are seen, until it rests for the first time after moving."""
    client, body = robot.rig.world.client, robot.rig.chassis.body
    joints = range(pybullet.getNumJoints(body, physicsClientId=client))
    names = [pybullet.getJointInfo(body, joint, physicsClientId=client)[1].decode() for joint in joints]
    at = track.joints[robot.name][:, [names.index(joint) for joint in base]]
    speeds = np.linalg.norm(np.diff(at, axis=0), axis=1) / np.diff(track.times)
    begun = int(np.argmax(speeds > STILL))
    rests = np.flatnonzero(speeds[begun:] < STILL)
    return float(speeds[: begun + int(rests[0]) if len(rests) else len(speeds)].max(initial=0.0))


def _limits_of_drives(robot: PyBulletRobot, limits: Mapping[str, Limits]) -> dict[str, Limits]:
    """Return the limits with the speeds that the robot's model allows its joints; of the base, those that count."""
    client, body = robot.rig.world.client, robot.rig.chassis.body
    infos = [
        pybullet.getJointInfo(body, joint, physicsClientId=client)
        for joint in range(pybullet.getNumJoints(body, physicsClientId=client))
    ]
    allowed = {info[1].decode(): float(info[11]) for info in infos}
    return {
        joint: values if joint.startswith("base") else (max(allowed[joint], values[0]), *values[1:])
        for joint, values in limits.items()
    }


def _is_kept(worst: Worst) -> bool:
    return worst.ratio <= (SLACK if "speed" in worst.kind else 1.0 + 1e-6)


def _judge_wipe(row: Row, session: Session, track: Track, result: Result) -> None:
    """Compare the share that was told with the judge's."""
    surface = str(row.data["surface"])
    told = [
        value
        for atom, value in session.environment.watcher.scene.numbers.items()
        if atom.args == (surface,) and atom.predicate == "wiped"
    ]
    tools = {tool for tool, other in track.footprints if other == surface}
    shares = [_share(track, surface, tool) for tool in tools]
    result.figures["told"], result.figures["share"] = (told[0] / 100 if told else None), max(shares, default=0.0)
    if told and abs(told[0] / 100 - result.figures["share"]) > SHARE_APART:
        result.right = False
        result.why = (
            f"{result.why}; told {told[0]:.0f} %, the judge found {100 * result.figures['share']:.0f} %".lstrip("; ")
        )


def _share(track: Track, surface: str, tool: str) -> float:
    """Return the share of a surface that a tool touched, from what the judge says where all of it is asked."""
    reasons = check_wiped(track, surface, tool, 1.1)
    return float(reasons[0].split(" touched ")[1].split("%")[0]) / 100 if " touched " in reasons[0] else 0.0


def _judge_giving_up(row: Row, result: Result, record: Path) -> None:
    """Judge a wish that cannot be had: refused, or given up soon after the second refusal.

    What somebody undoes each time is refused by nothing: that is given up within a minute.
    """
    result.right = result.outcome not in ACHIEVED
    if result.outcome == "failed":
        events = read_record(record)
        refusals = [float(event["t"]) for event in events if event["e"] == "feedback" and "t" in event]
        ended = max((float(event["t"]) for event in events if "t" in event), default=0.0)
        is_undone = any(change.get("repeat") for change in (row.data, *row.list_of("change")))
        late, most = ended - (refusals[1] if len(refusals) > 1 else ended), GIVEN_UP
        if is_undone:
            late, most = result.simulated, UNDONE
        result.figures["given_up"] = late
        result.right = late <= most
        result.why = "" if result.right else f"it went on for {late:.0f} s, {most:.0f} s are allowed; {result.why}"
    elif result.right:
        result.why = ""
    elif result.judged:
        result.why = f"told as {result.outcome}; {result.why}"
