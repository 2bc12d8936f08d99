"""`Settings`: the settings of a run, joined from all their sources.

The sources are, from the weakest to the strongest: the defaults below, ``graftwork.toml`` in the user's configuration
folder, ``graftwork.toml`` in the current folder, environment variables (``GRAFTWORK_SEED``; an empty one counts as
unset), and the command line. A misspelt setting is an error in every source.

A world has a name if it is in this package, in a folder of the setting ``domain_path``, or in the current folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from platformdirs import user_config_dir

from domains.reader import DOMAIN_FILE, PDDL_FILE, WORLDS, worlds_in
from domains.repairs import Ladder
from graftwork.errors import SettingsError
from graftwork.memory.store import default_place
from graftwork.setup.limits import Weights, ladder_from, weights_from
from graftwork.setup.plans import TOGETHER
from semantics.errors import UnknownNameError, UsageError

__all__ = ["FILE_NAME", "PREFIX", "READERS", "Settings", "load_settings", "placed", "worlds_named"]


FILE_NAME = "graftwork.toml"
PREFIX = "GRAFTWORK_"
OF_THE_TESTS = frozenset({"GRAFTWORK_DATA", "GRAFTWORK_EXAMPLES"})
"""Environment variables that only tests read; they are neither settings nor mistakes."""
OPTIONS = {"costs": "cost"}
"""The command-line option of each setting that has another name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run uses.

    Attributes:
        domain: Name or path of the domain.
        scene: Name or path of the scene; ``auto`` for the one called ``full``, or else the first by name.
        robot: Name of the body, or ``served:SOCKET``; ``auto`` for the one that fits the scene.
        model: ``offline``, ``openai:NAME``, ``replay:FILE`` or ``scripted:FILE``.
        planner: Name of a planner, see `planning.PLANNERS`, or ``up:ENGINE``.
        seed: Of the scene's poses.
        memory: The memory's file; None for none.
        record: Folder for the record and the report; None for none.
        run_seconds: Time limit of one instruction, in seconds of the body's clock.
        planning_seconds: Time limit of one planning call.
        model_seconds: Time limit of one answer of a language model, retries included.
        model_tries: How often a language model is asked about one instruction, at most.
        affordance_threshold: From which probability on a class counts as having an affordance, where evidence of
            earlier runs is kept.
        substitute: Whether something else may be used instead of what is missing: ``ask``, ``allow`` or ``never``.
        part: Whether only a part of a goal may be gone for, where not all can be had: ``ask``, ``allow`` or ``never``.
        together: Whether what can be done at once is: ``auto`` is where the body can do that; or ``never``.
        weights: What a metre, a second and the risk of failing cost; none: actions cost what their world says.
        patience: How long a proof that a plan is cheapest is waited for before the robot sets off with the first plan,
            in seconds; ``auto`` is 0.3 on a real clock, and `planning_seconds` on a simulated one, which stands still.
        domain_path: Folders of worlds that are known by name, besides those that come with this program.
        costs: What each action of a class of agents costs here, other than its world says.
        ladder: What each rung of the repair ladder may spend here, other than its world says.
        answer_seconds: How long a person's answer is waited for during a run, in seconds of the body's clock.
        model_price: What 1,000 tokens of the model cost, in the unit of a rung's ``money``.
    """

    domain: str = "kitchen"
    scene: str = "auto"
    robot: str = "auto"
    model: str = "offline"
    planner: str = "fast-downward"
    seed: int = 0
    memory: Path | None = None
    record: Path | None = None
    planning_seconds: float = 20.0
    model_seconds: float = 30.0
    model_tries: int = 5
    affordance_threshold: float = 0.5
    substitute: str = "ask"
    part: str = "ask"
    together: str = "auto"
    weights: Weights = field(default_factory=Weights)
    patience: float | None = None
    domain_path: tuple[Path, ...] = ()
    costs: Mapping[str, int] = field(default_factory=dict)
    run_seconds: float = 1800.0
    ladder: Ladder = field(default_factory=dict)
    answer_seconds: float = 60.0
    model_price: float = 0.0


def load_settings(
    options: Mapping[str, object],
    *,
    environment: Mapping[str, str],
    folder: Path,
    user_folder: Path | None = None,
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
        settings = replace(settings, **_from_file(file))
    variables = {
        name: value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value and name not in OF_THE_TESTS
    }
    for name, value in variables.items():
        settings = replace(settings, **_checked(name.removeprefix(PREFIX).lower(), value, name, folder))
    for name, option in options.items():
        settings = replace(settings, **_checked(name, option, f"--{OPTIONS.get(name, name.replace('_', '-'))}", folder))
    return replace(settings, domain=placed(settings.domain, settings.domain_path))


def _from_file(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(str(file), f"cannot be read: {error}") from error
    read: dict[str, Any] = {}
    for name, value in document.items():
        read |= _checked(name, value, f"{file}{_line_of(name, text)}", file.parent)
    return read


def _line_of(name: str, text: str) -> str:
    """Return ``:3`` for a key or table in line 3; the TOML parser returns no positions."""
    match = re.search(rf"^\s*\[?\s*[\"']?{re.escape(name)}\b", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, match.end()) + 1}" if match else ""


def _checked(name: str, value: object, source: str, folder: Path) -> dict[str, Any]:
    """Check one setting."""
    if name not in READERS:
        raise SettingsError(source, str(UnknownNameError("setting", name, READERS)))
    read, expected = READERS[name]
    try:
        return {name: read(value, folder)}
    except UsageError as error:
        raise SettingsError(source, str(error)) from error
    except (TypeError, ValueError) as error:
        raise SettingsError(source, f"{name} must be {expected}, not {value!r}") from error


MOST_SECONDS = 86_400.0
"""A day: a longer limit is no limit."""
MOST_MONEY = 1e9
NOWHERE = frozenset({"none", "no", "off", "false", "0"})
"""Words that switch the memory or the recording off."""
CONSENTS = frozenset({"ask", "allow", "never"})
"""The values of a consent, see `graftwork.setup.limits.Consent`."""


def _word(value: object, _: Path) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _name_or_path(value: object, folder: Path) -> str:
    """Resolve a path from the folder of its settings file; return a plain name unchanged."""
    word = _word(value, folder)
    is_path = "/" in word or "\\" in word or word.endswith((".yaml", ".yml"))
    return str(_resolved(word, folder)) if is_path else word


def _robot(value: object, folder: Path) -> str:
    """Resolve the socket of a served body from the folder of its settings file."""
    word = _word(value, folder)
    kind, colon, socket = word.partition(":")
    return f"{kind}:{_resolved(socket, folder)}" if colon and socket else word


def _place(value: object, folder: Path) -> Path | None:
    if value is None or value is False or (isinstance(value, str) and value.strip().lower() in NOWHERE):
        return None
    if not isinstance(value, str | Path):
        raise TypeError
    return _resolved(value, folder)


def _resolved(path: str | Path, folder: Path) -> Path:
    return folder / Path(path).expanduser()


def _whole(value: object, _: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _count(value: object, folder: Path) -> int:
    number = _whole(value, folder)
    if number < 1:
        raise ValueError
    return number


def _seconds(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    seconds = float(value)
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError
    return seconds


def _price(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    price = float(value)
    if not 0 <= price <= MOST_MONEY:
        raise ValueError
    return price


def _probability(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    probability = float(value)
    if not 0 < probability < 1:
        raise ValueError
    return probability


def _folders(value: object, folder: Path) -> tuple[Path, ...]:
    places = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(places, list) or not all(isinstance(place, str) for place in places):
        raise TypeError
    return tuple(_resolved(place, folder) for place in places if place.strip())


def _costs(value: object, _: Path) -> dict[str, int]:
    """Read ``human=10``, several of these in a list or separated by commas, or a table."""
    if isinstance(value, dict):
        pairs = [(name, _whole(cost, Path())) for name, cost in value.items()]
    else:
        texts = value.split(",") if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            raise TypeError
        parts = [text.partition("=") for text in texts]
        pairs = [(name.strip(), int(cost)) for name, _sign, cost in parts]
    if any(cost < 0 or not name for name, cost in pairs):
        raise ValueError
    return dict(pairs)


def _one_of(words: Collection[str], value: object, folder: Path) -> str:
    word = _word(value, folder)
    if word not in words:
        raise ValueError
    return word


def _weights(value: object, _: Path) -> Weights:
    return value if isinstance(value, Weights) else weights_from(value)


def _ladder(value: object, _: Path) -> Ladder:
    return ladder_from(value)


def _patience(value: object, folder: Path) -> float | None:
    if value == "auto":
        return None
    return 0.0 if value in (0, "0") and not isinstance(value, bool) else _seconds(value, folder)


READERS: Mapping[str, tuple[Callable[[Any, Path], object], str]] = {
    "domain": (_name_or_path, "a name or a path"),
    "scene": (_name_or_path, "a name or a path"),
    "robot": (_robot, "a name, or served:SOCKET"),
    "model": (_word, "'offline', 'openai:NAME', 'replay:FILE' or 'scripted:FILE'"),
    "planner": (_word, "'fast-downward', 'kairos', 'portfolio' or 'up:ENGINE'"),
    "seed": (_whole, "a whole number"),
    "memory": (_place, "a path, or false for none"),
    "record": (_place, "a path, or false for none"),
    "run_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "planning_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_tries": (_count, "a whole number from 1"),
    "affordance_threshold": (_probability, "a number between 0 and 1"),
    "substitute": (partial(_one_of, CONSENTS), "'ask', 'allow' or 'never'"),
    "part": (partial(_one_of, CONSENTS), "'ask', 'allow' or 'never'"),
    "together": (partial(_one_of, TOGETHER), "'auto' or 'never'"),
    "weights": (_weights, "such as per_metre=0.5,per_second=0.1,risk=3, each from 0"),
    "patience": (_patience, "'auto', or a number of seconds from 0"),
    "domain_path": (_folders, "a list of folders"),
    "costs": (_costs, "such as human=10, a whole number from 0 for a class of agents"),
    "answer_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_price": (_price, "a number from 0"),
    "ladder": (_ladder, "such as rule=none,replan.tries=3,again.seconds=20"),
}

HERE = (".", "..")
ENDINGS = (".yaml", ".yml", ".pddl")


def placed(name: str, folders: Sequence[Path]) -> str:
    """Return the path of a world that is found only in `folders` or the current folder; else return the name.

    A world of this package takes precedence over a folder of the same name; ``.`` and ``..`` are always folders.

    Raises:
        UsageError: Several worlds outside this package have this name.
    """
    if name in HERE:
        return f"{name}/"
    if not name or os.sep in name or "/" in name or name.endswith(ENDINGS):
        return name
    places = worlds_in((WORLDS, *folders)).get(name, ())
    is_shipped = bool(places) and places[0].parent == WORLDS
    if not is_shipped and _holds_a_world(Path(name)) and not any(_is_same(place, Path(name)) for place in places):
        places = (*places, Path(name))
    if len(places) > 1:
        shown = ", ".join(map(_as_path, places))
        raise UsageError(f"several worlds are named '{name}': {shown}; name one by its path")
    return name if not places or is_shipped else _as_path(places[0])


def worlds_named(names: Iterable[str]) -> list[str]:
    """Return each name of a world on the command line, replaced by its path as in `placed`.

    Raises:
        UsageError: Several worlds have one of the names, or a setting is wrong.
    """
    folders = load_settings({}, environment=os.environ, folder=Path.cwd()).domain_path
    return [placed(name, folders) for name in names]


def _holds_a_world(folder: Path) -> bool:
    try:
        return any((folder / file).is_file() for file in (DOMAIN_FILE, PDDL_FILE))
    except (OSError, ValueError):  # no folder can have this name
        return False


def _is_same(place: Path, folder: Path) -> bool:
    return place.resolve() == folder.resolve()


def _as_path(place: Path) -> str:
    """Return a path in a form that cannot be mistaken for a name."""
    return str(place) if len(place.parts) > 1 else f"./{place}"
