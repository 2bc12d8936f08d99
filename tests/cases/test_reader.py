from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from domains.errors import DomainFileError
from domains.reader import load_domain
from graftwork.cases import CaseWorld, read_cases
from graftwork.cases.case_file import KEYS
from graftwork.cases.model import Already, Partial, Planned, QuestionExpected, RefusalExpected, StepPattern, Substituted
from graftwork.cases.suites import domain_of
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Code
from tests.cases.worlds import make_world


def read(folder, text):
    file = make_world(folder, text)
    return read_cases(file, CaseWorld(load_domain(domain_of(file))), "first.yaml")


def problems(folder, text):
    with pytest.raises(DomainFileError) as caught:
        read(folder, text)
    return [str(problem) for problem in caught.value.problems]


def test_a_file_holds_one_case_or_a_list_of_them(tmp_path):
    one = "{name: a, goal: (on cup0 floor0), cost: 4}"
    (case,) = read(tmp_path, one)
    assert (case.name, case.scene, case.place, case.expected) == ("a", "room", ("first.yaml", 1), Planned(cost=4))
    first, second = read(tmp_path, f"- {one}\n- {{name: b, instruction: put cup0 on table0, already: true}}")
    assert first.goal == Atom("on", ("cup0", "floor0"))
    assert (second.instruction, second.expected, second.place.line) == ("put cup0 on table0", Already(), 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("optimal: true", Planned(optimal=True)),
        ("refused: unknown-name", RefusalExpected(Code.UNKNOWN_NAME)),
        ("refused: unknown-name\nculprits: [x, y]", RefusalExpected(Code.UNKNOWN_NAME, culprits=frozenset("xy"))),
        ("no-plan: whereabouts-unknown", RefusalExpected(Code.WHEREABOUTS_UNKNOWN, "planning")),
        ("question: true", QuestionExpected()),
        ("question: {options: [cup0]}", QuestionExpected(frozenset({"cup0"}))),
        ("substitute: cup", Substituted("cup")),
        ("part: {cost: 2}", Partial(cost=2)),
        (
            "part: {left-out: {(on cup0 floor0): contradiction}, weights: {(on cup0 floor0): 2.5}}",
            Partial(
                left_out={Literal(Atom("on", ("cup0", "floor0"))): Code.CONTRADICTION},
                weights={Literal(Atom("on", ("cup0", "floor0"))): 2.5},
            ),
        ),
    ],
)
def test_each_kind_of_expectation_is_read(tmp_path, text, expected):
    (case,) = read(tmp_path, f"name: a\ngoal: (on cup0 floor0)\n{text}")
    assert case.expected == expected


def test_steps_may_be_named_alone_or_with_any_arguments(tmp_path):
    text = (
        "{name: a, goal: (on cup0 floor0), plan: {contains: [grasp, (grasp robot0 * table0)], not: (place * * table0)}}"
    )
    shape = read(tmp_path, text)[0].expected.shape
    assert shape.contains == (StepPattern("grasp"), StepPattern("grasp", ("robot0", "*", "table0")))
    assert shape.without == (StepPattern("place", ("*", "*", "table0")),)


def test_facts_are_added_and_removed(tmp_path):
    text = (
        "{name: a, goal: (on cup0 floor0), already: true, facts: {add: (on cup0 floor0), remove: [(on cup0 table0)]}}"
    )
    (case,) = read(tmp_path, text)
    assert case.added == {Atom("on", ("cup0", "floor0"))}
    assert case.removed == {Atom("on", ("cup0", "table0"))}


def test_a_scene_may_be_a_path_from_the_file(tmp_path):
    (case,) = read(tmp_path, "{name: a, scene: ../scenes/room.yaml, goal: (on cup0 floor0), cost: 4}")
    assert case.scene == str(tmp_path / "scenes" / "room.yaml")


