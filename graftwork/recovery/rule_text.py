"""A repair rule as the YAML of the domain language."""

from __future__ import annotations

import json
from collections.abc import Iterator

from domains.model import RepairRule, RepairStep

__all__ = ["rule_text"]


def rule_text(rule: RepairRule) -> str:
    """Return a rule as an entry of ``repairs``, indented by two."""
    return f"  {rule.name}:\n" + "".join(f"    {line}\n" for line in _lines(rule))


def _lines(rule: RepairRule) -> Iterator[str]:
    yield f"code: {rule.code}"
    if rule.capability:
        yield f"capability: {rule.capability}"
    if rule.when is not None:
        yield f"when: {json.dumps(str(rule.when), ensure_ascii=False)}"
    if rule.variables:
        yield f"variables: {{{', '.join(f'{variable.name}: {variable.affordance}' for variable in rule.variables)}}}"
    if rule.culprits:
        yield f"culprits: [{', '.join(rule.culprits)}]"
    for part, steps in (("before", rule.before), ("instead", rule.instead)):
        yield from _steps(part, steps)
    if rule.rename:
        yield f"rename: {{{', '.join(f'{old}: {new}' for old, new in rule.rename)}}}"
    yield from _steps("after", rule.after)
    yield f"say: {json.dumps(rule.say, ensure_ascii=False)}"


def _steps(part: str, steps: tuple[RepairStep, ...]) -> Iterator[str]:
    if steps:
        yield f"{part}:"
        yield from (f'  - "({" ".join((step.capability, *step.args))})"' for step in steps)
