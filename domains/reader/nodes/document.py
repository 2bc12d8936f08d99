"""The YAML parser: from a file to nodes with their line and column.

This module composes the events of libyaml, rather than PyYAML, for three reasons: every scalar stays text (``on`` is a
name, not a truth value), the recursion depth is limited, and aliases, tags and repeated keys are refused, because they
could expand a small file or hide half of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

from domains.diagnostics import Diagnostics, Mark
from domains.errors import DomainFileError
from semantics.logic.parsing import place_of
from semantics.plain_text import shortened
from semantics.process.reading import TooLargeError, read_bounded

MAX_BYTES = 2_000_000
MAX_DEPTH = 20
OF_NODES = (yaml.ScalarEvent, yaml.CollectionStartEvent)  # the events of which nodes are made


class Located:
    """What stands at a place in a file: problems are reported there."""

    __slots__ = ()
    mark: Mark
    file: Diagnostics

    def report(self, message: str, code: str = "invalid", culprit: str = "") -> None:
        """Add an error at this place."""
        self.file.add(self.mark, message, code, culprit)

    def unknown(self, kind: str, name: str, valid: Collection[str], where: str = "") -> None:
        """Add an error for an unknown name at this place; see `Diagnostics.unknown`."""
        self.file.unknown(self.mark, kind, name, valid, where)


@dataclass(frozen=True, slots=True)
class Scalar(Located):
    """A text; `style` is YAML's: a quote, ``|``, ``>``, or empty for a plain one."""

    text: str
    mark: Mark = field(compare=False)
    file: Diagnostics = field(compare=False)
    style: str = ""


@dataclass(frozen=True, slots=True)
class Listing(Located):
    """Nodes in order."""

    items: tuple[Node, ...]
    mark: Mark = field(compare=False)
    file: Diagnostics = field(compare=False)


class Entry(NamedTuple):
    """A key and its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class TableNode(Located):
    """Entries in order, no key twice."""

    entries: tuple[Entry, ...]
    mark: Mark = field(compare=False)
    file: Diagnostics = field(compare=False)


Node = Scalar | Listing | TableNode


def value_of(node: Node | None, key: str) -> Node | None:
    """Return the value of `key`; None where it is missing, or where `node` is no table."""
    if isinstance(node, TableNode):
        for entry in node.entries:
            if entry.key.text == key:
                return entry.value
    return None


def place_in(scalar: Scalar, line: int, column: int) -> Mark:
    """Convert a position in a scalar's text to one in its file.

    Exact for texts of one line and for ``|`` blocks; the start of the text for folded ones.
    """
    if scalar.style == "|":
        part = _lines(scalar.text)[line - 1]
        indent = scalar.file.line(scalar.mark.line + line).find(part)
        return scalar.mark._replace(line=scalar.mark.line + line, column=max(indent, 0) + column)
    written = scalar.file.line(scalar.mark.line)[scalar.mark.column - 1 :].rstrip()
    quoted = scalar.style in ("'", '"')
    end = len(scalar.text) + quoted
    is_verbatim = written[end : end + 1] == scalar.style if quoted else scalar.style == "" and end <= len(written)
    if line == 1 and is_verbatim:
        return scalar.mark._replace(column=scalar.mark.column + quoted + column - 1)
    return scalar.mark


@lru_cache(maxsize=2)
def _lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text, which is asked for once for each of its mistakes."""
    return tuple(text.split("\n"))


def read_document(path: Path, shown: str, beside: Diagnostics | None = None) -> tuple[Node, Diagnostics]:
    """Read a YAML file of one document; `shown` is the path for messages. A repeated key is reported.

    The problems of the file count among those of the file `beside`.

    Raises:
        DomainFileError: It cannot be read, is no UTF-8, no YAML, empty, or uses aliases or tags.
    """
    text = read_text(path, shown)
    diagnostics = beside.beside(shown, text, str(path)) if beside else Diagnostics(shown, text)
    return nodes_of(text, diagnostics), diagnostics


def nodes_of(text: str, diagnostics: Diagnostics) -> Node:
    """Return the node of a text of one document.

    Raises:
        DomainFileError: It is no YAML, empty, or uses aliases or tags.
    """
    return _Composer(text, diagnostics).compose()


