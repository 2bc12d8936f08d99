"""The options of the commands, which follow from the settings and are made when a command is called."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from graftwork.cli.app import app
from graftwork.cli.options import TABLE, Commands, chosen_settings, command
from graftwork.setup.settings import FIELDS, option_word, setting_texts

WITH_OPTIONS = [name for name, texts in setting_texts().items() if "help" in texts]
COMMANDS = [(command.name or command.callback.__name__,) for command in app.registered_commands] + [
    (group.name, command.name or command.callback.__name__)
    for group in app.registered_groups
    for command in group.typer_instance.registered_commands
]


@pytest.mark.parametrize("words", [words for words in COMMANDS if words != ("bench",)])
def test_each_command_makes_its_parameters_for_its_help(words):
    words = [word.removesuffix("_command").replace("_", "-") for word in words]
    ended = CliRunner().invoke(app, [*words, "--help"])
    assert ended.exit_code == 0
    assert f"Usage: graftwork {' '.join(words)}" in ended.stdout
    assert "Example:" in ended.stdout


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_run_has_the_option_of_each_setting_with_its_help(name):
    shown = CliRunner().invoke(app, ["run", "--help"], env={"TERMINAL_WIDTH": "300"}).stdout
    assert f"  {option_word(name)} " in shown
    assert setting_texts()[name]["help"].format(default=FIELDS[name].default).split(".")[0] in " ".join(shown.split())


def given_to(monkeypatch, *parts, words: list[str]) -> dict[str, object]:
    given = {}
    small = typer.Typer(cls=Commands)
    monkeypatch.setitem(TABLE["commands"], "one", {"example": "one", "takes": parts})

    @command(small, "one")
    def one(**values: object) -> None:
        given.update(values)

    @small.command()
    def other() -> None: ...

    assert CliRunner().invoke(small, ["one", *words]).exit_code == 0
    return given


def test_a_command_gets_its_parameters_by_their_names_with_the_types_of_the_settings(monkeypatch):
    words = ["--seed", "3", "--cost", "human=2", "--cost", "robot=1", "--no-real-time", "--planning-seconds", "2.5"]
    parts = "domain seed costs skills real_time planning_seconds memory"
    given = given_to(monkeypatch, parts, words=[*words, "--memory", "m"])
    assert given == {
        "domain": None,
        "seed": 3,
        "costs": ["human=2", "robot=1"],
        "skills": None,
        "real_time": False,
        "planning_seconds": 2.5,
        "memory": Path("m"),
    }


def test_the_settings_among_the_parameters_are_chosen_and_the_place_of_a_record_is_not(monkeypatch):
    own = {"domain": {"help": "World of that sentence."}}, {"record": {"kind": "file", "help": "A folder."}}
    given = given_to(monkeypatch, "memory", *own, words=["--record", "here", "--memory", "m", "--domain", "blocks"])
    assert chosen_settings(given) == {"domain": "blocks", "memory": Path("m")}
    assert chosen_settings({**given, "no_memory": True})["memory"] is False


def test_the_parameters_of_the_other_commands_are_not_made():
    code = (
        "import sys; sys.argv[1:] = ['record', 'format']\n"
        "from graftwork.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print({'graftwork.setup.settings', 'pydantic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
