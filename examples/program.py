"""A program, as a language model may write it: checked, compiled to a behaviour tree, and never executed by Python.

Run it with ``python examples/program.py``.
"""

from graftwork import Session

PROGRAM = """
def bring(thing, where):
    achieve(inhand(thing, robot0))
    move(end=where)
    place(thing)

for thing in [x for x in objects("fruit") if not on(x, counter0)]:
    bring(thing, counter0)
say("There are " + len([x for x in objects("fruit") if on(x, counter0)]) + " on the counter.")
"""


class Said:
    """A journal of the run: it prints what the program tells the person."""

    def write(self, event, fields):
        if event == "note":
            print(fields["text"])


def main():
    with Session("kitchen", "small", robot="fake", memory=None, journals=[Said()]) as session:
        print(session.program(PROGRAM).finish().outcome)


if __name__ == "__main__":
    main()
