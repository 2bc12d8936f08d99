"""Repair rules learned from earlier runs: proposed, tested in simulation, and accepted by a person.

The episodes in a memory record the steps that solved each failure. No proposal becomes a rule automatically: a person
accepts it, and it is written to a file beside the memory. The shipped world does not change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from affordances.scene import Scene
from bt.recovery.rule_proposal import Fix, TrialCounts, fixes, passes, propose, tried
from domains.model import Domain, RepairRule, RepairStep
from domains.reader import available_scenes, load_repairs, load_scene
from graftwork.memory import Memory
from semantics.errors import known_name
from semantics.logic.state import Action
from semantics.logic.vocabulary import Thing
from semantics.process.writing import OWNER_FOLDER, replace_whole

MOST_EPISODES = 2000
SAMPLES = 300  # number of random states of each scene in which a proposal is tested; it applies in few of them


@dataclass(frozen=True, slots=True)
class RuleProposal:
    """A proposed rule, with its results in random states of the world's scenes."""

    rule: RepairRule
    trial: TrialCounts

    @property
    def passes(self) -> bool:
        """Whether it worked in every test, and in enough tests."""
        return passes(self.trial)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        rule = self.rule
        return {
            "name": rule.name,
            "code": rule.code,
            "capability": rule.capability,
            "say": rule.say,
            "tried": self.trial.tried,
            "mended": self.trial.mended,
            "passes": self.passes,
            "yaml": rule_text(rule),
        }


def fixes_told(events: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the failures of a run that additional steps repaired, from the events of its record.

    Returns: A table for each, with the `code` of the failure, the `step` that failed, the steps `before` and `after` it
        that repaired it (texts of actions), the `rung` that proposed them, and the `culprits`.
    """
    return tuple(
        {"code": fix.code, "step": str(fix.step), "before": _texts(fix.before), "after": _texts(fix.after)}
        | {"rung": fix.rung, "culprits": list(fix.culprits)}
        for fix in fixes(events)
    )


def proposals(memory: Memory, domain: Domain) -> tuple[RuleProposal, ...]:
    """Return the rules that the episodes of a world support, each tested in random states of its scenes."""
    scenes = [load_scene(domain, name) for name in available_scenes(domain)]
    things: dict[str, Thing] = {}
    for scene in scenes:
        things |= scene.things
    episodes = (record.episode for record in memory.list()[:MOST_EPISODES])
    log = [_fix(fix) for episode in episodes if episode.domain == domain.name for fix in episode.fixes]
    extended = replace(domain, repairs=(*domain.repairs, *accepted(memory.path, domain)))
    starts = [(scene.things, Scene.as_written(scene, domain).state) for scene in scenes]
    return tuple(
        RuleProposal(rule, tried(rule, domain, starts, samples=SAMPLES)) for rule in propose(log, extended, things)
    )


def place_of(memory: Path, domain: Domain) -> Path:
    """Return the file of a world's accepted rules."""
    return memory.with_name(f"{memory.stem}-repairs-{domain.name}.yaml")


def accepted(memory: Path, domain: Domain) -> tuple[RepairRule, ...]:
    """Return the accepted rules of a world.

    Raises:
        DomainFileError: Their file cannot be used; lists every problem with its line and column.
    """
    file = place_of(memory, domain)
    return load_repairs(file, domain) if file.is_file() else ()


def accept(name: str, candidates: Iterable[RuleProposal], memory: Path, domain: Domain) -> tuple[Path, RepairRule]:
    """Write a proposal into the file of accepted rules; add a number to its name if the name is taken.

    Raises:
        UnknownNameError: There is no such proposal.
        OSError: The file cannot be written.
    """
    rules = {candidate.rule.name: candidate.rule for candidate in candidates}
    known_name("proposal", name, rules)
    before = accepted(memory, domain)
    taken = {rule.name for rule in (*domain.repairs, *before)}
    free = name if name not in taken else next(f"{name}-{n}" for n in range(2, 10_000) if f"{name}-{n}" not in taken)
    rule = replace(rules[name], name=free)
    file = place_of(memory, domain)
    file.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
    replace_whole(
        file, "repairs:\n" + "".join(rule_text(accepted_rule) for accepted_rule in (*before, rule)), private=True
    )
    return file, rule


def _texts(actions: Iterable[Action]) -> list[str]:
    return list(map(str, actions))


def _fix(document: Mapping[str, Any]) -> Fix:
    before, after = (tuple(map(Action.read, document[part])) for part in ("before", "after"))
    step = Action.read(document["step"])
    return Fix(document["code"], step, before, after, document["rung"], tuple(document["culprits"]))


def rule_text(rule: RepairRule) -> str:
    """Return a rule as YAML: an entry of ``repairs``, indented by two spaces."""
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
