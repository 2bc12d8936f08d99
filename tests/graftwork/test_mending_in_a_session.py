"""A session climbs the repair ladder: the cheapest rung that helps, within its budget, told in episode and report."""

import json
from pathlib import Path

import pytest

from bt import Entries
from bt.recovery.budget import joined_budgets
from domains.repairs import Spending
from graftwork import Limits, Outcome, Session
from graftwork.record.episode import Episode
from graftwork.setup.limits import ladder_from
from graftwork.setup.settings import load_settings
from robots.fake import InjectedFault
from semantics.errors import UsageError
from semantics.logic.feedback import Code

APPLE = "put the apple on the shelf"


def run(*faults: InjectedFault, sentence: str = APPLE, record: Path | None = None, **ladder) -> tuple[Episode, Entries]:
    journal, limits = Entries(), Limits(ladder=ladder)
    given = {"memory": None, "journals": (journal,), "limits": limits, "record": record}
    with Session(scene="small", robot="fake", **given) as session:
        for fault in faults:
            session.environment.robot.add_fault(fault)
        return session.handle(sentence), journal


def solved(episode: Episode) -> list[tuple[str, str | None]]:
    return [(one["feedback"]["code"], one["solved_by"]) for one in episode.failures]


def test_a_slip_is_tried_again_and_the_episode_and_the_report_say_so(tmp_path: Path):
    episode, journal = run(InjectedFault(Code.NOT_GRASPED, "pick"), record=tmp_path / "run")
    assert episode.outcome is Outcome.ACHIEVED
    assert solved(episode) == [("not-grasped", "again")]
    assert len(journal.of("plan")) == 1
    told = json.loads(json.dumps(episode.as_dict()))
    assert told["failures"][0]["rungs"][0]["seconds"] > 0
    assert Episode.from_dict(told).failures == episode.failures
    assert "<b>again</b>" in Path(episode.report or "").read_text(encoding="utf-8")


def test_what_stands_in_the_way_is_put_aside_without_planning_anew():
    episode, journal = run(InjectedFault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=("cup0",)))
    assert (episode.outcome, solved(episode)) == (Outcome.ACHIEVED, [("obstructed", "rule")])
    assert [event["why"] for event in journal.of("plan")] == ["first", "rule"]
    (put,) = (step for step in journal.of("plan")[1]["steps"] if step.startswith("(place robot0 cup0"))
    assert put == "(place robot0 cup0 counter0)"  # the nearest piece of furniture, and not the floor


def test_without_rules_the_planner_clears_the_way_itself():
    episode, journal = run(InjectedFault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=("cup0",)), rule=None)
    assert (episode.outcome, solved(episode)) == (Outcome.ACHIEVED, [("obstructed", "replan")])
    first, again = journal.of("plan")
    assert not any("cup0" in step for step in first["steps"])
    assert any("cup0" in step for step in again["steps"])


def test_a_run_of_which_nothing_is_mended_says_what_was_tried():
    faults = [InjectedFault(Code.NOT_GRASPED, "pick") for _ in range(4)]
    episode, _ = run(*faults, replan=Spending(tries=1), rule=None)
    assert episode.outcome is Outcome.FAILED
    assert solved(episode) == [("not-grasped", None)] * 4
    assert "tried before: again for not-grasped (2 times, in vain), replan for not-grasped (in vain)" in episode.message


def test_the_next_run_starts_with_an_empty_log():
    with Session(scene="small", robot="fake", memory=None) as session:
        session.environment.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
        assert session.handle(APPLE).failures
        assert session.handle(APPLE).failures == ()


def test_the_settings_go_before_the_world_and_that_before_the_defaults():
    world = {"replan": Spending(tries=3, seconds=60.0), "rule": None}
    joined = joined_budgets(world, ladder_from("replan.tries=1,replan.most=20,rule.same=4"))
    assert (joined["replan"].most, joined_budgets(world)["replan"].most) == (20, 60)
    assert (joined["replan"].tries, joined["replan"].seconds, joined["replan"].same) == (1, 60.0, 2)
    assert joined["rule"].same == 4
    assert joined_budgets(world)["rule"] is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("agian=none", "unknown rung 'agian'; did you mean again"),
        ("rule.times=2", "unknown limit of a rung 'times'"),
        ("rule=2", "ladder must be such as rule=none"),
        ("rule.tries=-1", "ladder must be such as"),
        ("rule.tries=2.5", "ladder must be such as"),
        ("rule=none,rule.tries=2", "left out and given limits at once"),
    ],
)
def test_a_ladder_that_cannot_be_meant_is_told(tmp_path: Path, said: str, why: str):
    with pytest.raises(UsageError, match=why):
        load_settings({}, environment={"GRAFTWORK_LADDER": said}, folder=tmp_path, user_folder=tmp_path)


def test_a_table_in_a_file_says_the_same_as_the_text(tmp_path: Path):
    (tmp_path / "graftwork.toml").write_text("[ladder]\nrule = false\nreplan = {tries = 3, seconds = 20}\n")
    settings = load_settings({}, environment={}, folder=tmp_path, user_folder=tmp_path)
    assert settings.ladder == ladder_from("rule=none,replan.tries=3,replan.seconds=20")
