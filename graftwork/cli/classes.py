"""``graftwork classes``: the classes of a class pack, and how a world takes them over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graftwork.cli.options import REQUIRED, argument, echo, group, option, print_json, takes
from semantics.errors import UsageError

if TYPE_CHECKING:
    from domains.reader.class_packs import ClassPack

__all__ = ["classes_app"]

classes_app = group("Class packs: list, show and search their classes, add one.")

PACK = option("pack", str, "NAME|PATH", "Class pack.", default="household")
NAME = argument("name", None, "Name of a class.")


@classes_app.command("list", epilog="Example: graftwork classes list --pack household")
@takes(PACK, "as_json")
def list_command(pack: str, as_json: bool) -> None:
    """List the classes of a pack."""
    _print_names(list(_pack(pack).texts), as_json=as_json)


@classes_app.command("show", epilog="Example: graftwork classes show wok")
@takes(NAME, PACK)
def show_command(name: str, pack: str) -> None:
    """Print what a pack says of a class."""
    echo(_text(_pack(pack), name))


@classes_app.command("search", epilog='Example: graftwork classes search "frying pan"')
@takes(argument("word", None, "What people say."), PACK, "as_json")
def search_command(word: str, pack: str, as_json: bool) -> None:
    """List the classes that a word may mean; without any, those whose names hold it."""
    from semantics.words.lexicon import plain

    found = _pack(pack)
    named = [name for name in found.texts if plain(word) in plain(name)]
    _print_names(list(found.meant(plain(word))) or named, as_json=as_json)


@classes_app.command("add", epilog="Example: graftwork classes add wok --to worlds/mine/domain.yaml")
@takes(NAME, option("to", Path, "FILE", "File of a world; one line is added to it.", default=REQUIRED), PACK)
def add_command(name: str, to: Path, pack: str) -> None:
    """Let a world use one class of a pack; the file is left as it is where the class would be a mistake."""
    from domains.reader import load_domain

    _text(_pack(pack), name)
    try:
        before = to.read_text(encoding="utf-8")
        head, line, rest = before.partition("\nclasses:\n")
        if not line or "\n  use:" in before:
            raise UsageError(f"{to}: expected a line 'classes:', and no 'use' below it; add {name} to the 'use' there")
        to.write_text(f"{head}{line}  use: {{{pack}: [{name}]}}\n{rest}", encoding="utf-8")
        try:
            load_domain(to)
        except UsageError:
            to.write_text(before, encoding="utf-8")
            raise
    except OSError as exc:
        raise UsageError(f"{to} cannot be changed: {exc.strerror}") from exc
    echo(f"added    {name} of {pack} to {to}")


def _pack(name: str) -> ClassPack:
    from domains.reader.class_packs import named_pack

    return named_pack(name)


def _text(pack: ClassPack, name: str) -> str:
    from semantics.errors import known_name

    known_name("class", name, pack.texts)
    return pack.texts[name].text.rstrip()


def _print_names(names: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json({"classes": names})
        return
    for name in names:
        echo(name)
    if not names:
        echo("none")
