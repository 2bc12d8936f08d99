"""`Settings`: what a run uses, from the least to the most particular place that says so.

The order is: the defaults below, ``graftwork.toml`` in the user's configuration folder, ``graftwork.toml`` in the
current folder, environment variables (``GRAFTWORK_SEED``; an empty one counts as unset), the command line. A misspelt
setting is an error everywhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from domains.ladder import Ladder
from graftwork.errors import SettingsError
from graftwork.memory.place import default_place
from graftwork.pricing.weights import Weights
from graftwork.settings.values import READERS
from graftwork.staging.placing import placed
from semantics.errors import UnknownNameError, UsageError

__all__ = ["FILE_NAME", "PREFIX", "Settings", "load_settings"]

FILE_NAME = "graftwork.toml"
PREFIX = "GRAFTWORK_"
OF_THE_TESTS = frozenset({"GRAFTWORK_DATA", "GRAFTWORK_EXAMPLES"})
"""Variables that only tests read; they are no settings, and no mistakes."""
OPTIONS = {"costs": "cost"}
"""Settings whose option has another name."""


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
    given: Mapping[str, object],
    *,
    environment: Mapping[str, str],
    folder: Path,
    user_folder: Path | None = None,
) -> Settings:
    """Join every source of settings.

    Args:
        given: From the command line, only what was given; ``memory`` False or None for none.
        environment: Environment variables.
        folder: The current folder.
        user_folder: The user's configuration folder; by default where the platform has it.

    Raises:
        SettingsError: A setting that does not exist or does not fit, with the place where it stands.
    """
    settings = Settings(memory=default_place())
    for file in (_user_folder(user_folder) / FILE_NAME, folder / FILE_NAME):
        settings = replace(settings, **_from_file(file))
    variables = {
        name: value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value and name not in OF_THE_TESTS
    }
    for name, value in variables.items():
        settings = replace(settings, **_one(name.removeprefix(PREFIX).lower(), value, name, folder))
    for name, option in given.items():
        settings = replace(settings, **_one(name, option, f"--{OPTIONS.get(name, name.replace('_', '-'))}", folder))
    return replace(settings, domain=placed(settings.domain, settings.domain_path))


def _user_folder(given: Path | None) -> Path:
    if given is not None:
        return given
    from platformdirs import user_config_dir

    return Path(user_config_dir("graftwork"))


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
        read |= _one(name, value, f"{file}{_line_of(name, text)}", file.parent)
    return read


def _line_of(name: str, text: str) -> str:
    """Return ``:3`` for a key or table that stands in line 3; the parser keeps no places."""
    found = re.search(rf"^\s*\[?\s*[\"']?{re.escape(name)}\b", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, found.end()) + 1}" if found else ""


def _one(name: str, value: object, source: str, folder: Path) -> dict[str, Any]:
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
