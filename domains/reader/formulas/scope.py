"""`FormulaScope`: the names that a formula may use, and the check of one use."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domains.capability import Parameter
from domains.diagnostics import Diagnostics, Mark
from domains.model import NumericFluent, PredicateModel
from semantics.logic.atoms import Literal, Variable
from semantics.logic.vocabulary import Thing
from semantics.plain_text import counted

Names = Mapping[str, Sequence[str]]
"""The valid names with their affordances: parameters with their question mark, or things. Without affordances, a name
could not be read, and its affordances are not checked."""

Place = Callable[[int], Mark]
"""The position of the predicate (0) and of each argument (from 1) of an atom; called only for an error."""


@dataclass(frozen=True, slots=True)
class FormulaScope:
    """The names that a formula may use; None where they could not be read, so that they are not checked.

    Attributes:
        names: Variables with their question mark, and constants, with their affordances.
        predicates: Required affordances of the arguments of each predicate.
        fluents: The same for numeric fluents.
        affordances: Affordances that variables may range over.
        implied: Affordances that follow from another one.
    """

    names: Names
    predicates: Mapping[str, Sequence[str]] | None = None
    fluents: Mapping[str, Sequence[str]] | None = None
    affordances: Collection[str] | None = None
    implied: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def inside(self, variables: Collection[Variable]) -> FormulaScope:
        """Return this scope with `variables` added."""
        return replace(
            self,
            names={
                **self.names,
                **{f"?{variable.name}": with_implied((variable.affordance,), self.implied) for variable in variables},
            },
        )

    def of_parameters(self, parameters: Iterable[Parameter]) -> dict[str, Sequence[str]]:
        """Return the names of parameters with their affordances."""
        return {f"?{parameter.name}": with_implied(parameter.affordances, self.implied) for parameter in parameters}


def with_implied(
    affordances: Iterable[str], implied: Mapping[str, Sequence[str]], barred: Collection[str] = ()
) -> tuple[str, ...]:
    """Return affordances and what follows from them without what is `barred`."""
    found = list(dict.fromkeys(affordances))
    for affordance in found:  # the list grows during the loop
        found += [other for other in implied.get(affordance, ()) if other not in found and other not in barred]
    return tuple(found)


def scope_of(
    constants: Mapping[str, Thing],
    predicates: Mapping[str, PredicateModel] | None,
    fluents: Mapping[str, NumericFluent],
    affordances: Collection[str] | None,
) -> FormulaScope:
    """Return the scope of a domain's declarations; predicates or affordances that are None are not checked."""
    return FormulaScope(
        {name: tuple(thing.affordances) for name, thing in constants.items()},
        None if predicates is None else {name: model.predicate.parameters for name, model in predicates.items()},
        {name: fluent.parameters for name, fluent in fluents.items()},
        affordances,
    )


def check_call(
    literal: Literal,
    parameters: Mapping[str, Sequence[str]] | None,
    kind: str,
    names: Names,
    place: Place,
    diagnostics: Diagnostics,
) -> None:
    """Report an unknown name or argument, a wrong number of arguments, and an argument without the affordance.

    Affordances in a negative literal are not checked: for a thing without them, the literal is true.

    Args:
        literal: The literal; for a number, a positive literal of its fluent.
        parameters: Required affordances of the arguments, by predicate or number; None for no check.
        kind: Sort of the name, such as ``predicate``.
        names: Valid arguments.
        place: Gives the positions of the words.
        diagnostics: Receives the problems.
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
        message = f"{literal.atom} has {counted(len(args), 'argument')}; expected {len(asked)}: ({form})"
        diagnostics.add(place(0), message, "wrong-arity", name)
        return
    for position, (arg, affordance) in enumerate(zip(args, asked, strict=True), start=1):
        if literal.positive and names.get(arg) and affordance not in ("object", *names[arg]):
            message = f"{arg} in {literal.atom} does not afford {affordance}; expected that of argument {position}"
            diagnostics.add(place(0), message, "lacks-affordance", arg)
