"""The readers of repair rules, and of what each rung of the repair ladder may spend.

A repair rule fixes a known small failure, over the parameters of the failed step.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from domains.model import Capability, Domain, RepairRule, RepairStep
from domains.reader.formulas.conditions import Checked, read_condition, sources
from domains.reader.formulas.scope import FormulaScope, check_call, scope_of
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Node, Scalar, read_document
from domains.reader.nodes.fields import Fields, choice, entries, known, number, open_fields, text, whole
from domains.repairs import RUNGS, Spending
from semantics.atoms import And, Literal, Variable
from semantics.errors import FormulaError
from semantics.feedback import Code
from semantics.sexpr import Group

__all__ = ["load_repairs", "read_ladder", "read_repairs"]

CODES = tuple(code.value for code in Code)
NONE = "none"
DAY = 86_400.0
MOST_TRIES = 1000


def load_repairs(path: Path, domain: Domain) -> tuple[RepairRule, ...]:
    """Read a file with further ``repairs`` of a domain.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    node, diagnostics = read_document(path, str(path))
    fields = open_fields(node, "a file of repairs", diagnostics, required=("repairs",))
    scope = scope_of(domain.constants, domain.predicates, domain.fluents, tuple(domain.affordances))
    rules = read_repairs(fields.get("repairs"), scope, domain.capabilities, diagnostics)
    diagnostics.settle()
    return rules


def read_repairs(
    node: Node | None, scope: FormulaScope, capabilities: Mapping[str, Capability], diagnostics: Diagnostics
) -> tuple[RepairRule, ...]:
    """Read the repair rules in order."""
    return tuple(
        _read_repair(entry, scope, capabilities, diagnostics) for entry in entries(node, "repairs", diagnostics)
    )


def _read_repair(
    entry: Entry, scope: FormulaScope, capabilities: Mapping[str, Capability], diagnostics: Diagnostics
) -> RepairRule:
    what = f"repair '{entry.key.text}'"
    fields = open_table(entry.value, "repair", what, diagnostics)
    failed = choice(fields.get("capability"), "capability", capabilities, f"the capability of {what}", diagnostics)
    if failed in capabilities:
        parameters = {f"?{parameter.name}": parameter.affordances for parameter in capabilities[failed].parameters}
        scope = FormulaScope({**scope.names, **parameters}, scope.predicates, scope.fluents, scope.affordances)
    variables = _read_variables(fields, scope, diagnostics)
    scope = scope.inside(variables)
    when = read_condition(fields.get("when"), scope, f"'when' of {what}", diagnostics)
    steps = {
        part: _read_steps(fields, part, scope, capabilities, diagnostics) for part in ("before", "instead", "after")
    }
    if steps.keys().isdisjoint(fields.values) and fields.values:
        diagnostics.add(fields.mark, f"{what} does nothing; expected steps 'before' or 'after'", "empty-section")
    return RepairRule(
        name=entry.key.text,
        code=choice(fields.get("code"), "code", CODES, f"the code of {what}", diagnostics),
        capability=failed,
        when=And(when) if len(when) > 1 else next(iter(when), None),
        variables=variables,
        culprits=_read_culprits(fields, variables, diagnostics),
        before=steps["before"],
        instead=steps["instead"],
        rename=_read_renamed(fields, scope, diagnostics),
        after=steps["after"],
        say=text(fields.get("say"), f"'say' of {what}", diagnostics),
    )


def _read_variables(fields: Fields, scope: FormulaScope, diagnostics: Diagnostics) -> tuple[Variable, ...]:
    valid = None if scope.affordances is None else (*scope.affordances, "object")
    variables: list[Variable] = []
    for key, value in entries(fields.get("variables"), f"the variables of {fields.what}", diagnostics):
        if f"?{key.text}" in scope.names:
            message = f"'?{key.text}' is a parameter already; expected another name for this variable"
            diagnostics.add(key.mark, message, "named-twice", key.text)
        affordance = choice(value, "affordance", valid, f"variable '{key.text}'", diagnostics)
        variables.append(Variable(key.text, affordance or "object"))
    return tuple(variables)


def _read_culprits(fields: Fields, variables: tuple[Variable, ...], diagnostics: Diagnostics) -> tuple[str, ...]:
    names = [variable.name for variable in variables]
    return known(fields.get("culprits"), "variable", names, f"the culprits of {fields.what}", diagnostics)


def _read_renamed(fields: Fields, scope: FormulaScope, diagnostics: Diagnostics) -> tuple[tuple[str, str], ...]:
    names = [name[1:] for name in scope.names if name.startswith("?")]
    pairs: list[tuple[str, str]] = []
    for key, value in entries(fields.get("rename"), f"'rename' of {fields.what}", diagnostics):
        if key.text not in names:
            diagnostics.unknown(key.mark, "parameter", key.text, names)
        for other in known(value, "parameter", names, f"'rename' of {fields.what}", diagnostics):
            pairs.append((key.text, other))
    return tuple(pairs)


def _read_steps(
    fields: Fields, key: str, scope: FormulaScope, capabilities: Mapping[str, Capability], diagnostics: Diagnostics
) -> tuple[RepairStep, ...]:
    steps: list[RepairStep] = []
    arities = {name: tuple("object" for _ in capability.parameters) for name, capability in capabilities.items()}
    for source, tree in sources(fields.get(key), scope, f"'{key}' of {fields.what}", diagnostics):
        try:
            atom = Checked(source).syntax.atom(tree)
        except FormulaError as error:
            source.unreadable(error)
            continue
        items = tree.items if isinstance(tree, Group) else (tree,)
        marks = [source.at(item) for item in items]
        check_call(Literal(atom), arities, "capability", scope.names, marks.__getitem__, diagnostics)
        steps.append(RepairStep(atom.predicate, atom.args))
    return tuple(steps)


def read_ladder(node: Node | None, diagnostics: Diagnostics) -> dict[str, Spending | None]:
    """Read the budgets of the named rungs; ``none`` disables a rung."""
    ladder: dict[str, Spending | None] = {}
    for key, value in entries(node, "ladder", diagnostics):
        if key.text not in RUNGS:
            diagnostics.unknown(key.mark, "rung", key.text, RUNGS)
            continue
        is_out = isinstance(value, Scalar) and value.text == NONE
        ladder[key.text] = None if is_out else _spending(value, f"rung '{key.text}'", diagnostics)
    return ladder


def _spending(node: Node, what: str, diagnostics: Diagnostics) -> Spending:
    fields = open_table(node, "rung", what, diagnostics)
    values = fields.values
    return Spending(
        tries=whole(values["tries"], f"'tries' of {what}", diagnostics, high=MOST_TRIES) if "tries" in values else None,
        same=whole(values["same"], f"'same' of {what}", diagnostics, high=MOST_TRIES) if "same" in values else None,
        seconds=number(values["seconds"], f"'seconds' of {what}", diagnostics, low=0.0, high=DAY)
        if "seconds" in values
        else None,
        most=whole(values["most"], f"'most' of {what}", diagnostics, high=MOST_TRIES) if "most" in values else None,
        money=number(values["money"], f"'money' of {what}", diagnostics, low=0.0) if "money" in values else None,
    )
