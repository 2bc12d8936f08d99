"""`FormulaSource`: a formula as PDDL text that knows where each of its words stands in the file.

Plain YAML is written out as PDDL (`domains.reader.formulas.plain`), so that both go through one reader.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Scalar, place_in
from semantics.errors import FormulaError
from semantics.sexpr import Node, Word, place_of

__all__ = ["FormulaSource"]


@dataclass(frozen=True, slots=True)
class FormulaSource:
    """A formula, and where it stands.

    Attributes:
        text: PDDL.
        what: What it is, for messages: "the effect of capability 'grasp'".
        diagnostics: Of the file.
        scalar: The text in the file; None when it was written out from plain YAML.
        offsets: Where the words of a written-out text begin, in order.
        marks: Where those words stand in the file.
    """

    text: str
    what: str
    diagnostics: Diagnostics
    scalar: Scalar | None = None
    offsets: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()

    def mark(self, offset: int) -> Mark:
        """Return where the word at `offset` of the text stands in the file."""
        if self.scalar is not None:
            return place_in(self.scalar, *place_of(self.text, offset), self.diagnostics)
        return self.marks[max(bisect_right(self.offsets, offset) - 1, 0)]

    def at(self, node: Node) -> Mark:
        """Return where a node of the text stands: a group by its first word."""
        if not isinstance(node, Word) and node.items:
            return self.at(node.items[0])
        return self.mark(node.offset)

    def add(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Complain of a node."""
        self.diagnostics.add(self.at(node), message, code, culprit)

    def unreadable(self, error: FormulaError) -> None:
        """Complain of a mistake in the text."""
        lines = self.text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        message = f"{self.what} cannot be read: {error.reason}"
        self.diagnostics.add(self.mark(offset), message, "unreadable-formula")
