"""From a name on the command line (a world, a folder, a domain file, one of cases) to case files; a world's page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from domains.errors import Diagnostic, DomainFileError
from domains.model import Domain
from domains.page import page
from domains.reader import available_scenes, load_domain, load_scene
from graftwork.cases.case_file import CaseWorld, read_cases
from graftwork.cases.model import Case
from planning.adl import admits
from semantics.errors import UsageError

CASES = "cases"
DOMAIN = "domain.yaml"
ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Suite:
    """The cases of one world, in the order of their files."""

    world: CaseWorld
    cases: tuple[Case, ...]


def load_suites(names: Iterable[str]) -> tuple[Suite, ...]:
    """Read the cases of all `names`, each file once.

    Raises:
        UnknownNameError: A name is not a world.
        UsageError: A place holds no cases, or no domain stands beside them.
        DomainFileError: Files cannot be used; lists every problem of all of them.
    """
    files: dict[Path, dict[Path, None]] = {}
    for name in names:
        for domain, file in _files(name):
            files.setdefault(domain, {})[file] = None
    problems: list[Diagnostic] = []
    suites = [_suite(domain, tuple(case_files), problems) for domain, case_files in files.items()]
    if problems:
        raise DomainFileError(problems)
    return tuple(suites)


def _suite(domain: Path, files: Iterable[Path], problems: list[Diagnostic]) -> Suite:
    world = CaseWorld(load_domain(domain))
    cases: list[Case] = []
    for file in files:
        try:
            cases += read_cases(file, world, shown_path(file))
        except DomainFileError as error:
            problems += error.problems
    return Suite(world, tuple(cases))


def shown_path(file: Path) -> str:
    """Return the path relative to the current folder if it lies inside it, else unchanged."""
    current = Path.cwd()
    return str(file.relative_to(current)) if file.is_absolute() and file.is_relative_to(current) else str(file)


def domain_of(file: Path) -> Path:
    """Return the domain of a case file: the domain file beside the folder of the case file.

    Raises:
        UsageError: There is no such domain file.
    """
    domain = file.parent.parent / DOMAIN
    if not domain.is_file():
        raise UsageError(f"{file}: cases stand in a folder beside a {DOMAIN}, and there is no {domain}")
    return domain


def _files(name: str) -> list[tuple[Path, Path]]:
    """Return files of cases, each with the domain file of the world in which they are tried."""
    path = Path(name)
    is_path = "/" in name or "\\" in name or name.endswith(ENDINGS) or name in (".", "..")
    if not is_path:
        return _of_world(load_domain(name))
    if path.is_dir() and not (path / DOMAIN).is_file():
        return [(domain_of(file), file) for file in _in(path)]
    if path.is_dir() or (path.name == DOMAIN and path.is_file()):
        return _of_world(load_domain(path))
    if not path.is_file():
        raise UsageError(f"there is no {path}; expected the name of a world, its folder, its {CASES}, or one file")
    return [(domain_of(path), path)]


def _of_world(domain: Domain) -> list[tuple[Path, Path]]:
    """Return the cases of a world: its own, and those of the worlds that it extends."""
    source = Path(domain.source or "")
    listed = domain.ancestry.files.get(CASES, {}).values()
    return [(source, file) for file in listed or _in(source.parent / CASES)]


def _in(folder: Path) -> list[Path]:
    files = sorted(file for ending in ENDINGS for file in folder.glob(f"*{ending}"))
    if not files:
        raise UsageError(f"there are no cases in {folder}")
    return files


def world_page(name_or_path: str) -> str:
    """Return the page of a world.

    Raises:
        UsageError: There is no such world, or one of its files cannot be used.
    """
    domain = load_domain(name_or_path)
    scenes = [load_scene(domain, scene) for scene in available_scenes(domain)]
    has_cases = domain.source is not None and (Path(domain.source).parent / "cases").is_dir()
    suites = load_suites([domain.source or name_or_path]) if has_cases else ()
    cases = [(case.name, _asked(case)) for suite in suites for case in suite.cases]
    return page(domain, scenes, str(admits(domain)), cases)


def _asked(case: Case) -> str:
    wanted = f'"{case.instruction}"' if case.instruction else f"`{case.goal}`"
    return f"{wanted} in `{case.scene}`: {case.expected}"
