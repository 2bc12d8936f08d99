"""Things that are meant by what they are like, with the real kitchen and the real tabletop."""

from functools import cache

import pytest

from domains.reader import load_domain, load_scene
from graftwork.language.answers import with_answer
from graftwork.language.offline import interpret
from semantics.logic.atoms import Atom, dnf
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State


@cache
def scene(world, name):
    domain = load_domain(world)
    found = load_scene(domain, name)
    return domain.vocabulary(found.things, found.speaker), frozenset(found.facts)


def read(sentence, world="kitchen", name="full", also=()):
    vocabulary, facts = scene(world, name)
    return interpret(sentence, vocabulary, State(facts.union(Atom(*fact) for fact in also)))


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("bring me the blue cup", "(inhand cup0 human0)"),
        ("put a steel spoon in the sink", "(in spoon0 sink0)"),
        ("put the spoon made of steel on the table", "(on spoon0 table0)"),
        ("put the yellow fruits in the sink", "(and (in banana0 sink0) (in lemon0 sink0))"),
        ("put the red fruit and the brown bread on the counter", "(and (on apple0 counter0) (on bread0 counter0))"),
        ("bring me something purple", "(inhand chips0 human0)"),
        ("put all cans that are not open in the sink", "(and (in can0 sink0) (in can1 sink0))"),
        ("bring me the closed bottle", "(inhand water_bottle0 human0)"),
        ("bring me the bottle that is closed", "(inhand water_bottle0 human0)"),
        ("wash the white plate and put it on the table", "(and (clean plate0) (on plate0 table0))"),
        ("put the heaviest fruit in the sink", "(in orange0 sink0)"),
        ("throw away the second heaviest fruit", "(in apple0 trash0)"),
        ("put the two smallest fruits in the sink", "(and (in lemon0 sink0) (in apple0 sink0))"),
        ("bring me the biggest thing on the table", "(inhand plate0 human0)"),
        ("put the yellow fruit that is on the table in the sink", Question),
        ("bring me the smallest fruit on the counter", "(inhand orange0 human0)"),
        ("bring me the orange juice", "(inhand juice0 human0)"),
        ("bring me the orange", "(inhand orange0 human0)"),
        ("bring me the red mug", "(inhand mug1 human0)"),
        ("put the red and the green mug in the sink", "(and (in mug1 sink0) (in mug0 sink0))"),
        ("put the fruits which are not on the table on the shelf", "(on orange0 shelf0)"),
        ("put the fruits that aren't on the table on the shelf", "(on orange0 shelf0)"),
        ("bring me the glass that is not standing on the shelf", "(inhand glass0 human0)"),
        ("put the smaller drink that is in the fridge on the table", "(on cola0 table0)"),
        ("put the bigger can in the sink", Question),
    ],
)
def test_the_kitchen_is_spoken_of_by_what_things_are_like(sentence, goal):
    answer = read(sentence)
    if goal is Question:
        assert isinstance(answer, Question)
        return
    assert isinstance(answer, Goal), answer
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(goal)))


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("put everything green in the blue bowl", "(in green_block blue_bowl)"),
        ("put the green and the blue block in the red bowl", {"green", "blue"}),
        ("put the green, the yellow and the blue block in the red bowl", {"green", "yellow", "blue"}),
        ("put the green or the blue block in the red bowl", "(or (in green_block red_bowl) (in blue_block red_bowl))"),
        ("put the blocks that are not red in the red bowl", {"green", "blue", "yellow"}),
        ("put all the blocks that aren't red in the red bowl", {"green", "blue", "yellow"}),
    ],
)
def test_blocks_are_spoken_of_by_their_colours(sentence, goal):
    answer = read(sentence, "tabletop", "four")
    assert isinstance(answer, Goal), answer
    if isinstance(goal, set):
        goal = f"(and {' '.join(f'(in {colour}_block red_bowl)' for colour in sorted(goal))})"
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(goal)))


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("bring me the red cup", "there is no red cup here; cup0 is blue."),
        ("bring me a wooden spoon", "there is no wooden spoon here; spoon0 is steel."),
        ("bring me the red and white cup", "there is no red white cup here; cup0 is blue."),
        ("put the cups that are not blue in the sink", "there is no cup that is not blue here; cup0 is blue."),
        ("bring me the open bottle", "there is no open bottle here; water_bottle0 is not known to be open."),
        ("bring me the cup that is not on the table", "nothing that 'the cup' can mean is known not to be on table0."),
        ("bring me the bigger fruit", "compares two things, and 4 fit: apple0, banana0, lemon0, orange0."),
        ("bring me the red glass", "the colour of glass0 and glass1 is not known."),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(sentence, why):
    answer = read(sentence)
    assert isinstance(answer, Rejection), answer
    (feedback,) = answer.feedback
    assert feedback.code is Code.UNKNOWN_NAME
    assert feedback.why.endswith(why)


def test_a_state_is_judged_by_what_is_believed_now():
    clean = ("clean", ("plate0",))
    assert isinstance(read("put the clean plate on the counter"), Rejection)
    answer = read("put the clean plate on the counter", also=[clean])
    assert isinstance(answer, Goal)
    assert answer.formula == Atom("on", ("plate0", "counter0"))
    assert any("by what is believed to be clean" in note for note in answer.notes)


