"""The judge of words: right goals, runs and answers are right, and wrong ones are caught, for every kind of entry."""

import pytest

from benchmarks.words.entries import Correction, Instruction, Program, Question, Refusal, load
from benchmarks.words.judge import Judged, Verdict, is_goal_due, judge
from benchmarks.words.logic import alternatives
from benchmarks.words.rows import Kind, Row
from benchmarks.words.worlds import place_of

RIGHT, DECLINED, ASKED, REFUSED, WRONG, NOT_DONE = Verdict


def instruction(**keys) -> Instruction:
    return Instruction(**({"id": "i", "sentence": "…", "scene": "small", "names": True} | keys))


def goal(*stages, **keys) -> Row:
    """A row of a goal: each stage a list of alternatives, each a list of literals; one alternative may stand alone."""
    goals = [[stage] if isinstance(stage[0], str) else stage for stage in stages]
    return Row("i", Kind.GOAL, "planned", goals, **keys)


def verdict(entry, row) -> Verdict:
    return judge(entry, row).verdict


COUNTER = instruction(ends=("(on cup0 counter0)",))
GONE = instruction(ends=("(not (on cup0 table0))",))
FRUIT = instruction(ends=("(forall (?x - fruit) (in ?x fridge0))",), reject=("(in cup0 fridge0)",))
DRINK = instruction(ends=("(inhand cola0 human0)", "(inhand milk0 human0)"), reject=("(inhand juice0 human0)",))
SHUT = instruction(ends=("(and (inhand milk0 human0) (closed fridge0))",))


@pytest.mark.parametrize(
    ("entry", "row", "expected", "by"),
    [
        (COUNTER, goal(["(on cup0 counter0)"]), RIGHT, "logic"),
        (COUNTER, goal(["(on cup0 counter0)", "(closed fridge0)"]), RIGHT, "logic"),
        (COUNTER, goal(["(on cup0 counter0)", "(in milk0 sink0)"]), RIGHT, "logic"),
        (COUNTER, goal(["(on cup0 shelf0)"]), WRONG, "logic"),
        (COUNTER, goal(["(on mug0 counter0)"]), WRONG, "logic"),
        (COUNTER, goal([["(on cup0 counter0)"], ["(on cup0 shelf0)"]]), WRONG, "logic"),
        (COUNTER, goal([["(on cup0 counter0)"], ["(on cup0 shelf0)", "(in cup0 sink0)"]]), RIGHT, "logic"),
        (COUNTER, goal(["(inhand cup0 robot0)"], ["(on cup0 counter0)"]), RIGHT, "logic"),
        (COUNTER, goal(["(on cup0 counter0)"], ["(on cup0 table0)"]), WRONG, "logic"),
        (GONE, goal(["(not (on cup0 table0))"]), RIGHT, "logic"),
        (GONE, goal(["(in cup0 sink0)"]), RIGHT, "logic"),
        (GONE, goal(["(inhand cup0 human0)"]), RIGHT, "logic"),
        (GONE, goal(["(on cup0 table0)"]), WRONG, "logic"),
        (FRUIT, goal(["(in apple0 fridge0)", "(in banana0 fridge0)"]), RIGHT, "logic"),
        (FRUIT, goal(["(in apple0 fridge0)"]), WRONG, "logic"),
        (FRUIT, goal(["(in apple0 fridge0)", "(in banana0 fridge0)", "(in cup0 fridge0)"]), WRONG, "logic"),
        (DRINK, goal(["(inhand cola0 human0)"]), RIGHT, "logic"),
        (DRINK, goal([["(inhand cola0 human0)"], ["(inhand milk0 human0)"]]), RIGHT, "logic"),
        (DRINK, goal([["(inhand cola0 human0)"], ["(inhand apple0 human0)"]]), WRONG, "logic"),
        (DRINK, goal([["(inhand cola0 human0)"], ["(inhand juice0 human0)"]]), WRONG, "logic"),
        (DRINK, goal(["(inhand cola0 human0)", "(inhand juice0 human0)"]), WRONG, "logic"),
        (SHUT, goal(["(inhand milk0 human0)", "(closed fridge0)"]), RIGHT, "logic"),
        (SHUT, goal(["(inhand milk0 human0)", "(opened fridge0)"]), WRONG, "logic"),
    ],
)
def test_a_goal_is_judged_by_what_it_says(entry, row, expected, by):
    judged = judge(entry, row)
    assert (judged.verdict, judged.by) == (expected, by), judged


