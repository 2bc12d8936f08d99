"""Rule packs: definitions in Prolog that the rules of a world call, looked at by themselves."""

from __future__ import annotations

from domains.lint.conditions import calls_of
from domains.model import Domain
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.rules import read_pack
from semantics.sexpr import place_of

__all__ = ["lint_pack"]


def lint_pack(text: str, domain: Domain | None, diagnostics: Diagnostics) -> None:
    """Tell of what keeps a pack from being harmless, and of names that the world does not have.

    Args:
        text: Of the pack.
        domain: The world that it stands beside, if there is one that can be used.
        diagnostics: Of the pack's file.
    """
    for fault in read_pack(text).faults:
        diagnostics.add(_mark(text, fault.offset), fault.message, "bad-rule-pack")
    if domain is None:
        return
    valid = {"thing": ("class", domain.classes), "affords": ("affordance", (*domain.affordances, "object"))}
    for call in calls_of(text):
        kind, names = valid.get(call.kind, ("predicate", domain.predicates))
        mark = _mark(text, call.offset)
        if call.name not in names:
            diagnostics.unknown(mark, kind, call.name, names)
        elif kind == "predicate" and call.arity is not None:
            asked = domain.predicates[call.name].predicate.parameters
            if call.arity != len(asked):
                form = " ".join((call.name, *asked))
                message = f"'{call.name}' is asked for with {call.arity} arguments; expected those of ({form})"
                diagnostics.warn(mark, message, "condition-never-holds", call.name)


def _mark(text: str, offset: int) -> Mark:
    return Mark(*place_of(text, offset))
