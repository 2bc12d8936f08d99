"""`CaseWorld`: a domain with its scenes, each read once, and the start state of a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from affordances.scene import Scene
from domains.model import Domain, SceneFile
from domains.reader import available_scenes, load_scene
from domains.world import World
from semantics.logic.atoms import Atom
from semantics.logic.rules import RuleBook
from semantics.logic.state import State


@dataclass(frozen=True, slots=True)
class CaseScene:
    """A scene to plan in: the scene as written, its world, and its state."""

    scene: SceneFile
    world: World
    state: State


@dataclass(slots=True)
class CaseWorld:
    """A domain and its scenes.

    Attributes:
        domain: The domain.
        rules: Its semantic conditions; Prolog loads them once.
    """

    domain: Domain
    rules: RuleBook = field(init=False)
    _settings: dict[str, CaseScene] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.rules = RuleBook(self.domain.rules)

    @property
    def first_scene(self) -> str:
        """The default scene, for cases that name none; empty when the domain has no scene."""
        return next(iter(available_scenes(self.domain)), "")

    def scene(self, name_or_path: str) -> SceneFile:
        """Read a scene, or return it from the cache.

        Raises:
            UnknownNameError: There is no such scene.
            DomainFileError: The scene file cannot be used.
        """
        return self._written(name_or_path).scene

    def setting(
        self, name_or_path: str, added: frozenset[Atom] = frozenset(), removed: frozenset[Atom] = frozenset()
    ) -> CaseScene:
        """Return a scene with some of its facts changed; the derived facts are computed again."""
        written = self._written(name_or_path)
        if not added and not removed:
            return written
        scene = written.scene
        beliefs: Mapping[Atom, str] = {atom: why for atom, why in scene.beliefs.items() if atom not in removed}
        changed = replace(scene, facts=scene.facts - removed | added, beliefs=beliefs)
        return replace(written, state=Scene.as_written(changed, self.domain).state)

    def _written(self, name_or_path: str) -> CaseScene:
        if name_or_path not in self._settings:
            path = Path(name_or_path)
            scene = load_scene(self.domain, path if path.is_absolute() else name_or_path)
            state = Scene.as_written(scene, self.domain).state
            self._settings[name_or_path] = CaseScene(scene, World.of(scene, self.domain, self.rules), state)
        return self._settings[name_or_path]