def test_what_a_right_goal_asks_for_besides_is_told():
    assert judge(COUNTER, goal(["(on cup0 counter0)", "(in milk0 sink0)"])).why == "asks for more: (in milk0 sink0)"
    assert judge(COUNTER, goal(["(on cup0 counter0)", "(closed fridge0)"])).why == ""  # as it is


FETCH = (
    "(move robot0 floor0 fridge0)",
    "(open robot0 fridge0 fridge0)",
    "(take_out robot0 milk0 fridge0 fridge0)",
    "(move robot0 fridge0 human0)",
    "(handover robot0 human0 milk0)",
)
CLOSE = (
    "(move robot0 floor0 fridge0)",
    "(open robot0 fridge0 fridge0)",
    "(take_out robot0 milk0 fridge0 fridge0)",
    "(move robot0 fridge0 table0)",
    "(place robot0 milk0 table0)",
    "(move robot0 table0 fridge0)",
    "(close robot0 fridge0 fridge0)",
    "(move robot0 fridge0 table0)",
    "(grasp robot0 milk0 table0 table0)",
    "(move robot0 table0 human0)",
    "(handover robot0 human0 milk0)",
)


@pytest.mark.parametrize(
    ("steps", "expected"), [(FETCH, WRONG), (CLOSE, RIGHT), (("(open robot0 milk0 milk0)",), WRONG)]
)
def test_where_a_goal_asks_for_less_its_plan_is_done_on_the_model_and_that_is_told(steps, expected):
    judged = judge(SHUT, goal(["(inhand milk0 human0)"], steps=list(steps)))
    assert judged.verdict is expected
    assert expected is WRONG or (judged.by, judged.why) == ("simulation", "not asked for: (closed fridge0)")


def test_what_is_rejected_must_not_come_of_the_plan_either():
    entry = instruction(ends=("(inhand milk0 human0)",), reject=("(opened fridge0)",))
    assert verdict(entry, goal(["(inhand milk0 human0)"], steps=list(CLOSE))) is RIGHT
    judged = judge(entry, goal(["(inhand milk0 human0)"], steps=list(FETCH)))
    assert (judged.verdict, judged.by) == (WRONG, "simulation")


ORDER = instruction(order=(("(inhand cola0 human0)", "(inhand apple0 human0)"),))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (goal(["(inhand cola0 human0)"], ["(inhand apple0 human0)"]), RIGHT),
        (goal(["(inhand cola0 human0)"], ["(inhand cola0 human0)", "(inhand apple0 human0)"]), RIGHT),
        (goal(["(inhand apple0 human0)"], ["(inhand cola0 human0)"]), WRONG),
        (goal(["(inhand cola0 human0)", "(inhand apple0 human0)"]), WRONG),
        (goal(["(inhand cola0 human0)"]), WRONG),
    ],
)
def test_an_order_is_kept_by_goals_one_after_the_other(row, expected):
    assert verdict(ORDER, row) is expected


def run(
    *changes, kind=Kind.PROGRAM, outcome="achieved", told=(), start=("(on cup0 table0)", "(on apple0 table0)"), **keys
):
    """A row of a run: each change a pair of lists, of what came true and what did not stay."""
    return Row(
        "i",
        kind,
        outcome,
        start=list(start),
        trace=[list(map(list, each)) for each in changes],
        told=list(told),
        **keys,
    )


def placed(thing: str, at: str = "counter0", was: str = "table0"):
    return (f"(on {thing} {at})",), (f"(on {thing} {was})",)


