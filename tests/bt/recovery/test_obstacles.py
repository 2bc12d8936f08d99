"""Physical failures as facts: believed until something is elsewhere, and cleared away by rules or by the planner."""

from dataclasses import replace

import pytest

from bt.recovery import Obstacle, RepairSearch, Replan, Request, domain_with
from bt.recovery.obstacles import obstacles_of
from bt.runner import Ending
from robots.fake import InjectedFault
from semantics.body.protocols import Beliefs
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code, Feedback
from tests.bt.recovery.bodies import Bar, Rungs

GOAL = "(contains tall_glass soda_water)"
STEPS = [
    "get robot0 left_hand soda_bottle rack",
    "unscrew robot0 left_hand right_hand soda_bottle",
    "pour robot0 left_hand soda_bottle soda_water tall_glass",
]
ON_RACK = Atom("on", ("apple_bottle", "rack"))


class InTheWay:
    """A body whose bottle cannot be got while another stands on the same shelf."""

    def __init__(self, robot, code=Code.OBSTRUCTED):
        self.robot, self.start, self.code = robot, robot.start, code
        self.refused = 0

    def __call__(self, command):
        if command.roles.get("o") == "soda_bottle" and ON_RACK in self.robot.state.atoms:
            self.refused += 1
            self.robot.add_fault(InjectedFault(self.code, "get", {"o": "soda_bottle"}, culprits=("apple_bottle",)))
        return self.start(command)


def obstructed(code=Code.OBSTRUCTED):
    bar = Bar("barman", "counter")
    bar.robot.start = InTheWay(bar.robot, code)
    return bar


def failed(bar, code, *culprits, step=STEPS[0]):
    told = Feedback(code, "get", "said the body", culprits=culprits)
    return next(iter(obstacles_of(told, bar.step(step), bar.state, bar.domain)), None)


def test_a_bottle_in_the_way_is_put_aside_by_a_rule_and_the_task_is_finished():
    bar = obstructed()
    assert bar.run(bar.plan(GOAL, STEPS)).status is Ending.SUCCESS
    assert bar.robot.start.refused == 1
    assert ON_RACK not in bar.robot.state.atoms
    assert bar.uses() == [("rule", "obstructed", True)]


def test_the_steps_of_a_rule_are_done_although_the_model_holds_the_failed_step_for_applicable():
    bar = obstructed(Code.REFUSED_BY_BODY)  # which is no fact for the planner, as an obstacle is
    rule = next(rule for rule in bar.domain.repairs if rule.name == "put-aside")
    mender = RepairSearch((replace(rule, code="refused-by-body"),))
    end = bar.run(bar.plan(GOAL, STEPS), Rungs(mender, again=None))
    assert end.status is Ending.SUCCESS, end.reason
    assert bar.robot.start.refused == 1
    assert bar.obstacles.standing == ()
    assert ON_RACK not in bar.robot.state.atoms
    assert bar.uses() == [("rule", "refused-by-body", True)]


def test_after_the_steps_of_a_rule_the_failed_step_needs_what_they_have_changed():
    bar = obstructed(Code.REFUSED_BY_BODY)
    rule = next(rule for rule in bar.domain.repairs if rule.name == "put-aside")
    failure = Feedback(Code.REFUSED_BY_BODY, "get", "said the body", culprits=("apple_bottle",))
    plan = bar.plan(GOAL, STEPS)
    mender = RepairSearch((replace(rule, code="refused-by-body"),))
    mended = mender.mend(plan.steps, bar.obstacles.world.problem(bar.state, plan.goal), failure)
    aside, again = mended.steps[:2], mended.steps[2]
    assert [step.action.name for step in aside] == ["get", "put"]
    assert again.action == plan.steps[0].action
    done = bar.state
    assert not again.applicable(done)
    for step in aside:
        done = step.apply(done)
    assert again.applicable(done)


