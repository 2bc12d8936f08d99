"""The reader of phrases: patterns of controlled English, each with its goal or its program."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from domains.model import PredicateModel
from domains.reader.formulas.conditions import check_names, read_formula
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, place_in
from domains.reader.nodes.fields import Field, entries
from semantics.logic.atoms import And, literals
from semantics.logic.vocabulary import GoalPhrase, ProgramPhrase
from semantics.plain_text import shortened

WORDS = r"[a-z']+(?:\|[a-z']+)*"
PART = re.compile(rf"\{{(?P<slot>[a-z][a-z0-9_]*)\}}|\[{WORDS}(?: {WORDS})*\]|{WORDS}", re.ASCII)
SLOT_KINDS = frozenset(
    {"place", "way", "shift", "length", "angle", "volume", "part", "duration", "speed", "number", "dashes", "moments"}
)
"""What a slot of a program with this name is beside things."""
SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}", re.ASCII)


def read_uses(node: Node | None, sorts: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Read which sorts of things are meant by what one can do with them: ``cut-with: cut``."""
    return {
        key.text.replace("-", " ").replace("_", " "): Field(value, f"what one can {key.text}").known(
            "affordance, kind or class", sorts
        )
        for key, value in entries(node, "uses")
    }


def read_phrases(
    node: Node | None, affordances: Collection[str] | None, predicates: Mapping[str, PredicateModel] | None
) -> tuple[GoalPhrase, ...]:
    """Read the list of phrases, in order of preference."""
    if node is None:
        return ()
    if not isinstance(node, Listing):
        node.report("phrases: expected a list of tables with the keys pattern, goal, slots", "wrong-kind")
        return ()
    return tuple(_read_phrase(item, affordances, predicates) for item in node.items)


def _read_phrase(
    node: Node, affordances: Collection[str] | None, predicates: Mapping[str, PredicateModel] | None
) -> GoalPhrase:
    fields = open_table(node, "phrase", "a phrase")
    goal_node = fields.get("goal")
    pattern = Field(fields.get("pattern"), "a pattern").text()
    slots = _check_pattern(pattern, fields.get("pattern"))
    goal = Field(goal_node, "the goal of a phrase").text()
    own = tuple(entries(fields.get("slots"), "slots"))
    tools = {key.text for key, _ in own}
    asked = _check_goal(goal_node, slots, predicates, tools) if isinstance(goal_node, Scalar) and goal else {}
    valid = None if affordances is None else (*affordances, "object")
    for key, value in own:
        if key.text not in slots:
            key.unknown("slot", key.text, slots)
        if affordance := Field(value, f"slot '{key.text}'").choice("affordance", valid):
            asked[key.text] = affordance
    told = fields["told"].flag(True)
    return GoalPhrase(pattern, goal, {slot: asked[slot] for slot in (*slots, *asked) if slot in asked}, told)


def read_programs(node: Node | None, affordances: Collection[str] | None) -> dict[str, ProgramPhrase]:
    """Read the phrases that stand for programs, and the functions that these call, by name."""
    return {entry.key.text: _read_program(entry, affordances) for entry in entries(node, "programs")}


def _read_program(entry: Entry, affordances: Collection[str] | None) -> ProgramPhrase:
    what = f"program '{entry.key.text}'"
    fields = open_table(entry.value, "program", what)
    listed, body = Field(fields.get("patterns"), f"the patterns of {what}").texts(), fields.get("text")
    found = {slot for pattern, node in listed.items() for slot in _check_pattern(pattern, node, adjacent=True)}
    kinds = dict.fromkeys(found & SLOT_KINDS, "")
    words: dict[str, Mapping[str, str]] = {}
    valid = None if affordances is None else {*SLOT_KINDS, *affordances, "object"}
    for key, value in entries(fields.get("slots"), "slots"):
        if isinstance(value, TableNode):
            own = entries(value, f"slot '{key.text}'")
            words[key.text] = {
                word.text.replace("_", " "): Field(text, f"word '{word.text}'").text() for word, text in own
            }
        else:
            how, _, kind = Field(value, f"slot '{key.text}'").text().rpartition(" ")
            kinds[key.text] = f"{how} {kind}".strip()
            if valid is not None and (kind not in valid or how not in ("", "all", "every", "several")):
                value.report(f"slot '{key.text}' is no affordance, with all, several or every before it", "bad-pattern")
    for slot in found ^ (kinds.keys() | words.keys()):
        entry.key.report(f"slot '{slot}' of {what} is in its patterns or its slots alone", "bad-pattern")
    Field(body, f"the text of {what}").text()
    return ProgramPhrase(
        tuple(listed),
        body.text.strip() if isinstance(body, Scalar) else "",
        slots={slot: kind for slot, kind in kinds.items() if kind},
        words=words,
    )


def _check_pattern(pattern: str, node: Node | None, *, adjacent: bool = False) -> tuple[str, ...]:
    """Return the slots of a pattern in order; slots may be `adjacent` where what they hold tells them apart."""
    if not isinstance(node, Scalar) or not pattern:
        return ()
    slots: list[str] = []
    last_was_slot = False
    for match in _parts(pattern, node):
        slot = match["slot"]
        place = replace(node, mark=place_in(node, 1, match.start() + 1))
        if slot is not None and slot in slots:
            place.report(f"slot '{slot}' stands twice in the pattern; expected different names", "duplicate-entry")
        if slot is not None and last_was_slot and not adjacent:
            place.report(f"slot '{slot}' follows another slot; expected a word between them", "bad-pattern")
        slots += [slot] if slot is not None else []
        last_was_slot = slot is not None or (last_was_slot and match[0].startswith("["))
    return tuple(slots)


def _parts(pattern: str, node: Scalar) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(pattern):
        match = PART.match(pattern, at)
        if match is None or (match.end() < len(pattern) and pattern[match.end()] != " "):
            rest = pattern[at:].split(" ")[0]
            message = (
                f"'{shortened(rest)}' in a pattern; expected words, put|place, [top of] or {{slot}} in small letters"
            )
            node.file.add(place_in(node, 1, at + 1), message, "bad-pattern")
            return
        yield match
        at = match.end() + 1


def _check_goal(
    node: Scalar, slots: Collection[str], predicates: Mapping[str, PredicateModel] | None, tools: Collection[str]
) -> dict[str, str]:
    """Check a goal, and return the affordance that it requires of each slot of the pattern.

    It need not name `tools`, slots whose affordance the phrase says: the words of such a slot have to name all that do.
    """
    # A variable of the same length keeps every column where it is.
    variables = replace(node, text=SLOT.sub(lambda match: f"?{match[1]} ", node.text))
    formula = read_formula(variables, "the goal of a phrase")
    named = SLOT.findall(node.text)
    for slot in slots:
        if slot not in named and slot not in tools:
            message = f"slot '{slot}' of the pattern is not in the goal; expected every slot to count"
            node.report(message, "bad-pattern")
    asked: dict[str, str] = {}
    if formula != And(()):
        check_names(variables, {f"?{slot}": () for slot in named}, predicates)
    for atom, _ in literals(formula):
        if predicates is None or atom.predicate not in predicates:
            continue
        for arg, affordance in zip(atom.args, predicates[atom.predicate].predicate.parameters, strict=False):
            if arg[1:] in slots:
                asked.setdefault(arg[1:], affordance)
    return asked
