"""How a session plans: by a service, through one door, under way, again after a failure, and never for nobody."""

import json
import subprocess
import sys
import threading
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from bt import Entries
from graftwork import Limits, Outcome, Session
from graftwork.cli.app import app
from graftwork.setup.bodies import service_of
from planning import FastDownward
from planning.service import InProcess, OwnProcess
from semantics.body.protocols import FoundPlan, MotionProgress, MotionStatus, NoPlan
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan


def test_a_planner_that_is_named_plans_in_processes_of_its_own_and_an_object_where_it_is():
    named, given = service_of("fast-downward"), service_of(FastDownward())
    assert isinstance(named, OwnProcess)
    assert isinstance(given, InProcess)
    assert service_of(given) is given
    named.close()
    given.close()
    with pytest.raises(UsageError, match="is no planner"):
        service_of(3)


class Changed(InProcess):
    """A service whose plans are changed behind its back."""

    def __init__(self, change):
        super().__init__(FastDownward())
        self.change = change

    def solve(self, *world, **options):
        return self.change(super().solve(*world, **options))


LIFE = """
import os
from graftwork import Session
from semantics.process import rule_processes
from semantics.process.child import children
with Session(scene="small", robot="fake", memory=None) as session:
    assert rule_processes._shared()._pool._keeper is not None, "Prolog starts with the session"
    assert session.handle("open the fridge").outcome == "achieved"
    child = os.fork()
    if not child:
        with Session(scene="small", robot="fake", memory=None) as other:
            os._exit(0 if other.handle("open the fridge").outcome == "achieved" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(children(os.getpid())) > 1
assert children(os.getpid()) == []
"""


def test_the_processes_of_a_session_end_with_it_and_a_fork_has_its_own():
    ended = subprocess.run([sys.executable, "-c", LIFE], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_plan_that_breaks_is_refused_with_its_first_step_and_fact_and_never_becomes_a_tree():
    service = Changed(lambda plan: Plan(plan.steps[1:], plan.goal, plan.optimal, plan.planner))
    with Session(scene="small", robot="fake", planner=service, memory=None) as session:
        run = session.start("open the fridge")
        run.wait()
        assert run.runner is None
    assert (run.episode.outcome, run.episode.ticks) == (Outcome.REFUSED, 0)
    (feedback,) = run.episode.feedback
    assert feedback.code is Code.INVALID_PLAN
    assert feedback.what == "step 1, (open robot0 fridge0 fridge0)"
    assert "(at robot0 fridge0)" in feedback.why


class Waits:
    """A planner that answers when it is called off."""

    name = "waits"

    def __init__(self):
        self.asked, self.off = threading.Event(), threading.Event()

    def solve(self, domain, problem, *, seconds):
        self.asked.set()
        self.off.wait(seconds)
        return NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))

    def cancel(self):
        self.off.set()

    def close(self):
        self.off.set()


def test_calling_it_off_while_it_plans_stops_it():
    planner, episodes = Waits(), []
    with Session(scene="small", robot="fake", planner=planner, memory=None) as session:
        thread = threading.Thread(target=lambda: episodes.append(session.handle("open the fridge")))
        thread.start()
        assert planner.asked.wait(30)
        session.cancel()
        thread.join(30)
    (episode,) = episodes
    assert (episode.outcome, episode.exit_code) == (Outcome.STOPPED, 4)
    assert [record.code for record in episode.feedback] == [Code.CANCELLED]


class Interrupted(Waits):
    def solve(self, domain, problem, *, seconds):
        raise KeyboardInterrupt


def test_an_interrupt_while_it_plans_reaches_the_person():
    with Session(scene="small", robot="fake", planner=Interrupted(), memory=None) as session:
        run = session.start("open the fridge")
        with pytest.raises(KeyboardInterrupt):
            run.wait()
        assert session.start("put the fridge on the table").finish().outcome is Outcome.REFUSED


class Roundabout(InProcess):
    """A service whose first plan calls at a place on the way, and whose search then finds the cheapest."""

    def __init__(self):
        super().__init__(FastDownward())
        self.searches = 0

    def improve(self, problem, **options):
        self.searches += 1
        search = super().improve(problem, **options)
        return Detour(search, problem) if self.searches == 1 else search


