"""A planner of one's own: breadth-first search with the simulator of unified-planning.

It names the profile of PDDL that it reads: texts without costs. Run it with ``python examples/own_planner.py``.
"""

import time
from collections import deque

from unified_planning.io import PDDLReader
from unified_planning.shortcuts import SequentialSimulator, get_environment

from graftwork import Session
from semantics import Action, Code, Feedback
from semantics.body.protocols import FoundPlan, NoPlan


class BreadthFirst:
    """Finds a shortest sequence of actions."""

    name, profile = "breadth-first", "strips"

    def solve(self, domain, problem, *, seconds):
        until = time.monotonic() + seconds
        with SequentialSimulator(PDDLReader().parse_problem_string(domain, problem)) as simulator:
            first = simulator.get_initial_state()
            queue, seen = deque([(first, ())]), {repr(first)}
            while queue and time.monotonic() < until:
                state, done = queue.popleft()
                if simulator.is_goal(state):
                    return FoundPlan(done, optimal=True)
                for action, objects in simulator.get_applicable_actions(state):
                    after = simulator.apply(state, action, objects)
                    if (key := repr(after)) not in seen:
                        seen.add(key)
                        step = Action(action.name, tuple(str(name) for name in objects))
                        queue.append((after, (*done, step)))
        return NoPlan(Feedback(Code.NO_PLAN, "the goal", "breadth-first search has found nothing in time"))

    def close(self):
        """Nothing is left open."""


def main():
    get_environment().credits_stream = None  # the library tells which engine it uses
    with Session("blocks", "sussman", robot="symbolic", planner=BreadthFirst(), memory=None) as session:
        run = session.start("put the red block on the green block and the green block on the blue block")
        run.wait()
        print(*run.plan.steps, sep="\n")
        print(run.finish().outcome)


if __name__ == "__main__":
    main()