@pytest.mark.parametrize(
    ("entry", "row", "expected"),
    [
        (COUNTER, run(placed("cup0")), RIGHT),
        (COUNTER, run(placed("cup0"), outcome="failed"), NOT_DONE),
        (COUNTER, run(placed("apple0")), WRONG),
        (COUNTER, run(placed("cup0"), placed("cup0", "table0", "counter0")), WRONG),
        (ORDER, run((("(inhand cola0 human0)",), ()), (("(inhand apple0 human0)",), ())), RIGHT),
        (ORDER, run((("(inhand apple0 human0)",), ()), (("(inhand cola0 human0)",), ())), WRONG),
        (FRUIT, run((("(in cup0 fridge0)",), ()), (("(in apple0 fridge0)", "(in banana0 fridge0)"), ())), WRONG),
    ],
)
def test_an_instruction_that_a_program_carried_out_is_judged_by_its_run(entry, row, expected):
    assert verdict(entry, row) is expected


@pytest.mark.parametrize(
    ("entry", "kind", "expected"),
    [
        (COUNTER, Kind.QUESTION, ASKED),
        (COUNTER, Kind.REFUSAL, REFUSED),
        (COUNTER, Kind.ANSWER, REFUSED),
        (COUNTER, Kind.ALREADY, WRONG),
        (instruction(ends=("(on cup0 counter0)",), asks=True), Kind.QUESTION, DECLINED),
        (instruction(ends=("(on cup0 counter0)",), asks=True), Kind.REFUSAL, REFUSED),
        (instruction(inexpressible="no word"), Kind.QUESTION, DECLINED),
        (instruction(inexpressible="no word"), Kind.REFUSAL, DECLINED),
        (instruction(inexpressible="no word"), Kind.GOAL, WRONG),
        (instruction(inexpressible="no word"), Kind.PROGRAM, WRONG),
    ],
)
def test_what_is_asked_or_refused_is_judged_by_whether_something_was_due(entry, kind, expected):
    assert verdict(entry, Row("i", kind, told=["why"])) is expected


def test_an_offer_is_right_if_a_yes_leads_to_a_right_goal():
    offer = Row("i", Kind.OFFER, goals=[[["(inhand cola0 human0)"]]], question="Would a cola do?")
    assert verdict(DRINK, offer) is RIGHT
    offer.goals = [[["(inhand apple0 human0)"]]]
    assert verdict(DRINK, offer) is ASKED
    assert verdict(instruction(ends=DRINK.ends, asks=True), offer) is DECLINED


def test_who_does_a_part_says_what_is_left_out():
    entry = instruction(part=("(and (on cup0 counter0) (on apple0 counter0))",))
    both = ["(on cup0 counter0)", "(on apple0 counter0)"]
    assert verdict(entry, goal(both, told=["There is no pear."])) is RIGHT
    assert verdict(entry, goal(both, told=["The plan stands; nothing was moved."])) is WRONG
    assert verdict(entry, goal(both[:1], told=["There is no pear."])) is WRONG


def test_a_thing_that_has_to_be_found_is_judged_by_where_it_truly_is():
    entry = instruction(scene="flat1", ends=("(inhand cheese0 human0)",), find="cheese")
    for outcome, expected in (("achieved", RIGHT), ("failed", NOT_DONE)):
        row = Row("i", Kind.GOAL, outcome, [[["(inhand cheese0 human0)"]]], looks_for="cheese0")
        assert verdict(entry, row) is expected
    assert verdict(entry, goal(["(inhand bread0 human0)"], looks_for="cheese0")) is WRONG


def refusal(*right, never=()):
    return Refusal(id="i", sentence="…", scene="small", right=right, never=never, why="…")