def test_a_bottle_in_the_way_is_put_aside_by_the_planner_where_no_rule_says_how(planner):
    bar = obstructed()
    end = bar.run(bar.plan(GOAL, STEPS), Rungs(None, bar.replanner(GOAL, planner)))
    assert end.status is Ending.SUCCESS, end.reason
    assert bar.robot.start.refused == 1
    assert ON_RACK not in bar.robot.state.atoms
    assert bar.uses() == [("replan", "obstructed", True)]


def test_what_is_out_of_reach_for_one_hand_is_taken_with_the_other(planner):
    bar = Bar("barman", "counter")
    bar.robot.add_fault(InjectedFault(Code.OUT_OF_REACH, "get", {"h": "left_hand"}))
    end = bar.run(bar.plan(GOAL, STEPS), Rungs(None, bar.replanner(GOAL, planner)))
    assert end.status is Ending.SUCCESS, end.reason
    assert "(get robot0 right_hand soda_bottle rack)" in bar.plans()[-1]


def test_an_obstacle_names_what_cannot_be_done_and_until_when():
    bar = Bar("barman", "counter")
    found = failed(bar, Code.OBSTRUCTED, "apple_bottle")
    assert found == Obstacle(Code.OBSTRUCTED, "get", ((2, "soda_bottle"), (3, "rack")), ON_RACK)
    assert str(found.atom) == "(obstructed_get_on apple_bottle rack soda_bottle rack)"
    mine = failed(bar, Code.OUT_OF_REACH)
    assert dict(mine.pattern)[1] == "left_hand"
    assert mine.place == Atom("on", ("soda_bottle", "rack"))
    assert failed(bar, Code.STUCK) == mine
    assert failed(bar, Code.OBSTRUCTED, "cooler") == mine  # it can be neither moved nor shut
    assert failed(bar, Code.NOT_GRASPED) is None


@pytest.mark.parametrize("code", [Code.STUCK, Code.OBSTRUCTED, Code.NO_ROOM])
def test_where_a_drive_could_not_go_no_detour_leads_either(code):
    bar = Bar("kitchen", "small")
    told = Feedback(code, "drive", "", culprits=("counter0",))
    steps = [bar.step(f"move robot0 {start} fridge0") for start in ("floor0", "table0", "shelf0")]
    (met,) = {found for step in steps for found in bar.obstacles.note(told, step)}
    assert (dict(met.pattern).get(1), dict(met.pattern)[2], met.place) == (None, "fridge0", None)
    bar.robot.start(bar.step("move robot0 floor0 table0").command)
    bar.robot.clock.sleep(20.0)
    bar.obstacles.refresh()
    assert bar.obstacles.standing == (met,)


@pytest.mark.parametrize(
    ("told", "primitive"), [((Code.STUCK, Code.STUCK), "drive"), ((Code.OBSTRUCTED, Code.STUCK), "open")]
)
def test_what_was_refused_twice_is_not_tried_again(told, primitive, planner):
    bar, goal = Bar("kitchen", "small"), "(opened fridge0)"
    for code in (*told, *[Code.STUCK] * 9):
        bar.robot.add_fault(InjectedFault(code, primitive, fraction=0.0, culprits=("counter0",)))
    plan = bar.plan(goal, ["move robot0 floor0 fridge0", "open robot0 fridge0 fridge0"])
    end = bar.run(plan, Rungs(None, bar.replanner(goal, planner)))
    assert end.reason.code is Code.NO_PLAN
    assert [failure["feedback"]["code"] for failure in bar.journal.of("failure")] == [*told]


