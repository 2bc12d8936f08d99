"""Amounts: the robot pours as much as is said, the body keeps what is left, and too much is refused before it moves.

The world in ``examples/juice`` says what a pour does to the numbers. Run it with ``python examples/juice.py``, or
``graftwork run "pour 30 ml of juice into the glass" --domain examples/juice --scene table --robot fake``.
"""

from pathlib import Path

from graftwork import Session


def main():
    world = Path(__file__).parent / "juice"
    with Session(str(world), "table", robot="fake", memory=None) as session:
        print(*session.handle("pour 30 ml of juice into the glass").plan, sep="\n")
        program = session.program("pour(juice0, bottle0, glass0, table0, amount='2 cl')").finish()
        print(program.outcome)
        for fluent, number in session.environment.robot.observation().numbers.items():
            print(fluent, f"{number:g} ml")
    with Session(str(world), "bottles", robot="fake", memory=None) as session:
        print(session.handle("pour 600 ml of juice into the glass").message)


if __name__ == "__main__":
    main()
