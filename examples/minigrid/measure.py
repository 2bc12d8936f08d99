"""Play environments over seeds, and print a table of successes with Wilson intervals; writes a CSV of all episodes.

python examples/minigrid/measure.py --seeds 20 --csv episodes.csv
"""

import argparse
import contextlib
import csv
import math
import sys
import time

from run import play

from planning.service import OwnProcess, PlanningService

ENVIRONMENTS = (
    "BabyAI-GoToObjMaze-v0",
    "BabyAI-OpenTwoDoors-v0",
    "BabyAI-PutNextLocal-v0",
    "BabyAI-UnlockLocal-v0",
    "BabyAI-KeyInBox-v0",
    "MiniGrid-UnlockPickup-v0",
    "MiniGrid-BlockedUnlockPickup-v0",
    "MiniGrid-KeyCorridorS3R3-v0",
    "BabyAI-FindObjS5-v0",
    "BabyAI-UnlockToUnlock-v0",
)


@PlanningService.register
class Lent:
    """A planning service that many sessions use one after the other: a session only ends what it asked."""

    def __init__(self, service):
        self.service = service

    def __getattr__(self, name):
        return getattr(self.service, name)

    def close(self):
        self.service.cancel()


def wilson(successes, tries, z=1.96):
    """Return the bounds of the Wilson interval of a share at 95 %."""
    share = successes / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return middle - half, middle + half


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environments", nargs="*", default=ENVIRONMENTS, help="all ten, if none is named")
    parser.add_argument("--seeds", type=int, default=20, help="seeds 0 to N - 1")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--csv", default="episodes.csv", help="where each episode is written")
    options = parser.parse_args()
    total = tries = 0
    with open(options.csv, "w", newline="") as file, contextlib.closing(OwnProcess("fast-downward")) as service:
        rows = csv.writer(file)
        rows.writerow(("environment", "seed", "success", "steps", "seconds"))
        print("| environment | successes | 95 % interval | steps, mean | most | allowed |\n|---|---|---|---|---|---|")
        for name in options.environments:
            steps, successes = [], 0
            for seed in range(options.first, options.first + options.seeds):
                begun = time.monotonic()
                success, body = play(name, seed, Lent(service), tell=False)
                successes, steps = successes + success, [*steps, body.steps]
                allowed = body.environment.unwrapped.max_steps
                rows.writerow((name, seed, int(success), body.steps, round(time.monotonic() - begun, 1)))
                file.flush()
            print(line(name, successes, options.seeds, f"{sum(steps) / len(steps):.0f} | {max(steps)} | {allowed}"))
            total, tries = total + successes, tries + options.seeds
    print(line("all", total, tries, "| | "))
    return 0 if total >= 0.95 * tries else 1


def line(name, successes, tries, more):
    low, high = wilson(successes, tries)
    return f"| {name} | {successes}/{tries} | {low:.1%} to {high:.1%} | {more} |"


if __name__ == "__main__":
    sys.exit(main())
