"""The reader of goal phrases: patterns of controlled English, each with its goal."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from domains.model import PredicateModel
from domains.reader.formulas.conditions import check_atom, read_formula
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, place_in
from domains.reader.nodes.fields import choice, entries, text
from semantics.atoms import Literal, literals
from semantics.sentences import shortened
from semantics.vocabulary import GoalPhrase

__all__ = ["read_phrases"]

WORDS = r"[a-z']+(?:\|[a-z']+)*"
PART = re.compile(rf"\{{(?P<slot>[a-z][a-z0-9_]*)\}}|\[{WORDS}(?: {WORDS})*\]|{WORDS}", re.ASCII)
SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}", re.ASCII)


def read_phrases(
    node: Node | None,
    affordances: Collection[str] | None,
    predicates: Mapping[str, PredicateModel] | None,
    diagnostics: Diagnostics,
) -> tuple[GoalPhrase, ...]:
    """Read the list of phrases, in order of preference."""
    if node is None:
        return ()
    if not isinstance(node, Listing):
        diagnostics.add(
            node.mark, "phrases: expected a list of tables with the keys pattern, goal, slots", "wrong-kind"
        )
        return ()
    return tuple(_read_phrase(item, affordances, predicates, diagnostics) for item in node.items)


def _read_phrase(
    node: Node,
    affordances: Collection[str] | None,
    predicates: Mapping[str, PredicateModel] | None,
    diagnostics: Diagnostics,
) -> GoalPhrase:
    fields = open_table(node, "phrase", "a phrase", diagnostics)
    pattern_node, goal_node = fields.get("pattern"), fields.get("goal")
    pattern = text(pattern_node, "a pattern", diagnostics)
    slots = _check_pattern(pattern, pattern_node, diagnostics)
    goal = text(goal_node, "the goal of a phrase", diagnostics)
    asked = _check_goal(goal_node, slots, predicates, diagnostics) if isinstance(goal_node, Scalar) and goal else {}
    for key, value in entries(fields.get("slots"), "slots", diagnostics):
        asked |= _asked_of_slot(Entry(key, value), slots, affordances, diagnostics)
    return GoalPhrase(pattern, goal, {slot: asked[slot] for slot in (*slots, *asked) if slot in asked})


def _asked_of_slot(
    entry: Entry, slots: Collection[str], affordances: Collection[str] | None, diagnostics: Diagnostics
) -> dict[str, str]:
    name = entry.key.text
    if name not in slots:
        diagnostics.unknown(entry.key.mark, "slot", name, slots)
    valid = None if affordances is None else (*affordances, "object")
    affordance = choice(entry.value, "affordance", valid, f"slot '{name}'", diagnostics)
    return {name: affordance} if affordance else {}


def _check_pattern(pattern: str, node: Node | None, diagnostics: Diagnostics) -> tuple[str, ...]:
    """Return the slots of a pattern in order."""
    if not isinstance(node, Scalar) or not pattern:
        return ()
    slots: list[str] = []
    last_was_slot = False
    for match in _parts(pattern, node, diagnostics):
        slot = match["slot"]
        mark = place_in(node, 1, match.start() + 1, diagnostics)
        if slot is not None and slot in slots:
            diagnostics.add(
                mark, f"slot '{slot}' stands twice in the pattern; expected different names", "duplicate-entry"
            )
        if slot is not None and last_was_slot:
            diagnostics.add(mark, f"slot '{slot}' follows another slot; expected a word between them", "bad-pattern")
        slots += [slot] if slot is not None else []
        last_was_slot = slot is not None or (last_was_slot and match[0].startswith("["))
    return tuple(slots)


def _parts(pattern: str, node: Scalar, diagnostics: Diagnostics) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(pattern):
        match = PART.match(pattern, at)
        if match is None or (match.end() < len(pattern) and pattern[match.end()] != " "):
            rest = pattern[at:].split(" ")[0]
            message = (
                f"'{shortened(rest)}' in a pattern; expected words, put|place, [top of] or {{slot}} in small letters"
            )
            diagnostics.add(place_in(node, 1, at + 1, diagnostics), message, "bad-pattern")
            return
        yield match
        at = match.end() + 1


def _check_goal(
    node: Scalar, slots: Collection[str], predicates: Mapping[str, PredicateModel] | None, diagnostics: Diagnostics
) -> dict[str, str]:
    """Check a goal, and return the affordance that it requires of each slot of the pattern."""
    # A variable of the same length keeps every column where it is.
    variables = Scalar(SLOT.sub(lambda match: f"?{match[1]} ", node.text), node.mark, node.style)
    formula = read_formula(variables, "the goal of a phrase", diagnostics)
    named = SLOT.findall(node.text)
    for slot in slots:
        if slot not in named:
            diagnostics.add(
                node.mark,
                f"slot '{slot}' of the pattern is not in the goal; expected every slot to count",
                "bad-pattern",
            )
    asked: dict[str, str] = {}
    for atom, _ in literals(formula):
        check_atom(Literal(atom, False), variables, {f"?{slot}": () for slot in named}, predicates, diagnostics)
        if predicates is None or atom.predicate not in predicates:
            continue
        for arg, affordance in zip(atom.args, predicates[atom.predicate].predicate.parameters, strict=False):
            if arg[1:] in slots:
                asked.setdefault(arg[1:], affordance)
    return asked
