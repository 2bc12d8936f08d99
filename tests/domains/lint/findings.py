"""What the lint tells of a toy world with some changes, without its places."""

from pathlib import Path

from domains.errors import Diagnostic
from domains.lint import YamlPlaces, lint_domain
from domains.reader.domain_file import read_domain
from domains.reader.nodes.document import read_document
from domains.reader.scene_file import read_scene
from tests.domains.toy import DOMAIN, SCENE, changed, write


def findings(folder: Path, *changes: tuple[str, str], scene: bool = True) -> list[tuple[str, str]]:
    """Return code and culprit of each finding in the toy domain after `changes`, in the order of the file."""
    return [(problem.code, problem.culprit) for problem in _problems(folder, *changes, scene=scene)]


def messages(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """Return the messages of these findings."""
    return [problem.message for problem in _problems(folder, *changes)]


def _problems(folder: Path, *changes: tuple[str, str], scene: bool = True) -> list[Diagnostic]:
    text = DOMAIN
    for old, new in changes:
        text = changed(text, old, new)
    path = write(folder, "toy.yaml", text)
    node, diagnostics = read_document(path, "toy.yaml")
    domain = read_domain(node, "toy.yaml")
    diagnostics.settle()
    scenes = []
    if scene:
        written, of_scene = read_document(write(folder, "room.yaml", SCENE), "room.yaml")
        scenes.append(read_scene(written, domain, "room"))
        of_scene.settle()
    lint_domain(domain, YamlPlaces(node), diagnostics, scenes=scenes)
    return list(diagnostics.problems)


def new_findings(folder: Path, *changes: tuple[str, str], scene: bool = True) -> list[tuple[str, str]]:
    """Return the findings that the changes bring."""
    before = findings(folder, scene=scene)
    return [finding for finding in findings(folder, *changes, scene=scene) if finding not in before]
