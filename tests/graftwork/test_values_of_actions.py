"""Values of capabilities, from the file of a world and a program to the motion."""

from pathlib import Path

import pytest

from domains.errors import DomainFileError
from graftwork import Outcome, Session
from robots.primitives import unfit
from semantics.logic.state import Command

WORLD = """
name: shop
affordances: {support: things stand on it, location: one can be there, actor: it acts}
classes:
  robot: {affordances: [actor]}
  floor: {affordances: [support, location]}
  bench: {affordances: [support, location], model: table}
predicates:
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  rested: {parameters: [actor], say: "{0} has rested", believed: true}
capabilities:
  drive:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: (at ?a ?start)
    effect: (and (at ?a ?end) (not (at ?a ?start)))
    primitive: drive
    roles: {to: end}
    values: VALUES
  rest:
    parameters: {a: actor}
    precondition: []
    effect: (rested ?a)
    primitive: wait
    values: {duration: {unit: s, range: [1, 60], default: 2}}
fluents:
  pace: {parameters: [], unit: m/s, default: 1}
  length: {parameters: [], unit: m, default: 1}
agents:
  robot: {capabilities: all}
phrases:
  - {pattern: "go to {place}", goal: "(at {robot} {place})"}
"""
SCENE = """
domain: shop
things:
  floor0: {class: floor}
  bench0: {class: bench, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
"""
SPEED = "{speed: {unit: cm/s, range: [10, 70], default: 50}}"


def a_world(folder: Path, values: str = SPEED) -> Path:
    (folder / "scenes").mkdir()
    (folder / "domain.yaml").write_text(WORLD.replace("VALUES", values), encoding="utf-8")
    (folder / "scenes" / "room.yaml").write_text(SCENE, encoding="utf-8")
    return folder


def seconds_of(session: Session, text: str) -> float:
    started = session.environment.robot.clock.now()
    episode = session.program(text).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    return session.environment.robot.clock.now() - started


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_a_slow_drive_takes_longer(tmp_path: Path, robot: str) -> None:
    seconds: dict[str, float] = {}
    for said in ("", ", speed=10", ", speed='0.7 m/s'"):
        with Session(domain=tmp_path if said else a_world(tmp_path), scene="room", robot=robot, memory=None) as session:
            seconds[said] = seconds_of(session, f"drive(end=bench0{said})")
    assert seconds[", speed=10"] > 2 * seconds[""] > 2 * seconds[", speed='0.7 m/s'"]


@pytest.mark.parametrize("robot", ["fake", "symbolic"])
def test_a_rest_is_as_long_as_was_said(tmp_path: Path, robot: str) -> None:
    with Session(domain=a_world(tmp_path), scene="room", robot=robot, memory=None) as session:
        assert 10.0 <= seconds_of(session, "rest(duration='10 seconds')") < 12.0


def test_a_quantity_that_is_reckoned_is_a_value(tmp_path: Path) -> None:
    with Session(domain=a_world(tmp_path), scene="room", robot="fake", memory=None) as session:
        text = "long = quantity('500 ms') * 4 + quantity('3 s')\nrest(duration=long)"
        assert 5.0 <= seconds_of(session, text) < 6.0


def test_a_quantity_of_something_else_fails_where_it_is_reached(tmp_path: Path) -> None:
    with Session(domain=a_world(tmp_path), scene="room", robot="fake", memory=None) as session:
        episode = session.program("long = quantity('500 mm') * 4\nrest(duration=long)").finish()
        assert episode.outcome is Outcome.FAILED
        assert "line 2, column 1" in episode.message
        assert "2000mm is a length and no duration" in episode.message


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("drive(end=bench0, speed=2)", "out of range: 10cm/s to 70cm/s; the nearest is 10cm/s"),
        ("drive(end=bench0, speed='3 s')", "3s is a duration and no speed"),
        ("drive(end=bench0, speed='quickly')", "'quickly' is no quantity"),
        ("drive(end=bench0, speed=quantity('3 s'))", "3s is a duration and no speed"),
        ("drive(end=bench0, speed=quantity(9, 'm/s'))", "the nearest is 70cm/s"),
        ("drive(end=bench0, speed=point(1, 2))", "it is a point"),
        ("drive(end=bench0, haste=3)", "haste"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_moves(tmp_path: Path, call: str, why: str) -> None:
    with Session(domain=a_world(tmp_path), scene="room", robot="fake", memory=None) as session:
        episode = session.program(call).finish()
        assert episode.outcome is Outcome.REFUSED
        assert why in episode.message
        assert session.environment.robot.clock.now() == 0.0


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ("{speed: {unit: kn}}", "'kn'"),
        ("{speed: {unit: m/s, range: [2, 1]}}", "range"),
        ("{speed: {unit: m/s, range: [0, 1], default: 3}}", "3"),
        ("{speed: {unit: m/s, range: [0, 1], words: {slowly: 3}}}", "what 'slowly' means is 3"),
        ("{speed: {unit: m/s, range: [0, 1], words: {slowly: little}}}", "what 'slowly' means"),
        ("{speed: {unit: m/s, number: tempo}}", "tempo"),
        ("{speed: {unit: m/s, number: pace, default: 1}}", "expected no 'default'"),
        ("{speed: {unit: m/s, number: length}}", "the number length is in 'm', and value 'speed' in m/s"),
    ],
)
def test_a_wrong_declaration_has_its_place(tmp_path: Path, values: str, why: str) -> None:
    with pytest.raises(DomainFileError, match=r"domain\.yaml") as error:
        Session(domain=a_world(tmp_path, values), scene="room", robot="fake", memory=None)
    problem = error.value.problems[0]
    assert why in problem.message
    assert problem.line == next(n for n, line in enumerate(WORLD.splitlines(), 1) if "VALUES" in line)


@pytest.mark.parametrize(("flag", "is_goal_kept"), [("believed", True), ("momentary", False)])
def test_what_is_momentary_is_forgotten_with_the_next_goal(tmp_path: Path, flag: str, is_goal_kept: bool) -> None:
    world = a_world(tmp_path)
    text = (world / "domain.yaml").read_text(encoding="utf-8").replace("believed: true", f"{flag}: true")
    (world / "domain.yaml").write_text(text, encoding="utf-8")
    with Session(domain=world, scene="room", robot="fake", memory=None) as session:
        outcomes = [session.handle(goal="(rested robot0)").outcome for _ in range(2)]
    assert outcomes == [Outcome.ACHIEVED, Outcome.ALREADY if is_goal_kept else Outcome.ACHIEVED]


def test_what_is_momentary_is_nothing_else(tmp_path: Path) -> None:
    world = a_world(tmp_path)
    text = (world / "domain.yaml").read_text(encoding="utf-8").replace("believed: true", "told: true, momentary: true")
    (world / "domain.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DomainFileError, match="predicate 'rested' is told already; expected no 'momentary'"):
        Session(domain=world, scene="room", robot="fake", memory=None)


def test_a_body_refuses_what_it_cannot_do() -> None:
    command = Command("drive", "robot0", {"to": "bench0"}, {"speed": 3.0})
    refusal = unfit(command)
    assert refusal is not None
    assert "the nearest is 0.75m/s" in refusal.why
    assert unfit(Command("drive", "robot0", {"to": "bench0"}, {"haste": 3.0})) is not None
