"""Skills and sensors of the user: who may name them, which are taken, and what the facts count as."""

import importlib.metadata
import sys
import types

import pytest

from affordances.scene import ASSUMED
from domains.errors import DomainFileError
from graftwork.errors import SettingsError
from graftwork.run.past import read_past
from graftwork.session import Session
from graftwork.setup import extensions
from graftwork.setup.settings import KEPT, load_settings
from robots.errors import SensorError
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.atoms import Atom, Literal

WORLD = """
name: shop
affordances: {carry: it can be lifted, support: things stand on it, location: one can be there, actor: it acts}
classes:
  robot: {affordances: [actor]}
  floor: {affordances: [support, location]}
  bench: {affordances: [support, location], model: table}
  cup: {affordances: [carry], shape: {form: cylinder, size: [0.06, 0.06, 0.1]}}
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  polished: {parameters: [carry], say: "{0} is polished", HOW}
capabilities:
  drive:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: (at ?a ?start)
    effect: (and (at ?a ?end) (not (at ?a ?start)))
    primitive: drive
    roles: {to: end}
  polish:
    parameters: {a: actor, o: carry, place: [support, location]}
    precondition: (and (at ?a ?place) (on ?o ?place))
    effect: (polished ?o)
    DOES
agents:
  robot: {capabilities: all}
phrases:
  - {pattern: "polish {thing}", goal: "(polished {thing})"}
"""
SCENE = """
domain: shop
things:
  floor0: {class: floor}
  bench0: {class: bench, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  cup0: {class: cup, on: bench0}
"""
POLISHED = Atom("polished", ("cup0",))
BY_WAITING = "primitive: wait\n    roles: {object: o}"
BY_POLISHING = "primitive: polish\n    roles: {object: o, at: place}"


@pytest.fixture
def world(tmp_path):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "room.yaml").write_text(SCENE)

    def written(how, does):
        (tmp_path / "domain.yaml").write_text(WORLD.replace("HOW", how).replace("DOES", does))
        return str(tmp_path / "domain.yaml")

    return written


class Polish:
    """Tells that the thing is polished, at once."""

    def start(self, operator, robot):
        robot.tell({Atom("polished", operator.action.args[1:2]): True})
        return self

    def poll(self):
        return MotionProgress(MotionStatus.DONE)

    def cancel(self):
        pass


@pytest.mark.parametrize("robot", ["fake", "pybullet", "symbolic"])
def test_what_is_believed_succeeds_by_waiting_and_is_marked_as_assumed(world, robot):
    if robot == "pybullet":
        pytest.importorskip("pybullet")
    with Session(world("believed: true", BY_WAITING), robot=robot, memory=None) as session:
        episode = session.handle("polish the cup")
        assert episode.outcome == "achieved"
        assert episode.message.endswith("assumed and not sensed: (polished cup0).")
        assert session.environment.watcher.scene.beliefs[POLISHED].source == ASSUMED


def test_what_was_assumed_is_still_assumed_when_the_run_is_resumed(world, tmp_path):
    own = world("believed: true", BY_WAITING)
    with Session(own, robot="symbolic", memory=None, record=tmp_path / "one") as session:
        run = session.start("polish the cup")
        while POLISHED not in session.environment.watcher.state.atoms and run.tick():
            pass
        run.tick()
        run.cancel()
        run.finish()
    past = read_past(tmp_path / "one")
    assert POLISHED in past.sensed
    with Session(own, robot="fake", memory=None) as session:
        watcher = session.environment.watcher
        session.environment.robot.clock.sleep(past.time + 1.0)
        watcher.recall(past.beliefs(session.environment.robot.clock.now(), session.environment.world.domain))
        assert watcher.scene.beliefs[POLISHED].source == ASSUMED
        assert watcher.sources([Literal(POLISHED)]) == {ASSUMED: (Literal(POLISHED),)}


@pytest.mark.parametrize("robot", ["fake", "symbolic"])
@pytest.mark.parametrize("name", ["polish", "rub"])
def test_a_skill_by_capability_or_by_primitive_tells_a_fact(world, robot, name):
    own = world("told: true", BY_POLISHING.replace("polish", "rub"))
    with Session(own, robot=robot, memory=None, skills={name: Polish()}) as session:
        assert session.handle("polish the cup").outcome == "achieved"


