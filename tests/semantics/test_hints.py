import shutil
from pathlib import Path

from domains import load_domain
from semantics.errors import UnknownNameError
from semantics.hints import choices, hint
from semantics.logic.atoms import Atom
from semantics.logic.goal import Goal
from semantics.logic.goal_check import check_goal
from semantics.logic.rules import RuleBook
from semantics.logic.state import State

CUPS = [f"cup{number}" for number in range(51)]


def test_the_nearest_name_is_the_hint_however_many_names_there_are():
    assert hint("cpu0", CUPS, "object").startswith("Did you mean cup0")


def test_a_few_names_are_all_told():
    assert hint("xyz", ["milk0", "cup0"], "object") == "There are: milk0, cup0."


def test_of_many_names_some_are_told_and_the_command_that_lists_them():
    assert hint("xyz", CUPS, "object") == "There are: cup0, cup1, cup2 and others (graftwork scene lists them)."


def test_names_that_no_command_lists_are_all_told():
    assert choices(CUPS, "cup") == ", ".join(CUPS)


def test_that_there_is_no_name_is_told():
    assert hint("xyz", [], "scene") == "There is no scene."


def test_the_error_of_an_unknown_name_has_a_hint():
    classes = [f"class_{number}" for number in range(100)]
    assert "graftwork affordances show lists them" in str(UnknownNameError("class", "qqq", classes))
    assert "did you mean class_7" in str(UnknownNameError("class", "class7", classes))


def test_the_command_that_lists_names_of_a_world_names_the_world(tmp_path):
    kitchen = load_domain("kitchen")
    goal = Goal(Atom("qqq", ()))
    answer = check_goal(goal, kitchen.vocabulary({}), rules=RuleBook(()), state=State(frozenset()))
    assert "(graftwork domain page kitchen lists them)" in str(answer)
    own = tmp_path / "own world" / "domain.yaml"
    shutil.copytree(Path(kitchen.source).parent, own.parent)
    assert load_domain(own).vocabulary({}).world == f"'{own}'"
