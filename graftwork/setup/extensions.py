"""`Extensions`: skills and sensors of one's own, which are Python and never named by a world file.

They come from two places. A module that the user names (the setting ``skills``, or ``--skills``) has the tables
`SKILLS` and `SENSORS`, or a `DETECTOR`. An installed package has entry points in the groups ``graftwork.skills``
and ``graftwork.sensors``; one is imported only if the world uses its name. A skill of the user replaces the motion of
the body; an installed one serves only what the body lacks. The name of a skill is that of a capability or of a motion
primitive, the name of a sensor that of ``sensed: NAME``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from affordances.facts import TESTS
from domains.diagnostics import Diagnostics, Mark
from domains.errors import DomainFileError
from domains.model import Domain
from graftwork.setup.bodies import user_module
from semantics.body.detector import Detector
from semantics.body.foreign import guarded
from semantics.body.observation import Observation
from semantics.body.protocols import Sensor, Skill
from semantics.errors import UsageError, known_name
from semantics.hints import surely

SKILLS, SENSORS = "graftwork.skills", "graftwork.sensors"  # the groups of entry points


@dataclass(frozen=True, slots=True)
class Extensions:
    """Skills and sensors that the user has named, by name; installed ones count as well."""

    skills: Mapping[str, Skill] = field(default_factory=dict)
    sensors: Mapping[str, Sensor] = field(default_factory=dict)
    # what finds things in the pictures of the body instead of the body itself; None for the body itself
    detector: Detector | None = None
    # what becomes of a sensing by the errors of a camera, such as `robots.noise.Noise`; None for none
    noise: Callable[[Observation], Observation] | None = None
    # whether they are for several worlds: a name that this world does not have is then no mistake, unless it probably
    # misspells one
    shared: bool = False

    def skills_of(self, domain: Domain, lacking: Collection[str]) -> dict[str, Skill]:
        """Return the skill of each capability that has one; `lacking` are those that the body cannot do.

        Raises:
            UnknownNameError: The world has no capability or motion primitive of a skill's name.
            UsageError: An installed skill cannot be imported.
        """
        motions = {name: verb.primitive or name for name, verb in domain.capabilities.items()}
        valid = {*motions, *motions.values()}
        for name in self.skills:
            if not self.shared or any(surely(name, other) for other in valid):
                known_name("capability", name, valid)
        chosen = {
            capability: self.skills[name]
            for capability, motion in motions.items()
            for name in (motion, capability)
            if name in self.skills
        }
        installed = _installed(SKILLS)
        for capability in sorted(frozenset(lacking) - chosen.keys()):
            entry = installed.get(capability) or installed.get(motions[capability])
            if entry is not None:
                chosen[capability] = _loaded(entry, Skill)
        return chosen

    def sensors_of(self, domain: Domain) -> dict[str, Sensor]:
        """Return the sensor of each predicate that has one.

        Raises:
            DomainFileError: The world names a sensor that is neither a test of geometry, nor given, nor installed.
            UsageError: An installed sensor cannot be imported.
        """
        chosen: dict[str, Sensor] = {}
        for predicate, model in domain.predicates.items():
            if model.sensed is None or model.sensed in TESTS:
                continue
            if model.sensed in self.sensors:
                chosen[predicate] = self.sensors[model.sensed]
            elif model.sensed in _installed(SENSORS):
                chosen[predicate] = _loaded(_installed(SENSORS)[model.sensed], None)
            else:
                raise _unknown_sensor(domain, predicate, model.sensed, sensor_names(self))
        return chosen


def sensor_names(extensions: Extensions) -> tuple[str, ...]:
    """Return all names that ``sensed`` may have: the tests of geometry, and the sensors that are given or installed."""
    return (*TESTS, *extensions.sensors, *_installed(SENSORS))


def extensions_from(modules: Sequence[str]) -> Extensions:
    """Import the modules of the user, by importable name or as a path that ends in ``.py``, and return their tables.

    Raises:
        UsageError: A module cannot be imported, or has no table, or a table holds something else.
    """
    skills: dict[str, Skill] = {}
    sensors: dict[str, Sensor] = {}
    detector: Detector | None = None
    for name in modules:
        module = user_module(name, f"skills {name}")
        tables = {table: getattr(module, table) for table in ("SKILLS", "SENSORS") if hasattr(module, table)}
        detector = _detector_in(module, f"skills {name}") or detector
        if not tables and detector is None:
            raise UsageError(f"skills {name}: it has neither SKILLS nor SENSORS; give it one, a table by name")
        for table, entries in tables.items():
            if not isinstance(entries, Mapping) or not all(isinstance(key, str) for key in entries):
                raise UsageError(f"skills {name}: {table} is no dictionary by name; see docs/own-skill.md")
        for key, skill in tables.get("SKILLS", {}).items():
            skills[key] = _must_be_skill(skill, f"skills {name}: SKILLS['{key}']")
        for key, sensor in tables.get("SENSORS", {}).items():
            if not callable(sensor):
                raise UsageError(
                    f"skills {name}: SENSORS['{key}'] cannot be called; see semantics.body.protocols.Sensor"
                )
            sensors[key] = sensor
    return Extensions(skills, sensors, detector, shared=True)


def _detector_in(module: ModuleType, what: str) -> Detector | None:
    detector: Detector | None = getattr(module, "DETECTOR", None)
    if detector is not None and (isinstance(detector, type) or not callable(detector)):
        raise UsageError(f"{what}: DETECTOR cannot be called; see semantics.body.detector.Detector")
    return detector


def _must_be_skill(skill: object, what: str) -> Skill:
    if isinstance(skill, type) or not isinstance(skill, Skill):
        raise UsageError(f"{what} is no skill: it needs a method start(operator, robot)")
    return skill


@cache
def _installed(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group, by name, without importing them."""
    return {each.name: each for each in entry_points(group=group)}


def _loaded(entry: EntryPoint, kind: type | None) -> Any:  # noqa: ANN401  # a skill or a sensor
    with guarded(lambda why: UsageError(f"{entry.value}: it cannot be imported ({why})")):
        found = entry.load()
        found = found() if isinstance(found, type) else found
    if kind is Skill:
        return _must_be_skill(found, entry.value)
    if not callable(found):
        raise UsageError(f"{entry.value} cannot be called; see semantics.body.protocols.Sensor")
    return cast(Sensor, found)


def _unknown_sensor(domain: Domain, predicate: str, name: str, valid: Collection[str]) -> DomainFileError:
    """Return the error at the place where a world names a sensor."""
    from domains.lint import YamlPlaces
    from domains.reader.bases import with_bases
    from domains.reader.nodes.document import read_document

    source, mark = domain.source or domain.name, Mark(1, 1)
    if source.endswith((".yaml", ".yml")):
        node = with_bases(read_document(Path(source), source)[0], Path(source))
        mark = YamlPlaces(node).of("predicates", predicate, "sensed")
    diagnostics = Diagnostics(source)
    diagnostics.unknown(mark, "sensing test", name, valid)
    return DomainFileError(diagnostics.problems)
