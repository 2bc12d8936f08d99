"""New rules from repairs that have worked again and again.

Repairs are alike when the same failure of the same capability was mended by the same steps, whatever the things were
called: names that the failed step has become its parameters, others become variables, in their order. What has to hold
for the rule to apply is worked out from the model, by regression through the inserted steps, so that one example says
no more than it shows. Lifting a plan so goes back to explanation-based generalisation (Mitchell, Keller and
Kedar-Cabelli 1986).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bt.recovery.rule_proposal.fixes import Fix
from domains.model import Domain, RepairRule, RepairStep
from semantics.atoms import And, Atom, Formula, Literal, Not, Variable
from semantics.errors import UsageError
from semantics.state import Action, Operator
from semantics.vocabulary import Thing

__all__ = ["propose"]

OFTEN = 3
"""How often a repair must have worked to be proposed."""


def propose(
    log: Iterable[Fix], domain: Domain, things: Mapping[str, Thing], often: int = OFTEN
) -> tuple[RepairRule, ...]:
    """Return the rules that repairs in `log` speak for, the most frequent first.

    They are proposals: `bt.recovery.rule_proposal.passes` tries one in simulation, and a person may decide.

    Args:
        log: What mended failures.
        domain: The world's model; a repair that one of its rules makes already is not proposed.
        things: What the log speaks of.
        often: How often the same repair must have worked.
    """
    counts = Counter(found for fix in log if (found := _lifted(fix, domain, things)) is not None)
    known = {_shape(rule) for rule in domain.repairs}
    often_seen = [(rule, count) for rule, count in counts.most_common() if count >= often and _shape(rule) not in known]
    return tuple(
        replace(rule, name=f"learned-{rule.capability}-{number}".lower(), say=_said(rule, count))
        for number, (rule, count) in enumerate(often_seen, start=1)
    )


def _shape(rule: RepairRule) -> tuple[object, ...]:
    steps = tuple(tuple(step.capability for step in part) for part in (rule.before, rule.instead, rule.after))
    return rule.code, rule.capability, steps


def _said(rule: RepairRule, count: int) -> str:
    first = ", ".join(step.capability for step in rule.before)
    then = f", and afterwards {', '.join(step.capability for step in rule.after)}" if rule.after else ""
    return f"what mended it {count} times is done first: {first}{then}"


def _lifted(fix: Fix, domain: Domain, things: Mapping[str, Thing]) -> RepairRule | None:
    """Return a fix as a rule without a name; None when it is not of this domain."""
    try:
        failed = domain.ground(fix.step, things)
        before = [domain.ground(one, things) for one in fix.before]
    except UsageError:
        return None
    capability = domain.capabilities[fix.step.name]
    names = {arg: f"?{one.name}" for one, arg in zip(capability.parameters, fix.step.args, strict=True)}
    asked = _affordances(fix, domain)
    new = [arg for arg in asked if arg not in names]
    variables = [Variable(f"v{number}", asked[arg]) for number, arg in enumerate(new, start=1)]
    names |= {arg: f"?{one.name}" for arg, one in zip(new, variables, strict=True)}
    return RepairRule(
        name="",
        code=fix.code,
        capability=fix.step.name,
        when=_asked(before, failed, names, domain),
        variables=tuple(variables),
        culprits=tuple(names[arg][1:] for arg in fix.culprits if arg in new),
        before=tuple(_step(one, names) for one in fix.before),
        after=tuple(_step(one, names) for one in fix.after),
    )


def _affordances(fix: Fix, domain: Domain) -> dict[str, str]:
    """Return by thing the rarest affordance that the steps ask of it, which says most of what it has to be."""
    asked: dict[str, list[str]] = {}
    for action in (*fix.before, *fix.after):
        for one, arg in zip(domain.capabilities[action.name].parameters, action.args, strict=True):
            asked.setdefault(arg, []).extend(one.affordances)
    spread = Counter(name for one in domain.classes.values() for name in one.affordances)
    return {arg: min(found, key=lambda name: (spread[name], name), default="object") for arg, found in asked.items()}


def _step(action: Action, names: Mapping[str, str]) -> RepairStep:
    return RepairStep(action.name, tuple(names[arg] for arg in action.args))


def _asked(before: Sequence[Operator], failed: Operator, names: Mapping[str, str], domain: Domain) -> Formula | None:
    """Return what must hold so that the inserted steps, and then the failed one, can be taken."""
    need: set[Literal] = set(failed.precondition)
    for step in reversed(before):
        need = {one for one in need if not _made(one, step)} | set(step.precondition)
    parts: list[Formula] = []
    for atom, positive in need:
        if not domain.predicates[atom.predicate].bookkeeping:
            lifted = Atom(atom.predicate, tuple(names.get(arg, arg) for arg in atom.args))
            parts.append(lifted if positive else Not(lifted))
    parts.sort(key=str)
    return And(tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _made(literal: Literal, step: Operator) -> bool:
    return literal.atom in (step.added if literal.positive else step.deleted - step.added)
