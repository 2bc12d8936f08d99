"""``graftwork domain``: the group of commands for those who write worlds.

The commands create a world, print its schemas and its page, and convert worlds to PDDL and from PDDL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graftwork.cli.options import command, echo, group, print_json
from semantics.errors import UsageError

domain_app = group("Write worlds: begin one, and turn YAML into PDDL and back.")


@command(domain_app, "domain new")
def new(name: str, into: Path) -> None:
    """Make a small world that works, with a scene and cases, to change as you like."""
    from domains.scaffold import new_world
    from graftwork.cases.case_file import case_schema

    files = new_world(name, into, {"case": case_schema()})
    for file in files:
        echo(str(file))
    folder = into / name
    shown = folder if folder.is_absolute() else f"./{folder}"
    echo(f"\nTry: graftwork check {shown}\n     graftwork test {shown}")
    echo(f'     graftwork run "put the screwdriver on the shelf" --domain {shown} --scene room --robot fake')


@command(domain_app, "domain schema")
def schema(what: str) -> None:
    """Print the JSON Schema of a file, for editors to complete and check by."""
    from domains.scaffold import domain_schema, scene_schema
    from graftwork.cases.case_file import case_schema

    schemas = {"domain": domain_schema, "scene": scene_schema, "case": case_schema}
    echo(json.dumps(schemas[what](), indent=1))


@command(domain_app, "domain export")
def export(domain: str, into: Path, scene: str | None, language: str, as_json: bool, **given: Any) -> None:
    """Write a world as PDDL that other planners read, or a PDDL world as YAML."""
    from domains.files import as_yaml

    if language == "yaml":
        _print_written(_write_new(as_yaml(domain, [scene] if scene else []), into), as_json)
    elif language == "pddl":
        written, renamed = _as_pddl(domain, scene, given["goal"], given["profile"], drop_costs=given["drop_costs"])
        _print_written(_write_new(written, into), as_json, renamed)
    else:
        raise UsageError(f"--as {language}: expected pddl or yaml")


@command(domain_app, "domain import")
def import_pddl(domain: str, into: Path, problems: list[str] | None, as_json: bool) -> None:
    """Make a world in YAML from a PDDL domain, with a scene for each problem."""
    from domains.files import as_yaml

    _print_written(_write_new(as_yaml(domain, problems or []), into), as_json)


@command(domain_app, "domain show")
def show(domain: str, merged: bool) -> None:
    """Print the file of a world, alone or joined with those of the worlds that it extends."""
    from domains.reader import load_domain
    from domains.reader.bases import whole_text
    from domains.reader.nodes.document import read_text
    from graftwork.setup.settings import worlds_named

    source = Path(load_domain(*worlds_named([domain])).source or "")
    echo(whole_text(source) if merged else read_text(source, str(source)), nl=False)


@command(domain_app, "domain page")
def page(domain: str, into: Path | None) -> None:
    """Write what a world holds as a page of Markdown."""
    from graftwork.cases.suites import world_page
    from graftwork.setup.settings import worlds_named

    text = world_page(*worlds_named([domain]))
    if into is None:
        echo(text, nl=False)
    else:
        _write({into: text}, into)


def domains_command(*, as_json: bool) -> None:
    """Print the worlds and their scenes."""
    from domains.reader import available_scenes, load_domain
    from domains.worlds import WORLDS, worlds_in
    from graftwork.setup.settings import command_settings

    settings = command_settings({})
    rows = [
        {
            "name": name,
            "place": str(place),
            "scenes": list(available_scenes(domain)),
            "classes": len(domain.classes),
            "capabilities": list(domain.capabilities),
        }
        for name, places in worlds_in((WORLDS, *settings.domain_path)).items()
        for place in places
        for domain in [load_domain(place)]
    ]
    names = [row["name"] for row in rows]
    if as_json:
        print_json({"domains": rows})
        return
    for row in rows:
        echo(f"{row['name']}: {row['classes']} classes; scenes {_listed(row['scenes'])}")
        echo(f"    in {row['place']}{'; named by its path only' if names.count(row['name']) > 1 else ''}")
        echo(f"    can {_listed(row['capabilities'])}")


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, list) else str(names)


def _as_pddl(
    name: str, scene_name: str | None, goal_text: str | None, profile: str, *, drop_costs: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts by file name, and the names that had to change."""
    from affordances.scene import Scene
    from domains.files import problem_in, write_pddl
    from domains.problem import Problem
    from domains.reader import load_domain, load_scene
    from domains.reader.attributes import with_asked_attributes
    from graftwork.setup.settings import worlds_named
    from planning.relevance.needed import without_unneeded
    from semantics.logic.atoms import literals
    from semantics.logic.conditions import bounded, expanded
    from semantics.logic.parsing import parse_formula

    domain = load_domain(*worlds_named([name]))
    if scene_name is None:
        if goal_text is not None:
            raise UsageError("a goal without a scene; name one with --scene")
        text, _, renamed = write_pddl(domain, None, None, profile, drop_costs=drop_costs)
        return {"domain.pddl": text}, renamed
    if goal_text is not None:
        domain = with_asked_attributes(domain, parse_formula(goal_text, adl=True))
    problem = problem_in(domain, scene_name)
    scene = problem.scene if problem else load_scene(domain, scene_name)
    goal = parse_formula(goal_text, adl=True) if goal_text is not None else problem.goal if problem else None
    state = Scene.as_written(scene, domain).state
    if goal is not None:
        # What is left out depends on the literals of the goal, whichever of them are alternatives.
        asked = frozenset(literals(expanded(bounded(goal, scene.things), scene.things)))
        needed = without_unneeded(Problem(domain, scene.things, state, (asked,)))
        domain, scene, state = needed.domain, replace(scene, things=needed.objects), needed.state
    texts = write_pddl(domain, scene, goal, profile, state=state, drop_costs=drop_costs)
    return {"domain.pddl": texts[0], "problem.pddl": texts[1]}, texts[2]


def _write_new(texts: dict[str, str], into: Path) -> list[Path]:
    """Write new files into a folder; never overwrite an existing file."""
    paths = [into / name for name in texts]
    for path in paths:
        if path.exists():
            raise UsageError(f"{path} is there already; name another folder")
    _write(dict(zip(paths, texts.values(), strict=True)), into)
    return paths


def _print_written(paths: list[Path], as_json: bool, renamed: dict[str, str] | None = None) -> None:
    if as_json:
        print_json({"files": list(map(str, paths)), "renamed": renamed or {}})
        return
    for path in paths:
        echo(f"wrote    {path}")
    for pddl, ours in (renamed or {}).items():
        echo(f"renamed  {ours} to {pddl}")


def _write(texts: Mapping[Path, str], into: Path) -> None:
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{into} cannot be written to: {exc.strerror}") from exc
