"""The demo and its story on the fake: a door that was pushed shut half-way is opened again, and the record says so."""

import re
import subprocess
from pathlib import Path

import pytest

from bt import Runner
from bt.record import read_record
from graftwork import Outcome, Session
from semantics.logic.atoms import Atom
from tests.graftwork.test_commands import graftwork

OPENED = Atom("opened", ("fridge0",))


class Pusher:
    """Pushes the door shut once, when it is next to reach into the fridge."""

    def __init__(self, session: Session) -> None:
        self.robot = session.environment.robot
        self.done = False

    def ticked(self, runner: Runner) -> None:
        reaching = any(node.name == "take_out" and node.status.value == "RUNNING" for node in runner.visited)
        if not self.done and reaching and OPENED in runner.beliefs.state.atoms:
            self.done = True
            self.robot.set_door("fridge0", 0.0)

    def ended(self, runner: Runner, end: object) -> None:
        pass


def went_back_to_the_opening(folder: Path) -> bool:
    """Return whether a record tells of a plan that was taken up again at the step that opens the fridge."""
    events = read_record(folder)
    steps = next(event["steps"] for event in events if event["e"] == "plan")
    opening = next(number for number, step in enumerate(steps) if step.startswith("(open "))
    moves = [(event["from"], event["to"]) for event in events if event["e"] == "resume"]
    assert (opening, opening + 1) in moves
    return any(start is not None and start > opening and end == opening for start, end in moves)


def asks_for_nothing_from_elsewhere(report: Path) -> bool:
    page = report.read_text(encoding="utf-8")
    assert "<svg" in page
    assert page.rstrip().endswith("</html>")
    sources = re.findall(r'<[^>]*\s(?:src|href|action|data|poster)="([^"]*)"', page)
    elsewhere = r"@import|url\(|fetch\(|XMLHttpRequest|WebSocket|https?://(?!www\.w3\.org/2000/svg)"
    return all(source.startswith(("data:", "#")) for source in sources) and not re.search(elsewhere, page)


def test_on_the_fake_a_door_pushed_shut_takes_the_plan_back_to_the_opening(tmp_path):
    record = tmp_path / "record"
    with Session(robot="fake", memory=None, record=record) as session:
        run = session.start("bring me the milk")
        run.wait()
        pusher = Pusher(session)
        run.runner.listen(pusher)
        episode = run.finish()
    assert pusher.done
    assert episode.outcome is Outcome.ACHIEVED
    assert went_back_to_the_opening(record)
    assert asks_for_nothing_from_elsewhere(record / "report.html")


def ended_demo(cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    ended = graftwork("demo", *words, cwd=cwd)
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.slow
def test_the_demo_opens_the_door_again_and_leaves_a_record_and_a_report(tmp_path):
    pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")
    ended = ended_demo(tmp_path, "--record", "here")
    assert ended.returncode == 0, ended.stderr
    assert "report.html" in ended.stdout
    assert went_back_to_the_opening(tmp_path / "here")
    assert asks_for_nothing_from_elsewhere(tmp_path / "here" / "report.html")
    assert list((tmp_path / "here" / "pictures").glob("*.png"))
