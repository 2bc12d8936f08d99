"""The pytest plugin: cases as tests, and fixtures for worlds, planners and test doubles.

Pytest loads it automatically, or with ``-p graftwork.testing.plugin``. It imports nothing of this project before pytest
collects a case or uses a fixture, and does nothing in a project that has neither. A case file is a YAML file in a
folder named ``cases`` that stands beside a ``domain.yaml``. The world and the scene of the fixtures come, from the
weakest to the strongest source, from the ini options ``graftwork_domain`` and ``graftwork_scene``, from the marker
``graftwork(domain=…, scene=…)`` on a module, class or test, and from an indirect parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from graftwork.testing.stash import CLOSERS, WORLDS

if TYPE_CHECKING:
    from domains.model import Domain, SceneFile
    from graftwork.language.scripted import ScriptedModel
    from graftwork.testing.collected import CaseFile
    from robots.fake import FakeRobot, VirtualClock
    from semantics.body.protocols import Planner

__all__: list[str] = []

ENDINGS = (".yaml", ".yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of the fixtures."""
    parser.addini(
        "graftwork_domain", "world of the fixtures: a name, or a path from the ini file's folder", None, "kitchen"
    )
    parser.addini("graftwork_scene", "scene of the fixtures: a name or a path (default: the first)", None, "")
    parser.addini("graftwork_planner", "planner of the fixture and of cases", None, "fast-downward")


def pytest_configure(config: pytest.Config) -> None:
    """Describe the marker."""
    config.addinivalue_line("markers", "graftwork(domain=None, scene=None): world and scene that the fixtures give")
    config.stash[WORLDS] = {}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    """Collect a case file; leave every other file to other plugins."""
    is_case_file = file_path.suffix in ENDINGS and file_path.parent.name == "cases"
    if not is_case_file or not (file_path.parent.parent / "domain.yaml").is_file():
        return None
    from graftwork.testing.collected import CaseFile

    file: CaseFile = CaseFile.from_parent(parent, path=file_path)
    return file


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Close the planners that the cases started."""
    for close in session.config.stash.get(CLOSERS, []):
        close()


@pytest.fixture
def domain(request: pytest.FixtureRequest) -> Domain:
    """The world, read once in a session."""
    from domains.reader import load_domain

    named = _named(request, "domain")
    worlds = request.config.stash[WORLDS]
    if named not in worlds:
        worlds[named] = load_domain(named)
    world: Domain = worlds[named]
    return world


@pytest.fixture
def scene(request: pytest.FixtureRequest, domain: Domain) -> SceneFile:
    """The scene as it is written, read once in a session."""
    from domains.reader import available_scenes, load_scene

    named = _named(request, "scene") or available_scenes(domain)[0]
    worlds = request.config.stash[WORLDS]
    if (domain.source, named) not in worlds:
        worlds[domain.source, named] = load_scene(domain, named)
    scene_file: SceneFile = worlds[domain.source, named]
    return scene_file


@pytest.fixture(scope="session")
def planner(request: pytest.FixtureRequest) -> Iterator[Planner]:
    """A planner for all tests of a session, closed at its end."""
    from planning import make_planner

    made = make_planner(request.config.getini("graftwork_planner"))
    yield made
    made.close()


@pytest.fixture
def scripted_model() -> Callable[..., ScriptedModel]:
    """Makes a model that gives these answers in order: ``scripted_model({"goal": "(opened fridge0)"})``."""
    from graftwork.language.scripted import ScriptedModel

    return lambda *answers: ScriptedModel(answers)


@pytest.fixture
def virtual_clock() -> VirtualClock:
    """A clock that stands still until somebody sleeps."""
    from robots.fake import VirtualClock

    return VirtualClock()


@pytest.fixture
def fake_robot(domain: Domain, scene: SceneFile, virtual_clock: VirtualClock) -> Iterator[FakeRobot]:
    """A body without physics in the scene, on the virtual clock; closed after the test."""
    from graftwork.setup.model_body import numeric_model
    from robots.fake import FakeRobot

    robot = FakeRobot(scene.arrangement, clock=virtual_clock, numeric=numeric_model(domain, scene))
    yield robot
    robot.close()


def _named(request: pytest.FixtureRequest, key: str) -> str:
    """Return the name of the world or scene; a path is resolved from the folder of the file that gives it."""
    folder = request.path.parent
    if hasattr(request, "param"):
        return _placed(request.param, folder)
    for marker in request.node.iter_markers("graftwork"):
        if marker.kwargs.get(key) is not None:
            return _placed(marker.kwargs[key], folder)
    configuration = request.config.inipath.parent if request.config.inipath else request.config.rootpath
    return _placed(request.config.getini(f"graftwork_{key}"), configuration)


def _placed(name: str | Path, folder: Path) -> str:
    is_path = isinstance(name, Path) or "/" in name or "\\" in name or name.endswith(ENDINGS)
    return str(folder / name) if is_path else str(name)
