"""The suite of what is taught: its judge, its scenes, and an entry from the first sentence to the marks."""

from dataclasses import replace

import pytest

from benchmarks.teaching.data import KINDS, Correction, Due, load
from benchmarks.teaching.judge import Done, Step, wrong
from benchmarks.teaching.scenes import scene_for, scene_text
from benchmarks.teaching.suite import main
from benchmarks.teaching.table import Result, as_document, misses
from benchmarks.teaching.talk import Setting, lessons_of
from benchmarks.teaching.trials import BOTH, GAINED, KEPT, UNTAUGHT, save_as_is, try_entry, unrelated
from domains.reader import load_domain, load_scene
from graftwork.memory import Memory
from graftwork.testing import ScriptedModel
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.lesson import read_lesson
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Operator, State

SPEED = frozenset({"speed"})
CUP = {"ends": ["(on cup0 counter0)"]}


def facts(*texts):
    return frozenset(parse_formula(text) for text in texts)


def step(text, added=(), deleted=(), takes=SPEED):
    return Step(Operator(Action.read(text), frozenset(), facts(*added), facts(*deleted)), takes)


def done(*steps, begun=(), outcome="achieved", question=""):
    states = [State(facts(*begun))]
    for each in steps:
        states.append(each.operator.apply(states[-1]))
    return Done(outcome, question=question, steps=steps, states=tuple(states), end=states[-1])


def fetched(thing, start, end, said=""):
    """The steps that take a thing from one place to another."""
    hand = f"(inhand {thing} robot0)"
    return (
        step(f"(grasp robot0 {thing} {start} {start}{said})", [hand], [f"(on {thing} {start})"]),
        step(f"(move robot0 {start} {end}{said})"),
        step(f"(place robot0 {thing} {end})", [f"(on {thing} {end})"], [hand], frozenset()),
    )


def test_one_of_the_ends_has_to_hold():
    cup = done(*fetched("cup0", "table0", "counter0"), begun=["(on cup0 table0)"])
    assert not wrong(Due.read({"ends": ["(on cup0 shelf0)", "(and (on cup0 counter0) (not (on cup0 table0)))"]}), cup)
    assert wrong(Due.read({"ends": ["(on cup0 shelf0)"]}), cup) == "the end is another one"


def test_a_run_that_failed_is_wrong_whatever_holds():
    assert wrong(Due.read(CUP), done(begun=["(on cup0 counter0)"], outcome="failed")) == "it ended as failed"


@pytest.mark.parametrize(("outcome", "right"), [("question", True), ("refused", True), ("achieved", False)])
def test_without_ends_asking_is_right(outcome, right):
    assert (wrong(Due(), done(outcome=outcome)) == "") is right


def test_the_first_has_to_become_true_before_the_second():
    due = Due.read({**CUP, "order": [["(on plate0 counter0)", "(on cup0 counter0)"]]})
    cup, plate = fetched("cup0", "table0", "counter0"), fetched("plate0", "table0", "counter0")
    assert not wrong(due, done(*plate, *cup))
    assert "before" in wrong(due, done(*cup, *plate))
    assert "before" in wrong(due, done(*cup))
    assert not wrong(due, done(*cup, begun=["(on plate0 counter0)"]))


def test_what_must_never_be_so_is_found_on_the_way_and_is_not_counted_at_the_beginning():
    due = Due.read({**CUP, "never": ["(inhand mug0 robot0)", "(on cup0 table0)"]})
    cup = fetched("cup0", "table0", "counter0")
    assert not wrong(due, done(*cup, begun=["(on cup0 table0)"]))
    assert "mug0" in wrong(due, done(*fetched("mug0", "table0", "shelf0"), *cup))
    assert "cup0" in wrong(due, done(*cup, *fetched("cup0", "counter0", "table0"), *cup))


def test_a_value_is_that_of_taking_and_of_carrying():
    slow, fast = (
        Due.read({**CUP, "values": [{"of": "(on cup0 counter0)", "name": "speed", bound: amount}]})
        for bound, amount in (("most", "0.2 m/s"), ("least", "50 cm/s"))
    )
    usual, slowly = (done(*fetched("cup0", "table0", "counter0", said)) for said in ("", " :speed 20cm/s"))
    assert not wrong(slow, slowly)
    assert not wrong(fast, usual)
    assert "50cm/s" in wrong(slow, usual)
    assert "20cm/s" in wrong(fast, slowly)
    first, *others = fetched("cup0", "table0", "counter0", " :speed 20cm/s")
    assert "50cm/s" in wrong(slow, done(first, step("(move robot0 table0 counter0)"), *others[1:]))
    assert not wrong(slow, done(step("(move robot0 sink0 table0)"), first, *others))


