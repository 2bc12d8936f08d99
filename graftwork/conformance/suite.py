"""`Requirement`: one thing that an implementation has to do, with the test of it and the page that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from graftwork.record.log import exception_told
from semantics.body.foreign import FAULTS

T = TypeVar("T")


class Unmet(Exception):  # noqa: N818 - it is no error of this program
    """A requirement is not met, for a reason."""


@dataclass(frozen=True, slots=True)
class Requirement(Generic[T]):
    """A requirement of a suite."""

    sentence: str  # what the implementation has to do
    page: str  # where that is explained, as a page of docs/ with an anchor
    # raises `Unmet` if the implementation does not; returns why it could not be tried, or nothing
    test: Callable[[T], str | None]

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one requirement."""

    sentence: str  # the requirement
    page: str  # where it is explained
    unmet: str = ""  # why it is not met; empty if it is
    untried: str = ""  # why it could not be tried; empty if it was


def requirement(
    suite: list[Requirement[T]], page: str, sentence: str
) -> Callable[[Callable[[T], str | None]], Callable[[T], str | None]]:
    """Return a decorator that adds a test to a suite."""

    def add(test: Callable[[T], str | None]) -> Callable[[T], str | None]:
        suite.append(Requirement(sentence, page, test))
        return test

    return add


def met(condition: object, why: str) -> None:
    """Raise `Unmet` with `why` unless a condition is true."""
    if not condition:
        raise Unmet(why)


def judged(suite: Sequence[Requirement[T]], subject: T) -> Iterator[Finding]:
    """Try each requirement of a suite, and yield what came of it.

    An exception of the implementation counts as a requirement that is not met; the finding names the place.
    """
    for one in suite:
        try:
            untried = one.test(subject) or ""
        except Unmet as unmet:
            yield Finding(one.sentence, one.page, str(unmet))
        except FAULTS as error:
            yield Finding(one.sentence, one.page, exception_told(error))
        else:
            yield Finding(one.sentence, one.page, untried=untried)