@pytest.mark.parametrize(
    ("entry", "row", "expected"),
    [
        (refusal("refuse"), Row("i", Kind.REFUSAL), DECLINED),
        (refusal("refuse"), Row("i", Kind.QUESTION), ASKED),
        (refusal("refuse", "ask"), Row("i", Kind.QUESTION), DECLINED),
        (refusal("answer", "refuse"), Row("i", Kind.ANSWER), DECLINED),
        (refusal("ask"), Row("i", Kind.ANSWER), WRONG),
        (refusal("refuse"), goal(["(on cup0 counter0)"]), WRONG),
        (refusal("refuse"), Row("i", Kind.PROGRAM), WRONG),
        (refusal("refuse"), Row("i", Kind.ALREADY), WRONG),
        (refusal("refuse", "substitute"), Row("i", Kind.OFFER, goals=[[["(inhand cup0 human0)"]]]), DECLINED),
        (refusal("refuse"), Row("i", Kind.OFFER, goals=[[["(inhand cup0 human0)"]]]), ASKED),
        (
            refusal("substitute", never=("(inhand cup0 human0)",)),
            Row("i", Kind.OFFER, goals=[[["(inhand cup0 human0)", "(closed fridge0)"]]]),
            WRONG,
        ),
        (
            refusal("substitute", never=("(and (on cup0 table0) (on mug0 table0))",)),
            Row("i", Kind.OFFER, goals=[[["(on mug0 table0)"]]]),
            DECLINED,
        ),
    ],
)
def test_what_must_not_be_done_is_refused_asked_or_answered_as_the_entry_says(entry, row, expected):
    assert verdict(entry, row) is expected


def program(**keys):
    given = {"id": "i", "sentence": "…", "scene": "small", "ends": ("(on cup0 counter0)",)}
    return Program(**(given | {"answers": {}, "says": (), "never": ()} | keys))


PASSES = ("(on cup0 counter0)", "(on cup0 table0)", "(on cup0 counter0)")
ROUND = (placed("cup0"), placed("cup0", "table0", "counter0"), placed("cup0"))


@pytest.mark.parametrize(
    ("entry", "row", "expected"),
    [
        (program(), run(placed("cup0")), RIGHT),
        (program(), run(placed("cup0"), kind=Kind.GOAL), RIGHT),
        (program(), run(placed("apple0")), WRONG),
        (program(), run(outcome="failed"), NOT_DONE),
        (program(), run(kind=Kind.REFUSAL, outcome="refused"), REFUSED),
        (program(), run(kind=Kind.QUESTION, outcome="question"), ASKED),
        (program(says=("apple|fruit",)), run(placed("cup0"), told=["Two Apples are left."]), RIGHT),
        (program(says=("apple|fruit",)), run(placed("cup0"), told=["The cup is there."]), WRONG),
        (program(says=("3|three",)), run(placed("cup0"), told=["There are 13."]), WRONG),
        (program(says=("3|three",)), run(placed("cup0"), told=["There are 3."]), RIGHT),
        (program(never=("(on apple0 counter0)",)), run(placed("cup0")), RIGHT),
        (
            program(never=("(on apple0 counter0)",)),
            run(placed("apple0"), placed("apple0", "table0", "counter0")),
            WRONG,
        ),
        (program(never=("(on apple0 table0)",)), run(placed("cup0")), RIGHT),
        (program(passes=PASSES), run(*ROUND), RIGHT),
        (program(passes=PASSES), run(placed("cup0")), WRONG),
        (program(ends=()), run(told=["Ten."]), RIGHT),
    ],
)
def test_a_program_is_judged_by_its_run_and_by_what_it_said(entry, row, expected):
    assert verdict(entry, row) is expected


def question(answer, untrue=(), scene="full", world="kitchen"):
    given = {"done": (), "asks": "where", "about": (), "answer": answer, "untrue": untrue}
    return Question(id="i", sentence="…", scene=scene, world=world, **given)


MILK = question({"facts": ("(in milk0 fridge0)",)}, ("(on milk0 table0)",))
MUGS = question({"things": ("mug0", "mug1")})
BLOCKS = question({"things": ("blue_block",)}, ("(in red_block green_bowl)",), "four", "tabletop")


