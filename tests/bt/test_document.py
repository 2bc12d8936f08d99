import json

from py_trees.behaviours import Running
from py_trees.composites import Sequence
from py_trees.decorators import Inverter

from bt import Replan, pursue
from bt.document import document
from bt.programs import read_program, write_program
from bt.programs.plan_statement import actions_of, formula_of, plan_text
from domains.model import AgentModel, Capability, Domain, ObjectClass, Parameter, PredicateModel, Template
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.state import Action, Plan
from semantics.logic.vocabulary import Predicate
from tests.bt.toy import MILK, ToyBeliefs, ToyRobot

DOMAIN = Domain(
    name="toy",
    affordances={"actor": "", "location": ""},
    classes={
        "robot": ObjectClass("robot", frozenset({"actor"})),
        "place": ObjectClass("place", frozenset({"location"})),
    },
    kinds={},
    predicates={"at": PredicateModel(Predicate("at", ("actor", "location"), "{0} is at {1}"))},
    capabilities={
        "move": Capability(
            "move",
            (Parameter("a", ("actor",)), Parameter("start", ("location",)), Parameter("end", ("location",))),
            (Template("at", ("?a", "?start")),),
            (Template("at", ("?a", "?end")), Template("at", ("?a", "?start"), False)),
            (("start", "end"),),
            "drive",
            {"to": "end"},
        )
    },
    agents={"robot": AgentModel("robot", frozenset({"move"}))},
)
THINGS = {name: DOMAIN.thing(name, kind) for name, kind in (("robot0", "robot"), ("a", "place"), ("b", "place"))}
GOAL = frozenset({Literal(Atom("at", ("robot0", "b"))), Literal(Atom("at", ("robot0", "a")), False)})
PLAN = Plan((DOMAIN.ground(Action("move", ("robot0", "a", "b")), THINGS),), GOAL, True, "toy")


def test_the_plan_of_a_tree_is_the_text_of_a_program():
    text = plan_text(PLAN)
    program = read_program(text)
    (statement,) = program.body
    assert actions_of(statement, str) == tuple(step.action for step in PLAN.steps)
    assert formula_of(statement.goal, str) == And(tuple(literal.formula for literal in sorted(GOAL)))
    assert (statement.proved, statement.planner) == (True, "toy")
    assert write_program(program) == text


def test_a_tree_is_written_with_what_each_node_is_for():
    robot = ToyRobot(MILK.steps)
    root = pursue(MILK, [Replan(lambda request: MILK)], beliefs=ToyBeliefs(robot), robot=robot)
    written = json.loads(json.dumps(document(root)))
    assert written["type"] == "goal"
    assert written["goals"] == ["(and (inhand milk0 human0))"]
    resume = written["children"][0]["children"][0]
    assert resume["plan"] == plan_text(MILK)
    step = resume["children"][1]
    assert (step["type"], step["action"]) == ("step", "(open robot0 fridge0)")
    assert step["command"] == {"primitive": "open", "roles": {"arg0": "fridge0"}}
    assert step["after"] == ["(not (closed fridge0))", "(opened fridge0)"] or step["after"] == [
        "(opened fridge0)",
        "(not (closed fridge0))",
    ]
    assert [child["type"] for child in step["children"]] == ["condition", "act", "effect"]


def test_foreign_and_deep_trees_are_written_too():
    root = Sequence("all", memory=True, children=[Running("wait")])
    for _ in range(1200):
        root = Inverter("not", root)
    depth, written = 0, document(root)
    while written["children"]:
        depth, written = depth + 1, written["children"][0]
    assert (depth, written["type"], written["name"]) == (1201, "running", "wait")