def test_equal_things_are_asked_about_and_the_answer_can_be_said():
    answer = read("put the smallest glass on the table")
    assert isinstance(answer, Question)
    assert answer.options == ("glass0", "glass1")
    assert "some are alike in size: glass0 (12cm), glass1 (12cm)" in answer.feedback.why
    several = read("put the two smallest glasses and the smallest can in the sink")
    assert isinstance(several, Question)
    assert several.options == ("can0", "can1")


def test_everything_that_is_not_there_is_what_can_be_carried():
    answer = read("take everything that is not on the table to the table")
    assert isinstance(answer, Goal)
    named = {atom.args[0] for conjunct in dnf(answer.formula) for atom, _ in conjunct}
    assert {"can0", "mug1", "milk0"} <= named
    assert not {"cup0", "fridge0", "human0", "water0"} & named


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("the red one", "(inhand mug1 human0)"),
        ("The green one!", "(inhand mug0 human0)"),
        ("no, the red one", "(inhand mug1 human0)"),
        ("any one", "(or (inhand mug0 human0) (inhand mug1 human0))"),
        ("the second one", "(inhand mug1 human0)"),
    ],
)
def test_an_answer_may_leave_the_noun_out(said, goal):
    question = read("bring me the mug")
    assert isinstance(question, Question)
    instruction = with_answer("bring me the mug", question, said)
    assert isinstance(instruction, str)
    answer = read(instruction)
    assert isinstance(answer, Goal), answer
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(goal)))


@pytest.mark.parametrize(
    ("said", "words", "chosen"),
    [
        ("the red ones", "the mug", "the red mugs"),
        ("the one on the shelf", "the cups", "the cup on the shelf"),
        ("one", "the mug", "one"),
        ("no one", "the mug", "no one"),
        ("the big one of them", "the mug", "the big one of them"),
    ],
)
def test_one_stands_for_the_noun_of_the_question(said, words, chosen):
    question = Question("Which?", (), Feedback(Code.AMBIGUOUS, words, "there are two", culprits=(words,)))
    assert with_answer(f"bring me {words}", question, said) == f"bring me {chosen}"


@pytest.mark.parametrize(
    "sentence",
    [
        "put the blocks in the bowls with matching colors",
        "put all the blocks in the bowls of the same colour",
        "put each block in the bowl of its colour",
        "put every block in a bowl with the same colour",
        "put all blocks in their matching bowls",
    ],
)
def test_each_block_goes_with_the_bowl_of_its_colour(sentence):
    answer = read(sentence, "tabletop", "four")
    assert isinstance(answer, Goal), answer
    goal = " ".join(f"(in {colour}_block {colour}_bowl)" for colour in ("red", "yellow", "green", "blue"))
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(f"(and {goal})")))
    assert any("red_bowl for red_block" in note for note in answer.notes)


def test_blocks_go_into_bowls_of_another_colour():
    answer = read("put the blocks in the bowls with mismatched colors", "tabletop", "four")
    assert isinstance(answer, Goal)
    for conjunct in dnf(answer.formula):
        assert len({atom.args[0] for atom, _ in conjunct}) == 4
        assert all(atom.args[0].split("_")[0] != atom.args[1].split("_")[0] for atom, _ in conjunct)
    one = read("put the green block in a bowl of another colour", "tabletop", "four")
    assert isinstance(one, Goal)
    assert {atom.args[1] for conjunct in dnf(one.formula) for atom, _ in conjunct} == {
        "red_bowl",
        "yellow_bowl",
        "blue_bowl",
    }


def test_what_has_no_partner_is_left_out_or_refused():
    without_bowl = read("put each block in the bowl of its colour", "tabletop", "tower")
    assert isinstance(without_bowl, Rejection)
    assert "none of cyan_bowl is known to have the same colour as gray_block, orange_block" in str(without_bowl)
    fruits = read("put the fruits on the plates of another colour")
    assert isinstance(fruits, Goal), fruits
    assert {atom.args[1] for conjunct in dnf(fruits.formula) for atom, _ in conjunct} == {"plate0"}
    some = read("put a block in the bowl of its colour", "tabletop", "four")
    assert isinstance(some, Goal)
    assert len(dnf(some.formula)) == 4


@pytest.mark.parametrize(
    ("end", "later"),
    [
        (", then the red block on it", "(and (on red_block blue_block) (on blue_block green_block))"),
        (", then put the red block on it", "(and (on red_block blue_block) (on blue_block green_block))"),
        (" and then on that the red block", "(and (on red_block blue_block) (on blue_block green_block))"),
        (", then the red block in it", "(in red_block green_block)"),  # which is refused when it is checked
    ],
)
def test_on_it_is_not_read_as_in_it(end, later):
    answer = read(f"put the blue block on the green block{end}", "tabletop", "four")
    assert isinstance(answer, Goal), answer
    assert [str(stage.formula) for stage in answer.stages] == ["(on blue_block green_block)", later]


def test_both_before_a_plural_counts_and_is_never_lost():
    goal = read("put both cans and one lemon in the sink")
    assert isinstance(goal, Goal), goal
    assert str(goal.formula) == "(and (in can0 sink0) (in can1 sink0) (in lemon0 sink0))"
    refused = read("put both apples and one lemon in the sink")
    assert isinstance(refused, Rejection)
    assert "there is only 1 here: apple0" in str(refused.feedback[0])
    joined = read("put both the apple and the lemon in the sink")
    assert isinstance(joined, Goal)
    assert str(joined.formula) == "(and (in apple0 sink0) (in lemon0 sink0))"
