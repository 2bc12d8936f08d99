"""How a planning process begins: the planner's own process starts while the functions of planning are imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from planning.planners.fast_downward import FastDownward
from planning.registry import make_planner


def worker(name: str, memory: str) -> Callable[[Any], Callable[[], object]]:
    """Return the function that answers a `SentRequest` in a process, with the planner called `name`.

    The processes of a race share `memory` bytes. A problem that needs more is answered like one that needs more time.
    """
    made = make_planner(name)
    if isinstance(made, FastDownward):
        made.warm_up()
    from planning.service.shared_values import Shelf
    from planning.service.verbs import Planners, carry_out

    planners, shelf = Planners(made, int(memory)), Shelf()
    return lambda request: partial(carry_out, shelf.read(request), planners)
