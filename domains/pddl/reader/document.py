"""A PDDL file as a parse tree with positions; errors of its bytes or brackets have their position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from domains.diagnostics import Diagnostics, Mark
from domains.errors import DomainFileError
from semantics.errors import FormulaError
from semantics.logic.parsing import COMMENT, Group, Node, Word, parse_sexprs, place_of
from semantics.plain_text import shortened
from semantics.process.reading import TooLargeError, read_bounded

LARGEST = 20_000_000
TOKEN = re.compile(r"([()]|\?[^\s();?]*|[^\s();?]+)", re.ASCII)
"""A bracket or a word; a question mark begins a word, as in other readers of PDDL."""
TOUCHING = re.compile(r"(?<=[^\s()])\?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Document:
    """The parse tree of a PDDL file; every node carries its offset in `text`."""

    text: str  # text of the file, with one character for each line end
    define: Group  # its ``(define …)``
    diagnostics: Diagnostics  # receives the problems

    def mark(self, node: Node) -> Mark:
        """Return the position of a node."""
        return Mark(*place_of(self.text, node.offset))

    def report(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Report an error at a node."""
        self.diagnostics.add(self.mark(node), message, code, culprit or shown(node))

    def warn(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Report a warning at a node."""
        self.diagnostics.warn(self.mark(node), message, code, culprit or shown(node))


def shown(node: Node) -> str:
    """Return a short text of a node: its word, or its opening bracket with the first word."""
    return shortened(node.text) if isinstance(node, Word) else shortened(f"({node.head}")


def open_document(path: Path, name: str | None = None) -> Document:
    """Read a PDDL file.

    Raises:
        DomainFileError: The file cannot be opened, is not text, or its brackets do not match.
    """
    label = str(path) if name is None else name
    try:
        data = read_bounded(path, LARGEST)
    except TooLargeError as exc:
        raise Diagnostics(label).fatal(Mark(), f"is larger than {LARGEST // 1_000_000} MB") from exc
    except OSError as exc:
        reason = exc.strerror or str(exc)
        raise Diagnostics(label).fatal(Mark(), f"cannot be opened: {reason}") from exc
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        start = data[: exc.start].decode("utf-8", "replace")
        place, text = Mark(*place_of(start, len(start))), data.decode("latin-1")
        if not COMMENT.sub("", text).isascii():
            raise Diagnostics(label).fatal(place, "is not text in UTF-8") from exc
        document = read_document(text, label)
        document.diagnostics.warn(place, "is not text in UTF-8; this is in a comment and does no harm", "encoding")
        return document
    return read_document(text, label)


def read_document(text: str, name: str) -> Document:
    """Parse PDDL text; `name` is its name in messages.

    Raises:
        DomainFileError: The brackets do not match, or there is no ``(define …)``.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    diagnostics = Diagnostics(name, text)
    try:
        nodes = parse_sexprs(text, TOKEN)
    except FormulaError as exc:
        raise _bracket_error(text, exc, diagnostics) from exc
    definitions = [node for node in nodes if isinstance(node, Group) and node.head == "define"]
    if not definitions:
        raise _nothing_defined(text, nodes, diagnostics)
    document = Document(text, definitions[0], diagnostics)
    for match in TOUCHING.finditer(COMMENT.sub(lambda comment: " " * len(comment[0]), text)):
        place = Mark(*place_of(text, match.start()))
        diagnostics.warn(place, "a space is missing before this '?'; read as if it stood there", "space-missing", "?")
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
    """Return an error at the faulty bracket, rather than where the parser notices it."""
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
    """Return the offset of the bracket that is not closed.

    A section begins at depth one, and a part of an action at depth two: one that begins deeper shows that the bracket
    before it is not closed.
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
    """Return the offset where the outermost bracket is first closed."""
    depth = 0
    for offset, char in enumerate(stripped):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth <= 0:
            return offset
    return len(stripped)


SECTIONS = tuple(f"(:{word}" for word in ("action", "predicates", "derived", "functions", "types", "init", "goal"))
PARTS = (":parameters", ":precondition", ":effect")
