"""The reader of the section ``rules`` of a domain file, and of its packs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from domains.errors import DomainFileError
from domains.model import GoalRule
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode, place_in, read_text
from domains.reader.nodes.fields import entries, scalars, text
from domains.reader.rules.bodies import Signature, faults
from domains.reader.rules.packs import read_pack
from semantics.sexpr import place_of

__all__ = ["read_rules"]

FILE = "file"
CULPRITS = re.compile(r"Culprits\s*=\s*\[([^][|]*)\]")
SLOT = re.compile(r"\{([^{}]*)\}")
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.pl", re.ASCII)
LONGEST_PACK = 200_000


def read_rules(node: Node | None, diagnostics: Diagnostics, source: str = "") -> tuple[GoalRule, ...]:
    """Read the rules by name; ``file`` names packs of definitions beside `source`."""
    named: Node | None = node
    packs: list[Scalar] = []
    if isinstance(node, TableNode):
        files = [
            entry.value for entry in node.entries if entry.key.text == FILE and not isinstance(entry.value, TableNode)
        ]
        packs = [scalar for value in files for scalar in scalars(value, f"'{FILE}' of the rules", diagnostics)]
        named = TableNode(tuple(entry for entry in node.entries if entry.value not in files), node.mark)
    definitions, defined = _read_packs(packs, source, diagnostics)
    rules = (_read_rule(entry, defined, diagnostics) for entry in entries(named, "rules", diagnostics))
    return tuple(replace(rule, definitions=definitions) for rule in rules)


def _read_packs(packs: list[Scalar], source: str, diagnostics: Diagnostics) -> tuple[str, frozenset[Signature]]:
    texts: list[str] = []
    defined: frozenset[Signature] = frozenset()
    for scalar in packs:
        for pack_text, path in _pack_text(scalar, source, diagnostics):
            pack = read_pack(pack_text)
            beside = diagnostics.beside(path, pack_text)
            for fault in pack.faults:
                beside.add(Mark(*place_of(pack_text, fault.offset)), fault.message, "bad-rule-pack")
            for name, arity in sorted(pack.defined & defined):
                message = f"{name}/{arity} is defined in another pack already; expected another name"
                beside.add(Mark(), message, "named-twice", name)
            texts.append(pack_text)
            defined |= pack.defined
    return "\n".join(texts), defined


def _pack_text(scalar: Scalar, source: str, diagnostics: Diagnostics) -> Iterator[tuple[str, str]]:
    """Yield the text of a pack and its path, if it can be read."""
    name = scalar.text
    if not PLAIN.fullmatch(name) or not source:
        message = f"'{name}' is no pack; expected the name of a file beside the domain, such as rules.pl"
        diagnostics.add(scalar.mark, message, "bad-rule-pack", name)
        return
    path = Path(source).parent / name
    try:
        pack_text = read_text(path, str(path))
    except DomainFileError as error:
        message = f"pack '{name}': {error.problems[0].message}"
        diagnostics.add(scalar.mark, message, "bad-rule-pack", name)
        return
    if len(pack_text) > LONGEST_PACK:
        message = f"'{name}' is too long; expected at most {LONGEST_PACK} characters"
        diagnostics.add(scalar.mark, message, "bad-rule-pack", name)
        return
    yield pack_text, str(path)


def _read_rule(entry: Entry, defined: Collection[Signature], diagnostics: Diagnostics) -> GoalRule:
    what = f"rule '{entry.key.text}'"
    fields = open_table(entry.value, "rule", what, diagnostics)
    body, say = fields.get("when"), fields.get("say")
    if isinstance(body, Scalar):
        for fault in faults(body.text, defined):
            mark = place_in(body, *place_of(body.text, fault.offset), diagnostics)
            diagnostics.add(mark, f"{what}: {fault.message}", "bad-rule")
    prolog = body.text.strip() if isinstance(body, Scalar) else text(body, f"'when' of {what}", diagnostics)
    sentence = text(say, f"'say' of {what}", diagnostics)
    if say is not None:
        _check_sentence(sentence, prolog, say.mark, what, diagnostics)
    return GoalRule(entry.key.text, prolog, sentence, text(fields.get("hint"), f"'hint' of {what}", diagnostics))


def _check_sentence(sentence: str, prolog: str, mark: Mark, what: str, diagnostics: Diagnostics) -> None:
    listed = [len(match[1].split(",")) if match[1].strip() else 0 for match in CULPRITS.finditer(prolog)]
    for slot in SLOT.findall(sentence):
        if not slot.isdigit():
            message = f"{what} says '{{{slot}}}'; expected {{0}}, {{1}}, … for the culprits"
            diagnostics.add(mark, message, "bad-sentence", slot)
        elif listed and int(slot) >= min(listed):
            message = f"{what} says '{{{slot}}}' of {min(listed)} culprits; expected a smaller number"
            diagnostics.add(mark, message, "bad-sentence", slot)
