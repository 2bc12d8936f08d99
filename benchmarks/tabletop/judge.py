"""A judge who shares no code with the robot: an instance is judged on true poses, the gripper and the answer.

It gives two verdicts. `Verdict.published` is the check of the template as it was published, which looks at the final
places from above only. `Verdict.completed` asks in addition for the heights, for rest in the second before the end, for
an empty hand, for the tolerances of `docs/relations.md`, and that what the instruction does not speak of is left where
it was. ::

    judge(instance("S1", 0, templates), evidence)
    Verdict(published=True, completed=False, reasons=("red_block is 0.047 m above ...",))

Of the 41 further templates only words are published: where these give no number, both verdicts take that of the page
(points 2 cm, distances 1 cm) or of the fourteen (regions 6 cm, a little is at most a third of the workspace).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import dist

from benchmarks.tabletop.answers import ANSWERS, same_answer, true_answer
from benchmarks.tabletop.block_checks import BLOCK_CHECKS, left_alone
from benchmarks.tabletop.board import BLOCK, Spot, height_of, world_of
from benchmarks.tabletop.case import Case, Fault
from benchmarks.tabletop.evidence import Evidence, Sample
from benchmarks.tabletop.gripper_checks import CLOSED, GRIPPER_CHECKS
from benchmarks.tabletop.instance import Instance

__all__ = ["CHECKS", "Verdict", "judge"]

SECOND, LEAST_SAMPLES = 1.0, 10
"""How long before the end everything has to rest, and how many samples show it at least."""
STILL = 0.002
"""How far anything may move in that time, metres."""
BEGINNING = 0.02
"""How far things and the gripper may be from where the instance has them at the beginning, metres."""
GRIPPED, AROUND = 0.05, 0.025
"""Fingers that are at most so far apart, with their middle so near to that of a block, hold it; metres."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an instance succeeded.

    Attributes:
        published: By the check as published.
        completed: By the completed check, which includes the published one.
        reasons: Why not, a sentence each; the first ones are of the published check.
    """

    published: bool
    completed: bool
    reasons: tuple[str, ...] = ()


def judge(instance: Instance, evidence: Evidence) -> Verdict:
    """Return whether an instance succeeded, and why not.

    Raises:
        ValueError: If the evidence lacks a thing of the scene, has no sample of the end, or begins otherwise than the
            instance says (`Instance.spots`, `held`, `start`, `starts_closed`).
    """
    _whole(instance, evidence)
    _begun(instance, evidence.initial)
    case = Case(instance, evidence)
    faults = list(CHECKS[instance.template](case))
    published = [fault.text for fault in faults if fault.published]
    added = [fault.text for fault in faults if not fault.published]
    added += [*_unsettled(evidence), *_in_hand(case)]
    return Verdict(not published, not published and not added, (*published, *added))


def _whole(instance: Instance, evidence: Evidence) -> None:
    if not evidence.trace:
        raise ValueError("the trace is empty; its last sample is the final state")
    for sample in (evidence.initial, *evidence.trace):
        missing = [name for name in instance.spots if name not in sample.poses]
        if missing:
            raise ValueError(f"no pose of {', '.join(missing)} at {sample.time} s")


def _begun(instance: Instance, sample: Sample) -> None:
    """Refuse evidence of another beginning than that of the instance."""
    for name, spot in instance.spots.items():
        off = dist(sample.poses[name][:3], world_of(_at_rest(name, spot))[:3])
        if off > BEGINNING and name != instance.held:
            raise ValueError(f"{name} begins {off:.3f} m from where the scene has it")
    gripper = sample.gripper
    if instance.start and dist(gripper[:3], instance.start) > BEGINNING:
        raise ValueError(f"the gripper begins at {gripper[:3]}, and the instance has it at {instance.start}")
    if instance.starts_closed and gripper.opening > CLOSED:
        raise ValueError(f"the gripper begins {gripper.opening:.3f} m open, and the instance has it closed")
    if instance.held and dist(gripper[:3], sample.poses[instance.held][:3]) > 2 * AROUND:
        raise ValueError(f"{instance.held} begins outside the hand that has to hold it")


def _at_rest(name: str, spot: Spot) -> Spot:
    return spot._replace(up=height_of(name) / 2)


def _unsettled(evidence: Evidence) -> Iterator[str]:
    """Yield what moved in the last second."""
    last = evidence.trace[-1]
    seconds = last.time - evidence.trace[0].time
    if seconds < SECOND - 1e-6 or len(evidence.trace) < LEAST_SAMPLES:
        yield f"the trace shows {len(evidence.trace)} samples of {seconds:.2f} s; a second and {LEAST_SAMPLES} are due"
    watched = [sample for sample in evidence.trace if last.time - sample.time <= SECOND + 0.05]
    for name, pose in last.poses.items():
        way = max(dist(sample.poses[name][:3], pose[:3]) for sample in watched)
        if way > STILL:
            yield f"{name} moved by {way:.3f} m in the last second"
    way = max(dist(sample.gripper[:3], last.gripper[:3]) for sample in watched)
    if way > STILL:
        yield f"the gripper moved by {way:.3f} m in the last second"


def _in_hand(case: Case) -> Iterator[str]:
    """Yield what the hand holds at the end, where it has to be empty."""
    if case.instance.template == "L20":
        return
    if case.evidence.held is not None:
        yield f"{case.evidence.held} is still in the hand"
    gripper = case.gripper
    for block in case.instance.blocks:
        near = dist(gripper.point, case.final[block].point) <= AROUND
        if near and BLOCK / 2 <= gripper.opening <= GRIPPED and block != case.evidence.held:
            yield f"the fingers are around {block}, {gripper.opening:.3f} m apart"


def _answered(case: Case) -> Iterator[Fault]:
    """Yield a fault if the answer is not the true one of the initial state."""
    true = true_answer(case.instance, case.initial)
    if not same_answer(case.evidence.answer, true):
        shown = sorted(true) if isinstance(true, frozenset) else true
        yield Fault(True, f"the answer is {case.evidence.answer!r}, and {shown!r} is true")
    yield from left_alone(case)


CHECKS: Mapping[str, Callable[[Case], Iterator[Fault]]] = {
    **BLOCK_CHECKS,
    **GRIPPER_CHECKS,
    **dict.fromkeys(ANSWERS, _answered),
}
"""By template, what is wrong with an end."""
