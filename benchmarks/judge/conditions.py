"""Conditions as data: ``on(apple0, counter0)``, or mappings with ``and``, ``or``, ``not`` and ``at_least``.

The reader is strict: an unknown predicate, name or key, a wrong number of arguments or a wrong kind is an error
that says where it is and what is nearest.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.judge.predicates import CHECKS
from benchmarks.judge.watch import Track

__all__ = ["Call", "Combined", "Condition", "ConditionError", "Verdict", "judge", "read_condition"]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<word>[A-Za-z_][\w-]*)|(?P<sign>[(),=\[\]]))"
)


class ConditionError(Exception):
    """A condition cannot be read; the message begins with where."""


@dataclass(frozen=True, slots=True)
class Call:
    """A predicate with its arguments, as it was written."""

    name: str
    arguments: tuple[object, ...]
    options: Mapping[str, object]
    text: str


@dataclass(frozen=True, slots=True)
class Combined:
    """Several conditions: all of them ("and"), at least `count` ("or"), or none ("not")."""

    kind: str
    parts: tuple[Condition, ...]
    count: int = 1

    @property
    def text(self) -> str:
        """The condition in words."""
        head = f"at least {self.count} of" if self.kind == "or" and self.count > 1 else self.kind
        return f"{head}({', '.join(part.text for part in self.parts)})"


Condition = Call | Combined


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a condition holds, and for each false part what makes it false."""

    holds: bool
    reasons: tuple[str, ...]


def _unknown(kind: str, word: object, known: Collection[str]) -> str:
    nearest = difflib.get_close_matches(str(word), list(known), n=3)
    hint = f"nearest: {', '.join(nearest)}" if nearest else f"known: {', '.join(sorted(known)) or 'none'}"
    return f"no {kind} {word!r}; {hint}"


