"""A run that is corrected under way: the cup is to go to the shelf, not to the counter.

The correction is tried on the model first; what was done already stays done. Run it with
``python examples/corrected_run.py``.
"""

from graftwork import Session
from semantics import Correction, Replace, StatementPlace

PROGRAM = """
move(end=table0)
grasp(cup0)
move(end=counter0)
place(cup0)
"""


def main():
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        run = session.program(PROGRAM)
        while session.environment.robot.clock.now() < 3.0:  # the robot drives to the table
            run.tick()
        corrected = run.correct(Correction((Replace(StatementPlace((2,)), "counter0", "shelf0"),)))
        print(*corrected.difference, sep="\n")
        print(run.finish().outcome, session.environment.robot.world.carriers["cup0"])


if __name__ == "__main__":
    main()