def test_without_a_primitive_nothing_moves_on_a_body_that_lacks_the_name_of_the_capability(world):
    own = world("told: true", "cost: 2")
    with Session(own, robot="fake", memory=None) as session:
        episode = session.handle("polish the cup")
        assert session.environment.robot.clock.now() == 0.0
    assert episode.outcome == "refused"
    assert "lacks the motion primitive polish" in episode.message


def test_an_unknown_sensor_has_a_place_and_the_nearest_name(world):
    with pytest.raises(DomainFileError, match=r"domain\.yaml:12:\d+: unknown sensing test 'shin'.*did you mean shine"):
        Session(world("sensed: shin", BY_WAITING), robot="fake", memory=None, sensors={"shine": print})


def test_an_unknown_skill_names_the_nearest_capability(world):
    with pytest.raises(UnknownNameError, match="did you mean polish"):
        Session(world("told: true", BY_WAITING), robot="fake", memory=None, skills={"polisch": Polish()})


def test_a_sensor_that_fails_is_an_error_of_the_outside(world):
    with pytest.raises(SensorError, match="the sensor of 'polished' failed: ZeroDivisionError"):
        Session(world("sensed: shine", BY_WAITING), robot="fake", memory=None, sensors={"shine": lambda *_: 1 / 0})


def test_an_installed_skill_serves_what_the_body_lacks_and_is_imported_only_then(world, monkeypatch):
    module = types.ModuleType("polishing")
    module.Polish = Polish
    entries = [
        importlib.metadata.EntryPoint("polish", "polishing:Polish", extensions.SKILLS),
        importlib.metadata.EntryPoint("drive", "no_such_module:Drive", extensions.SKILLS),
    ]
    monkeypatch.setitem(sys.modules, "polishing", module)
    monkeypatch.setattr(extensions, "entry_points", lambda group: [entry for entry in entries if entry.group == group])
    extensions._installed.cache_clear()
    try:
        with Session(world("told: true", BY_POLISHING), robot="fake", memory=None) as session:
            assert session.handle("polish the cup").outcome == "achieved"
            assert set(session.environment.skills) == {"polish"}
    finally:
        extensions._installed.cache_clear()


def test_only_the_user_names_python(tmp_path):
    assert "skills" not in KEPT  # a record stores none, and may choose none
    users, folder = tmp_path / "users", tmp_path / "here"
    users.mkdir()
    folder.mkdir()
    (folder / "graftwork.toml").write_text('skills = ["evil.py"]')
    with pytest.raises(SettingsError, match="own configuration folder"):
        load_settings({}, environment={}, folder=folder, user_folder=users)
    (folder / "graftwork.toml").rename(users / "graftwork.toml")
    assert load_settings({}, environment={}, folder=folder, user_folder=users).skills == (str(users / "evil.py"),)
    given = load_settings({"skills": ["mine.py"]}, environment={}, folder=folder, user_folder=users)
    assert given.skills == (str(folder / "mine.py"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "neither SKILLS nor SENSORS"), ("SKILLS = {'polish': 3}", "is no skill"), ("1 / 0", "ZeroDivisionError")],
)
def test_a_module_that_cannot_be_used_says_why(tmp_path, text, words):
    (tmp_path / "own_module.py").write_text(text)
    with pytest.raises(UsageError, match=words):
        extensions.extensions_from([str(tmp_path / "own_module.py")])
    sys.modules.pop("own_module", None)


def test_a_module_may_hold_skills_for_other_worlds_but_no_misspelt_name(world, tmp_path):
    module = tmp_path / "several.py"
    text = "class Do:\n    def start(self, operator, robot): ...\n"
    module.write_text(f"{text}SKILLS = {{'harvest': Do()}}\n")
    with Session(world("told: true", BY_WAITING), robot="fake", memory=None, skills=[str(module)]) as session:
        assert not session.environment.skills
    module = tmp_path / "misspelt.py"  # a module of the same name, size and second would be taken from its bytecode
    module.write_text(f"{text}SKILLS = {{'polisch': Do()}}\n")
    with pytest.raises(UnknownNameError, match="did you mean polish"):
        Session(world("told: true", BY_WAITING), robot="fake", memory=None, skills=[str(module)])


def test_a_predicate_becomes_known_in_one_way_only(world):
    with pytest.raises(DomainFileError, match="'polished' is sensed already; expected no 'believed'"):
        Session(world("sensed: shine, believed: true", BY_WAITING), robot="fake", memory=None)
