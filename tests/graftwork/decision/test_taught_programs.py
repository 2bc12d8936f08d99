"""A program that a person has corrected until it was right is kept, and done again with what the sentence names."""

import json
from pathlib import Path

import pytest
from py_trees.composites import Sequence

from bt.runner import Ending
from graftwork import Episode, Outcome, Session
from graftwork.decision.taught_programs import programs_taught, taught_program, with_slots
from graftwork.language.examples import Examples
from graftwork.testing import ScriptedModel
from semantics.errors import UsageError
from semantics.logic.lesson import Lesson, NumberedLesson, parts_of_program, read_lesson
from semantics.logic.reply import ProgramText
from semantics.words.names import NameIndex

WRONG = "pick_up(green_block)\nput_in(green_block, red_bowl)"
RIGHT = '''def put_on(x, y):
    """A block comes onto another one."""
    pick_up(x)
    stack(x, y)


put_on(green_block, yellow_block)'''
SENTENCE = "Put the green block on the yellow one."


def program(text: str) -> str:
    return json.dumps({"reply": {"program": text, "note": None}})


def lesson(text: str) -> str:
    return json.dumps({"reply": {"lesson": {"program": text}, "note": None}})


class Table:
    """The tabletop with a memory; each sentence may be said in a scene of its own."""

    def __init__(self, memory: Path) -> None:
        self.memory = memory
        self.asked: list[str] = []
        self.model = ScriptedModel(())

    def say(self, *sentences: str, replies: tuple[str, ...] = (), learn: str = "ask") -> Episode:
        """Say sentences in one session, answer yes to every question, and return the last episode."""
        self.model = ScriptedModel(replies)
        with Session("tabletop", "four", robot="fake", model=self.model, memory=self.memory, learn=learn) as session:
            for words in sentences:
                run = session.converse(words)
                run.wait()
                if run.question is not None:
                    self.asked.append(run.question.text)
                    run.say("yes")
                episode = run.finish()
        return episode


@pytest.fixture
def table(tmp_path) -> Table:
    return Table(tmp_path / "memory.sqlite")


@pytest.fixture
def taught(table) -> Table:
    episode = table.say(SENTENCE, "No, it belongs on top of it.", replies=(program(WRONG), lesson(RIGHT)))
    assert episode.outcome is Outcome.ANSWERED, episode.message
    return table


def test_it_is_rehearsed_and_asked_about_before_it_is_kept(taught):
    asked = taught.asked[-1]
    assert asked.startswith("From now on, 'put {block1} on {block2}' is done so: put_on({block1}, {block2})")
    assert "on the model" in asked


def test_the_same_sentence_needs_no_model(taught):
    episode = taught.say("please put the green block on the yellow one")
    assert (episode.outcome, episode.model_calls) == (Outcome.ACHIEVED, 0)


def test_a_sentence_about_other_things_needs_no_model(taught):
    episode = taught.say("Put the green block on the blue one.")
    assert (episode.outcome, episode.model_calls) == (Outcome.ACHIEVED, 0)
    assert "put_on(green_block, blue_block)" in episode.program


@pytest.mark.parametrize("words", ["Now put {} on {}.", "Good, and now put {} on {} please", "could you put {} on {}?"])
def test_manners_at_the_beginning_say_nothing(table, words):
    first = words.format("the green block", "the yellow one")
    table.say(first, "No, it belongs on top of it.", replies=(program(WRONG), lesson(RIGHT)))
    episode = table.say(words.format("the green block", "the blue block"))
    assert (episode.outcome, episode.model_calls) == (Outcome.ACHIEVED, 0)


def test_where_it_cannot_be_done_so_somebody_is_asked(taught):
    episode = taught.say("Put the blue block on the green one.", replies=(program(WRONG),))  # it is in a bowl
    assert episode.model_calls == 1


def test_other_words_are_another_sentence(taught):
    episode = taught.say("Put the green block next to the yellow one.", replies=(program(WRONG),))
    assert episode.model_calls == 1


def test_a_thing_that_affords_less_is_no_argument(taught):
    episode = taught.say("Put the green block on the yellow bowl.", replies=(program(WRONG),))
    assert episode.model_calls == 1


def test_a_later_program_may_call_its_functions_and_is_told_of_them(taught):
    called = program("put_on(green_block, yellow_block)\nsay('so')")
    episode = taught.say("Set the green block onto the yellow one and say so", replies=(called,))
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    told = taught.model.requests[0].messages[-1].content
    assert '"put {block1} on {block2}":\n  put_on({block1}, {block2})' in told
    assert "put_on(x, y): A block comes onto another one." in told


def test_what_was_taught_later_for_a_sentence_takes_the_place_of_it(taught):
    again = RIGHT + "\nsay('done')"
    taught.say(SENTENCE, "and say so when it is done", replies=(lesson(again),))
    assert "takes the place" in taught.asked[-1]
    assert len(taught.say("what have you learned?").message.split("; L")) == 1


def test_a_forgotten_program_is_not_done_any_more(taught):
    taught.say("forget what I said about the block")
    assert taught.say(SENTENCE, replies=(program(WRONG),)).model_calls == 1


