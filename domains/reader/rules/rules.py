"""The reader of the section ``rules`` of a domain file, and of its packs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from domains.diagnostics import Mark
from domains.errors import DomainFileError
from domains.model import GoalRule
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode, place_in, read_text, value_of
from domains.reader.nodes.fields import Field, entries
from domains.reader.rules.bodies import Signature, faults
from domains.reader.rules.packs import read_pack
from semantics.logic.parsing import place_of

__all__ = ["read_rules"]

FILE = "file"
CULPRITS = re.compile(r"Culprits\s*=\s*\[([^][|]*)\]")
SLOT = re.compile(r"\{([^{}]*)\}")
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.pl", re.ASCII)
LONGEST_PACK = 200_000


def read_rules(node: Node | None, source: str = "") -> tuple[GoalRule, ...]:
    """Read the rules by name; ``file`` names packs of definitions beside `source`."""
    named = node
    packs: list[Scalar] = []
    if isinstance(node, TableNode):
        files = value_of(node, FILE)
        if files is not None and not isinstance(files, TableNode):
            packs = list(Field(files, f"'{FILE}' of the rules").scalars())
            named = replace(node, entries=tuple(entry for entry in node.entries if entry.value is not files))
    definitions, defined = _read_packs(packs, source)
    rules = (_read_rule(entry, defined) for entry in entries(named, "rules"))
    return tuple(replace(rule, definitions=definitions) for rule in rules)


def _read_packs(packs: list[Scalar], source: str) -> tuple[str, frozenset[Signature]]:
    texts: list[str] = []
    defined: frozenset[Signature] = frozenset()
    for scalar in packs:
        for pack_text, path in _pack_text(scalar, source):
            pack = read_pack(pack_text)
            beside = scalar.file.beside(path, pack_text)
            for fault in pack.faults:
                beside.add(Mark(*place_of(pack_text, fault.offset)), fault.message, "bad-rule-pack")
            for name, arity in sorted(pack.defined & defined):
                message = f"{name}/{arity} is defined in another pack already; expected another name"
                beside.add(Mark(), message, "named-twice", name)
            texts.append(pack_text)
            defined |= pack.defined
    return "\n".join(texts), defined


def _pack_text(scalar: Scalar, source: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a pack and its path, if it can be read."""
    name = scalar.text
    if not PLAIN.fullmatch(name) or not source:
        message = f"'{name}' is no pack; expected the name of a file beside the domain, such as rules.pl"
        scalar.report(message, "bad-rule-pack", name)
        return
    path = Path(scalar.file.path or source).parent / name
    try:
        pack_text = read_text(path, str(path))
    except DomainFileError as error:
        scalar.report(f"pack '{name}': {error.problems[0].message}", "bad-rule-pack", name)
        return
    if len(pack_text) > LONGEST_PACK:
        message = f"'{name}' is too long; expected at most {LONGEST_PACK} characters"
        scalar.report(message, "bad-rule-pack", name)
        return
    yield pack_text, str(path)


def _read_rule(entry: Entry, defined: Collection[Signature]) -> GoalRule:
    what = f"rule '{entry.key.text}'"
    fields = open_table(entry.value, "rule", what)
    body = fields.get("when")
    if isinstance(body, Scalar):
        for fault in faults(body.text, defined):
            place = replace(body, mark=place_in(body, *place_of(body.text, fault.offset)))
            place.report(f"{what}: {fault.message}", "bad-rule")
    prolog = body.text.strip() if isinstance(body, Scalar) else fields["when"].text()
    sentence = fields["say"].text()
    if "say" in fields.values:
        _check_sentence(sentence, prolog, fields.values["say"], what)
    return GoalRule(entry.key.text, prolog, sentence, fields["hint"].text())


def _check_sentence(sentence: str, prolog: str, node: Node, what: str) -> None:
    listed = [len(match[1].split(",")) if match[1].strip() else 0 for match in CULPRITS.finditer(prolog)]
    for slot in SLOT.findall(sentence):
        if not slot.isdigit():
            message = f"{what} says '{{{slot}}}'; expected {{0}}, {{1}}, … for the culprits"
            node.report(message, "bad-sentence", slot)
        elif listed and int(slot) >= min(listed):
            message = f"{what} says '{{{slot}}}' of {min(listed)} culprits; expected a smaller number"
            node.report(message, "bad-sentence", slot)
