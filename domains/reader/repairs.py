"""The readers of repair rules, and of what each rung of the repair ladder may spend.

A repair rule fixes a known small failure, over the parameters of the failed step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from domains.capability import all_of
from domains.model import Capability, Domain, RepairRule, RepairStep
from domains.reader.formulas.conditions import read_atoms, read_condition
from domains.reader.formulas.scope import FormulaScope, scope_of
from domains.reader.keys import CODES, open_table
from domains.reader.nodes.document import Entry, Node, Scalar, read_document
from domains.reader.nodes.fields import Field, Fields, entries, open_fields
from domains.repairs import RUNGS, Spending
from semantics.logic.atoms import Literal, Variable

NONE = "none"
DAY = 86_400.0
MOST_TRIES = 1000
STEPS = ("before", "instead", "after")


def load_repairs(path: Path, domain: Domain) -> tuple[RepairRule, ...]:
    """Read a file with further ``repairs`` of a domain.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    node, diagnostics = read_document(path, str(path))
    fields = open_fields(node, "a file of repairs", required=("repairs",))
    scope = scope_of(domain.constants, domain.predicates, domain.fluents, tuple(domain.affordances))
    scope = replace(scope, implied=domain.implied)
    rules = read_repairs(fields.get("repairs"), scope, domain.capabilities)
    diagnostics.settle()
    return rules


def read_repairs(
    node: Node | None, scope: FormulaScope, capabilities: Mapping[str, Capability]
) -> tuple[RepairRule, ...]:
    """Read the repair rules in order."""
    return tuple(_read_repair(entry, scope, capabilities) for entry in entries(node, "repairs"))


def _read_repair(entry: Entry, scope: FormulaScope, capabilities: Mapping[str, Capability]) -> RepairRule:
    what = f"repair '{entry.key.text}'"
    fields = open_table(entry.value, "repair", what)
    failed = fields["capability"].choice("capability", capabilities)
    if failed in capabilities:
        scope = replace(scope, names={**scope.names, **scope.of_parameters(capabilities[failed].parameters)})
    variables = _read_variables(fields, scope)
    scope = scope.inside(variables)
    if fields.values and fields.values.keys().isdisjoint(STEPS):
        fields.node.report(f"{what} does nothing; expected steps 'before' or 'after'", "empty-section")
    return RepairRule(
        name=entry.key.text,
        code=fields["code"].choice("code", CODES),
        capability=failed,
        when=all_of(read_condition(fields["when"], scope)),
        variables=variables,
        culprits=fields["culprits"].known("variable", [variable.name for variable in variables]),
        rename=_read_renamed(fields, scope),
        say=fields["say"].text(),
        **{part: _read_steps(fields[part], scope, capabilities) for part in STEPS},
    )


def _read_variables(fields: Fields, scope: FormulaScope) -> tuple[Variable, ...]:
    valid = None if scope.affordances is None else (*scope.affordances, "object")
    variables: list[Variable] = []
    for key, value in fields.entries("variables"):
        if f"?{key.text}" in scope.names:
            message = f"'?{key.text}' is a parameter already; expected another name for this variable"
            key.report(message, "named-twice", key.text)
        affordance = Field(value, f"variable '{key.text}'").choice("affordance", valid)
        variables.append(Variable(key.text, affordance or "object"))
    return tuple(variables)


def _read_renamed(fields: Fields, scope: FormulaScope) -> tuple[tuple[str, str], ...]:
    names = [name[1:] for name in scope.names if name.startswith("?")]
    pairs: list[tuple[str, str]] = []
    for key, value in fields.entries("rename"):
        if key.text not in names:
            key.unknown("parameter", key.text, names)
        pairs += [(key.text, other) for other in Field(value, fields["rename"].what).known("parameter", names)]
    return tuple(pairs)


def _read_steps(field: Field, scope: FormulaScope, capabilities: Mapping[str, Capability]) -> tuple[RepairStep, ...]:
    steps: list[RepairStep] = []
    arities = {name: tuple("object" for _ in capability.parameters) for name, capability in capabilities.items()}
    for source, tree, atom in read_atoms(field, scope):
        source.call(tree, Literal(atom), arities, "capability", scope)
        steps.append(RepairStep(atom.predicate, atom.args))
    return tuple(steps)


def read_ladder(node: Node | None) -> dict[str, Spending | None]:
    """Read the budgets of the named rungs; ``none`` disables a rung."""
    ladder: dict[str, Spending | None] = {}
    for key, value in entries(node, "ladder"):
        if key.text not in RUNGS:
            key.unknown("rung", key.text, RUNGS)
            continue
        is_out = isinstance(value, Scalar) and value.text == NONE
        ladder[key.text] = None if is_out else _spending(value, f"rung '{key.text}'")
    return ladder


def _spending(node: Node, what: str) -> Spending:
    fields = open_table(node, "rung", what)
    return Spending(
        tries=fields["tries"].whole(None, high=MOST_TRIES),
        same=fields["same"].whole(None, high=MOST_TRIES),
        seconds=fields["seconds"].number(None, 0.0, DAY),
        most=fields["most"].whole(None, high=MOST_TRIES),
        money=fields["money"].number(None, 0.0),
    )
