"""``--search``, ``--planning-seconds`` and ``--planning-memory``: exit codes, messages, records and resumed runs."""

import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from benchmarks.any.families import problem_of
from bt.record import read_record
from graftwork import Limits, Outcome, Session
from graftwork.cli.app import app
from graftwork.errors import SettingsError
from planning import FastDownward
from planning.errors import is_out_of_time, out_of_time
from planning.service import InProcess
from semantics.logic.feedback import Code, Feedback
from tests.unsealed import rewrite

FRIDGE = ["--scene", "small", "--goal", "(opened fridge0)"]


def plan(*options):
    return CliRunner().invoke(app, ["plan", *options])


def message(done):
    """Return what a command says of bad usage, on one line."""
    return " ".join(f"{done.exception if done.exception is not None else ''} {done.output}".split())


@pytest.mark.parametrize("search", ["first", "best", "optimal"])
def test_each_search_finds_a_plan(search):
    done = plan(*FRIDGE, "--search", search, "--json")
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert told["outcome"] == "planned"
    assert told["optimal"] or search != "optimal"


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--search", "optimum", "must be 'first', 'best' or 'optimal', not 'optimum'. Did you mean optimal?"),
        ("--search", "frist", "Did you mean first?"),
        ("--search", "zzz", "must be 'first', 'best' or 'optimal', not 'zzz'"),
        ("--planning-seconds", "0", "must be a number of seconds over 0, at most a day, not 0.0"),
        ("--planning-seconds", "-1", "over 0, at most a day, not -1.0"),
        ("--planning-seconds", "nan", "not nan"),
        ("--planning-seconds", "inf", "not inf"),
        ("--planning-memory", "255", "must be a whole number of MiB from 256, not 255"),
        ("--planning-memory", "-1", "from 256, not -1"),
    ],
)
def test_a_bad_value_is_bad_usage_and_names_what_is_taken(option, value, said):
    done = plan(*FRIDGE, option, value)
    assert isinstance(done.exception, SettingsError)
    assert option in message(done)
    assert said in message(done)


@pytest.mark.parametrize(("option", "value"), [("--planning-seconds", "soon"), ("--planning-memory", "1.5")])
def test_what_is_no_number_is_bad_usage(option, value):
    done = plan(*FRIDGE, option, value)
    assert done.exit_code == 2
    assert f"Invalid value for '{option}'" in message(done)


def test_a_misspelt_option_names_the_options_there_are():
    done = plan(*FRIDGE, "--planing-memory", "300")
    assert done.exit_code == 2
    assert "--planning-memory" in message(done)


