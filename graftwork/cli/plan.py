"""``graftwork plan``: start the processes that a plan needs, and then import what decides and prints."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from graftwork.setup.settings import command_settings
from planning.service import OwnProcess


def plan_command(instruction: str | None, goal: str | None, chosen: Mapping[str, object], **manner: Any) -> int:
    """Plan for an instruction or a goal in the scene as written; print the plan and return the exit code.

    The planner starts before the world is read, and Prolog before the rest is imported: both take longer. The `manner`
    is that of `plan_and_print`.

    Raises:
        UsageError: Neither an instruction nor a goal is given, or both, or a name or a file is wrong.
    """
    settings = command_settings(chosen)
    with closing(OwnProcess(settings.planner, spares=0, at_once=2, memory=settings.planning_memory << 20)) as service:
        service.warm_up()
        from domains.reader import load_domain
        from semantics.logic.rules import RuleBook

        domain = load_domain(settings.domain).with_costs(settings.costs)
        rules = RuleBook(domain.rules)
        rules.warm_up()
        from graftwork.cli.plan_decision import plan_and_print

        return plan_and_print(instruction, goal, settings, domain, rules, service, **manner)