def test_every_mistake_is_told_at_once_with_its_place(tmp_path):
    text = """\
- name: a
  scene: rom
  goal: (on cup0
  cots: 4
- name: a
  goal: (on cup0 floor0)
  instruction: put it down
  refused: unknown-nam
  cost: 4
- goal: (on cup0 floor0)
  plan:
    - (gasp robot0 cup0 table0)
    - (grasp robot0 cup0)
    - (grasp robot0 cup9 table0)
    - (grasp (robot0))
  facts:
    add: [(hand_occupied robot0), (on cup0 cup1), (not (on cup0 table0))]
"""
    assert problems(tmp_path, text) == [
        "first.yaml:1:3: nothing is expected of the case; expected one of cost, plan, optimal, refused, no-plan, "
        "question, already, substitute, part",
        "first.yaml:2:10: unknown scene 'rom'; expected room; did you mean room?",
        "first.yaml:3:17: the goal cannot be read: the formula ends too early: a ')' is missing",
        "first.yaml:4:3: unknown key 'cots' in a case; did you mean cost or facts?",
        "first.yaml:5:9: a case named 'a' stands in line 1 already; expected another",
        "first.yaml:7:16: the case has a goal and an instruction; expected one of the two",
        "first.yaml:8:12: unknown code 'unknown-nam'; did you mean unknown-name or unknown-predicate?",
        "first.yaml:9:9: the case expects 'refused' and 'cost' at once; expected one of them",
        "first.yaml:10:3: a case has no 'name'; expected at least name",
        "first.yaml:12:7: unknown capability 'gasp'; expected one of grasp, move, place; did you mean grasp?",
        "first.yaml:13:7: (grasp robot0 cup0) has 2 arguments; expected (grasp ?a ?o ?from)",
        "first.yaml:14:7: unknown thing 'cup9'; expected one of cup0, cup1, floor0, robot0, table0; did you mean "
        "cup1 or cup0?",
        "first.yaml:15:7: an item of the plan is no step; expected one such as (open robot0 fridge0 *), or its name "
        "alone",
        "first.yaml:17:11: (hand_occupied robot0) follows from other facts; expected one that does not, and this one "
        "is computed",
        "first.yaml:17:36: cup1 in (on cup0 cup1) does not afford support; expected that of argument 2",
        "first.yaml:17:51: an item of 'add' is (not (on cup0 table0)); expected a fact such as (opened fridge0)",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "there are no cases; expected one, or a list of them"),
        ("{name: a, cost: 1}", "nothing is asked for; expected 'goal' (PDDL) or 'instruction' (words)"),
        ("{name: a, goal: (on cup0 floor0), already: false}", "'already' is false; expected true"),
        ("{name: a, goal: (on cup0 floor0), cost: -1}", "the cost is -1; expected a number from 0 to"),
        ("{name: a, goal: (on cup0 floor0), plan: {}}", "the plan says nothing; expected one of contains"),
        ("{name: a, goal: (on cup0 floor0), part: {hard: [(on cup0 floor0)]}}", "the part says nothing"),
        (
            "{name: a, goal: (on cup0 floor0), part: {reached: [(on cup1 floor0)]}}",
            "unknown part of the goal '(on cup1 floor0)'; expected (on cup0 floor0); did you mean (on cup0 floor0)?",
        ),
        ("{name: a, goal: (on cup0 floor0), cost: 1, culprits: [x]}", "culprits belong to 'refused' or 'no-plan'"),
        ("{name: a, goal: (on cup0 floor0), cost: 1, answers: [x]}", "expected an 'instruction'"),
        ("{name: a, instruction: x, cost: 1, answers: [{goal: x, refusal: y}]}", "an answer says 2 things"),
        ("{name: a, instruction: x, cost: 1, answers: [[x]]}", "an answer is a list"),
        ("{name: a, goal: [x], cost: 1}", "the goal is no text"),
        ("{name: a, goal: (on cup0 floor0), substitute: glass}", "unknown class 'glass'"),
        ("{name: a, goal: (on cup0 floor0), facts: {add: [(or)]}, cost: 1}", "an item of 'add' is (or)"),
        ("name: &a x", "an anchor '&a'"),
    ],
)
def test_other_mistakes_are_told(tmp_path, text, told):
    assert any(told in problem for problem in problems(tmp_path, text)), problems(tmp_path, text)


def test_a_scene_that_cannot_be_used_is_told_where_it_is_named(tmp_path):
    make_world(tmp_path, "")
    (tmp_path / "scenes" / "bad.yaml").write_text("domain: cupboard\nthings: {cup0: {class: cop}}", encoding="utf-8")
    told = problems(tmp_path, "{name: a, scene: bad, goal: (on cup0 floor0), cost: 4}")
    assert len(told) == 1
    assert told[0].startswith("first.yaml:1:18: the scene cannot be used: ")


VALUES = st.recursive(
    st.sampled_from(
        ["true", "4", "-1", "(on cup0 floor0)", "(on", "cup0", "''", "grasp", "(grasp * * *)", "room", "x: y"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(
            st.sampled_from(["contains", "not", "length", "goal", "reached", "left-out", "weights", "add", "options"]),
            inner,
            max_size=2,
        ).map(lambda table: "{" + ", ".join(f"{key}: {value}" for key, value in table.items()) + "}")
    ),
    max_leaves=6,
)
FIELDS = st.dictionaries(
    st.sampled_from([*KEYS, "name", "cots"]),
    VALUES,
)


@pytest.fixture(scope="module")
def broken_world(tmp_path_factory):
    file = make_world(tmp_path_factory.mktemp("broken"), "")
    return file, CaseWorld(load_domain(domain_of(file)))


@settings(max_examples=200, deadline=None)
@given(fields=FIELDS)
def test_whatever_is_written_is_read_or_told(broken_world, fields):
    file, world = broken_world
    file.write_text("\n".join(f"{key}: {value}" for key, value in fields.items()), encoding="utf-8")
    with suppress(DomainFileError):
        assert read_cases(file, world)
