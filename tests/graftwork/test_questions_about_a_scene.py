"""Programs answer the questions that a person asks about blocks and bowls on a table, from what the body senses.

The questions are those of LRLL's visual reasoning, as reconstructed: each is a program with gaps, and the right answer
is worked out from the scene file.
"""

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from graftwork import Outcome, Session
from tests.bt.programs.blocks_and_bowls import COLOURS, laid

SEEDS = range(5)
DIRECTIONS = ("left", "right", "top", "bottom")
COLOUR = """
def colour_of(thing):
    for colour in ["red", "green", "blue", "yellow"]:
        if thing in objects(colour):
            return colour


"""


def what_colour_is_the_nth_object(table, chance):
    things = table.those("block") + table.those("bowl")
    n, direction = chance.randrange(len(things)), chance.choice(DIRECTIONS)
    text = (
        f'{COLOUR}things = sorted_by(objects("block") + objects("bowl"), "{direction}")\nreturn colour_of(things[{n}])'
    )
    return text, table.colour(table.from_the(direction, things)[n])


def how_many_objects_of_a_colour(table, chance):
    colour = chance.choice(COLOURS)
    return f'return count(objects("{colour}"))', len(table.those(colour))


def is_one_to_the_side_of_another(table, chance):
    one, other = chance.sample(table.those("block") + table.those("bowl"), 2)
    direction = chance.choice(DIRECTIONS)
    return f'return lies_to({one}, "{direction}", {other})', table.is_to(direction, one, table.at[other])


def which_blocks_are_to_the_side_of_a_bowl(table, chance):
    bowl, direction = chance.choice(table.those("bowl")), chance.choice(DIRECTIONS)
    text = f'return [block for block in objects("block") if lies_to(block, "{direction}", {bowl})]'
    return text, [block for block in table.those("block") if table.is_to(direction, block, table.at[bowl])]


def which_block_is_closest_or_farthest(table, chance):
    bowl, (word, pick) = chance.choice(table.those("bowl")), chance.choice([("closest", min), ("farthest", max)])
    text = f'return {word}({bowl}, objects("block"))'
    return text, pick(table.those("block"), key=lambda block: table.apart(block, bowl))


def how_many_blocks_are_to_the_side_of_a_region(table, chance):
    direction, corner = chance.choice(DIRECTIONS), chance.choice(("left", "right"))
    text = (
        f'region = side(table0, "{corner}", quantity("30 cm"))\n'
        f'return count([block for block in objects("block") if lies_to(block, "{direction}", region)])'
    )
    middle = (-0.3 if corner == "left" else 0.3, 0.0)
    return text, sum(table.is_to(direction, block, middle) for block in table.those("block"))


def which_objects_are_within_a_distance(table, chance):
    things = table.those("block") + table.those("bowl")
    here, centimetres = chance.choice(things), chance.choice((20, 35, 50))
    text = (
        f'things = objects("block") + objects("bowl")\nlimit = quantity("{centimetres} cm") / quantity("1 m")\n'
        f"return [thing for thing in things if thing != {here} and distance(thing, {here}) < limit]"
    )
    close = [thing for thing in things if thing != here and table.apart(thing, here) < centimetres / 100]
    return text, close


def has_the_nth_block_the_colour_of_the_bowl(table, chance):
    blocks, bowl = table.those("block"), chance.choice(table.those("bowl"))
    n, direction = chance.randrange(len(blocks)), chance.choice(DIRECTIONS)
    text = (
        f'{COLOUR}blocks = sorted_by(objects("block"), "{direction}")\n'
        f"one = colour_of(blocks[{n}])\nother = colour_of({bowl})\nreturn one == other"
    )
    return text, table.colour(table.from_the(direction, blocks)[n]) == table.colour(bowl)


def are_there_more_blocks_than_bowls_to_the_side(table, chance):
    direction = chance.choice(DIRECTIONS)
    text = (
        f'blocks = [x for x in objects("block") if lies_to(x, "{direction}", middle(table0))]\n'
        f'bowls = [x for x in objects("bowl") if lies_to(x, "{direction}", middle(table0))]\n'
        "return count(blocks) > count(bowls)"
    )
    sides = {kind: sum(table.is_to(direction, x, (0, 0)) for x in table.those(kind)) for kind in ("block", "bowl")}
    return text, sides["block"] > sides["bowl"]


QUESTIONS = {
    "L10": what_colour_is_the_nth_object,
    "L11": how_many_objects_of_a_colour,
    "L12": is_one_to_the_side_of_another,
    "L13": which_blocks_are_to_the_side_of_a_bowl,
    "L14": which_block_is_closest_or_farthest,
    "L15": how_many_blocks_are_to_the_side_of_a_region,
    "L17": which_objects_are_within_a_distance,
    "L18": has_the_nth_block_the_colour_of_the_bowl,
    "L19": are_there_more_blocks_than_bowls_to_the_side,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_question_is_answered_right(tmp_path, seed):
    table, chance = laid(tmp_path, seed), random.Random(seed)
    with Session(str(table.domain.parent), str(table.scene), robot="fake", memory=None) as session:
        for name, question in QUESTIONS.items():
            for _ in range(3):
                text, right = question(table, chance)
                episode = session.program(text).finish()
                assert episode.outcome is Outcome.ACHIEVED, (name, episode.message)
                assert episode.answer["value"] == right, (name, text)


def test_the_questions_have_different_answers():
    """A question whose answer is always the same would show nothing."""
    for question in QUESTIONS.values():
        answers = set()
        for seed in range(20):
            with TemporaryDirectory() as folder:
                answers.add(str(question(laid(Path(folder), seed), random.Random(seed))[1]))
        assert len(answers) > 1, question
