"""How much was wiped is told at the end, and can be asked for."""

from graftwork import Session
from semantics.logic.atoms import Atom

SHARE = Atom("wiped", ("table0",))


def test_the_end_of_a_run_tells_the_share_that_was_wiped():
    with Session("kitchen", "tea", robot="fake", memory=None) as session:
        episode = session.handle("wipe the table")
        assert session.environment.robot.observation().numbers == {SHARE: 100.0}
        assert episode.message.endswith(" 100% of the free top of table0 was wiped.")


def test_a_goal_asks_for_a_share_of_the_top():
    with Session("kitchen", "tea", robot="fake", memory=None) as session:
        episode = session.handle(goal="(clean table0) :share 80%")
        assert episode.outcome == "achieved"
        assert episode.plan[-1] == "(wet_swipe robot0 sponge0 table0 table0 :share 80%)"