@pytest.mark.parametrize(
    ("entry", "text", "expected"),
    [
        (MILK, "The milk is in the fridge.", RIGHT),
        (MILK, "milk0 is in fridge0, as I last saw it.", RIGHT),
        (MILK, "The cola and the milk are in the fridge, but the juice is not in the fridge.", RIGHT),
        (MILK, "The milk is on the table.", WRONG),
        (MILK, "The milk is not on the table. It is in the fridge.", REFUSED),
        (MILK, "The milk is in the fridge. The milk is not on the table.", RIGHT),
        (MILK, "I do not know where the milk is.", REFUSED),
        (question({"count": 2}), "There are two mugs.", RIGHT),
        (question({"count": 2}), "There are 2 of them.", RIGHT),
        (question({"count": 2}), "There are 12 of them.", WRONG),
        (question({"count": 2}), "Some.", REFUSED),
        (question({"yes": True}), "Yes, it is.", RIGHT),
        (question({"yes": True}), "No, it is shut.", WRONG),
        (question({"yes": False}), "No.", RIGHT),
        (question({"yes": False}), "It is not known.", REFUSED),
        (question({"yes": False}, ("(opened fridge0)",)), "No, and the fridge is open.", WRONG),
        (question({"facts": ("(inhand banana0 human0)",)}), "You have the banana.", RIGHT),
        (question({"facts": ("(inhand banana0 human0)",)}, ("(inhand banana0 robot0)",)), "I have the banana.", WRONG),
        (MUGS, "mug0 and mug1", RIGHT),
        (MUGS, "The mugs.", RIGHT),
        (MUGS, "mug0", REFUSED),
        (MUGS, "a mug", REFUSED),
        (MILK, "I took the milk from the table and put it in the fridge.", RIGHT),
        (MILK, "The milk was on the table, and it is in the fridge.", RIGHT),
        (question({"facts": ()}, ("(inhand apple0 robot0)",)), "I put the apple on the counter.", RIGHT),
        (question({"facts": ()}, ("(inhand apple0 robot0)",)), "I hold the apple.", WRONG),
        (question({"facts": ()}, ("(not (on lemon0 table0))",)), "The lemon is not on the table.", WRONG),
        (question({"facts": ()}, ("(not (on lemon0 table0))",)), "The lemon is on the table.", RIGHT),
        (BLOCKS, "The blue block.", RIGHT),
        (BLOCKS, "A block.", REFUSED),
        (BLOCKS, "The blue block; the red block is in the green bowl too.", WRONG),
        (question({"words": ("apple", "put|place")}), "I placed the apples there.", RIGHT),
        (question({"words": ("apple", "put|place")}), "I took the apple.", REFUSED),
    ],
)
def test_an_answer_tells_all_that_it_must_and_nothing_false(entry, text, expected):
    judged = judge(entry, Row("i", Kind.ANSWER, "answered", told=[text]))
    assert judged.verdict is expected, judged


def test_a_question_changes_nothing():
    answer = {"kind": Kind.PROGRAM, "told": ["The milk is in the fridge."]}
    assert verdict(MILK, run(**answer)) is RIGHT
    assert verdict(MILK, run(placed("cup0"), **answer)) is WRONG
    assert verdict(MILK, goal(["(in milk0 fridge0)"])) is WRONG
    assert verdict(MILK, Row("i", Kind.REFUSAL)) is REFUSED


def correction(*right, **keys):
    given = {"id": "i", "sentence": "…", "scene": "small", "goal": "(on apple0 counter0)", "steps_done": 1}
    defaults = {"ends": ("(on cup0 counter0)",), "never": ("(on apple0 counter0)",), "order": ()}
    return Correction(**(given | defaults | keys), right=right)


def said(*changes, outcome="achieved", **keys):
    return run(*changes, kind=Kind.UNDER_WAY, outcome=outcome, **keys)


BOTH = {"ends": ("(and (on cup0 counter0) (on apple0 counter0))",), "never": ()}
CUP_FIRST = correction("edit", **BOTH, order=(("(on cup0 counter0)", "(on apple0 counter0)"),))
SLOWER = correction("edit", ends=("(on cup0 counter0)",), never=(), values={"speed": "less"})
MOVE, SLOW = "(move robot0 floor0 table0)", "(move robot0 floor0 table0 :speed 20cm/s)"


