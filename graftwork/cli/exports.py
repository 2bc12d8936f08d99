"""``graftwork domain export`` and ``import``: worlds out to PDDL, and in from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from semantics.errors import UsageError

__all__ = ["register"]

Into = Annotated[Path, typer.Option("--into", metavar="DIR", help="Folder to write to; it is made.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def register(group: typer.Typer) -> None:
    """Add the commands to a group."""
    example = "Example: graftwork domain export kitchen --scene small --into out"
    group.command("export", epilog=example)(export)
    example = "Example: graftwork domain import domain.pddl problem.pddl --into worlds/mine"
    group.command("import", epilog=example)(import_pddl)


def export(
    domain: Annotated[str, typer.Argument(metavar="NAME|PATH", help="World.")],
    into: Into,
    scene: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="Scene (default: no problem).")] = None,
    goal: Annotated[str | None, typer.Option(help='What is wanted, in PDDL: "(in apple0 fridge0)".')] = None,
    profile: Annotated[
        str, typer.Option(metavar="strips|adl-costs|numeric|durative", help="What the planner takes.")
    ] = "adl-costs",
    drop_costs: Annotated[bool, typer.Option("--drop-costs", help="Leave out what actions cost.")] = False,
    language: Annotated[str, typer.Option("--as", metavar="pddl|yaml", help="What is written.")] = "pddl",
    as_json: Json = False,
) -> None:
    """Write a world as PDDL that other planners read, or a PDDL world as YAML."""
    from domains.pddl.files import as_yaml

    if language == "yaml":
        _tell(_write(as_yaml(domain, [scene] if scene else []), into), as_json)
    elif language == "pddl":
        written, renamed = _as_pddl(domain, scene, goal, profile, drop_costs=drop_costs)
        _tell(_write(written, into), as_json, renamed)
    else:
        raise UsageError(f"--as {language}: expected pddl or yaml")


def import_pddl(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN.pddl", help="Domain.")],
    into: Into,
    problems: Annotated[list[str] | None, typer.Argument(metavar="PROBLEM.pddl…", help="Become scenes.")] = None,
    as_json: Json = False,
) -> None:
    """Make a world in YAML from a PDDL domain, with a scene for each problem."""
    from domains.pddl.files import as_yaml

    _tell(_write(as_yaml(domain, problems or []), into), as_json)


def _as_pddl(
    name: str, scene_name: str | None, goal_text: str | None, profile: str, *, drop_costs: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files, by name, and what had to be renamed."""
    from affordances.scene import Scene
    from domains.pddl.files import problem_in, write_pddl
    from domains.reader import load_domain, load_scene
    from graftwork.cli.names import worlds_named
    from semantics.parsing import parse_formula

    domain = load_domain(*worlds_named([name]))
    if scene_name is None:
        if goal_text is not None:
            raise UsageError("a goal without a scene; name one with --scene")
        text, _, renamed = write_pddl(domain, None, None, profile, drop_costs=drop_costs)
        return {"domain.pddl": text}, renamed
    problem = problem_in(domain, scene_name)
    scene = problem.scene if problem else load_scene(domain, scene_name)
    goal = parse_formula(goal_text, adl=True) if goal_text is not None else problem.goal if problem else None
    state = Scene.as_written(scene, domain).state(domain)
    texts = write_pddl(domain, scene, goal, profile, state=state, drop_costs=drop_costs)
    return {"domain.pddl": texts[0], "problem.pddl": texts[1]}, texts[2]


def _write(texts: dict[str, str], into: Path) -> list[Path]:
    """Write files into a folder; none that is there already is written over."""
    paths = [into / name for name in texts]
    for path in paths:
        if path.exists():
            raise UsageError(f"{path} is there already; name another folder")
    try:
        for path, text in zip(paths, texts.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{into} cannot be written to: {exc.strerror}") from exc
    return paths


def _tell(paths: list[Path], as_json: bool, renamed: dict[str, str] | None = None) -> None:
    if as_json:
        typer.echo(json.dumps({"version": 1, "files": list(map(str, paths)), "renamed": renamed or {}}, indent=2))
        return
    for path in paths:
        typer.echo(f"wrote    {path}")
    for pddl, ours in (renamed or {}).items():
        typer.echo(f"renamed  {ours} to {pddl}")
