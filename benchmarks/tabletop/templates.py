"""The instruction templates of the evaluation, read from the folder where they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from semantics.errors import UsageError

__all__ = ["FILES", "Template", "Templates", "load_published", "load_templates"]

FILES = ("cap_tabletop/templates.json", "lrll_templates/lrll_41_reconstructed.json")
"""The two files below the folder of the data: fourteen templates of Code as Policies, and 41 further ones."""


@dataclass(frozen=True, slots=True)
class Template:
    """An instruction with places for attributes, such as ``put all the blocks on the <corner/side>``.

    Attributes:
        name: S1 to S8 and U1 to U6 of Code as Policies, L01 to L41 of the others.
        text: The words, with what is to be drawn between ``<`` and ``>``.
        check: The condition of success as published, in words.
        seed: The seed that was published with it; 0 where there is none.
    """

    name: str
    text: str
    check: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates by name, and the values of attributes of either set, ``seen`` and ``unseen``."""

    templates: Mapping[str, Template]
    attributes: Mapping[str, Mapping[str, tuple[str, ...]]]


def load_templates(data: Path) -> Templates:
    """Read the templates from the folder that holds both files.

    Raises:
        UsageError: If a file is not there; the message names it.
    """
    for file in FILES:
        if not (data / file).is_file():
            raise UsageError(f"there is no {file} in {data}; name the folder of both with --data")
    published, further = load_published((data / FILES[0]).parent), _document(data / FILES[1])
    templates = [Template(row["id"], row["template"], row["success"]) for row in further["templates"]]
    return replace(published, templates={**published.templates, **{each.name: each for each in templates}})


def load_published(folder: Path) -> Templates:
    """Read the fourteen templates of Code as Policies alone, from the folder of their file.

    Raises:
        UsageError: If the file is not there; the message names it.
    """
    file = folder / Path(FILES[0]).name
    if not file.is_file():
        raise UsageError(f"there is no {file}; name its folder with --templates")
    tabletop = _document(file)
    rows = [*tabletop["instructions_seen"], *tabletop["instructions_unseen"]]
    templates = [Template(row["id"], row["template"], row["check"], row["seed"]) for row in rows]
    pools = {
        split: {name: tuple(values) for name, values in tabletop[f"attributes_{split}"].items()}
        for split in ("seen", "unseen")
    }
    return Templates({template.name: template for template in templates}, pools)


def _document(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document