class _Line:
    """One call, read from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self._text, self._where, self._at, self._last = text, where, 0, 0

    def fail(self, message: str) -> ConditionError:
        return ConditionError(f"{self._where}, column {self._last + 1} of {self._text!r}: {message}")

    def take(self, sign: str = "") -> tuple[str, str]:
        """Take the next token: its kind and text; with `sign`, this one has to come."""
        rest = self._text[self._at :]
        self._last = self._at + len(rest) - len(rest.lstrip())
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            found = rest.strip()[:1] or "the end"
            raise self.fail(f"expected {repr(sign) if sign else 'a name or a number'}, not {found}")
        kind = str(match.lastgroup)
        if sign and match[kind] != sign:
            raise self.fail(f"expected {sign!r}, not {match[kind]!r}")
        self._at = match.end()
        return kind, match[kind]

    def sees(self, signs: str) -> bool:
        return self._text[self._at :].lstrip()[:1] in tuple(signs)

    def ends(self) -> None:
        self._last = self._at
        if self._text[self._at :].strip():
            raise self.fail("nothing is expected after the bracket")

    def value(self) -> object:
        kind, text = self.take()
        if kind == "number":
            return float(text)
        if kind == "word":
            return text
        if text != "[":
            raise self.fail(f"expected a name or a number, not {text!r}")
        values: list[object] = []
        while not self.sees("]"):
            if values:
                self.take(",")
            values.append(self.value())
        self.take("]")
        return values

    def arguments(self) -> tuple[list[object], dict[str, object]]:
        given: list[object] = []
        options: dict[str, object] = {}
        self.take("(")
        while not self.sees(")"):
            if given or options:
                self.take(",")
            value = self.value()
            if self.sees("=") and isinstance(value, str):
                self.take("=")
                if value in options:
                    raise self.fail(f"{value} is given twice")
                options[value] = self.value()
            elif options:
                raise self.fail("an argument without a name comes after one with a name")
            else:
                given.append(value)
        self.take(")")
        self.ends()
        return given, options


@dataclass(frozen=True, slots=True)
class _Names:
    movable: frozenset[str]
    fixed: frozenset[str]
    robot: str

    def check(self, kind: str, value: object) -> str:
        """Return what is wrong with an argument; empty when nothing is."""
        if kind == "number":
            return "" if isinstance(value, float) and math.isfinite(value) else f"{value!r} is no number"
        if kind == "integer":
            whole = isinstance(value, float) and value == int(value) and value >= 0
            return "" if whole else f"{value!r} is no number of a board"
        if kind == "boxes":
            rows = value if isinstance(value, list) and value else [None]
            right = all(
                isinstance(row, list) and len(row) == 4 and all(isinstance(x, float) for x in row) for row in rows
            )
            return "" if right else "a region is a list of boxes [x0, y0, x1, y1]"
        if kind == "movable":
            return "" if value in self.movable else _unknown("movable thing", value, self.movable)
        if kind == "fixed":
            return "" if value in self.fixed else _unknown("piece of furniture", value, self.fixed)
        known = self.movable | self.fixed
        return "" if value in known else _unknown("name", value, known)


def _read_call(text: str, names: _Names, where: str) -> Call:
    line = _Line(text, where)
    kind, name = line.take()
    if kind != "word" or name not in CHECKS:
        raise line.fail(_unknown("predicate", name, CHECKS))
    _, kinds, optional, rest = CHECKS[name]
    given, options = line.arguments()
    wanted = [*kinds, *optional.values()]
    fewest, most = len(kinds), math.inf if rest else len(wanted)
    if not fewest <= len(given) <= most:
        raise line.fail(
            f"{name} takes {fewest if fewest == most else f'{fewest} to {most}'} arguments, not {len(given)}"
        )
    named = dict(zip(optional, given[fewest:], strict=False)) if optional else {}
    arguments = given[:fewest] if optional else given
    for key, value in options.items():
        if key not in optional:
            raise line.fail(_unknown("option", key, optional))
        if key in named:
            raise line.fail(f"{key} is given twice")
        named[key] = value
    pairs = [*zip([*kinds, *[rest] * (len(arguments) - fewest)], arguments, strict=True)]
    for kind, value in [*pairs, *((optional[key], value) for key, value in named.items())]:
        if wrong := names.check(kind, value):
            raise line.fail(wrong)
    named = {k: round(v) if isinstance(v, float) and optional[k] == "integer" else v for k, v in named.items()}
    return Call(name, tuple(arguments), named, text.strip())


def _read(node: object, names: _Names, where: str) -> Condition:
    if isinstance(node, str):
        return _read_call(node, names, where)
    if not isinstance(node, Mapping):
        raise ConditionError(f"{where}: expected a text or a mapping, not {node!r}")
    keys = set(node)
    if keys == {"at_least", "of"}:
        parts, count = _read_list(node["of"], names, f"{where}.of"), node["at_least"]
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= len(parts):
            raise ConditionError(f"{where}.at_least: expected a number from 1 to {len(parts)}, not {count!r}")
        return Combined("or", parts, count)
    if len(keys) != 1:
        raise ConditionError(
            f"{where}: expected one key, or at_least and of, not {', '.join(map(str, node)) or 'none'}"
        )
    (key,) = keys
    if key in ("and", "or"):
        return Combined(key, _read_list(node[key], names, f"{where}.{key}"))
    if key == "not":
        return Combined("not", (_read(node[key], names, f"{where}.not"),))
    raise ConditionError(f"{where}: {_unknown('key', key, ('and', 'or', 'not', 'at_least'))}")


def _read_list(nodes: object, names: _Names, where: str) -> tuple[Condition, ...]:
    if not isinstance(nodes, Sequence) or isinstance(nodes, str) or not nodes:
        raise ConditionError(f"{where}: expected a list of conditions, not {nodes!r}")
    return tuple(_read(node, names, f"{where}[{index}]") for index, node in enumerate(nodes))


def read_condition(
    node: object, movable: Collection[str], fixed: Collection[str], robot: str = "robot0", where: str = "condition"
) -> Condition:
    """Return a condition that was read from YAML.

    Args:
        node: A text, or a mapping.
        movable: Names of the things that can move; of a track, `Track.movable`.
        fixed: Names of the furniture and the people.
        robot: The robot's name.
        where: What messages begin with, such as the file and the key.

    Raises:
        ConditionError: It is no condition; the message says where.
    """
    return _read(node, _Names(frozenset(movable), frozenset(fixed), robot), where)


def judge(condition: object, track: Track, where: str = "condition") -> Verdict:
    """Judge a run.

    Args:
        condition: One that `read_condition` returned, or what it reads.
        track: The facts of the run.
        where: What messages about a condition that cannot be read begin with.

    Raises:
        ConditionError: It is no condition.
    """
    if not isinstance(condition, Call | Combined):
        condition = read_condition(condition, track.movable, track.fixed, track.robot, where)
    reasons = tuple(_reasons(condition, track))
    return Verdict(not reasons, reasons)


def _reasons(condition: Condition, track: Track) -> list[str]:
    if isinstance(condition, Call):
        check = CHECKS[condition.name][0]
        return [f"{condition.text}: {reason}" for reason in check(track, *condition.arguments, **condition.options)]
    found = [_reasons(part, track) for part in condition.parts]
    if condition.kind == "and":
        return [reason for reasons in found for reason in reasons]
    if condition.kind == "not":
        return [] if found[0] else [f"{condition.text}: {condition.parts[0].text} holds"]
    held = sum(not reasons for reasons in found)
    if held >= condition.count:
        return []
    return [f"{condition.text}: {held} of {len(found)} hold", *(reason for reasons in found for reason in reasons)]