def test_an_open_door_of_something_else_is_an_obstacle_until_it_is_shut():
    bar = Bar("kitchen", "small")
    step = bar.step("take_out robot0 milk0 fridge0 fridge0")
    doors = bar.state.with_atoms([Atom("opened", (name,)) for name in ("fridge0", "cupboard0")])
    told = Feedback(Code.OBSTRUCTED, "take_out", "", culprits=("fridge0", "cupboard0"))
    (found,) = obstacles_of(told, step, doors, bar.domain)
    assert found.place == Atom("opened", ("cupboard0",))  # that of the fridge is opened for the step itself
    (inside,) = obstacles_of(replace(told, culprits=("fridge0",)), step, doors, bar.domain)
    assert inside.place == Atom("in", ("milk0", "fridge0"))
    model = domain_with(bar.domain, [found])
    blocked = doors.with_atoms([found.atom])
    close = model.capabilities["close"]
    assert any(effect.predicate == found.predicate and not effect.positive for effect in close.effect)
    assert found.stands(blocked)
    assert not found.stands(blocked.with_atoms(deleted=[found.place]))


def test_an_open_door_in_the_way_is_in_the_way_again_when_it_is_opened_again():
    bar = Bar("kitchen", "small", lambda robot: robot.set_door("fridge0", 1.0))
    told = Feedback(Code.OBSTRUCTED, "pick", "", culprits=("fridge0",))
    bar.robot.clock.sleep(0.1)
    bar.obstacles.refresh()
    (met,) = bar.obstacles.note(told, bar.step("grasp robot0 apple0 table0 table0"))
    assert met.place == Atom("opened", ("fridge0",))
    for opened in (0.0, 1.0):
        bar.robot.set_door("fridge0", opened)
        bar.robot.clock.sleep(0.1)
        bar.obstacles.refresh()
        assert (met.atom in bar.obstacles.state.atoms) is bool(opened)
    bar.obstacles.forget()
    assert met.atom not in bar.obstacles.state.atoms


def test_what_lies_in_an_open_drawer_in_the_way_is_not_what_has_to_go():
    bar = Bar("kitchen", "small")
    step = bar.step("take_out robot0 milk0 fridge0 fridge0")
    state = bar.state.with_atoms([Atom("opened", ("cupboard0",)), Atom("in", ("apple0", "cupboard0"))])
    told = Feedback(Code.OBSTRUCTED, "take_out", "", culprits=("apple0", "cupboard0"))
    assert obstacles_of(told, step, state, bar.domain)[0].place == Atom("opened", ("cupboard0",))


def test_obstacles_are_beliefs_that_end_with_the_place_of_a_thing_and_never_by_time():
    bar = Bar("barman", "counter")
    obstacles = bar.obstacles
    assert isinstance(obstacles, Beliefs)
    before = obstacles.revision
    (first,) = obstacles.note(Feedback(Code.OBSTRUCTED, "get", "", culprits=("apple_bottle",)), bar.step(STEPS[0]))
    assert first.atom in obstacles.state.atoms
    assert obstacles.revision > before
    bar.robot.clock.sleep(3600.0)
    obstacles.refresh()
    assert first.atom in obstacles.state.atoms
    bar.robot.change([Atom("on", ("apple_bottle", "counter"))], [ON_RACK])
    bar.robot.clock.sleep(0.1)
    assert obstacles.refresh()
    assert first.atom not in obstacles.state.atoms
    assert obstacles.standing == ()
    assert obstacles.sensed(Literal(ON_RACK)) is False


def test_what_may_slip_by_chance_is_a_fact_from_the_second_refusal_on():
    obstacles, told = (bar := Bar("barman", "counter")).obstacles, Feedback(Code.STUCK, "get", "")
    (met,) = obstacles.note(told, bar.step(STEPS[0]))
    assert met.atom not in obstacles.state.atoms
    obstacles.note(told, bar.step(STEPS[0]))
    assert met.atom in obstacles.state.atoms
    obstacles.forget()
    assert obstacles.standing == ()


def push(robot, name):
    spot = robot.world.spots[name]
    robot.world.spots[name] = spot._replace(x=spot.x + 0.05)