class Detour:
    def __init__(self, search, problem):
        self.best, self.done, self.cancel = search.best, False, search.cancel
        self._search, self._problem = search, problem

    def decide(self, patience):
        found = self._search.wait()
        action = found.steps[0].action._replace
        stops = ("floor0", "sink0", "counter0", "trash0", "fridge0")
        there = [self._problem.ground(action(args=("robot0", *pair))) for pair in pairwise(stops)]
        return Plan((*there, *found.steps[1:]), found.goal, planner="roundabout")


def story(journal):
    hidden = {"date", "seconds"}
    return [{name: value for name, value in event.items() if name not in hidden} for event in journal.events]


def test_the_first_plan_sets_off_a_cheaper_one_takes_over_and_one_seed_gives_one_run():
    told = []
    for _ in range(2):
        journal = Entries()
        service, limits = Roundabout(), Limits(patience=0.0)
        with Session(
            scene="small", robot="fake", planner=service, memory=None, journals=(journal,), limits=limits
        ) as session:
            assert session.handle("bring me the milk").outcome is Outcome.ACHIEVED
        told.append(story(journal))
    first, cheaper = (event for event in told[0] if event["e"] == "plan")
    assert (first["why"], first["cost"], first["planner"]) == ("first", 8, "roundabout")
    assert (cheaper["why"], cheaper["cost"], cheaper["optimal"]) == ("cheaper", 5, True)
    assert told[0] == told[1]


class StuckOnce:
    def __init__(self):
        self.stuck = True

    def start(self, operator, robot):
        if not self.stuck:
            return robot.start(operator.command)
        self.stuck = False
        return self

    def poll(self):
        return MotionProgress(MotionStatus.FAILED, 0.0, Feedback(Code.STUCK, "the door", "it does not move"))

    def cancel(self):
        pass


def test_after_a_failure_the_rest_of_the_plan_is_kept_with_its_proof():
    journal = Entries()
    given = {"journals": (journal,), "limits": Limits(ladder={"again": None}), "skills": {"open": StuckOnce()}}
    with Session(scene="small", robot="fake", memory=None, **given) as session:
        episode = session.handle("bring me the milk")
    assert episode.outcome is Outcome.ACHIEVED
    again = journal.of("plan")[-1]
    assert (again["why"], again["how"], again["bound"], again["optimal"]) == ("replan", "tail", 4, True)


def test_a_replan_that_breaks_is_no_plan():
    class Wrong(InProcess):
        def replan(self, *world, **options):
            found = super().replan(*world, **options)
            if isinstance(found.answer, NoPlan):  # as long as the door is stuck
                return found
            steps = found.answer.steps[1:]
            return type(found)(Plan(steps, found.answer.goal), found.how, found.bound, found.why)

    service = Wrong(FastDownward())
    given = {"planner": service, "limits": Limits(ladder={"again": None}), "skills": {"open": StuckOnce()}}
    with Session(scene="small", robot="fake", memory=None, **given) as session:
        episode = session.handle("bring me the milk")
    assert episode.outcome is Outcome.FAILED
    assert Code.INVALID_PLAN in {one.code for one in episode.feedback}


class Unproven:
    name = "unproven"

    def __init__(self):
        self.planner = FastDownward()

    def solve(self, domain, problem, *, seconds):
        found = self.planner.solve(domain, problem, seconds=seconds)
        return FoundPlan(found.actions, optimal=False) if isinstance(found, FoundPlan) else found

    def close(self):
        self.planner.close()


def test_a_search_that_found_nothing_better_is_not_begun_again():
    asked = []

    class Counting(InProcess):
        def improve(self, *world, **options):
            asked.append(1)
            return super().improve(*world, **options)

    service = Counting(Unproven())
    limits = Limits(patience=0.0)
    with Session(scene="small", robot="fake", planner=service, memory=None, limits=limits) as session:
        assert session.handle("bring me the milk").outcome is Outcome.ACHIEVED
    assert len(asked) == 2  # once for the first plan, and once under way


def test_the_portfolio_says_whom_it_took_and_which_feature_excluded_whom():
    done = CliRunner().invoke(app, ["plan", "open the fridge", "--scene", "small", "--planner", "portfolio", "--json"])
    document = json.loads(done.stdout)
    assert document["planner"] == "portfolio"
    assert document["choice"]["planner"] == "fast-downward"
    assert all(other["why"] for other in document["choice"]["excluded"])
    done = CliRunner().invoke(app, ["plan", "open the fridge", "--scene", "small", "--json"])
    assert json.loads(done.stdout)["choice"] is None
