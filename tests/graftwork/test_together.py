"""Sessions on a body with two hands: what does not depend on each other is done at once, also when things go wrong."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from benchmarks.faults.judging import StateJudge
from benchmarks.faults.models import CARRYING, ModelHands
from benchmarks.faults.runs import shared
from benchmarks.mishaps import Faulty, MishapKind
from bt import Entries
from domains.reader import load_domain, load_scene
from graftwork import Limits, Outcome, Session
from graftwork.errors import SettingsError
from graftwork.setup.model_body import symbolic_robot
from graftwork.testing import ScriptedModel
from robots.fake import InjectedFault
from semantics.body.protocols import MotionStatus
from semantics.logic.atoms import dnf
from semantics.logic.feedback import Code
from semantics.logic.parsing import parse_formula

SERVED = "(and (on soda_bottle serving_tray) (on apple_bottle serving_tray))"


class Noted:
    """A motion that notes when it was first seen to have ended."""

    def __init__(self, motion, clock, before):
        self.motion, self.clock, self.before = motion, clock, before
        self.began, self.ended = clock.now(), None

    def poll(self):
        progress = self.motion.poll()
        if progress.stage is not MotionStatus.RUNNING and self.ended is None:
            self.ended = self.clock.now()
        return progress

    def cancel(self):
        self.motion.cancel()
        self.poll()


class TwoHands:
    """The bar's robot in its model, and every motion that it began."""

    def __init__(self):
        domain = load_domain("barman")
        self.scene = load_scene(domain, "counter")
        self.robot = symbolic_robot(domain, self.scene)
        self.motions: list[Noted] = []
        self._start = self.robot.start
        self.robot.start = self.start

    def start(self, command):
        before = self.robot.state
        motion = Noted(self._start(command), self.robot.clock, before)
        if motion.poll().stage is MotionStatus.RUNNING:
            self.motions.append(motion)
        return motion

    def overlapping(self):
        for one, other in combinations(self.motions, 2):
            if one.began < other.ended - 1e-6 and other.began < one.ended - 1e-6:
                yield one.motion.operator, other.motion.operator

    def must_be_valid(self):
        """Judge what was recorded by the world's own states: who was where when, and what held at each beginning."""
        assert all(one.motion.operator.applicable(one.before) for one in self.motions)
        for one, other in self.overlapping():
            both = set(one.action.args) & set(other.action.args)
            touched = {name for name in both if {"hold", "carry"} & self.scene.things[name].affordances}
            assert not touched, f"{one} beside {other}"


def do(goal, *faults, body=None, journal=None, **given):
    body = body or TwoHands()
    for fault in faults:
        body.robot.add_fault(fault)
    journals = () if journal is None else (journal,)
    model = ScriptedModel([{"goal": goal}])
    given = {"robot": body.robot, "planner": shared(), "memory": None, "journals": journals, "unsaid": "allow", **given}
    with Session("barman", "counter", model=model, **given) as session:
        episode = session.handle("as scripted")
    body.must_be_valid()
    return body, episode


def with_mishaps(goal, seed, chances):
    """Do it with things going wrong in every other motion."""
    body = TwoHands()
    hands = ModelHands(body.robot, body.scene.things, CARRYING["barman"])
    faulty = Faulty(body.robot, hands, seed, chances)
    faulty.about |= frozenset({"soda_bottle", "apple_bottle"})
    _, episode = do(goal, body=body, robot=faulty, limits=Limits(run_seconds=7200.0), part="never")
    return body, faulty, episode


def test_two_hands_serve_two_bottles_in_half_the_time_and_at_no_higher_cost():
    (at_once, told), (in_turn, other) = do(SERVED), do(SERVED, together="never")
    assert told.outcome is other.outcome is Outcome.ACHIEVED
    assert told.cost == other.cost
    assert at_once.robot.clock.now() < 0.6 * in_turn.robot.clock.now()
    assert (len(list(at_once.overlapping())), len(list(in_turn.overlapping()))) == (2, 0)


def test_what_the_person_is_shown_is_what_is_done(tmp_path):
    body, episode = do(SERVED, record=tmp_path / "run")
    assert sorted(episode.plan) == sorted(str(one.motion.operator) for one in body.motions)
    told = Path(episode.report).read_text(encoding="utf-8")
    assert re.search(r"<td>step 1: robot0 takes [^<]*<br>step \d: robot0 takes ", told)


def test_an_unknown_way_to_do_things_together_is_told():
    with pytest.raises(SettingsError, match="auto"):
        Session("barman", "counter", memory=None, together="always")


def test_when_one_hand_slips_the_other_ends_and_only_what_is_left_is_done_again():
    journal = Entries()
    body, episode = do(
        SERVED, InjectedFault(Code.NOT_GRASPED, "get", {"o": "soda_bottle"}, fraction=0.5), journal=journal
    )
    assert episode.outcome is Outcome.ACHIEVED
    assert [(one["feedback"]["code"], one["solved_by"]) for one in episode.failures] == [("not-grasped", "again")]
    begun = [str(one.motion.operator) for one in body.motions]
    assert sum("get robot0" in one and "apple_bottle" in one for one in begun) == 1
    assert len(journal.of("plan")) == 1


@pytest.mark.parametrize("seed", range(1, 5))
def test_with_mishaps_the_goal_is_reached_and_no_hand_or_thing_is_in_two_motions(seed):
    chances = dict.fromkeys(MishapKind, 0.2)
    body, faulty, episode = with_mishaps(SERVED, seed, chances)
    assert faulty.happened
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    (goal,) = dnf(parse_formula(SERVED))
    assert StateJudge(body.robot).holds(goal)
