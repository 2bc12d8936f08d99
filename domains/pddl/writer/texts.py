"""The text of a domain and of a problem, from parts that are already in PDDL names, and their requirements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from domains.capability import ConditionalEffect, NumericEffect, Template
from domains.pddl.writer.durative import Lasting, durative_text
from domains.pddl.writer.formulas import ROOT, expression_text, formula_text, parts_text, variables_text
from domains.pddl.writer.profiles import PddlProfile
from domains.pddl.writer.schemas import PddlAction
from semantics.logic.atoms import And, Atom, Compare, Equal, Exists, ForAll, Formula, Literal, Not, Or, Variable, walked

WIDE = 110
REQUIREMENTS = (
    ":strips", ":typing", ":negative-preconditions", ":disjunctive-preconditions", ":equality",
    ":existential-preconditions", ":universal-preconditions", ":conditional-effects", ":derived-predicates",
    ":numeric-fluents", ":action-costs", ":durative-actions",
)  # fmt: skip
"""The requirements that the writer may declare, in the usual order."""
Derivation = tuple[tuple[Variable, ...], Atom, Formula]
"""A derived predicate: its variables, head and body."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of a domain file, in its names."""

    requirements: Sequence[str]  # requirements with their colons
    types: Sequence[tuple[str, str]]  # types, each with the type above it
    constants: Sequence[tuple[str, str]]  # constants, each with its type
    predicates: Sequence[tuple[str, int]]  # predicates, each with its number of arguments
    # functions, each with its number of arguments; ``total-cost`` is one of them
    functions: Sequence[tuple[str, int]] = ()
    derived: Sequence[Derivation] = ()  # derived predicates
    actions: Sequence[PddlAction] = ()  # actions in order
    notes: Sequence[str] = field(default=())  # lines of comment
    lasting: Lasting | None = None  # the additional predicates of durative actions; None without durations


def domain_text(name: str, sheet: Sheet) -> str:
    """Write a domain file."""
    sections = [
        f"(:requirements {' '.join(sheet.requirements)})",
        wrapped("(:types", (f"{name} - {above}" for name, above in sheet.types), ")") if sheet.types else "",
        wrapped("(:constants", _typed(sheet.constants), ")") if sheet.constants else "",
        wrapped("(:predicates", map(_declared, sheet.predicates), ")"),
        wrapped("(:functions", (f"{_declared(function)} - number" for function in sheet.functions), ")")
        if sheet.functions
        else "",
        *(f"(:derived {_head(variables, head)}\n    {formula_text(body)})" for variables, head, body in sheet.derived),
        *(durative_text(action, sheet.lasting) if sheet.lasting else action_text(action) for action in sheet.actions),
    ]
    body = "\n\n".join(f"  {section}" for section in sections if section)
    comments = "".join(f"; {' '.join(note.split())}\n" for note in sheet.notes)
    return f"{comments}(define (domain {name})\n{body}\n)\n"


def _typed(names: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield ``a b - type`` for names that are sorted by type."""
    by_type: dict[str, list[str]] = {}
    for name, kind in names:
        by_type.setdefault(kind, []).append(name)
    for kind, members in by_type.items():
        yield f"{' '.join(members)} - {kind}"


def wrapped(opening: str, items: Iterable[str], closing: str) -> str:
    """Write the items one after the other, wrapped into lines."""
    lines, indent = [f"{opening}"], "    "
    for item in items:
        if len(lines[-1]) + len(item) + 3 > WIDE:
            lines.append(f"{indent}{item}")
        else:
            lines[-1] += f" {item}"
    return "\n".join(lines) + closing


def _declared(signature: tuple[str, int]) -> str:
    name, arity = signature
    return f"({' '.join((name, *(f'?x{number} - {ROOT}' for number in range(arity))))})"


def _head(variables: tuple[Variable, ...], head: Atom) -> str:
    return f"({' '.join((head.predicate, *map(str, variables)))})" if variables else f"({head.predicate})"


def action_text(action: PddlAction) -> str:
    """Write an action."""
    parameters = " ".join(f"?{name} - {kind}" for name, kind in action.parameters)
    lines = [f"(:action {action.name}", f"    :parameters ({parameters})"]
    if action.conditions:
        lines.append(f"    :precondition {parts_text('and', action.conditions)}")
    effects = [
        *map(literal_text, action.effects),
        *map(conditional_text, action.conditional),
        *map(numeric_text, action.numeric),
    ]
    if action.total is not None:
        effects.append(f"(increase (total-cost) {expression_text(action.total)})")
    lines.append(f"    :effect (and {' '.join(effects)})" if effects else "    :effect (and)")
    return "\n".join(lines) + ")"


def literal_text(literal: Literal | Template) -> str:
    """Write a literal."""
    return str(literal.literal if isinstance(literal, Template) else literal)


def numeric_text(effect: NumericEffect) -> str:
    """Write a numeric effect."""
    return f"({effect.how} {effect.fluent} {expression_text(effect.amount)})"


def conditional_text(effect: ConditionalEffect) -> str:
    """Write a conditional effect."""
    parts = [*map(literal_text, effect.literals), *map(numeric_text, effect.numeric)]
    text = parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"
    if effect.condition is not None:
        text = f"(when {formula_text(effect.condition)} {text})"
    return f"(forall ({variables_text(effect.variables)}) {text})" if effect.variables else text


def problem_text(
    name: str,
    domain: str,
    objects: Iterable[tuple[str, str]],
    facts: Iterable[Atom],
    numbers: Mapping[Atom, float],
    goal: Formula,
    *,
    metric: bool,
) -> str:
    """Write a problem file."""
    values = (f"(= {atom} {expression_text(value)})" for atom, value in numbers.items())
    goal_text = formula_text(goal)
    sections = [
        f"(:domain {domain})",
        wrapped("(:objects", _typed(objects), ")"),
        wrapped("(:init", (*map(str, facts), *values), ")"),
        f"(:goal {goal_text if goal_text.startswith('(and') else f'(and {goal_text})'})",
        "(:metric minimize (total-cost))" if metric else "",
    ]
    body = "\n".join(f"  {section}" for section in sections if section)
    return f"(define (problem {name})\n{body}\n)\n"


def requirements_of(
    actions: Iterable[PddlAction],
    goal: Formula,
    derived: Sequence[Derivation],
    profile: PddlProfile,
    *,
    counted: bool,
    numbers: bool,
) -> list[str]:
    """Return the requirements of a domain and its goal, in the usual order."""
    requirements = {":strips", ":typing", *_asked_by(goal)}
    for action in actions:
        for condition in action.conditions:
            requirements.update(_asked_by(condition))
        for effect in action.conditional:
            requirements.add(":conditional-effects")
            requirements.update(_asked_by(effect.condition or And(())))
    for _, _, body in derived:
        requirements |= {":derived-predicates", *_asked_by(body)}
    if profile.numbers and numbers:
        requirements.add(":numeric-fluents")
    if counted:
        requirements.add(":action-costs")
    if profile.durations:
        requirements.add(":durative-actions")
    return [requirement for requirement in REQUIREMENTS if requirement in requirements]


def _asked_by(formula: Formula) -> Iterator[str]:
    for part, _ in walked(formula):
        match part:
            case Not(Atom() | Equal()):
                yield ":negative-preconditions"
            case Not() | Or():
                yield ":disjunctive-preconditions"
            case ForAll():
                yield ":universal-preconditions"
            case Exists():
                yield ":existential-preconditions"
            case Equal():
                yield ":equality"
            case Compare():
                yield ":numeric-fluents"