@pytest.fixture(scope="module")
def logistics(tmp_path_factory):
    """Return the options of a problem that 256 MiB are too little for."""
    folder, written = tmp_path_factory.mktemp("logistics"), problem_of("logistics", 19, 1)
    (folder / "domain.pddl").write_text(written.domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(written.problem, encoding="utf-8")
    return ["--domain", str(folder / "domain.pddl"), "--scene", str(folder / "problem.pddl"), "--search", "optimal"]


def test_too_little_time_is_told_with_the_time_there_was(logistics):
    done = plan(*logistics, "--planning-seconds", "0.01", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["outcome"], told["feedback"][0]["code"]) == (3, "refused", "planner-timeout")
    assert re.fullmatch(r"planning: no plan within \d+\.\d+ s\. Give it more time\.", told["message"])
    assert "within 0.0 s" not in told["message"]


def test_too_little_memory_is_told_apart_from_too_little_time(logistics):
    done = plan(*logistics, "--planning-memory", "256", "--planning-seconds", "300", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["feedback"][0]["code"]) == (3, "planner-timeout")
    assert "memory" in told["message"]
    assert told["message"].endswith("Give it more memory.")


def test_the_time_of_all_searches_is_told_and_not_the_share_of_one(logistics):
    done = plan(*logistics, "--planning-seconds", "2", "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 3
    within = float(told["message"].split("no plan within ")[1].split(" s")[0])
    assert 1.0 <= within <= 4.0


def test_a_time_limit_is_written_as_short_as_it_is():
    assert [out_of_time(seconds).why for seconds in (0.001, 0.25, 1, 20.0)] == [
        "no plan within 0.001 s",
        "no plan within 0.25 s",
        "no plan within 1.0 s",
        "no plan within 20.0 s",
    ]
    assert is_out_of_time(out_of_time(3.0))
    assert not is_out_of_time(Feedback(Code.PLANNER_TIMEOUT, "planning", "the memory that it may use was spent"))


@pytest.mark.parametrize(
    "limits", [{"planning_seconds": -1.0}, {"planning_seconds": 0.0}, {"planning_memory": 1}, {"patience": -0.5}]
)
def test_limits_in_a_program_are_held_to_the_same_values(limits):
    (name,) = limits
    with pytest.raises(SettingsError, match=f"{name} must be"):
        Limits(**limits)


GIVEN = {"search": "first", "planning_seconds": 7.5, "planning_memory": 300}
OPTIONS = [word for name, value in GIVEN.items() for word in (f"--{name.replace('_', '-')}", str(value))]


def recorded(folder):
    settings = read_record(folder)[0]["settings"]
    return {name: settings[name] for name in GIVEN}


@pytest.fixture
def left(tmp_path):
    """Return the record of a run with these settings that has only planned."""
    folder = str(tmp_path / "one")
    run = ["run", "open the fridge", "--no-memory", "--scene", "small", "--robot", "fake", "--dry-run"]
    assert CliRunner().invoke(app, [*run, *OPTIONS, "--record", folder]).exit_code == 0
    assert recorded(tmp_path / "one") == GIVEN
    return folder


def test_a_run_that_goes_on_has_the_settings_of_its_record(left, tmp_path):
    done = CliRunner().invoke(app, ["run", "--no-memory", "--resume", left, "--json"])
    assert json.loads(done.stdout)["outcome"] == "achieved"
    assert recorded(tmp_path / "one-2") == GIVEN


def test_what_the_command_line_says_goes_before_the_record(left, tmp_path):
    more = ["--search", "optimal", "--planning-memory", "512"]
    assert CliRunner().invoke(app, ["run", "--no-memory", "--resume", left, "--json", *more]).exit_code == 0
    assert recorded(tmp_path / "one-2") == GIVEN | {"search": "optimal", "planning_memory": 512}


def test_a_record_without_these_settings_has_the_defaults(left, tmp_path):
    def forget(events):
        for name in GIVEN:
            del events[0]["settings"][name]

    rewrite(tmp_path / "one", forget)
    assert CliRunner().invoke(app, ["run", "--no-memory", "--resume", left, "--json"]).exit_code == 0
    assert recorded(tmp_path / "one-2") == {name: getattr(Limits(), name) for name in GIVEN}


class Unproved(InProcess):
    """A service whose plans are found after a given time and never proved."""

    def __init__(self, seconds):
        super().__init__(FastDownward())
        self.took = seconds

    def solve(self, problem, *, seconds=20.0, patience=None):
        answer = super().solve(problem, seconds=seconds)
        return replace(answer, optimal=False, seconds=self.took)


@pytest.mark.parametrize(
    ("limits", "took", "within"),
    [
        (Limits(patience=0.5), 0.6, "0.5"),
        (Limits(patience=0.5), 0.4, None),
        (Limits(search="first"), 0.6, None),
        (Limits(search="optimal", planning_seconds=6.0), 6.0, "6"),
    ],
)
def test_the_record_notes_where_patience_ends(tmp_path, limits, took, within):
    given = {"scene": "small", "robot": "fake", "memory": None, "limits": limits}
    with Session(**given, planner=Unproved(took), record=tmp_path / "one") as session:
        assert session.handle("open the fridge").outcome is Outcome.ACHIEVED
    notes = [event["text"] for event in read_record(tmp_path / "one") if event["e"] == "note"]
    expected = f"no plan was proved cheapest within {within} s; this is the best so far"
    assert [note for note in notes if "proved" in note] == ([expected] if within else [])
