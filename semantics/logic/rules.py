"""Semantic rules: conditions on goals, in Prolog, checked for all conjuncts of a goal in one query.

A rule is data: a clause body that binds ``Culprits`` to a list of names over ``holds(P, [Args])``,
``fails(P, [Args])``, ``thing(Name, Class)`` and ``affords(Name, Affordance)``. It may call only a closed list of
predicates (``rules.pl``) and the definitions of its world. The same list applies to these definitions.

SWI-Prolog runs in worker processes (`semantics.process.rule_processes`). A check has limits of time, memory and the
size of its answer. A rule that exceeds them, or ends its process, is an error that names the rule, and the next check
has another process. So a rule can neither end nor hold up the robot's process, and a slow rule does not delay another
session. One batch of 64 conjuncts of six literals costs about 2 ms, single queries about four times that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from semantics.errors import UsageError
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.vocabulary import GoalRule, Thing
from semantics.plain_text import shortened
from semantics.process.prolog import BROKEN, FOUND, Book
from semantics.process.rule_text import excess, quote

if TYPE_CHECKING:
    from semantics.process.rule_processes import RuleProcesses

LONGEST_REASON = 200  # how much of Prolog's own reason an error repeats, characters


MOST_TOGETHER = 512  # how many conjuncts are checked at once: the answer of one check is bounded


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a conjunct violates, and the names that cause it."""

    rule: GoalRule
    culprits: tuple[str, ...]


@dataclass(slots=True)
class RuleBook:
    """The rules of a domain, checked together.

    Any thread may use a rule book. After a fork, parent and child may both use it.
    """

    rules: Sequence[GoalRule]  # in the order of the domain file
    seconds: float = 2.0  # time limit of one query over all conjuncts
    _processes: RuleProcesses | None = field(default=None, init=False, repr=False, compare=False)
    _book: Book | None = field(default=None, init=False, repr=False, compare=False)

    def warm_up(self) -> None:
        """Start SWI-Prolog if there are rules, without waiting for it; the first check reports an error."""
        if self.rules:
            from semantics.process.rule_processes import shared

            self._processes = self._processes or shared()
            self._processes.begin()

    def close(self) -> None:
        """End SWI-Prolog, unless another rule book uses it; safe to call twice. A later check starts it again."""
        self._processes = None

    def violations(
        self, conjuncts: Sequence[Conjunct], things: Mapping[str, Thing]
    ) -> tuple[tuple[Violation, ...], ...]:
        """Return the violations of each conjunct, in the order of the rules; safe to call from any thread.

        Raises:
            PrologUnavailableError: SWI-Prolog is missing or does not start.
            UsageError: A rule cannot be parsed, calls a forbidden predicate, raises an error, takes too long, needs too
                much memory, has too many answers or ends its process.
        """
        if not self.rules or not conjuncts:
            return tuple(() for _ in conjuncts)
        found: list[dict[Violation, None]] = [{} for _ in conjuncts]
        for start in range(0, len(conjuncts), MOST_TOGETHER):
            rows = self._rows(conjuncts[start : start + MOST_TOGETHER], things)
            try:
                for index, rule, culprits in rows:
                    found[start + index][Violation(self.rules[rule], tuple(culprits))] = None
            except (IndexError, TypeError, ValueError) as error:
                raise UsageError("a semantic rule harmed SWI-Prolog: its answer cannot be read") from error
        return tuple(map(tuple, found))

    def _rows(self, conjuncts: Sequence[Conjunct], things: Mapping[str, Thing]) -> list[Any]:
        from semantics.process.rule_processes import BrokenCheckError, RuleQuestion, shared

        processes = self._processes = self._processes or shared()

        scene = frozenset((thing.name, thing.class_name, thing.affordances) for thing in things.values())
        batch = f"[{','.join(map(_conjunct, conjuncts))}]"
        union = _conjunct(frozenset[Literal]().union(*conjuncts))
        try:
            batch.encode()
            kind, *answer = processes.ask(RuleQuestion(self._source(), scene, batch, union, self.seconds))
        except UnicodeError as error:
            raise UsageError("a goal, a scene or a rule holds a name that SWI-Prolog cannot take") from error
        except BrokenCheckError as error:
            raise self._broken([(error.rule, error.reason)]) from error
        if kind == FOUND:
            return list(answer[0])
        raise self._broken([answer] if kind == BROKEN else answer[0])

    def _source(self) -> Book:
        """Return the rules as text.

        Raises:
            UsageError: Some of them are too large for Prolog to read.
        """
        if self._book is None:
            packs = tuple(dict.fromkeys(rule.definitions for rule in self.rules if rule.definitions))
            book = Book(packs, tuple(rule.prolog.strip().removesuffix(".") for rule in self.rules))
            texts = (*(("none", pack) for pack in packs), *enumerate(book.bodies))
            excesses = [(name, found.message) for name, text in texts if (found := excess(text)) is not None]
            if excesses:
                raise self._broken(excesses)
            "".join((*book.packs, *book.bodies)).encode()
            self._book = book
        return self._book

    def _broken(self, problems: Iterable[Sequence[Any]]) -> UsageError:
        """Return an error that names each part with a problem: a rule by its index, or else the definitions."""
        reasons = (
            (f"semantic rule '{self.rules[part].name}'" if isinstance(part, int) else "the rule pack", str(why))
            for part, why in problems
        )
        return UsageError("; ".join(f"{name}: {shortened(why, LONGEST_REASON)}" for name, why in reasons))


def _conjunct(conjunct: Conjunct) -> str:
    """Write the positive and the negative literals of a conjunct, each by predicate: ``['on'-[['a','b']]]-[]``."""
    groups: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for (predicate, args), positive in sorted(conjunct):
        groups[positive].setdefault(predicate, []).append(_arguments(args))
    terms = {
        sign: ",".join(f"{quote(predicate)}-[{','.join(arguments)}]" for predicate, arguments in group.items())
        for sign, group in groups.items()
    }
    return f"[{terms[True]}]-[{terms[False]}]"


@lru_cache(4096)
def _arguments(args: tuple[str, ...]) -> str:
    return f"[{','.join(map(quote, args))}]"
