"""A PDDL file as located brackets: whatever is wrong with its bytes or its brackets is told with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from domains.errors import DomainFileError
from domains.reading.nodes.complaints import Complaints, Mark
from semantics.errors import FormulaError
from semantics.sexpr import COMMENT, Group, Node, Word, parse_sexprs, place_of
from semantics.wording import shortened

__all__ = ["Document", "open_document", "read_document"]

LARGEST = 20_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """The parse tree of a PDDL file; every node carries its offset in `text`.

    Attributes:
        text: Of the file, each line end one letter.
        define: The ``(define …)`` in it.
        complaints: Takes what is found wrong.
    """

    text: str
    define: Group
    complaints: Complaints

    def mark(self, node: Node) -> Mark:
        """Return the place of a node."""
        return Mark(*place_of(self.text, node.offset))

    def complain(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Note a mistake at a node."""
        self.complaints.add(self.mark(node), message, code, culprit or shown(node))

    def warn(self, node: Node, message: str, code: str, culprit: str = "") -> None:
        """Note at a node what can be used, but is not as it should be."""
        self.complaints.warn(self.mark(node), message, code, culprit or shown(node))


def shown(node: Node) -> str:
    """Return a node in short: its word, or its bracket with what it begins with."""
    return shortened(node.text) if isinstance(node, Word) else shortened(f"({node.head}")


def open_document(path: Path, name: str | None = None) -> Document:
    """Read a file of brackets.

    Raises:
        DomainFileError: It cannot be opened, is not text, or its brackets do not match.
    """
    given = str(path) if name is None else name
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
        raise Complaints(given).fatal(Mark(), f"cannot be opened: {reason}") from exc
    if len(data) > LARGEST:
        raise Complaints(given).fatal(Mark(), f"is larger than {LARGEST // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        start = data[: exc.start].decode("utf-8", "replace")
        raise Complaints(given).fatal(Mark(*place_of(start, len(start))), "is not text in UTF-8") from exc
    return read_document(text, given)


def read_document(text: str, name: str) -> Document:
    """Read text of brackets; `name` stands for it in messages.

    Raises:
        DomainFileError: The brackets do not match, or there is no ``(define …)``.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    complaints = Complaints(name, text)
    try:
        nodes = parse_sexprs(text)
    except FormulaError as exc:
        raise _bracket_error(text, exc, complaints) from exc
    found = [node for node in nodes if isinstance(node, Group) and node.head == "define"]
    if not found:
        raise _nothing_defined(text, nodes, complaints)
    document = Document(text, found[0], complaints)
    for node in nodes:
        if node is not found[0]:
            document.complain(node, f"'{shown(node)}' outside the definition; expected one (define …)", "outside")
    return document


def _nothing_defined(text: str, nodes: tuple[Node, ...], complaints: Complaints) -> DomainFileError:
    if not nodes:
        return complaints.fatal(Mark(), "is empty; expected (define …)", "empty")
    place = Mark(*place_of(text, nodes[0].offset))
    return complaints.fatal(place, f"starts with '{shown(nodes[0])}'; expected (define …)", "outside")


def _bracket_error(text: str, exc: FormulaError, complaints: Complaints) -> DomainFileError:
    """Say which bracket is not closed, rather than that the file ends too early."""
    opened = _unclosed(text)
    if "ends too early" not in exc.reason or not opened:
        return complaints.fatal(Mark(exc.line, exc.column), exc.reason, "bracket")
    offset = opened[0]
    place = Mark(*place_of(text, offset))
    begins = shortened(text[offset : offset + 40].split("\n")[0])
    return complaints.fatal(place, f"'{begins}' is opened here and never closed; expected a ')' for it", "bracket")


def _unclosed(text: str) -> list[int]:
    """Return where the brackets open that are not closed, the most suspicious first.

    A section of a domain begins in the outermost bracket: one that begins deeper tells that a bracket before it is
    missing, in the section that it seems to stand in.
    """
    stripped = COMMENT.sub(lambda match: " " * len(match[0]), text)
    opened: list[int] = []
    for offset, char in enumerate(stripped):
        if char == "(":
            if len(opened) > 1 and stripped.startswith(SECTIONS, offset):
                return opened[:0:-1]
            opened.append(offset)
        elif char == ")":
            del opened[-1:]
    return opened[::-1]


SECTIONS = tuple(f"(:{word}" for word in ("action", "predicates", "derived", "functions", "types", "init", "goal"))
