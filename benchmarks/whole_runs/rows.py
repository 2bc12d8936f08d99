"""The rows of the data: what is said, in which room, what happens meanwhile, and what must be so in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

__all__ = ["FILES", "HERE", "ROOT", "Row", "load_rows", "read_yaml"]

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILES = {
    "kitchen": "kitchen",
    "tabletop": "tabletop",
    "fetch": "fetch",
    "disturbances": "disturbances",
    "impossible": "impossible",
    "galley": "galley_sentences",
    "crowded": "crowded_sentences",
    "pours": "pours",
    "wipes": "wipes",
    "watched": "watched",
}
"""The file of each part."""


class _Loader(yaml.SafeLoader):
    """A reader of YAML for which `on` is a name."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


class Row(NamedTuple):
    """One run.

    Attributes:
        part: The name of its part.
        seed: Its seed.
        data: The fields of the row.
    """

    part: str
    seed: int
    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the row in its file."""
        return str(self.data["id"])

    def list_of(self, key: str) -> Sequence[Mapping[str, Any]]:
        """Return the tables of a key; none where it is missing."""
        return list(self.data.get(key) or ())


def read_yaml(file: Path) -> Any:  # noqa: ANN401 - data
    """Read a file of data, or a scene."""
    return yaml.load(file.read_text(encoding="utf-8"), _Loader)


def load_rows(part: str, seeds: int | None = None, half: str = "", names: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of a part, one for each seed.

    Args:
        part: One of `FILES`.
        seeds: How many seeds of each row; by default all.
        half: Only this half, of rows that belong to one.
        names: Only these rows; by default all.
    """
    for data in read_yaml(HERE / f"{FILES[part]}.yaml"):
        if (half and data.get("half", half) != half) or (names and data["id"] not in names):
            continue
        span = data.get("seeds", {"from": data.get("seed", 0), "to": data.get("seed", 0)})
        for seed in list(range(span["from"], span["to"] + 1))[:seeds]:
            yield Row(part, seed, data)
