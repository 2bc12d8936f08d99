"""A run whose goal was changed under way and that was then broken off goes on with the goal that it had by then."""

from pathlib import Path

from graftwork import Outcome
from graftwork.run.past import read_past
from graftwork.setup.settings import load_settings
from graftwork.testing import ScriptedModel
from tests.graftwork.blocked import GOAL, ONCE, SENTENCE, blocked

COUNTER = "(on apple0 counter0)"


def test_it_goes_on_with_the_changed_goal_and_climbs_the_same_ladder(tmp_path: Path):
    model = ScriptedModel([{"goal": GOAL}, {"goal": COUNTER}])
    session, journal = blocked(model=model, record=tmp_path / "one", answer_seconds=7.0, model_price=0.5)
    with session:
        run = session.start(SENTENCE)
        run.wait()
        while run.tick() and not journal.of("turn"):
            pass
        assert str(run.goal.goal) == COUNTER
    past = read_past(tmp_path / "one")
    assert (past.outcome, str(past.goal), past.instruction) == (Outcome.STOPPED, COUNTER, SENTENCE)
    settings = load_settings(past.settings | {"model": "offline"}, environment={}, folder=tmp_path)
    assert (settings.ladder, settings.answer_seconds, settings.model_price) == (ONCE, 7.0, 0.5)
    again, journal = blocked()
    with again:
        episode = again.resume(past).finish()
        assert again.environment.robot.world.carriers["apple0"] == ("on", "counter0")
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, COUNTER)
