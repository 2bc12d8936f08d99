"""The check of requirements: those that a file states against those that it needs."""

from __future__ import annotations

from domains.diagnostics import expected
from domains.pddl.reader.names import PddlNames
from semantics.logic.parsing import Group, Word

QUANTIFIED = (":existential-preconditions", ":universal-preconditions")
NUMBERS = (":numeric-fluents", ":action-costs")
ADL = (
    ":strips", ":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality", *QUANTIFIED,
    ":conditional-effects",
)  # fmt: skip
STANDS_FOR = {
    **{name: (name,) for name in (*ADL, ":derived-predicates", ":action-costs", ":durative-actions")},
    ":quantified-preconditions": QUANTIFIED,
    ":domain-axioms": (":derived-predicates",),
    ":numeric-fluents": NUMBERS,
    ":fluents": NUMBERS,
    ":adl": ADL,
    ":ucpop": (*ADL, ":derived-predicates"),
    ":constants": (),
}
UNSUPPORTED = (
    ":duration-inequalities", ":continuous-effects", ":timed-initial-literals", ":preferences", ":constraints",
    ":object-fluents", ":goal-utilities", ":time", ":non-deterministic", ":probabilistic-effects",
)  # fmt: skip


def check_requirements(names: PddlNames, section: Group | None, *, strict: bool) -> None:
    """Report requirements that are unknown, missing, or (with `strict`) stated and not needed."""
    document = names.document
    stated: dict[str, Word] = {}
    for node in section.items[1:] if section else ():
        if isinstance(node, Word) and node.text in STANDS_FOR:
            if node.text in stated:
                document.warn(node, f"{node.text} stands here twice", "duplicate-name")
            stated.setdefault(node.text, node)
        elif isinstance(node, Word) and node.text in UNSUPPORTED:
            document.warn(node, f"{node.text} is not supported; what needs it is refused", "not-supported")
        else:
            text = node.text if isinstance(node, Word) else "("
            document.warn(node, f"unknown requirement '{text}'; {expected(text, STANDS_FOR)}", "unknown-requirement")
    covered = {requirement for name in stated for requirement in STANDS_FOR[name]}
    for needed, node in names.features.items():
        if needed not in covered:
            document.warn(
                node, f"this needs the requirement {needed}, which is not stated", "missing-requirement", needed
            )
    if strict:
        _unused(names, stated)


def _unused(names: PddlNames, stated: dict[str, Word]) -> None:
    for name, node in stated.items():
        stands_for = STANDS_FOR[name]
        if name not in (":strips", ":adl", ":constants") and names.features.keys().isdisjoint(stands_for):
            names.document.warn(
                node, f"the requirement {name} is stated, and nothing here needs it", "unused-requirement"
            )
