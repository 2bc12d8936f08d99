"""Which class of a world an entry of CoPAL's is of: by its type, by its name, or by what lists it."""

from __future__ import annotations

from collections.abc import Mapping

from domains.model import Domain
from graftwork.imports.entries import ImportedObject, ImportedState

__all__ = ["IGNORED", "SUBSTANCES", "classes_of"]

FURNITURE = ("table", "shelf", "fridge", "shaker", "oven")
TYPES = ("robot", "hand", "bottle", "bowl", "glass", "tray", "mixing_container", "dough", "big_plate", "oven")
SUBSTANCES = ("ingredient", "liquid")
IGNORED = ("room",)
KNOWN = (*TYPES, *SUBSTANCES, *FURNITURE, *IGNORED)
HOLDERS = ("bowl", "glass", "dough", "mixing_container")


def classes_of(state: ImportedState, domain: Domain) -> Mapping[str, str]:
    """Return the class of everything that has one; complain of what `domain` has no class for.

    A type that CoPAL made of the name of a single thing (``bacon``, ``salt``) is a liquid where something holds it as
    one, and an ingredient where a bowl lists it.
    """
    liquids = {name for entry in state.entries.values() for name in entry.liquids}
    ingredients = {name for entry in state.entries.values() if entry.type in HOLDERS for name in entry.holds}
    classes = {}
    for name, entry in state.entries.items():
        class_name = _meant(entry)
        if class_name not in KNOWN and name in liquids | ingredients:
            class_name = "liquid" if name in liquids else "ingredient"
        if class_name in domain.classes:
            classes[name] = class_name
        elif class_name not in IGNORED:
            _complain(entry, class_name, state, domain)
    return classes


def _meant(entry: ImportedObject) -> str:
    return next(
        (piece for piece in FURNITURE if entry.type in ("furniture", piece) and piece in entry.name), entry.type
    )


def _complain(entry: ImportedObject, class_name: str, state: ImportedState, domain: Domain) -> None:
    mark = state.mark(entry.name, "type")
    if class_name in KNOWN and class_name not in IGNORED:
        message = f"the world {domain.name} has no class {class_name}; expected a state that belongs to it"
        state.diagnostics.add(mark, message, "unknown-class", class_name)
    elif entry.type == "furniture":
        state.diagnostics.unknown(mark, "piece of furniture", entry.name, FURNITURE)
    else:
        state.diagnostics.unknown(mark, "type", class_name, (*KNOWN, "furniture"))
