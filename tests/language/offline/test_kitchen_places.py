"""Things that are meant by where they are, with the real kitchen and what is believed of it."""

import pytest

from graftwork.language.offline import interpret
from semantics.logic.atoms import Atom, dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from tests.language.offline.test_kitchen import kitchen

TABLE = ("apple0", "banana0", "bread0", "cup0", "fork0", "glass0", "lemon0", "plate0")


def believed(*, without=(), also=()):
    domain, _, state = kitchen()
    fridge = {Atom("in", (name, "fridge0")) for name in ("milk0", "cola0", "tomato0", "cheese0")}
    atoms = {atom for atom in state.atoms | fridge if not set(atom.args) & set(without)}
    return domain, State(frozenset(atoms | {Atom(*fact) for fact in also}))


def read(sentence, **changes):
    return interpret(sentence, *believed(**changes))


def all_of(relation, names, place):
    return parse_formula(f"(and {' '.join(f'({relation} {name} {place})' for name in names)})")


UNDERSTOOD = {
    "put everything from the table on the counter": all_of("on", TABLE, "counter0"),
    "put everything on the table on the counter": all_of("on", TABLE, "counter0"),
    "put everything that is on the table on the counter": all_of("on", TABLE, "counter0"),
    "put what is on the table on the counter": all_of("on", TABLE, "counter0"),
    "move all the things on the table to the counter": all_of("on", TABLE, "counter0"),
    "take everything off the table and put it on the counter": parse_formula(
        f"(and {' '.join(f'(not (on {name} table0)) (on {name} counter0)' for name in TABLE)})"
    ),
    "throw away all the food on the table": all_of("in", ("apple0", "banana0", "bread0", "lemon0"), "trash0"),
    "put each fruit on the table in the sink": all_of("in", ("apple0", "banana0", "lemon0"), "sink0"),
    "put the fruits on the table in the sink": all_of("in", ("apple0", "banana0", "lemon0"), "sink0"),
    "bring me the glass that is on the shelf": "(inhand glass1 human0)",
    "bring me the glass which stands on the table": "(inhand glass0 human0)",
    "bring me the glass on the table": "(inhand glass0 human0)",
    "bring me the glass from the shelf": "(inhand glass1 human0)",
    "take the glass off the shelf": "(not (on glass1 shelf0))",
    "bring me the apple on the tabel": "(inhand apple0 human0)",
    "move the apple from the table to the counter": "(on apple0 counter0)",
    "bring me the milk from the fridge and close it": "(and (inhand milk0 human0) (closed fridge0))",
    "bring me something from the fridge": (
        "(or (inhand cheese0 human0) (inhand cola0 human0) (inhand milk0 human0) (inhand tomato0 human0))"
    ),
    "take everything out of the fridge": parse_formula(
        f"(and {' '.join(f'(not (in {name} fridge0))' for name in ('milk0', 'cola0', 'tomato0', 'cheese0'))})"
    ),
    "put the cup on the table and the sponge in the sink": "(and (on cup0 table0) (in sponge0 sink0))",
    "put the cup on the table on the counter": "(on cup0 counter0)",
    "take out the milk": "(not (in milk0 fridge0))",
    "take the milk out": "(not (in milk0 fridge0))",
    "take out the milk and put it on the table": "(and (not (in milk0 fridge0)) (on milk0 table0))",
    "take out all the drinks": "(and (not (in milk0 fridge0)) (not (in cola0 fridge0)))",
    "take out the milk and the spoon": "(and (not (in milk0 fridge0)) (not (in spoon0 sink0)))",
    "take out a drink and bring it to me": (
        "(or (and (not (in milk0 fridge0)) (inhand milk0 human0)) (and (not (in cola0 fridge0)) (inhand cola0 human0)))"
    ),
}


@pytest.mark.parametrize("sentence", UNDERSTOOD)
def test_where_things_are_says_which_are_meant(sentence):
    answer = read(sentence)
    assert isinstance(answer, Goal), answer
    formula = UNDERSTOOD[sentence]
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(formula) if isinstance(formula, str) else formula))


def test_what_was_looked_up_is_noted():
    assert "believed to be on shelf0" in " ".join(read("bring me the glass on the shelf").notes)
    assert "It is believed that milk0 is in fridge0." in read("take out the milk").notes


REFUSED = {
    "throw away everything in the trash": ("everything in the trash", "trash0"),
    "bring me the cup on the counter": ("the cup on the counter", "cup0 is on table0"),
    "move the apple from the shelf to the counter": ("the apple from the shelf", "apple0 is on table0"),
    "take out the apple": ("the apple", "apple0 is on table0"),
    "take out the trash": ("the trash", "in anything"),
    "put everything in the fridge": ("everything", "where they are"),
    "put everything on the unicorn on the counter": ("unicorn", "no such thing"),
    "bring me the unicorn on the table": ("unicorn", "no such thing"),
    "bring me the apple in it": ("it", "nothing was named before"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_not_there_is_refused_with_what_is_known(sentence):
    answer = read(sentence)
    assert isinstance(answer, Rejection), answer
    blamed, told = REFUSED[sentence]
    assert [each.code for each in answer.feedback] == [Code.UNKNOWN_NAME]
    assert answer.feedback[0].culprits == (blamed,)
    assert told in str(answer)


def test_what_is_on_it_by_way_of_something_else_is_on_it():
    stacked = {"without": ("cup0",), "also": [("on", ("cup0", "plate0"))]}
    assert str(read("bring me the cup on the table", **stacked)) == "(inhand cup0 human0)"
    assert "(on cup0 counter0)" in str(read("put everything on the table on the counter", **stacked))


def test_what_is_in_a_bowl_on_the_table_is_pointed_out_by_either_and_moves_with_the_bowl():
    filled = {"without": ("bowl0", "lemon0"), "also": [("on", ("bowl0", "table0")), ("in", ("lemon0", "bowl0"))]}
    assert str(read("bring me the lemon on the table", **filled)) == "(inhand lemon0 human0)"
    assert str(read("bring me the lemon in the bowl on the table", **filled)) == "(inhand lemon0 human0)"
    assert "lemon0" not in str(read("put everything on the table on the counter", **filled))


def test_several_that_are_there_are_asked_about():
    answer = read("bring me the can on the shelf")
    assert isinstance(answer, Question)
    assert answer.options == ("can0", "can1", "any can")


def test_without_a_word_of_where_things_are_nothing_is_there():
    assert isinstance(interpret("bring me the apple on the table", kitchen()[0]), Rejection)
