"""``graftwork repairs``: list the repair rules that earlier runs support, and accept one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from graftwork.memory import Memory

from graftwork.cli.memories import memory_of
from graftwork.cli.options import command, echo, group, print_json
from semantics.errors import UsageError

REFUSED = 3

repairs_app = group("Rules of repair that earlier runs speak for: list, accept.")


@command(repairs_app, "repairs list")
def list_command(domain: str | None, memory: Path | None, as_json: bool) -> None:
    """List the rules that repairs in remembered runs speak for, each tried in simulation."""
    from domains.reader import load_domain
    from graftwork.recovery.accepted_rules import accepted, proposals

    store, name = _opened(domain, memory)
    world = load_domain(name)
    candidates, accepted_rules = proposals(store, world), accepted(store.path, world)
    if as_json:
        rules = [rule.name for rule in accepted_rules]
        proposed = [candidate.as_dict() for candidate in candidates]
        print_json({"domain": world.name, "accepted": rules, "proposals": proposed})
        return
    for rule in accepted_rules:
        echo(f"{rule.name}: accepted; {rule.say}")
    for candidate in candidates:
        gate = "passes" if candidate.passes else "does not pass"
        echo(f"{candidate.rule.name}: after {candidate.rule.code} of {candidate.rule.capability}; {candidate.rule.say}")
        echo(f"    worked in {candidate.trial.mended} of {candidate.trial.tried} states of the scenes: {gate}")
    if not candidates:
        echo(f"no repair of {world.name} has worked often enough to be proposed")


@command(repairs_app, "repairs accept")
def accept_command(name: str, domain: str | None, memory: Path | None, anyway: bool) -> None:
    """Write a proposed rule into your own file beside the memory (exit 3: it did not work in simulation)."""
    from domains.reader import load_domain
    from graftwork.recovery.accepted_rules import accept, proposals

    store, place = _opened(domain, memory)
    world = load_domain(place)
    candidates = proposals(store, world)
    chosen = next((candidate for candidate in candidates if candidate.rule.name == name), None)
    if chosen is not None and not (chosen.passes or anyway):
        worked = f"it worked in {chosen.trial.mended} of {chosen.trial.tried} states"
        echo(f"not accepted: {worked}; --anyway takes it all the same", err=True)
        raise typer.Exit(REFUSED)
    try:
        file, rule = accept(name, candidates, store.path, world)
    except OSError as error:
        raise UsageError(f"the rule cannot be written: {error}") from error
    echo(f"{rule.name} is a rule of {world.name} now, in {file}")


def _opened(domain: str | None, memory: Path | None) -> tuple[Memory, str]:
    from graftwork.setup.settings import command_settings

    settings = command_settings({"domain": domain, "memory": memory})
    return memory_of(settings), settings.domain
