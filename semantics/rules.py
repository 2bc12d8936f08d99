"""Semantic rules: conditions on goals, in Prolog, checked for all conjuncts of a goal in one query.

A rule is data: a clause body that binds ``Culprits`` to a list of names over ``holds(P, [Args])``,
``fails(P, [Args])``, ``thing(Name, Class)`` and ``affords(Name, Affordance)``. It may call only a closed list of
predicates (``rules.pl``) and the definitions of its world. The same list applies to these definitions. Each query has a
time limit, and Prolog's stacks have a memory limit. One batch of 64 conjuncts of six literals costs about 2 ms, single
queries about four times that.

SWI-Prolog belongs to the thread that started it, so one thread of this module owns it and every call is passed there;
calls are safe from any thread. Nothing is loaded before the first call.
"""

from __future__ import annotations

import atexit
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from semantics.atoms import Conjunct, Literal
from semantics.errors import PrologUnavailableError, UsageError
from semantics.vocabulary import GoalRule, Thing

__all__ = ["RuleBook", "Violation"]

PROGRAM = Path(__file__).with_name("rules.pl")
HOW_TO_INSTALL = "install SWI-Prolog (on Debian: apt install swi-prolog-nox) and the package pyswip"

T = TypeVar("T")
Query = Callable[[str], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a conjunct violates, and the names that cause it."""

    rule: GoalRule
    culprits: tuple[str, ...]


@dataclass(slots=True)
class RuleBook:
    """The rules of a domain, checked together.

    Attributes:
        rules: In the order of the domain file.
        seconds: Time limit of one query over all conjuncts.
    """

    rules: Sequence[GoalRule]
    seconds: float = 2.0
    _number: int = field(default=0, init=False)

    def violations(
        self, conjuncts: Sequence[Conjunct], things: Mapping[str, Thing]
    ) -> tuple[tuple[Violation, ...], ...]:
        """Return the violations of each conjunct, in the order of the rules; safe to call from any thread.

        Raises:
            PrologUnavailableError: SWI-Prolog is missing or does not start.
            UsageError: A rule cannot be parsed, calls a forbidden predicate, raises an error or takes too long.
        """
        if not self.rules or not conjuncts:
            return tuple(() for _ in conjuncts)
        return _on_owner(lambda prolog: self._check(prolog, conjuncts, things))

    def _check(
        self, prolog: _Prolog, conjuncts: Sequence[Conjunct], things: Mapping[str, Thing]
    ) -> tuple[tuple[Violation, ...], ...]:
        self._define(prolog)
        prolog.describe(things)
        batch = ",".join(map(_conjunct, conjuncts))
        union = _conjunct(frozenset[Literal]().union(*conjuncts))
        answer = prolog.query(f"graftwork_rules:violations({self._number}, [{batch}], {union}, {self.seconds:f}, A)")[
            0
        ]["A"]
        if answer[0] != "found":
            raise UsageError(f"semantic rule '{self.rules[answer[1]].name}': {_plain(answer[2])}")
        violations: list[dict[Violation, None]] = [{} for _ in conjuncts]
        for index, rule, culprits in answer[1]:
            violations[index][Violation(self.rules[rule], tuple(culprits))] = None
        return tuple(map(tuple, violations))

    def _define(self, prolog: _Prolog) -> None:
        if self._number:
            return
        number = next(prolog.numbers)
        rules = ",".join(f"rule({index},{_quote(_body(rule.prolog))})" for index, rule in enumerate(self.rules))
        packs = ",".join(map(_quote, dict.fromkeys(rule.definitions for rule in self.rules if rule.definitions)))
        problems = prolog.query(f"graftwork_rules:define({number}, [{packs}], [{rules}], P)")[0]["P"]
        if problems:
            raise UsageError("; ".join(f"{self._named(index)}: {_plain(why)}" for index, why in problems))
        self._number = number

    def _named(self, index: object) -> str:
        """Return the name of the part with a problem: a rule by its index, or the definitions."""
        return f"semantic rule '{self.rules[index].name}'" if isinstance(index, int) else "the rule pack"


_SPECIAL = re.compile(r"['\\\x00-\x1f\x7f]")


def _conjunct(conjunct: Conjunct) -> str:
    """Write the positive and the negative literals of a conjunct, each by predicate: ``['on'-[['a','b']]]-[]``."""
    groups: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for (predicate, args), positive in sorted(conjunct):
        groups[positive].setdefault(predicate, []).append(_arguments(args))
    return f"{_grouped(groups[True])}-{_grouped(groups[False])}"


def _grouped(groups: Mapping[str, Iterable[str]]) -> str:
    terms = (f"{_quote(predicate)}-[{','.join(arguments)}]" for predicate, arguments in groups.items())
    return f"[{','.join(terms)}]"


@lru_cache(4096)
def _arguments(args: tuple[str, ...]) -> str:
    return f"[{','.join(map(_quote, args))}]"


def _quote(text: str) -> str:
    """Write any text as a Prolog atom, so that it is a name and nothing else."""
    return "'" + _SPECIAL.sub(lambda match: f"\\{ord(match[0]):o}\\", text) + "'"


def _body(text: str) -> str:
    return text.strip().removesuffix(".")


def _plain(reason: object) -> str:
    return str(reason).replace("time_limit_exceeded", "it takes too long")


@cache
def _owner() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="prolog")


def _on_owner(work: Callable[[_Prolog], T]) -> T:
    return _owner().submit(lambda: work(_prolog())).result()


class _Prolog:
    """The SWI-Prolog of this process, and the scene that it knows; only the owner thread may use it.

    Attributes:
        query: Runs a query and returns all answers.
        numbers: Numbers for the next rule books.
    """

    def __init__(self, query: Query) -> None:
        self.query = query
        self.numbers = itertools.count(1)
        self._scene: frozenset[tuple[str, str, frozenset[str]]] | None = None

    def describe(self, things: Mapping[str, Thing]) -> None:
        """Assert the facts of the scene, unless they are asserted already."""
        scene = frozenset((thing.name, thing.class_name, thing.affordances) for thing in things.values())
        if self._scene == scene:
            return
        facts = [f"thing({_quote(name)},{_quote(class_name)})" for name, class_name, _ in scene]
        facts += [
            f"affords({_quote(name)},{_quote(affordance)})"
            for name, _, affordances in scene
            for affordance in affordances
        ]
        self.query(f"graftwork_rules:describe([{','.join(facts)}])")
        self._scene = scene


@cache
def _prolog() -> _Prolog:
    """Start SWI-Prolog in the calling thread, which then owns it."""
    leave = sys.exit
    try:
        from pyswip import Prolog
        from pyswip.core import cleanupProlog
        from pyswip.prolog import PrologError
    except Exception as error:  # pyswip raises a bare Exception for an old or unreadable SWI-Prolog
        raise PrologUnavailableError(f"SWI-Prolog is not available ({error}); {HOW_TO_INSTALL}") from error
    # Leaving the process belongs to the program, and cleaning up from a thread that does not own Prolog can hang.
    sys.exit = leave
    atexit.unregister(cleanupProlog)

    def query(text: str) -> Sequence[Mapping[str, Any]]:
        try:
            return list(Prolog.query(text))
        except (PrologError, UnicodeError) as error:
            raise UsageError("a goal or a scene holds a name that SWI-Prolog cannot take") from error

    query(f"load_files({_quote(str(PROGRAM))}, [silent(true)])")
    return _Prolog(query)
