"""`Settings`: the settings of a run, joined from all their sources.

The sources are, from the weakest to the strongest: the defaults below, ``graftwork.toml`` in the user's configuration
folder, ``graftwork.toml`` in the current folder, environment variables (``GRAFTWORK_SEED``; an empty one counts as
unset), and the command line. A misspelt setting is an error in every source.

Each setting is one field of `Settings`, with its default and its reader; its meaning and its option stand in
``settings.yaml``. The limits of a session, its arguments, the options of the commands, what a record stores for
resuming, and the table of docs/settings.md follow from these. A library for settings would do the same, but importing
pydantic takes about 95 ms in every process.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_config_dir

from domains.repairs import Ladder
from domains.worlds import placed
from graftwork.errors import SettingsError
from graftwork.memory.store import default_place
from graftwork.setup.bodies import is_class
from graftwork.setup.limits import (
    CONSENT,
    NAME_OR_PATH,
    PLACE,
    SEARCHES,
    SECONDS,
    TOGETHER,
    Values,
    Weights,
    fitting,
    ladder_from,
    one_of,
    read_budget,
    read_costs,
    read_folders,
    read_modules,
    read_number,
    read_patience,
    read_prices,
    read_robot,
    read_truth,
    read_whole,
    read_word,
    weights_from,
)
from semantics.errors import UnknownNameError, UsageError, known_name
from semantics.hints import did_you_mean
from semantics.plain_text import shortened
from semantics.process.reading import read_bounded, read_table

if TYPE_CHECKING:
    from semantics.body.exchange import ModelUse

FILE_NAME = "graftwork.toml"
DAY_FILE = "model-use.sqlite"
MOST_BYTES, DEEPEST = 64_000, 4
PART = r"""(?:[\w-]++|"(?:\\.|[^"\\\n])*+"?|'[^'\n]*+'?)"""
DEEP_KEY = re.compile(
    rf"""#.*|\"{{3}}(?s:\\.|[^\\])*?(?:"{{3,5}}|\Z)|'{{3}}(?s:.)*?(?:'{{3,5}}|\Z)"""
    rf"""|({PART}(?:[ \t]*+\.[ \t]*+{PART}){{{DEEPEST},}}+)|{PART}"""
)
"""Parts TOML into comments, strings and words; a key with too many parts is the group. An open string ends there."""
PREFIX = "GRAFTWORK_"
OF_THE_TESTS = frozenset({"GRAFTWORK_DATA", "GRAFTWORK_EXAMPLES", "GRAFTWORK_FUZZ_SECONDS", "GRAFTWORK_GGUF"})
"""Environment variables that only tests read; they are neither settings nor mistakes."""
MOST_MONEY = 1e9
LEAST_MEMORY = 256
OPTIONS = {"costs": "cost"}  # the command-line option of each setting that has another name


