"""Which sort of file one is: told by what stands in it, else by where it stands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from domains.reading.nodes.document import Listing, Node, Table

__all__ = ["Sort", "sort_of_yaml"]


class Sort(StrEnum):
    """Sorts of files."""

    DOMAIN = "domain"
    SCENE = "scene"
    CASES = "cases"


OF_DOMAIN = frozenset({"affordances", "classes", "predicates", "capabilities", "agents", "phrases", "rules"})
OF_SCENE = frozenset({"things", "beliefs", "speaker"})
OF_CASE = frozenset({"goal", "instruction", "scene", "plan", "cost", "refused", "answers"})
BY_FOLDER = {"scenes": Sort.SCENE, "cases": Sort.CASES}


def sort_of_yaml(node: Node, path: Path) -> Sort | None:
    """Return what a document is; None when neither its keys nor its place tell."""
    if path.name in ("domain.yaml", "domain.yml"):
        return Sort.DOMAIN
    if isinstance(node, Listing):
        return Sort.CASES
    keys = {entry.key.text for entry in node.entries} if isinstance(node, Table) else set()
    counts = {Sort.DOMAIN: len(keys & OF_DOMAIN), Sort.SCENE: len(keys & OF_SCENE), Sort.CASES: len(keys & OF_CASE)}
    best = max(counts, key=lambda sort: counts[sort])
    return best if counts[best] else BY_FOLDER.get(path.resolve().parent.name)