def test_a_value_that_no_step_takes_is_the_usual_one():
    values = [{"of": "(contains thimble milk)", "name": "amount", "equals": "50 ml"}]
    due = Due.read({"ends": ["(contains thimble milk)"], "values": values})
    poured = step("(pour robot0 left_hand milk_bottle milk thimble)", ["(contains thimble milk)"], takes=frozenset())
    assert not wrong(due, done(poured))
    other = replace(due, values=(due.values[0]._replace(quantity="30 ml"),))
    assert wrong(other, done(poured))


def test_every_entry_of_half_a_is_read():
    for kind in KINDS:
        entries = load(kind)
        assert len({entry.id for entry in entries}) == len(entries)


def test_a_changed_scene_is_read_and_is_as_the_change_says(tmp_path):
    changes = [
        {"add": "mug2", "class": "mug", "colour": "red", "fact": "(on mug2 counter0)"},
        {"add": "lemonade1", "class": "lemonade", "fact": "(liquid_in lemonade1 cup0)"},
        {"move": "milk0", "fact": "(on milk0 table0)"},
        {"move": "can0", "fact": "(in can0 fridge0)"},
        {"remove": "glass1"},
    ]
    domain = load_domain("kitchen")
    scene = load_scene(domain, scene_for("kitchen", "full", changes, tmp_path / "scene"))
    assert facts("(on mug2 counter0)", "(on milk0 table0)", "(in can0 fridge0)") <= scene.facts
    assert facts("(liquid_in lemonade1 cup0)") <= scene.facts
    assert not any("glass1" in atom.args for atom in scene.facts)
    assert {atom.args[0] for atom in scene.beliefs} == {"can0", "cheese0", "cola0", "tomato0"}
    assert scene.things["mug2"].values("colour") == ("red",)
    apart = [piece.offset for piece in scene.layout.pieces if piece.where == "counter0"]
    assert len({*apart}) == len(apart)


def test_what_is_clear_and_where_it_lies_follows_from_a_change(tmp_path):
    changes = [{"move": "yellow_block", "fact": "(lies yellow_block top_left_corner)"}]
    scene = load_scene(load_domain("tabletop"), scene_for("tabletop", "four", changes, tmp_path / "scene"))
    assert facts("(lies yellow_block top_left_corner)", "(clear red_block)") <= scene.facts
    assert Atom("on", ("yellow_block", "red_block")) not in scene.facts
    right, front = next(piece.offset for piece in scene.layout.pieces if piece.name == "yellow_block")
    assert -0.30 < right < -0.16
    assert -0.30 < front < -0.16


@pytest.mark.parametrize(
    "change",
    [{"remove": "mug9"}, {"remove": "plate0"}, {"add": "x0", "class": "x", "fact": "(on x0 table0)"}],
    ids=lambda change: "-".join(change.values()),
)
def test_a_change_that_cannot_be_made_is_told(change):
    changes = [{"move": "apple0", "fact": "(on apple0 plate0)"}, change]
    with pytest.raises(UsageError):
        scene_text("kitchen", "full", changes)


LESSON = {"asked": ["(any ?x ?p)"], "sorts": ["?x milk or cheese"], "given": ["(in ?x fridge0)"]}
LESSON |= {"also": ["(closed fridge0)"]}


def test_an_entry_is_taught_and_its_lesson_applied(tmp_path):
    entries = load("corrections")
    entry = next(entry for entry in entries if entry.id == "corr-insertion-01")
    cheese = {"goal": "(on cheese0 counter0)"}
    model = ScriptedModel([{"goal": "(inhand milk0 human0)"}, {"reply": {"lesson": LESSON}}, cheese, cheese])
    marks = try_entry(entry, [entry], Setting(tmp_path, model))
    found = {mark.measure: mark.counts for mark in marks}
    assert found[KEPT]
    assert found[BOTH]
    assert found[GAINED]
    assert not found[UNTAUGHT]
    assert not list(misses([Result("corrections", entry, tuple(marks))]))
    assert as_document([Result("corrections", entry, tuple(marks))])["figures"]["corrections"][BOTH]["yes"] == 1


def test_a_lesson_is_saved_without_its_condition(tmp_path):
    memory = tmp_path / "memory.sqlite"
    assert save_as_is(memory, tmp_path / "other.sqlite", "kitchen") == memory
    Memory(memory).taught.learn(read_lesson(LESSON), "kitchen")
    (kept,) = lessons_of(save_as_is(memory, tmp_path / "other.sqlite", "kitchen"))
    assert kept.lesson == replace(read_lesson(LESSON), sorts=(), given=())


def test_the_other_sentence_has_nothing_to_do_with_a_correction():
    entries = load("corrections")
    chosen = {entry.id: unrelated(entry, entries) for entry in entries if isinstance(entry, Correction)}
    assert chosen["corr-insertion-01"].case.scene == "full"
    assert "bring" not in chosen["corr-place-07"].case.say.lower()


def test_an_entry_that_is_not_there_is_told():
    with pytest.raises(UsageError, match="corr-x"):
        main(["--only", "corr-x"])
