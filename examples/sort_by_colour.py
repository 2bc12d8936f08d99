"""Sort blocks by colour: one goal for each block, all pursued together by one plan.

Run it with ``python examples/sort_by_colour.py``.
"""

from graftwork import Session

COLOURS = ("red", "yellow", "green", "blue")


def main():
    goal = f"(and {' '.join(f'(in {colour}_block {colour}_bowl)' for colour in COLOURS)})"
    with Session("tabletop", "four", robot="fake", memory=None) as session:
        run = session.start(goal=goal)
        run.wait()
        print(len(run.plan.steps), "steps")
        print(run.finish().outcome)


if __name__ == "__main__":
    main()
