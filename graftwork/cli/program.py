"""``graftwork run --program``: execute a program, or show its tree."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import typer

from bt.runner import signals
from bt.terminal import LiveTree
from graftwork.cli.run import AtTheTerminal, Manner, attempt, closing_words, open_session
from graftwork.record.episode import Episode
from graftwork.record.log import keep_log
from graftwork.run.past import Past
from graftwork.run.program import ProgramRun
from graftwork.run.program_text import ProgramSource, preview, read_source
from graftwork.setup.settings import Settings, load_settings
from semantics.errors import UsageError

__all__ = ["program_command"]


def program_command(instruction: str | None, file: Path, chosen: Mapping[str, object], manner: Manner) -> int:
    """Execute the program in a file; print the result and return the exit code.

    Raises:
        UsageError: A name, a file or a setting is wrong, or an instruction or a record to resume is given as well.
    """
    keep_log(verbose=manner.verbose)
    if instruction is not None or manner.resume is not None:
        raise UsageError("a program is carried out by itself: give no sentence and no --resume with --program")
    if manner.confirm and not manner.may_ask:
        raise UsageError("--confirm needs a terminal to ask on; use --dry-run to see what it would do")
    source = read_source(file)
    options = {name: value for name, value in chosen.items() if value is not None}
    settings = load_settings(options, environment=os.environ, folder=Path.cwd())

    def carried_out(_: str, settings: Settings, manner: Manner, __: Past | None) -> Episode:
        return _carried_out(source, settings, manner)

    episode = attempt(source.name, settings, manner, conversing=carried_out)
    typer.echo(json.dumps(episode.as_dict(), indent=2) if manner.as_json else _closing_words(episode))
    return episode.exit_code


def _closing_words(episode: Episode) -> str:
    """Return the result in words, without a plan: the steps of a rehearsal are not a plan, and were shown before."""
    return closing_words(replace(episode, plan=()))


def _carried_out(source: ProgramSource, settings: Settings, manner: Manner) -> Episode:
    display = None if manner.as_json else LiveTree()
    with open_session(settings, manner.record, display) as session:
        run = session.program(source)
        run.wait()
        if run.tree is None:
            return run.finish()
        if manner.dry_run or manner.confirm:
            typer.echo(preview(run.tree, run.rehearse()), err=manner.as_json)
        if manner.dry_run:
            return run.leave()
        if manner.confirm and not typer.confirm("Do it?", err=manner.as_json):
            return run.decline()
        return _finished(run, display, settings, manner, waits=session.stage.robot.clock.simulated)


def _finished(run: ProgramRun, display: LiveTree | None, settings: Settings, manner: Manner, *, waits: bool) -> Episode:
    person = AtTheTerminal(run, display, settings.answer_seconds, waits=waits)
    assert run.runner is not None
    with signals(run.runner), nullcontext() if display is None else closing(display):
        return run.finish(answer=person if manner.may_ask else None)