def read_text(path: Path, shown: str) -> str:
    """Read a file of text.

    Raises:
        DomainFileError: It cannot be read, is too large, or no UTF-8.
    """
    diagnostics = Diagnostics(shown)
    try:
        if path.is_dir():
            raise diagnostics.fatal(Mark(), "this is a directory; expected a YAML file")
        if path.exists() and not path.is_file():
            raise diagnostics.fatal(Mark(), "this is not a regular file; expected a YAML file")
        data = read_bounded(path, MAX_BYTES)
        return data.decode("utf-8-sig")
    except TooLargeError as exc:
        raise diagnostics.fatal(Mark(), f"the file is too large; expected at most {MAX_BYTES} bytes") from exc
    except UnicodeDecodeError as exc:
        before = data[: exc.start].decode("utf-8")
        message = f"byte 0x{data[exc.start]:02x} is not UTF-8; expected a text in UTF-8"
        raise diagnostics.fatal(Mark(*place_of(before, len(before))), message) from exc
    except (OSError, ValueError) as exc:
        reason = getattr(exc, "strerror", None) or str(exc)
        raise diagnostics.fatal(Mark(), f"the file cannot be read: {reason}") from exc


class _Composer:
    """Converts libyaml's events to nodes; a syntax error of the YAML ends it."""

    def __init__(self, text: str, diagnostics: Diagnostics) -> None:
        self._text = text
        self._diagnostics = diagnostics
        self._depth = 0
        self._events = self._translated()

    def compose(self) -> Node:
        """Read the only document."""
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise self._diagnostics.fatal(Mark(), "the file is empty")
        node = self._node(next(self._events))
        next(self._events)
        extra = next(self._events)
        if not isinstance(extra, yaml.StreamEndEvent):
            raise self._fault(extra, "a second document begins here; expected one document in a file")
        return node

    def _translated(self) -> Iterator[yaml.Event]:
        try:
            # libyaml where PyYAML was built with it; the Python parser gives the same events, slower.
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self._text)
            while True:
                event = loader.get_event()
                yield event
                if isinstance(event, yaml.StreamEndEvent):
                    return
        except yaml.MarkedYAMLError as exc:
            raise self._syntax_error(exc) from exc
        except yaml.reader.ReaderError as exc:
            mark = Mark(*place_of(self._text, _first_unprintable(self._text)))
            raise self._diagnostics.fatal(mark, "a control character; expected printable text") from exc

    def _syntax_error(self, exc: yaml.MarkedYAMLError) -> DomainFileError:
        place = exc.problem_mark or exc.context_mark
        mark = Mark(place.line + 1, place.column + 1) if place else Mark()
        if self._diagnostics.line(mark.line)[mark.column - 1 :].startswith("\t"):
            return self._diagnostics.fatal(mark, "a tab; expected spaces for indentation")
        context = f" {exc.context}" if exc.context else ""
        return self._diagnostics.fatal(mark, f"not YAML: {exc.problem}{context}")

    def _fault(self, event: yaml.Event, message: str) -> DomainFileError:
        return self._diagnostics.fatal(self._mark(event), message)

    def _node(self, event: yaml.Event) -> Node:
        if isinstance(event, yaml.AliasEvent):
            raise self._fault(
                event, f"an alias '*{shortened(event.anchor or '')}'; expected the text itself, without aliases"
            )
        assert isinstance(event, OF_NODES)
        if event.anchor:
            raise self._fault(
                event, f"an anchor '&{shortened(event.anchor)}'; expected the text itself, without anchors"
            )
        if event.tag and event.tag != "!":
            raise self._fault(event, f"a tag '{shortened(event.tag)}'; expected plain values, without tags")
        mark = self._mark(event)
        if isinstance(event, yaml.ScalarEvent):
            return Scalar(event.value, mark, self._diagnostics, event.style or "")
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fault(event, f"nested deeper than {MAX_DEPTH}")
        node = self._table(mark) if isinstance(event, yaml.MappingStartEvent) else self._listing(mark)
        self._depth -= 1
        return node

    def _listing(self, mark: Mark) -> Listing:
        items: list[Node] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event))
        return Listing(tuple(items), mark, self._diagnostics)

    def _table(self, mark: Mark) -> TableNode:
        entries: dict[str, Entry] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._node(event)
            if not isinstance(key, Scalar):
                raise self._fault(event, "a key that is not a single text; expected a name")
            value = self._node(next(self._events))
            if key.text in entries:
                first = entries[key.text].key.mark.line
                key.report(f"'{shortened(key.text)}' stands here twice; the first is in line {first}", "duplicate-key")
            else:
                entries[key.text] = Entry(key, value)
        return TableNode(tuple(entries.values()), mark, self._diagnostics)

    def _mark(self, event: yaml.Event) -> Mark:
        place, shown = event.start_mark, self._diagnostics.shown
        return Mark(place.line + 1, place.column + 1, shown) if place else Mark(shown=shown)


def _first_unprintable(text: str) -> int:
    match = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return match.start() if match else 0
