"""`FormulaScope`: what a formula may name, and the checks of one use of a name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from domains.reader.nodes.diagnostics import Diagnostics, Mark
from semantics.atoms import Literal, Variable

__all__ = ["FormulaScope", "Names", "Place", "check_call"]

Names = Mapping[str, Sequence[str]]
"""What may be named, with its affordances: parameters with their question mark, or things. Where there are none they
could not be read, and are not looked at."""

Place = Callable[[int], Mark]
"""Where the predicate (0) and each argument (from 1) of an atom stand; asked only when there is something to say."""


@dataclass(frozen=True, slots=True)
class FormulaScope:
    """What a formula may name; None where that could not be read, and is not looked at.

    Attributes:
        names: Variables with their question mark, and constants, with what they afford.
        predicates: What each asks of its arguments, by name.
        fluents: The same for numbers that depend on things.
        affordances: What a variable may range over.
    """

    names: Names
    predicates: Mapping[str, Sequence[str]] | None = None
    fluents: Mapping[str, Sequence[str]] | None = None
    affordances: Collection[str] | None = None

    def inside(self, variables: Collection[Variable]) -> FormulaScope:
        """Return what may be named where `variables` are bound as well."""
        return replace(
            self, names={**self.names, **{f"?{variable.name}": (variable.affordance,) for variable in variables}}
        )


def check_call(
    literal: Literal,
    parameters: Mapping[str, Sequence[str]] | None,
    kind: str,
    names: Names,
    place: Place,
    diagnostics: Diagnostics,
) -> None:
    """Complain of an unknown name or argument, a wrong count, and an argument without the affordance.

    The affordances of a negative literal are not looked at: of a thing without them it is simply true.

    Args:
        literal: What is said; of a number, the atom asked for.
        parameters: What each of its kind asks of its arguments, by name; None: not looked at.
        kind: Such as ``predicate``.
        names: What the arguments may be.
        place: Where its words stand.
        diagnostics: Where to complain.
    """
    name, args = literal.atom
    for position, arg in enumerate(args):
        if arg not in names and arg not in args[:position]:
            diagnostics.unknown(place(position + 1), "parameter" if arg.startswith("?") else "name", arg, names)
    if parameters is None:
        return
    if name not in parameters:
        diagnostics.unknown(place(0), kind, name, parameters)
        return
    asked = parameters[name]
    if len(asked) != len(args):
        form = " ".join((name, *asked))
        message = f"{literal.atom} has {_count(len(args))}; expected {len(asked)}: ({form})"
        diagnostics.add(place(0), message, "wrong-arity", name)
        return
    for position, (arg, affordance) in enumerate(zip(args, asked, strict=True), start=1):
        if literal.positive and names.get(arg) and affordance not in ("object", *names[arg]):
            message = f"{arg} in {literal.atom} does not afford {affordance}; expected that of argument {position}"
            diagnostics.add(place(0), message, "lacks-affordance", arg)


def _count(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"
