"""Run a Minigrid environment with plans of Graftwork, and print what happens.

python examples/minigrid/run.py BabyAI-UnlockLocal-v0 --seed 3
"""

import argparse
import contextlib
import difflib
import io
import sys
from pathlib import Path

try:
    import gymnasium
    import minigrid  # noqa: F401 - registers the environments
except ModuleNotFoundError as error:
    sys.exit(f"The package {error.name} is not installed; it is in the development group: pip install minigrid")
from body import MinigridBody
from missions import goals_of

from domains import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.setup.settings import Limits

WORLD, SCENE = str(Path(__file__).parent / "world"), "rooms"


class Teller:
    """A journal that prints each plan, and why it was given up."""

    def __init__(self, body):
        self.body = body

    def write(self, event, fields):
        if event == "plan":
            steps = ", ".join(fields["steps"])
            print(f"{self.body.steps:4}  plan ({fields['why']}): {steps}")
        elif event == "failure":
            print(f"{self.body.steps:4}  {fields['feedback']['what']}: {fields['feedback']['why']}")


def body_in(environment_id, seed):
    """Return a body at the beginning of an episode."""
    things = load_scene(load_domain(WORLD), SCENE).things
    environment = gymnasium.make(environment_id, disable_env_checker=True)
    with contextlib.redirect_stdout(io.StringIO()):  # Minigrid prints what it rejects when it makes the rooms
        return MinigridBody(environment, seed, [name for name in things if "_" in name])


def unlock_local():
    """Return a body for ``graftwork check examples/minigrid/run.py:unlock_local``."""
    return body_in("BabyAI-UnlockLocal-v0", 1)


def play(environment_id, seed, planner="fast-downward", tell=True):
    """Play an episode to its end; return whether the environment calls it a success, and the body."""
    body = body_in(environment_id, seed)
    if tell:
        print(f"mission: {body.mission}")
    with opened(body, planner, tell) as session:
        pursue(session, body, tell)
    body.environment.close()
    return body.over and body.reward > 0, body


def opened(body, planner="fast-downward", tell=True):
    """Open a session with the body."""
    journals = (Teller(body),) if tell else ()
    limits = Limits(search="first")  # each step shows more: a proof that the plan is the cheapest would not last
    return Session(WORLD, SCENE, robot=body, planner=planner, memory=None, limits=limits, journals=journals)


def pursue(session, body, tell=True):
    """Do the clauses of the mission in their order."""
    for clause in goals_of(body.mission, body.things):
        episode = session.handle(goal=clause.goal)
        if episode.outcome == Outcome.ALREADY and not body.over:
            episode = done_anew(session, clause, body)
        if tell:
            print(f"{body.steps:4}  {clause.words}: {episode.outcome}: {episode.message}")
        if body.over:
            return
    body.wait()


def done_anew(session, clause, body):
    """Do what a clause asks for although it is so already: the environment counts deeds, such as to open a door."""
    body.wait()
    atoms = {str(atom) for atom in session.environment.watcher.state.atoms}
    undone = next((undone for fact, undone in clause.facts if fact in atoms), "")
    if undone and not body.over:
        session.handle(goal=undone)
    return session.handle(goal=clause.goal)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environment", help="such as BabyAI-GoToObjMaze-v0")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.environment not in gymnasium.registry:
        known = [name for name in gymnasium.registry if name.startswith(("BabyAI-", "MiniGrid-"))]
        near = ", ".join(difflib.get_close_matches(options.environment, known)) or "one of minigrid.farama.org"
        parser.error(f"there is no environment {options.environment!r}; nearest: {near}")
    success, body = play(options.environment, options.seed)
    print("success" if success else "failure", f"in {body.steps} steps")
    return 0 if success else 1


if __name__ == "__main__":
    sys.exit(main())