def test_a_program_that_fails_on_the_model_is_not_kept(table):
    replies = (program(WRONG), *[lesson("stack(green_block, yellow_block)")] * 5)
    episode = table.say(SENTENCE, "No, on top of it.", replies=replies)
    assert episode.outcome is Outcome.REFUSED
    assert table.say("what have you learned?").message == "You have taught me nothing yet."


def test_functions_alone_are_no_lesson(table):
    replies = (program(WRONG), *[lesson(parts_of_program(RIGHT)[0]["put_on"])] * 5)
    assert "only defines functions" in table.say(SENTENCE, "No, on top.", replies=replies).message


def test_a_program_says_nothing_else_of_what_is_done():
    with pytest.raises(UsageError, match="nothing else"):
        read_lesson({"program": "say('a')", "also": ["(on ?x table0)"]})


def test_the_things_of_a_sentence_are_the_slots(table):
    with Session("tabletop", "four", robot="fake", memory=None) as session:
        world, state = session.environment.world, session.environment.watcher.state
        names = NameIndex(world.vocabulary, state=state)
        kept = with_slots(
            Lesson(program="put_in(green_block, red_bowl)\nsay('blue')"), "Put the green block in a bowl", names
        )
        assert (kept.phrase, kept.sorts) == ("put {block1} in a bowl", (("?block1", ("block",)),))
        assert kept.program == "put_in({block1}, red_bowl)\nsay('blue')"
        taught = programs_taught([NumberedLesson(3, kept)])
        found = taught_program("put the blue block in a bowl", names, taught)
        assert found is not None
        assert found.text == "put_in(blue_block, red_bowl)\nsay('blue')"
        assert taught_program("put the blue block in two bowls", names, taught) is None


def test_of_functions_with_one_name_the_last_one_counts():
    texts = [f"def f():\n    say('{word}')\n\n\nf()" for word in "ab"]
    taught = programs_taught(
        NumberedLesson(number, Lesson(phrase="do it", program=text)) for number, text in enumerate(texts)
    )
    assert "'b'" in taught["f"].text


def test_the_nearest_examples_are_unlike_each_other():
    examples = Examples(["put block on block", "put block on block again", "build tower of block", "open door"])
    assert examples.nearest(["put the red block on the blue one"], 2)[0] == 0
    assert 3 not in examples.nearest(["put the red block on the blue one"], 4)
    assert examples.nearest(["again again", "open it"], 2) == [1, 3]
    assert examples.nearest([], 2) == []
    assert Examples([]).nearest(["open it"], 2) == []


SAID = "Put the green block on the yellow block and then say 'here'"
SAYING = "pick_up(green_block)\nstack(green_block, yellow_block)\nsay('{}')"


def test_a_program_that_worked_is_remembered_until_it_is_corrected(table):
    assert table.say(SAID, replies=(program(SAYING.format("here")),)).model_calls == 1
    again = table.say(SAID)
    assert (again.outcome, again.model_calls, again.recalled) == (Outcome.ACHIEVED, 0, True)
    table.say(SAID, "say there instead", replies=(lesson(SAYING.format("there")),))
    corrected = table.say(SAID)
    assert (corrected.model_calls, corrected.recalled) == (0, False)
    assert "there" in corrected.program
    table.say("forget what I said about the block")
    assert table.say(SAID, replies=(program(SAYING.format("here")),)).model_calls == 1


def test_a_program_that_names_what_nobody_said_is_not_remembered(table):
    text = "pick_up(green_block)\nput_in(green_block, red_bowl)"
    for _ in range(2):
        assert table.say("Put the green block away.", replies=(program(text),)).model_calls == 1


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [
        ("put the green block on the yellow one", "(on green_block yellow_block)"),
        (ProgramText("put_on(green_block, blue_block)"), "(on green_block blue_block)"),
    ],
)
def test_what_was_taught_is_a_node_of_hand_written_trees(taught, wanted, reached):
    with Session("tabletop", "four", robot="fake", model=ScriptedModel(()), memory=taught.memory) as session:
        root = Sequence("taught", memory=True, children=[session.subtree(wanted)])
        ended = session.run(root)
        assert ended.status is Ending.SUCCESS, ended.reason
        assert reached in {str(atom) for atom in session.environment.watcher.state.atoms}


SPOT = "spot = free_points([{0}], middle(top_left_corner), 0.055)[0]\nplace_at({0}, where=spot)"
CORNER = "Pick up the green block and place it on the top left corner."


def test_a_lesson_is_rehearsed_with_things_where_they_were_when_the_request_began(table):
    """The corner that the wrong block stands on now was free then."""
    wrong = f"take_out(blue_block, green_bowl)\n{SPOT.format('blue_block')}"
    right = f"pick_up(green_block)\n{SPOT.format('green_block')}"
    episode = table.say(CORNER, "No, I meant the green one.", replies=(program(wrong), *[lesson(right)] * 5))
    assert episode.outcome is Outcome.ANSWERED, episode.message
    assert right in table.say(CORNER).program


@pytest.mark.parametrize("reply", [lesson("stack(green_block, green_block)"), program(SAYING.format("there"))])
def test_what_was_corrected_is_not_done_again_also_if_no_lesson_is_kept(table, reply):
    table.say(SAID, "No, say there", replies=(program(SAYING.format("here")), *[reply] * 5))
    assert table.say(SAID, replies=(program(SAYING.format("there")),)).model_calls == 1