def setting(default: object, values: Values, *, kept: bool = True) -> Any:  # noqa: ANN401 - a field
    """Return the field of a setting.

    Args:
        default: The default, or the function that makes it.
        values: Its values.
        kept: Whether it belongs to the run, so that a record stores it for resuming; else it belongs to the place
            where a run is started.
    """
    metadata = {"values": values, "kept": kept}
    if callable(default):
        return field(default_factory=default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of a session; ``settings.yaml`` says what each means."""

    planning_seconds: float = setting(20.0, SECONDS)
    model_seconds: float = setting(30.0, SECONDS)
    model_tries: int = setting(5, fitting(read_whole, lambda number: number >= 1, "a whole number from 1"))
    search: str = setting("best", one_of(SEARCHES))
    patience: float | None = setting(None, Values(read_patience, "'auto', or a number of seconds from 0"))
    planning_memory: int = setting(
        1344, fitting(read_whole, lambda number: number >= LEAST_MEMORY, f"a whole number of MiB from {LEAST_MEMORY}")
    )
    run_seconds: float = setting(1800.0, SECONDS)
    ladder: Ladder = setting(
        dict, Values(lambda value, _: ladder_from(value), "such as rule=none,replan.tries=3,again.seconds=20")
    )
    answer_seconds: float = setting(60.0, SECONDS)
    model_price: float = setting(0.0, fitting(read_number, lambda number: 0 <= number <= MOST_MONEY, "a number from 0"))
    model_prices: Mapping[str, tuple[float, float]] = setting(
        dict,
        Values(
            read_prices, "such as gpt-oss=0.1/0.5, a number from 0 for the tokens that go in and for those that come"
        ),
        kept=False,
    )
    model_budget: Mapping[str, float] = setting(
        dict, Values(read_budget, "such as calls=20,tokens=50000,day_money=1.5, each from 0"), kept=False
    )

    def __post_init__(self) -> None:
        """Check the limits of planning as those of a settings file are.

        Raises:
            SettingsError: One of them cannot be kept.
        """
        for name in ("planning_seconds", "planning_memory", "patience", "search"):
            if (value := getattr(self, name)) != FIELDS[name].default:
                _checked(name, value, "limits", Path())


@dataclass(frozen=True, slots=True)
class Settings(Limits):
    """What a run uses; ``settings.yaml`` says what each field means."""

    domain: str = setting("kitchen", NAME_OR_PATH)
    scene: str = setting("auto", NAME_OR_PATH)
    robot: str = setting("auto", Values(read_robot, "a name, served:SOCKET, or MODULE:CLASS"))
    model: str = setting("offline", Values(read_word, "'offline', 'openai:NAME', 'replay:FILE' or 'scripted:FILE'"))
    planner: str = setting(
        "fast-downward", Values(read_word, "'fast-downward', 'kairos', 'portfolio' or 'up:ENGINE[/PROFILE]'")
    )
    seed: int = setting(0, fitting(read_whole, lambda number: number >= 0, "a whole number from 0"))
    memory: Path | None = setting(None, PLACE, kept=False)
    record: Path | None = setting(None, PLACE, kept=False)
    affordance_threshold: float = setting(
        0.5, fitting(read_number, lambda number: 0 < number < 1, "a number between 0 and 1")
    )
    substitute: str = setting("ask", CONSENT)
    part: str = setting("ask", CONSENT)
    new_things: str = setting("ask", CONSENT)
    unsaid: str = setting("ask", CONSENT)
    learn: str = setting("ask", CONSENT)
    together: str = setting("auto", one_of(TOGETHER))
    weights: Weights = setting(
        Weights,
        Values(lambda value, _: weights_from(value), "such as per_metre=0.5,per_second=0.1,risk=3, each from 0"),
    )
    skills: tuple[str, ...] = setting(
        (), Values(read_modules, "importable modules, or paths that end in .py"), kept=False
    )
    real_time: bool = setting(False, Values(read_truth, "true or false"), kept=False)
    conversation: bool = setting(False, Values(read_truth, "true or false"), kept=False)
    domain_path: tuple[Path, ...] = setting((), Values(read_folders, "a list of folders"), kept=False)
    costs: Mapping[str, int] = setting(
        dict, Values(read_costs, "such as human=10, a whole number from 0 for a class of agents")
    )
    record_model: Path | None = setting(None, PLACE, kept=False)


LIMITS = [each.name for each in fields(Limits)]
FIELDS = {each.name: each for each in sorted(fields(Settings), key=lambda each: each.name in LIMITS)}
"""Each setting by its name; the limits come last."""
KEPT = frozenset(name for name, each in FIELDS.items() if each.metadata["kept"])  # the settings that a record stores
CONSENTS = ("substitute", "part", "new_things", "unsaid", "learn")  # what may be done that a person has to agree to
PLAIN = ("seed", "affordance_threshold", "costs", *CONSENTS, "together", "real_time", "conversation")
"""The arguments of a session that are settings, and neither limits nor ever objects of a program."""


@cache
def setting_texts() -> Mapping[str, Mapping[str, str]]:
    """Return the ``meaning`` of each setting, and of each option of commands its ``help`` and what it ``takes``."""
    texts: Mapping[str, Mapping[str, str]] = read_table(__file__)
    return texts


def option_word(name: str) -> str:
    """Return the option of a setting on the command line, such as ``--planning-seconds``."""
    return f"--{OPTIONS.get(name, name.replace('_', '-'))}"


def settings_by_name(given: Mapping[str, object]) -> dict[str, Any]:
    """Return settings that are arguments of a session, checked as those of a file are.

    Raises:
        SettingsError: One of them has a value that it cannot have.
        UnknownNameError: There is no such setting.
    """
    read: dict[str, Any] = {}
    for name, value in given.items():
        known_name("argument of a session", name, [*LIMITS, *PLAIN])
        read |= _checked(name, value, name, Path())
    return read


def session_arguments(settings: Settings) -> dict[str, Any]:
    """Return the arguments of a session by name."""
    values = {name: getattr(settings, name) for name in FIELDS if name != "domain_path"}
    return values | {"limits": Limits(**{name: values.pop(name) for name in LIMITS})}


def use_of_models(limits: Limits) -> ModelUse:
    """Return a count of requests for one instruction, with its budget, its prices, and what is spent today."""
    from semantics.body.exchange import ANY, ModelUse  # for whoever asks a model

    prices = {ANY: (1000 * limits.model_price,) * 2, **limits.model_prices}
    use = ModelUse(budget=limits.model_budget, prices=prices)
    if any(name.startswith("day_") for name in limits.model_budget):
        from semantics.body.day_use import DayUse  # the file of the day, for whoever limits it

        use.day = DayUse(default_place().with_name(DAY_FILE)).add
    return use


def command_settings(options: Mapping[str, object]) -> Settings:
    """Join the options of a command with the other sources of this process; an option that is None was not given.

    Raises:
        SettingsError: As `load_settings`.
    """
    given = {name: value for name, value in options.items() if value is not None}
    return load_settings(given, environment=os.environ, folder=Path.cwd())


def load_settings(
    options: Mapping[str, object], *, environment: Mapping[str, str], folder: Path, user_folder: Path | None = None
) -> Settings:
    """Join every source of settings.

    Args:
        options: The options given on the command line; ``memory`` is False or None for no memory.
        environment: Environment variables.
        folder: The current folder.
        user_folder: The user's configuration folder; by default where the platform has it.

    Raises:
        SettingsError: A setting does not exist or has a wrong value; the error names its place.
    """
    settings = Settings(memory=None if "memory" in options else default_place())  # the loop below sets a given memory
    users = Path(user_config_dir("graftwork")) if user_folder is None else user_folder
    for file in (users / FILE_NAME, folder / FILE_NAME):
        read = _from_file(file)
        for name in ("skills", "robot") if file.parent != users else ():
            if name not in read or (name == "robot" and not is_class(str(read[name]))):
                continue
            why = f"{name}: this is Python that is executed; say it in your own configuration folder, or with --{name}"
            raise SettingsError(str(file), why)
        settings = replace(settings, **read)
    variables = {
        name: value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value and name not in OF_THE_TESTS
    }
    for name, value in variables.items():
        settings = replace(settings, **_checked(name.removeprefix(PREFIX).lower(), value, name, folder))
    for name, option in options.items():
        settings = replace(settings, **_checked(name, option, option_word(name), folder))
    return replace(settings, domain=placed(settings.domain, settings.domain_path))


def _from_file(file: Path) -> dict[str, Any]:
    try:
        text = read_bounded(file, MOST_BYTES).decode("utf-8")
        _check_keys(text)
        document = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:  # TOML with wrong syntax, long numbers or deep lists
        raise SettingsError(str(file), f"cannot be read: {error}") from error
    read: dict[str, Any] = {}
    for name, value in document.items():
        read |= _checked(name, value, f"{file}{_line_of(name, text)}", file.parent)
    return read


def _check_keys(text: str) -> None:
    """Check that no key has many parts: the parser takes time by the square of their number.

    Raises:
        ValueError: One has.
    """
    if key := next(filter(None, (token[1] for token in DEEP_KEY.finditer(text))), None):
        raise ValueError(f"the key {shortened(key)} has more than {DEEPEST} parts")


def _line_of(name: str, text: str) -> str:
    """Return ``:3`` for a key or table in line 3; the TOML parser returns no positions."""
    match = re.search(rf"^[ \t]*+\[?[ \t]*+[\"']?{re.escape(name)}\b", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, match.end()) + 1}" if match else ""


def _checked(name: str, value: object, source: str, folder: Path) -> dict[str, Any]:
    """Check one setting."""
    if name not in FIELDS:
        raise SettingsError(source, str(UnknownNameError("setting", name, FIELDS)))
    read, expected, words = FIELDS[name].metadata["values"]
    try:
        return {name: read(value, folder)}
    except UsageError as error:
        raise SettingsError(source, str(error)) from error
    except (TypeError, ValueError, OverflowError) as error:
        nearest = did_you_mean(str(value), words, 1)
        message = f"{name} must be {expected}, not {value!r}{f'. {nearest}' if nearest else ''}"
        raise SettingsError(source, message) from error


def worlds_named(names: Iterable[str]) -> list[str]:
    """Return each name of a world on the command line, replaced by its path as in `placed`.

    Raises:
        UsageError: Several worlds have one of the names, or a setting is wrong.
    """
    folders = command_settings({}).domain_path
    return [placed(name, folders) for name in names]
