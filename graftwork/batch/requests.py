"""What a batch is asked for: seeds as text, files of instructions, and the check of both before anything runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from domains.reader import load_domain, load_scene
from graftwork.batch.model import MOST_RUNS, BatchRequest
from graftwork.decision import formal_goal, goal_of_problem
from graftwork.run.past import world_digest
from graftwork.run.program_text import read_source
from graftwork.setup.settings import Settings
from semantics.errors import UsageError
from semantics.process.reading import STANDARD_INPUT, read_bounded

MOST_BYTES = 10_000_000
CASES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class RequestFile:
    """What a file of instructions asks for."""

    requests: tuple[BatchRequest, ...]  # the requests, in order
    domain: str | None = None  # path of the world that its cases are of; None for a file of sentences
    # how many of its cases cannot be carried out with a body, because they expect that nothing is done, change facts of
    # the scene, or have answers of a model
    left_out: int = 0


def seeds_in(text: str) -> list[int]:
    """Return the seeds of a text such as ``1..20`` or ``1..5,9``: each once, in the order given.

    Raises:
        UsageError: It is no such text, or a range is empty or too long.
    """
    seeds: dict[int, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,9})(?:\.\.([0-9]{1,9}))?\s*", part)
        if match is None:
            raise UsageError(f"seeds '{part.strip()}': write a range such as 1..20, or numbers: 1,2,5; 1..5,9")
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + MOST_RUNS:
            raise UsageError(f"seeds '{part.strip()}': from the smaller to the larger, at most {MOST_RUNS} of them")
        seeds |= dict.fromkeys(range(first, last + 1))
    return list(seeds)


def read_requests(file: Path) -> RequestFile:
    """Read a file of instructions: sentences, one a line, or the cases of a world (``.yaml``).

    In a file of sentences, a line that begins with ``(`` is a goal in PDDL; empty lines and those that begin with
    ``#`` are left out. Of cases, those that expect a plan, or that the goal holds already, are taken.

    Raises:
        UsageError: The file cannot be read, or holds no request.
    """
    found = _cases(file) if file.suffix in CASES else RequestFile(tuple(_sentences(file)))
    if not found.requests:
        raise UsageError(f"{file} has nothing to do: write one sentence a line, or cases that expect a plan")
    return found


def _sentences(file: Path) -> list[BatchRequest]:
    try:
        text = read_bounded(file, MOST_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read the instructions in '{file}': {why}") from error
    lines = [(f"line{number}", line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [
        BatchRequest(goal=line, name=name) if line.startswith("(") else BatchRequest(line, name=name)
        for name, line in lines
        if line and not line.startswith("#")
    ]


def _cases(file: Path) -> RequestFile:
    from graftwork.cases.model import Already, Planned
    from graftwork.cases.suites import load_suites

    (suite,) = load_suites([str(file)])
    requests = [
        BatchRequest(
            case.instruction or None,
            None if case.goal is None else str(case.goal),
            scene=case.scene,
            name=f"case{number}",
        )
        for number, case in enumerate(suite.cases, 1)
        if isinstance(case.expected, Planned | Already) and not (case.added or case.removed or case.answers)
    ]
    return RequestFile(tuple(requests), suite.world.domain.source, len(suite.cases) - len(requests))


def world_of(requests: Sequence[BatchRequest], settings: Settings) -> str:
    """Check that the world, its scenes, programs and all goals can be read; return the SHA-256 of their files.

    Raises:
        UsageError: A name or a file is wrong, or a goal cannot be read; the error names the request.
    """
    domain = load_domain(settings.domain)
    named = dict.fromkeys(request.scene or settings.scene for request in requests)
    scenes = {scene: load_scene(domain, scene).things for scene in named}
    digest = hashlib.sha256("".join(world_digest(domain, scene) for scene in scenes).encode())
    for request in requests:
        scene = request.scene or settings.scene
        try:
            if request.goal is not None:
                formal_goal(request.goal, domain, scenes[scene])
            elif request.program is not None:
                digest.update(_program(Path(request.program)).encode())
            elif request.instruction is None:
                goal_of_problem(domain, scene)
        except UsageError as error:
            if not request.name:
                raise
            raise UsageError(f"{request.name}: {error}") from error
    return digest.hexdigest()


def _program(file: Path) -> str:
    if file == STANDARD_INPUT:
        raise UsageError("every run of a batch reads the program: name a file")
    return read_source(file).text
