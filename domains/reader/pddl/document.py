"""A PDDL file as located brackets: whatever is wrong with its bytes or its brackets is told with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from domains.errors import DomainFileError
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from semantics.errors import FormulaError
from semantics.sentences import shortened
from semantics.sexpr import COMMENT, Group, Node, Word, parse_sexprs, place_of

__all__ = ["Document", "open_document", "read_document"]

LARGEST = 20_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """The parse tree of a PDDL file; every node carries its offset in `text`.

    Attributes:
        text: Of the file, each line end one letter.
        define: The ``(define …)`` in it.
        diagnostics: Takes what is found wrong.
    """

    text: str
    define: Group
    diagnostics: Diagnostics

    def mark(self, node: Node) -> Mark:
        """Return the place of a node."""
        return Mark(*place_of(self.text, node.offset))

    def report(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Note a mistake at a node."""
        self.diagnostics.add(self.mark(node), message, code, culprit or shown(node))

    def warn(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Note at a node what can be used, but is not as it should be."""
        self.diagnostics.warn(self.mark(node), message, code, culprit or shown(node))


def shown(node: Node) -> str:
    """Return a node in short: its word, or its bracket with what it begins with."""
    return shortened(node.text) if isinstance(node, Word) else shortened(f"({node.head}")


def open_document(path: Path, name: str | None = None) -> Document:
    """Read a file of brackets.

    Raises:
        DomainFileError: It cannot be opened, is not text, or its brackets do not match.
    """
    label = str(path) if name is None else name
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
        raise Diagnostics(label).fatal(Mark(), f"cannot be opened: {reason}") from exc
    if len(data) > LARGEST:
        raise Diagnostics(label).fatal(Mark(), f"is larger than {LARGEST // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        start = data[: exc.start].decode("utf-8", "replace")
        raise Diagnostics(label).fatal(Mark(*place_of(start, len(start))), "is not text in UTF-8") from exc
    return read_document(text, label)


def read_document(text: str, name: str) -> Document:
    """Read text of brackets; `name` stands for it in messages.

    Raises:
        DomainFileError: The brackets do not match, or there is no ``(define …)``.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    diagnostics = Diagnostics(name, text)
    try:
        nodes = parse_sexprs(text)
    except FormulaError as exc:
        raise _bracket_error(text, exc, diagnostics) from exc
    definitions = [node for node in nodes if isinstance(node, Group) and node.head == "define"]
    if not definitions:
        raise _nothing_defined(text, nodes, diagnostics)
    document = Document(text, definitions[0], diagnostics)
    for node in nodes:
        if node is not definitions[0]:
            document.report(node, f"'{shown(node)}' outside the definition; expected one (define …)", "outside")
    return document


def _nothing_defined(text: str, nodes: tuple[Node, ...], diagnostics: Diagnostics) -> DomainFileError:
    if not nodes:
        return diagnostics.fatal(Mark(), "is empty; expected (define …)", "empty")
    place = Mark(*place_of(text, nodes[0].offset))
    return diagnostics.fatal(place, f"starts with '{shown(nodes[0])}'; expected (define …)", "outside")


def _bracket_error(text: str, exc: FormulaError, diagnostics: Diagnostics) -> DomainFileError:
    """Say which bracket is not closed, or closes too much, rather than where that is noticed."""
    stripped = COMMENT.sub(lambda match: " " * len(match[0]), text)
    if "ends too early" in exc.reason:
        offset = _unclosed(stripped)
        begins = shortened(text[offset : offset + 40].split("\n")[0])
        message = f"'{begins}' is opened here and never closed; expected a ')' for it"
        return diagnostics.fatal(Mark(*place_of(text, offset)), message, "bracket")
    offset = _closes_all(stripped)
    if "closes nothing" in exc.reason and stripped[offset + 1 :].strip(") \t\n"):
        message = "this ')' closes the whole definition, and more of it follows; expected one ')' less before here"
        return diagnostics.fatal(Mark(*place_of(text, offset)), message, "bracket")
    return diagnostics.fatal(Mark(exc.line, exc.column), exc.reason, "bracket")


def _unclosed(stripped: str) -> int:
    """Return where the bracket opens that is not closed.

    A section begins in the outermost bracket, and a part of an action in the second: one that begins deeper tells that
    the bracket before it is not closed.
    """
    opened: list[int] = []
    for offset, char in enumerate(stripped):
        depth = 1 if char == "(" else 2
        if len(opened) > depth and stripped.startswith(SECTIONS if char == "(" else PARTS, offset):
            return opened[-1]
        if char == "(":
            opened.append(offset)
        elif char == ")":
            opened.pop()
    return opened[-1]


def _closes_all(stripped: str) -> int:
    """Return where the outermost bracket is closed first."""
    depth = 0
    for offset, char in enumerate(stripped):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth <= 0:
            return offset
    return len(stripped)


SECTIONS = tuple(f"(:{word}" for word in ("action", "predicates", "derived", "functions", "types", "init", "goal"))
PARTS = (":parameters", ":precondition", ":effect")
