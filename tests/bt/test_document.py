import json

import pytest
from py_trees.behaviours import Running
from py_trees.composites import Sequence
from py_trees.decorators import Inverter

from bt import Replan, pursue
from bt.document import document, plan_document
from domains.model import AgentModel, Capability, Domain, ObjectClass, Parameter, PredicateModel, Template
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Plan
from semantics.logic.vocabulary import Predicate
from tests.bt.plan_documents import plan_from_document
from tests.bt.programs.documents import DocumentError
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


def test_a_plan_comes_back_from_its_document_the_same():
    written = json.loads(json.dumps(plan_document(PLAN)))
    assert plan_from_document(written, DOMAIN, THINGS) == PLAN


def test_a_plan_with_nothing_to_do_comes_back_too():
    empty = Plan((), frozenset())
    assert plan_from_document(json.loads(json.dumps(plan_document(empty))), DOMAIN, THINGS) == empty


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"v": 2}, "version"),
        ({"steps": None}, "steps"),
        ({"steps": [["move", 3]]}, "step 0"),
        ({"steps": [[]]}, "step 0"),
        ({"steps": [["fly", "robot0"]]}, "fly"),
        ({"steps": [["move", "robot0", "a", "z"]]}, "'z'"),
        ({"steps": [["move", "robot0", "a", "a"]]}, "differ"),
        ({"goal": "(at robot0"}, "missing"),
        ({"goal": "(or (at robot0 a) (at robot0 b))"}, "one conjunction"),
        ({"goal": "(or)"}, "one conjunction"),
    ],
)
def test_a_document_that_does_not_fit_says_why(change, said):
    with pytest.raises(DocumentError, match=said.replace("(", r"\(")):
        plan_from_document(plan_document(PLAN) | change, DOMAIN, THINGS)


def test_a_tree_is_written_with_what_each_node_is_for():
    robot = ToyRobot(MILK.steps)
    root = pursue(MILK, [Replan(lambda request: MILK)], beliefs=ToyBeliefs(robot), robot=robot)
    written = json.loads(json.dumps(document(root)))
    assert written["type"] == "goal"
    assert written["goals"] == ["(and (inhand milk0 human0))"]
    resume = written["children"][0]["children"][0]
    assert resume["plan"]["steps"][1] == ["open", "robot0", "fridge0"]
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