@pytest.mark.parametrize(
    ("change", "ends"),
    [
        (lambda robot: None, False),
        (lambda robot: push(robot, "milk0"), True),
        (lambda robot: push(robot, "cola0"), True),
        (lambda robot: robot.set_door("fridge0", 0.5), True),
        (lambda robot: robot.move_piece("apple0", "on", "counter0"), False),
    ],
)
def test_what_the_furniture_forbids_ends_when_thing_door_or_what_is_between_was_sensed_elsewhere(change, ends):
    bar = Bar("kitchen", "small", lambda robot: robot.set_door("fridge0", 1.0))
    told = Feedback(Code.OUT_OF_REACH, "pick", "", culprits=("fridge0", "cola0"))
    bar.robot.clock.sleep(0.1)
    bar.obstacles.refresh()
    (met,) = bar.obstacles.note(told, bar.step("take_out robot0 milk0 fridge0 fridge0"))
    assert met.place == Atom("in", ("milk0", "fridge0"))
    bar.robot.clock.sleep(3600.0)
    change(bar.robot)
    bar.robot.clock.sleep(0.1)
    bar.obstacles.refresh()
    assert (met not in bar.obstacles.standing) is ends


def planned(bar, replanner, state):
    replan = Replan(lambda request: replanner(request.state, request.feedback, request.learned.domain))
    learned, proven = bar.obstacles.model(), bar.obstacles.model(proven=True)
    told = Feedback(Code.OUT_OF_REACH, "get", "said the body", culprits=("soda_bottle",))
    return replan.propose(Request(told, state, world=bar.obstacles.world, learned=learned, proven=proven))


def refused(bar):
    for hand in ("left_hand", "right_hand"):
        bar.obstacles.note(Feedback(Code.OUT_OF_REACH, "get", ""), bar.step(f"get robot0 {hand} soda_bottle rack"))


def test_where_there_is_no_other_way_it_is_tried_once_more_and_then_no_more(planner):
    bar = Bar("barman", "counter")
    refused(bar)
    plan = planned(bar, bar.replanner(GOAL, planner), bar.state).plan
    assert [step.action.name for step in plan.steps] == ["get", "unscrew", "pour"]
    assert bar.asked == 2
    refused(bar)
    reason = planned(bar, bar.replanner(GOAL, planner), bar.state).reason
    assert (reason.code, reason.culprits) == (Code.NO_PLAN, ("soda_bottle",))
    assert reason.why.startswith("said the body; ")


@pytest.mark.parametrize(("world", "scene"), [("barman", "counter"), ("kitchen", "small"), ("tabletop", "four")])
def test_a_domain_with_obstacles_is_a_domain_and_leaves_the_other_alone(world, scene):
    bar = Bar(world, scene)
    assert domain_with(bar.domain, ()) is bar.domain
    name, capability = next((n, c) for n, c in bar.domain.capabilities.items() if len(c.parameters) > 2)
    place = next(atom for atom in sorted(bar.state.atoms) if len(atom.args) == 2)
    pattern = tuple(enumerate(["x"] * len(capability.parameters)))
    found = domain_with(bar.domain, [Obstacle(Code.OBSTRUCTED, name, pattern, place)])
    assert len(found.predicates) == len(bar.domain.predicates) + 1
    asked = found.capabilities[name].precondition
    assert len(asked) == len(capability.precondition) + 1
    assert asked[-1].args[:2] == place.args
    assert replace(found, predicates=bar.domain.predicates, capabilities=bar.domain.capabilities) == bar.domain


def test_what_is_forgotten_before_it_is_planned_is_not_planned_with():
    bar, asked = obstructed(), []
    bar.obstacles.note(Feedback(Code.OUT_OF_REACH, "get", "said the body"), bar.step(STEPS[0]))
    before = bar.state
    (met,) = bar.obstacles.standing
    assert met.atom in before.atoms
    bar.obstacles.forget()

    def replan(state, feedback, domain):
        asked.append((met.atom in state.atoms, met.predicate in domain.predicates))
        return bar.plan(GOAL, STEPS)

    planned(bar, replan, before)
    assert asked == [(False, False)]
