"""`FormulaScope`: the names that a formula may use; `FormulaSource`: a formula that is parsed and checked by them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from domains.capability import Parameter
from domains.diagnostics import Diagnostics, Mark
from domains.model import NumericFluent, PredicateModel
from domains.reader.nodes.document import Node, Scalar, place_in
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Expression, Formula, Literal, Variable
from semantics.logic.parsing import COMPARISONS, FormulaReader, Group, Node as Bracket, Word, place_of
from semantics.logic.vocabulary import Thing
from semantics.plain_text import counted

ARITHMETIC = ("+", "-", "*", "/")

Names = Mapping[str, Sequence[str]]
"""The valid names with their affordances: parameters with their question mark, or things. Without affordances, a name
could not be read, and its affordances are not checked."""

Place = Callable[[int], Mark]
"""The position of the predicate (0) and of each argument (from 1) of an atom; called only for an error."""


@dataclass(frozen=True, slots=True)
class FormulaScope:
    """The names that a formula may use; None where they could not be read, so that they are not checked."""

    names: Names  # variables with their question mark, and constants, with their affordances
    predicates: Mapping[str, Sequence[str]] | None = None  # required affordances of the arguments of each predicate
    fluents: Mapping[str, Sequence[str]] | None = None  # the same for numeric fluents
    affordances: Collection[str] | None = None  # affordances that variables may range over
    implied: Mapping[str, Sequence[str]] = field(default_factory=dict)  # affordances that follow from another one

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


@dataclass(frozen=True, slots=True)
class FormulaSource:
    """A formula as PDDL text, with the position of each word in the file; it is parsed, and wrong names are reported.

    Plain YAML is converted to PDDL (`domains.reader.formulas.plain`), so that one reader serves both.
    """

    text: str  # PDDL text
    what: str  # description for messages: "the effect of capability 'grasp'"
    written: Node  # what stands in the file: this text, or the plain YAML that it was converted from
    offsets: tuple[int, ...] = ()  # offsets of the words of a converted text, in order
    marks: tuple[Mark, ...] = ()  # positions of these words in the file

    @property
    def file(self) -> Diagnostics:
        """The problems of the file."""
        return self.written.file

    def mark(self, offset: int) -> Mark:
        """Return the position in the file of the word at `offset` of the text."""
        if isinstance(self.written, Scalar) and not self.offsets:
            return place_in(self.written, *place_of(self.text, offset))
        return self.marks[max(bisect_right(self.offsets, offset) - 1, 0)]

    def at(self, node: Bracket) -> Mark:
        """Return the position of a node of the text; that of a group is its first word."""
        if not isinstance(node, Word) and node.items:
            return self.at(node.items[0])
        return self.mark(node.offset)

    def add(self, node: Bracket, message: str, code: str, culprit: str = "") -> None:
        """Report a problem at a node."""
        self.file.add(self.at(node), message, code, culprit)

    def unreadable(self, error: FormulaError) -> None:
        """Report a syntax error of the text."""
        lines = self.text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        message = f"{self.what} cannot be read: {error.reason}"
        self.file.add(self.mark(offset), message, "unreadable-formula")

    @property
    def syntax(self) -> FormulaReader:
        """The parser of the text, which does not check names."""
        return FormulaReader(self.text)

    def condition(self, tree: Bracket, scope: FormulaScope, positive: bool = True) -> Formula:
        """Read a condition; the empty conjunction when it cannot be read."""
        try:
            formula = self.syntax.formula(tree)
        except FormulaError as error:
            self.unreadable(error)
            return And(())
        self.check(tree, scope, positive)
        return formula

    def expression(self, tree: Bracket, scope: FormulaScope) -> Expression | None:
        """Read a number; None when it cannot be read."""
        try:
            expression = self.syntax.expression(tree)
        except FormulaError as error:
            self.unreadable(error)
            return None
        self._check_number(tree, scope)
        return expression

    def variables(self, tree: Bracket, scope: FormulaScope) -> tuple[Variable, ...]:
        """Read the variables of a quantifier.

        Raises:
            FormulaError: They cannot be read.
        """
        variables = self.syntax.typed(tree)
        words = [item for item in tree.items if isinstance(item, Word)] if isinstance(tree, Group) else []
        valid = None if scope.affordances is None else (*scope.affordances, "object")
        for variable in variables:
            place = next((word for word in words if word.text == f"?{variable.name}"), tree)
            if place is tree:
                shown = variable.name
                self.add(tree, f"'{shown}' is no variable; expected '?{shown}'", "not-a-variable", shown)
            if f"?{variable.name}" in scope.names or variables.count(variable) > 1:
                message = f"'?{variable.name}' is named already; expected another name for this variable"
                self.add(place, message, "named-twice", variable.name)
            if valid is not None and variable.affordance not in valid:
                kind = next((word for word in reversed(words) if word.text == variable.affordance), tree)
                self.file.unknown(self.at(kind), "affordance", variable.affordance, valid)
        return variables

    def call(
        self,
        tree: Bracket,
        literal: Literal,
        parameters: Mapping[str, Sequence[str]] | None,
        kind: str,
        scope: FormulaScope,
    ) -> None:
        """Check a name with its arguments; see `check_call`."""
        items = tree.items if isinstance(tree, Group) else (tree,)
        place = lambda position: self.at(items[position])  # noqa: E731 - called only for an error
        check_call(literal, parameters, kind, scope.names, place, self.file)

    def check(self, tree: Bracket, scope: FormulaScope, positive: bool) -> None:
        """Check the names of a condition that was parsed."""
        if not isinstance(tree, Group):
            return
        if tree.head in ("and", "or", "not", "imply"):
            for place, part in enumerate(tree.items[1:]):
                is_denied = tree.head == "not" or (tree.head == "imply" and place == 0)
                self.check(part, scope, positive != is_denied)
        elif tree.head in ("forall", "exists"):
            self.check(tree.items[2], scope.inside(self.variables(tree.items[1], scope)), positive)
        elif tree.head in COMPARISONS:
            for part in tree.items[1:]:
                self._check_number(part, scope)
        else:
            self.call(tree, Literal(self.syntax.atom(tree), positive), scope.predicates, "predicate", scope)

    def _check_number(self, tree: Bracket, scope: FormulaScope) -> None:
        """Check the names of a number, or of a name that is compared with one."""
        if isinstance(tree, Word):
            if tree.text[:1] in "?abcdefghijklmnopqrstuvwxyz" and tree.text not in scope.names:
                kind = "parameter" if tree.text.startswith("?") else "name"
                self.file.unknown(self.at(tree), kind, tree.text, scope.names)
        elif tree.head in ARITHMETIC:
            for part in tree.items[1:]:
                self._check_number(part, scope)
        else:
            self.call(tree, Literal(self.syntax.atom(tree)), scope.fluents, "number", scope)