@pytest.mark.parametrize(
    ("entry", "row", "expected"),
    [
        (correction("edit"), said(placed("cup0")), RIGHT),
        (correction("edit"), said(placed("cup0"), placed("apple0")), WRONG),
        (correction("edit"), said(placed("apple0"), placed("apple0", "table0", "counter0"), placed("cup0")), WRONG),
        (correction("edit"), said(), WRONG),
        (correction("edit"), said(outcome="", question="Which cup?"), ASKED),
        (correction("edit", "ask"), said(outcome="", question="Which cup?"), DECLINED),
        (correction("edit"), said(outcome="", held=True), ASKED),
        (correction("edit"), said(outcome="stopped"), NOT_DONE),
        (correction("stop", ends=()), said(outcome="stopped"), RIGHT),
        (correction("hold", ends=()), said(outcome="", held=True), RIGHT),
        (correction("hold", ends=()), said(outcome="stopped"), NOT_DONE),
        (correction("stop", ends=()), said(placed("apple0")), WRONG),
        (correction("stop", ends=(), never=()), said(placed("apple0")), WRONG),
        (correction("go on", never=()), said(placed("cup0")), RIGHT),
        (correction("edit"), said(used=False), REFUSED),
        (CUP_FIRST, said(placed("cup0"), placed("apple0"), used=False), REFUSED),
        (correction("refuse", ends=()), said(used=False), DECLINED),
        (correction("ask", "refuse", ends=()), said(placed("cup0")), WRONG),
        (CUP_FIRST, said(placed("cup0"), placed("apple0")), RIGHT),
        (CUP_FIRST, said(placed("apple0"), placed("cup0")), WRONG),
        (SLOWER, said(placed("cup0"), plans=[[MOVE], [SLOW]]), RIGHT),
        (SLOWER, said(placed("cup0"), plans=[[MOVE]]), WRONG),
        (SLOWER, said(placed("cup0"), plans=[[MOVE], [MOVE]]), WRONG),
        (SLOWER, said(placed("cup0"), plans=[[SLOW], [SLOW.replace("20", "40")]]), WRONG),
    ],
)
def test_a_correction_is_judged_by_what_came_of_it(entry, row, expected):
    judged = judge(entry, row)
    assert judged.verdict is expected, judged


def test_what_broke_off_is_not_done():
    assert verdict(COUNTER, Row("i", Kind.NOTHING, error="no model")) is NOT_DONE
    assert verdict(correction("edit"), Row("i", Kind.UNDER_WAY, error="no plan")) is NOT_DONE


@pytest.mark.parametrize(
    ("entry", "due"),
    [
        (COUNTER, True),
        (instruction(inexpressible="no word"), False),
        (refusal("refuse"), False),
        (program(), True),
        (MILK, True),
        (correction("edit", "ask"), True),
        (correction("ask", "refuse"), False),
    ],
)
def test_goals_where_one_is_due_are_counted_apart(entry, due):
    assert is_goal_due(entry) is due


def ways(text: str, place) -> list[list[str]]:
    return [sorted(map(str, way)) for way in alternatives(place.condition(text))]


@pytest.mark.parametrize("entry", load("household"), ids=lambda entry: entry.id)
def test_of_the_open_half_each_end_is_right_as_a_goal_and_what_is_rejected_is_wrong(entry):
    place = place_of(entry.world, entry.scene)
    for end in entry.ends + entry.part:
        assert judge(entry, goal(ways(end, place), told=["The rest is not there."])) == Judged(RIGHT, "logic"), end
    for end in entry.reject:
        assert verdict(entry, goal(ways(end, place))) is WRONG, end
    if entry.order:
        assert judge(entry, goal(*(ways(each, place) for each in entry.order[0]))) == Judged(RIGHT, "logic")
        assert verdict(entry, goal(*(ways(each, place) for each in reversed(entry.order[0])))) is WRONG
