"""``graftwork classes``: the classes of a class pack, and how a world takes them over."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

from graftwork.cli.options import command, echo, group, print_json
from semantics.errors import UsageError

if TYPE_CHECKING:
    from domains.reader.class_packs import ClassPack


classes_app = group("Class packs: list, show and search their classes, add one.")


@command(classes_app, "classes list")
def list_command(pack: str, as_json: bool) -> None:
    """List the classes of a pack."""
    _print_names(_pack(pack).classes, as_json=as_json)


@command(classes_app, "classes show")
def show_command(name: str, pack: str) -> None:
    """Print what a pack says of a class."""
    from domains.reader.bases import yaml_text

    echo(f"{name}:\n{indent(yaml_text(_pack(pack, name).classes[name]), '  ')}", nl=False)


@command(classes_app, "classes search")
def search_command(word: str, pack: str, as_json: bool) -> None:
    """List the classes that a word may mean; without any, those whose names hold it."""
    from semantics.words.lexicon import plain

    words = _pack(pack).words
    meant = [name for name in words if plain(word) in words[name]]
    _print_names(meant or [name for name in words if plain(word) in plain(name)], as_json=as_json)


@command(classes_app, "classes add")
def add_command(name: str, to: Path, pack: str) -> None:
    """Let a world use one class of a pack."""
    _pack(pack, name)
    place = os.path.relpath(pack, to.parent) if Path(pack).is_file() else pack
    try:
        head, line, rest = to.read_text(encoding="utf-8").partition("\nclasses:\n")
        if not line or rest.startswith("  use:") or "\n  use:" in rest:
            raise UsageError(f"{to}: expected a line 'classes:', and no 'use' below it; add {name} to the 'use' there")
        to.write_text(f"{head}{line}  use: {{{place}: [{name}]}}\n{rest}", encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{to} cannot be changed: {exc.strerror}") from exc
    echo(f"added    {name} of {pack} to {to}")


def _pack(name: str, class_name: str = "") -> ClassPack:
    """Return a pack by its name or path, which has a class of a name."""
    from domains.reader.class_packs import available_packs, load_pack
    from semantics.errors import known_name

    packs = available_packs()
    if not Path(name).is_file():
        known_name("pack", name, packs)
    pack = load_pack(packs.get(name, Path(name)))
    if class_name:
        known_name("class", class_name, pack.classes)
    return pack


def _print_names(names: Collection[str], *, as_json: bool) -> None:
    if as_json:
        print_json({"classes": list(names)})
    else:
        echo("\n".join(names) or "none")
