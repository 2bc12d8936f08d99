"""The logged failures of CoPAL's 600 cocktail runs, read into causes.

The logs belong to Joublin et al. (2024); they are not part of this project. A record is a command that could not be
carried out, with a sentence that says why in all configurations but H0 and MH0, where it says only that it could not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

__all__ = ["Cause", "Record", "read_records", "read_runs"]


class Cause(StrEnum):
    """Why a command could not be carried out."""

    UNKNOWN_COMMAND = "unknown-command"
    UNKNOWN_NAME = "unknown-name"
    NOT_IN_HAND = "not-in-hand"
    HANDS_FULL = "hands-full"
    HAND_FULL = "hand-full"
    HANDS_USED = "hands-used"
    TARGET_FULL = "target-full"
    CLOSED = "closed"
    NOT_OPENABLE = "not-openable"
    UNTOLD = "untold"


SAID: Mapping[str, Cause] = {
    r"does not exist in the robot API|I don't know how to|no command received": Cause.UNKNOWN_COMMAND,
    r"does not exist in environment": Cause.UNKNOWN_NAME,
    r"is not in (a )?hand": Cause.NOT_IN_HAND,
    r"both hands are already full": Cause.HANDS_FULL,
    r"because it is full": Cause.HAND_FULL,
    r"both hands? are used": Cause.HANDS_USED,
    r"is already full with": Cause.TARGET_FULL,
    r"is not openable": Cause.NOT_OPENABLE,
    r"is closed": Cause.CLOSED,
}
COMMAND = re.compile(
    r"(?:cannot )?(.*?)(?: with specified hand)? (?:could not be executed|because|does not exist in the robot)"
)


@dataclass(frozen=True, slots=True)
class Record:
    """One logged failure.

    Attributes:
        config: H0, H1, H2 (replanning alone), MH0, MH1, MH2 (with repairs).
        run: Request and number.
        repaired: Whether it was mended by the authors' repairs; otherwise the language model was asked again.
        command: What could not be carried out, as it was written.
        cause: Why.
    """

    config: str
    run: tuple[str, int]
    repaired: bool
    command: str
    cause: Cause


def read_records(path: Path) -> tuple[Record, ...]:
    """Read ``errors_and_repairs.json``."""
    return tuple(_record(one) for one in json.loads(path.read_text(encoding="utf-8")))


def _record(one: Mapping[str, object]) -> Record:
    said = re.sub(r"^\[[^\]]*\]\s*", "", str(one["message"]))
    said = re.sub(r"^Error:\s*", "", said)
    cause = next((cause for pattern, cause in SAID.items() if re.search(pattern, said)), Cause.UNTOLD)
    found = re.match(r'I don\'t know how to execute "(.*)"', said) or COMMAND.match(said)
    run = str(one["request"]), int(str(one["run"]))
    return Record(str(one["config"]), run, one["kind"] == "mid_level_repair", found[1] if found else "", cause)


def read_runs(path: Path) -> dict[str, int]:
    """Return how many runs ``runs_summary.json`` tells of, by configuration."""
    counts: dict[str, int] = {}
    for one in json.loads(path.read_text(encoding="utf-8")):
        counts[one["config"]] = counts.get(one["config"], 0) + 1
    return counts
