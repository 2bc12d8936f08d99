"""`FormulaSource`: a formula as PDDL text, with the position of each word in the file.

Plain YAML is converted to PDDL (`domains.reader.formulas.plain`), so that one reader serves both.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from domains.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Node as Written, Scalar, place_in
from semantics.errors import FormulaError
from semantics.logic.parsing import Node, Word, place_of


@dataclass(frozen=True, slots=True)
class FormulaSource:
    """A formula and its position.

    Attributes:
        text: PDDL text.
        what: Description for messages: "the effect of capability 'grasp'".
        written: What stands in the file: this text, or the plain YAML that it was converted from.
        offsets: Offsets of the words of a converted text, in order.
        marks: Positions of these words in the file.
    """

    text: str
    what: str
    written: Written
    offsets: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()

    @property
    def file(self) -> Diagnostics:
        """The problems of the file."""
        return self.written.file

    def mark(self, offset: int) -> Mark:
        """Return the position in the file of the word at `offset` of the text."""
        if isinstance(self.written, Scalar) and not self.offsets:
            return place_in(self.written, *place_of(self.text, offset))
        return self.marks[max(bisect_right(self.offsets, offset) - 1, 0)]

    def at(self, node: Node) -> Mark:
        """Return the position of a node of the text; that of a group is its first word."""
        if not isinstance(node, Word) and node.items:
            return self.at(node.items[0])
        return self.mark(node.offset)

    def add(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Report a problem at a node."""
        self.file.add(self.at(node), message, code, culprit)

    def unreadable(self, error: FormulaError) -> None:
        """Report a syntax error of the text."""
        lines = self.text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        message = f"{self.what} cannot be read: {error.reason}"
        self.file.add(self.mark(offset), message, "unreadable-formula")
