"""A plan as a statement of a program: written, read, checked, and carried out as a plan."""

import random
from dataclasses import replace

import pytest

from bt.programs import check_program, read_program, write_program
from bt.programs.plan_statement import achieve_of, actions_of, formula_of, plan_text
from semantics.logic.atoms import And, Atom, Literal, Not, Or
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, read_values
from semantics.logic.parsing import parse_formula
from semantics.logic.program import Program, ProgramLimits, RefusedProgram
from semantics.logic.state import Action, Operator, Plan
from tests.bt.programs.worlds import KITCHEN, SMALL, Stage

WIDE = ProgramLimits(source=10**7, lines=10**5, width=10**5)
NAMES = ("cup0", "hand-left", "in", "p__1", "a1-b2", "class", "on_", "apple0")
VALUES = ({}, {"speed": "20cm/s"}, {"where": "0.41,-0.12m"}, {"where": "0.2,-0.3,0.72..0.6,0.3,0.72m", "turn": "90deg"})


def goal_of(dice):
    def formula(depth):
        kind = dice.randrange(4 if depth else 1)
        if kind == 0:
            return Atom(dice.choice(["on", "in", "hand-empty"]), tuple(dice.sample(NAMES, dice.randrange(3))))
        if kind == 1:
            return Not(formula(depth - 1))
        return (And, Or)[kind - 2](tuple(formula(depth - 1) for _ in range(dice.choice((0, 2, 3)))))

    said = dice.choice(({}, {"speed": "20cm/s"}, {"move.speed": "0.2m/s", "pour.amount": "30ml"}))
    return Goal(formula(2), values=read_values(said))


def plan_of(dice):
    def step():
        words = " ".join(f":{name} {value}" for name, value in dice.choice(VALUES).items())
        names = " ".join(dice.choice(NAMES) for _ in range(dice.randrange(4)))
        action = Action.read(f"({dice.choice(['move', 'put-in', 'lift__up'])} {names} {words})")
        return Operator(action, frozenset(), frozenset(), frozenset())

    left_out = (Feedback(Code.NO_PLAN, "the goal", 'it\'s "shut"', "Open it.", ("fridge0", "door")),) * dice.randrange(
        3
    )
    steps = tuple(step() for _ in range(dice.randrange(6)))
    bound = dice.choice((None, 0, 7))
    return Plan(steps, frozenset(), dice.random() < 0.5, dice.choice(("", "a b")), 0.0, bound, left_out)


def test_a_thousand_plans_come_back_from_their_text():
    dice = random.Random(3)
    back = {name.replace("-", "_") + "_" * (name in ("in", "class")): name for name in NAMES}
    back |= {"hand_empty": "hand-empty", "put_in": "put-in", "in_": "in"}
    for _ in range(1000):
        goal, plan = goal_of(dice), plan_of(dice)
        statement = achieve_of(goal, plan)
        program = Program((), (statement,))
        text = write_program(program)
        again = read_program(text, WIDE)
        assert again == program, text
        assert write_program(again) == text
        (read,) = again.body
        symbol = lambda name: back.get(name, name)  # noqa: E731
        assert actions_of(read, symbol) == tuple(step.action for step in plan.steps)
        assert str(formula_of(read.goal, symbol)) == str(simplified(goal.formula))
        assert read_values(dict(text.split(" ") for text in read.values)) == goal.values
        assert (read.proved, read.planner, read.bound, read.left_out) == (
            plan.optimal,
            plan.planner,
            plan.bound,
            plan.dropped,
        )


def simplified(formula):
    """Return a formula without brackets around one part."""
    match formula:
        case Not(part):
            return Not(simplified(part))
        case And((part,)) | Or((part,)):
            return simplified(part)
        case And(parts) | Or(parts):
            return type(formula)(tuple(map(simplified, parts)))
    return formula


def test_a_goal_of_numbers_stays_pddl():
    goal = Goal(parse_formula("(and (wet sponge0) (>= (wiped table0) 50))", adl=True))
    text = plan_text(Plan((), frozenset({Literal(Atom("wet", ("sponge0",)))})))
    assert text == "achieve(wet(sponge0))\n"
    statement = achieve_of(goal, Plan((), frozenset()))
    assert formula_of(statement.goal, str) == goal.formula
    assert read_program(write_program(Program((), (statement,)))) == Program((), (statement,))


STEPS = ["move(robot0, floor0, fridge0)", "open(robot0, fridge0, fridge0)"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("by=[move(robot0, fridge0)]", "names all its things. Write move(a, start, end, speed=…)."),
        ("by=[mvoe(robot0, floor0, fridge0)]", "Did you mean move"),
        ("by=[move(robot0, floor0, fridge0, speed='9 km/s')]", "speed of move"),
        ("by=3", "3 is no list"),
        ("by=[3]", "3 is no step"),
        ("bye=[]", "achieve with bye: it does not take that"),
        ('values=["speed"]', "speed"),
        ('values=["speed 3furlongs"]', "'furlongs' is no unit"),
        ("proved=1", "1 is no bool"),
        ("bound=True", "True is no int"),
        ('left_out=[["no-plan"]]', "is no reason"),
        ('left_out=[["nonsense", "a", "b", "c"]]', "nonsense"),
    ],
)
def test_what_is_wrong_in_a_plan_is_told_at_its_place(said, why):
    checked = check_program(f"achieve(opened(fridge0), {said})", KITCHEN, SMALL.things)
    assert isinstance(checked, RefusedProgram)
    assert why in str(checked)
    assert checked.mistakes[0].place.column > 1 or "bye" in said


def given(*steps):
    return f"achieve(opened(fridge0), by=[{', '.join(steps)}])"


def test_the_steps_are_the_plan_and_nobody_plans():
    stage = Stage(given(*STEPS))
    assert stage.run().status == "success"
    assert stage.holds("(opened fridge0)")


def test_what_is_done_already_is_skipped():
    stage = Stage(f"move(end=fridge0)\nopen(fridge0)\n{given(*STEPS)}")
    assert stage.run().status == "success"


def test_steps_that_do_not_lead_to_the_goal_are_planned_for_again():
    def planner(goal, state):
        asked.append(goal)
        steps = [Action.read(f"({text})") for text in ("move robot0 floor0 fridge0", "open robot0 fridge0 fridge0")]
        grounded = tuple(KITCHEN.ground(step, SMALL.things) for step in steps)
        return Plan(grounded, goal.conjuncts[0])

    asked = []
    assert Stage(given(STEPS[0]), planner=planner).run().status == "success"
    assert len(asked) == 1
    end = Stage(given(STEPS[0])).run()
    assert end.status == "failure"
    assert "the steps that are given do not reach the goal from here" in end.reason.why


def test_a_step_of_words_is_the_same_step():
    checked, words = (
        check_program(given(*steps), KITCHEN, SMALL.things)
        for steps in (STEPS, ['"(move robot0 floor0 fridge0)"', '"(open robot0 fridge0 fridge0)"'])
    )
    assert checked.program == words.program
    assert replace(checked.program.body[0], by=()) != checked.program.body[0]
