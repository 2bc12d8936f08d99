"""The commands and their options; the sibling modules implement them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from graftwork.cli import options
from graftwork.cli.affordances import affordances_app
from graftwork.cli.bench import SUITES
from graftwork.cli.classes import classes_app
from graftwork.cli.memories import memory_app
from graftwork.cli.options import echo
from graftwork.cli.records import record_app
from graftwork.cli.repairs import repairs_app
from graftwork.cli.worlds import domain_app
from graftwork.setup.bodies import FORMS, ROBOTS
from semantics.errors import UsageError

__all__ = ["app"]


class _Commands(TyperGroup):
    """The commands; their values are taken as they are given where that is possible."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own copy of click
        _take_as_given(self, ctx)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _take_as_given(command, ctx)
        return name, command, rest


def _take_as_given(command: Any, ctx: object) -> None:  # noqa: ANN401
    """Convert neither texts nor what is not given: typer imports pydantic for it, 110 modules in 0.2 s."""
    for parameter in command.get_params(ctx):
        parameter.process_value = partial(_value, parameter, parameter.process_value)


def _value(parameter: Any, convert: Callable[..., object], ctx: object, value: object) -> object:  # noqa: ANN401
    is_text = isinstance(value, str) and parameter.type_descriptor.annotation is str
    if parameter.required or not (value is None or is_text):
        return convert(ctx, value)
    value = () if value is None and (parameter.multiple or parameter.nargs == -1) else value
    return value if parameter.callback is None else parameter.callback(ctx, parameter, value)


app = typer.Typer(
    name="graftwork",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="From a sentence to a robot that does it.\n\nExit codes: 0 achieved or already so, 1 failed, 2 bad usage or "
    "file, 3 refused or a question, 4 stopped, 5 something outside is not there, 70 a fault of this program.",
)
app.add_typer(memory_app, name="memory")
app.add_typer(repairs_app, name="repairs")
app.add_typer(classes_app, name="classes")
app.add_typer(affordances_app, name="affordances")
app.add_typer(domain_app, name="domain")
app.add_typer(record_app, name="record")

Record = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Write record.jsonl and report.html there (a new folder).")
]
Resume = Annotated[Path | None, typer.Option(metavar="RECORD", help="Go on with the run that left this record.")]
Seeds = Annotated[
    str | None,
    typer.Option(metavar="1..20", help="A run for each of these seeds, in a process of its own; also 1,2,5."),
]
Instructions = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A run for each sentence, one a line, or for the cases of a world.")
]
Parallel = Annotated[int | None, typer.Option(help="How many of these runs go on at once.", min=1, max=64)]
Timeout = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Limit of each of these runs, wall clock (default: 600).", min=1)
]
CsvFile = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the results of these runs there.")]
VideoFile = Annotated[
    Path | None, typer.Option(metavar="FILE.gif", help="Write a film of the run there, as an animated picture.")
]
ProgramFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Carry out this program, not a sentence.")]


def _must_be_text(*words: str) -> None:
    """Refuse words that are not valid UTF-8, because no reader and no record can use them."""
    if any("\ud800" <= letter <= "\udfff" for word in words for letter in word):
        raise UsageError("the words are not text in UTF-8")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from importlib.metadata import version as version_of

        echo(f"graftwork {version_of('graftwork')}")
        raise typer.Exit


@app.command(epilog="Example: graftwork serve --scene small --robot fake --at /tmp/body")
def serve(
    at: Annotated[Path, typer.Option(metavar="SOCKET", help="Where it is driven: a file for you alone.")],
    domain: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="World (default: kitchen).")] = None,
    scene: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="Scene (default: full, or the first).")] = None,
    robot: Annotated[
        str | None, typer.Option(metavar="pybullet|fake|symbolic", help="Body (default: the one that fits the scene).")
    ] = None,
    seed: options.SeedOption = None,
) -> None:
    """Hold a body in this process for whoever drives it, one at a time, until Ctrl-C.

    Drive it with: graftwork run "…" --robot served:SOCKET. When a driver goes, however it goes, the body comes to rest
    and the world stays as it is.
    """
    from graftwork.setup.bodies import SERVED, body_named
    from graftwork.setup.environment import serve_body
    from graftwork.setup.settings import command_settings

    settings = command_settings({"domain": domain, "scene": scene, "robot": robot, "seed": seed})
    if settings.robot.startswith(SERVED):
        raise UsageError(f"robot {settings.robot} is served already; serve pybullet, fake or symbolic")
    with serve_body(settings.domain, settings.scene, settings.robot, settings.seed, at) as (server, written):
        echo(f"{body_named(settings.robot, written)} in {written.name} at {at}; end with Ctrl-C")
        try:
            server.serve()
        except KeyboardInterrupt:
            echo()


@app.command(
    epilog='Example: graftwork run "bring me the milk" --record runs/milk\n\n'
    'Example: graftwork run "bring me the milk" --seeds 1..20 --parallel 2'
)
def run(
    instruction: Annotated[
        str | None, typer.Argument(help='What is wanted, such as "bring me the milk".', show_default=False)
    ] = None,
    goal: Annotated[str | None, typer.Option(help='What is wanted, in PDDL: "(in apple0 fridge0)".')] = None,
    domain: options.DomainOption = None,
    scene: options.SceneOption = None,
    robot: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(FORMS), help="Body (default: by the scene).", autocompletion=lambda: list(ROBOTS)
        ),
    ] = None,
    model: options.ModelOption = None,
    skills: options.SkillsOption = None,
    seed: options.SeedOption = None,
    record: Record = None,
    resume: Resume = None,
    program: ProgramFile = None,
    seeds: Seeds = None,
    instructions: Instructions = None,
    parallel: Parallel = None,
    timeout: Timeout = None,
    csv: CsvFile = None,
    memory: options.MemoryOption = None,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="Neither recall nor remember.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan and stop before anything moves.")] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help="Ask before anything moves.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never ask: every question stays unanswered.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Agree to the model, body and files that a record asks for.")
    ] = False,
    costs: options.CostOption = None,
    planner: options.PlannerOption = None,
    search: options.SearchOption = None,
    planning_seconds: options.PlanningSecondsOption = None,
    planning_memory: options.PlanningMemoryOption = None,
    weights: options.WeightsOption = None,
    part: options.PartOption = None,
    substitute: options.SubstituteOption = None,
    new_things: options.NewThingsOption = None,
    real_time: options.RealTimeOption = None,
    video: VideoFile = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
    pddl: options.PddlOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Details on standard error.")] = False,
) -> None:
    """Do what a sentence asks for, or pursue a goal, and say how it went.

    Without either, the goal is that of the scene, which is then a PDDL problem. With --seeds or --instructions, all
    runs are done, and a table of their figures is printed.
    """
    chosen = options.chosen_settings(locals())
    from graftwork.cli.run import Manner, program_command, run_command

    _must_be_text(instruction or "", goal or "")
    manner = Manner(record, dry_run, confirm, no_input, as_json, verbose, resume, yes, video, quiet, pddl)
    if any(given is not None for given in (seeds, instructions, parallel, timeout, csv)):
        from graftwork.cli.batch import BatchOptions, batch_command

        batch = BatchOptions(seeds, instructions, parallel, timeout, csv)
        raise typer.Exit(batch_command(instruction, goal, program, chosen, manner, batch))
    if program is not None:
        raise typer.Exit(program_command(instruction or goal, program, chosen, manner))
    raise typer.Exit(run_command(instruction, goal, chosen, manner))


@app.command(epilog='Example: graftwork plan --goal "(in apple0 fridge0)" --scene small --tree')
def plan(
    instruction: Annotated[str | None, typer.Argument(help="What is wanted, in words.")] = None,
    goal: Annotated[str | None, typer.Option(help='What is wanted, in PDDL: "(in apple0 fridge0)".')] = None,
    domain: options.DomainOption = None,
    scene: options.SceneOption = None,
    model: options.ModelOption = None,
    tree: Annotated[bool, typer.Option("--tree", help="Show the behaviour tree too.")] = False,
    costs: options.CostOption = None,
    planner: options.PlannerOption = None,
    search: options.SearchOption = None,
    planning_seconds: options.PlanningSecondsOption = None,
    planning_memory: options.PlanningMemoryOption = None,
    weights: options.WeightsOption = None,
    part: options.PartOption = None,
    substitute: options.SubstituteOption = None,
    as_json: options.JsonOption = False,
    quiet: options.QuietOption = False,
    pddl: options.PddlOption = False,
) -> None:
    """Plan from the scene as it is written, without a robot."""
    chosen = options.chosen_settings(locals())
    from graftwork.cli.plan import plan_command

    _must_be_text(instruction or "", goal or "")
    raise typer.Exit(plan_command(instruction, goal, chosen, tree=tree, as_json=as_json, quiet=quiet, pddl=pddl))


@app.command(epilog='Example: graftwork substitute glass --for "bring me a glass" --scene small')
def substitute(
    class_name: Annotated[str, typer.Argument(metavar="CLASS", help="What is missing, such as glass.")],
    request: Annotated[str | None, typer.Option("--for", metavar="WORDS", help="What it is needed for.")] = None,
    goal: Annotated[str | None, typer.Option(help='The same as a goal: "(inhand {glass} human0)".')] = None,
    domain: options.DomainOption = None,
    scene: options.SceneOption = None,
    model: options.ModelOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Agree without being asked.")] = False,
    as_json: options.JsonOption = False,
    pddl: options.PddlOption = False,
) -> None:
    """Say what of a scene could stand in for something that is missing, and why (exit 3: nothing would)."""
    from graftwork.cli.substitutes import SubstituteWish, substitute_command

    _must_be_text(class_name, request or "", goal or "")
    chosen = {"domain": domain, "scene": scene, "model": model}
    wish = SubstituteWish(class_name, request, goal)
    raise typer.Exit(substitute_command(wish, chosen, agreed=yes, as_json=as_json, pddl=pddl))


@app.command(epilog="Example: graftwork domains --json")
def domains(as_json: options.JsonOption = False) -> None:
    """List the worlds and their scenes."""
    from graftwork.cli.worlds import domains_command

    domains_command(as_json=as_json)


@app.command(epilog="Example: graftwork scene --domain kitchen --scene small --robot fake")
def scene(
    domain: options.DomainOption = None,
    scene: options.SceneOption = None,
    robot: Annotated[
        str | None, typer.Option(metavar="|".join(FORMS), help="Body that looks once (default: none, as written).")
    ] = None,
    memory: options.MemoryOption = None,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="Leave out what was learned.")] = False,
    skills: options.SkillsOption = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the room into a PNG file instead (with pybullet).")
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Show the things of a scene: what they are good for, what is believed of them, and why."""
    from graftwork.cli.scene import picture_command, scene_command

    chosen = {"domain": domain, "scene": scene, "memory": False if no_memory else memory, "skills": skills or None}
    if picture is not None:
        picture_command(chosen, robot, picture, as_json=as_json)
        return
    scene_command(chosen, robot, as_json=as_json)


@app.command(epilog="Example: graftwork demo --record runs/demo")
def demo(
    record: Annotated[Path | None, typer.Option(metavar="DIR", help="A new folder for the report.")] = None,
) -> None:
    """Fetch the milk from the closed fridge while somebody pushes the door shut again."""
    from graftwork.cli.demo import demo_command

    raise typer.Exit(demo_command(record))


@app.command(epilog="Example: graftwork report runs/milk")
def report(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A record, or the folder that it is in.")],
    page: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The page (default: report.html beside the record).")
    ] = None,
) -> None:
    """Make the report page of a record again, also of one that was cut off."""
    from graftwork.cli.records import report_command

    report_command(record, page)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    epilog="Example: graftwork bench planning --sizes 10 20",
)
def bench(
    context: typer.Context, suite: Annotated[str | None, typer.Argument(help=f"Which: {', '.join(SUITES)}.")] = None
) -> None:
    """Measure, side by side with others (from a checkout); the options, --help too, are those of the suite."""
    from graftwork.cli.bench import bench_command

    if suite is None or suite in ("-h", "--help"):
        typer.echo(context.get_help())
        raise typer.Exit(0 if suite else 2)
    raise typer.Exit(bench_command(suite, context.args))


@app.command("test", epilog="Example: graftwork test kitchen -k milk")
def run_cases(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="A world's name, its folder, its domain.yaml, its cases, or one file."),
    ],
    pattern: Annotated[
        str | None, typer.Option("-k", metavar="PATTERN", help="Only cases whose name or file it is found in.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes to plan in; pays for hundreds of plans.", min=1, max=64)] = 1,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first that fails.")] = False,
    as_json: options.JsonOption = False,
) -> None:
    """Run the cases of worlds, without a robot, a network or a model."""
    from graftwork.cli.test import test_command

    raise typer.Exit(test_command(paths, pattern, jobs=jobs, as_json=as_json, fail_fast=fail_fast))


@app.command(epilog="Example: graftwork check tabletop blocks --strict")
def check(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="Worlds, folders, files (.yaml, .pddl), or classes (MODULE:CLASS)."),
    ],
    strict: Annotated[bool, typer.Option("--strict", help="Exit 2 for warnings too.")] = False,
    robot: Annotated[
        str | None,
        typer.Option(
            metavar="pybullet|fake|symbolic|MODULE:CLASS",
            help="Tell what this body lacks for them, too; a skill is tried with it.",
        ),
    ] = None,
    skills: options.SkillsOption = None,
    sentence: Annotated[
        str | None, typer.Option("--try", metavar="SENTENCE", help="What a class has to carry out, or help with.")
    ] = None,
    domain: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="World of that sentence.")] = None,
    scene: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="Scene of that sentence.")] = None,
    capability: Annotated[str | None, typer.Option(metavar="NAME", help="Capability that a skill does.")] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Tell every mistake in domains, scenes, cases and PDDL problems, with its line and column.

    A class of your own, MODULE:CLASS, is tried with what a body, planner, language model or skill has to do. Examples:

    graftwork check ./workshop --robot pybullet

    graftwork check my_body.py:House --domain ./lamps --try "light the lamp"

    graftwork check skills.py:Polish --domain ./workshop --try "polish the cup" --capability polish
    """
    from graftwork.cli.check import check_command

    trial = {"sentence": sentence, "domain": domain, "scene": scene, "capability": capability}
    raise typer.Exit(check_command(paths, as_json=as_json, strict=strict, robot=robot, skills=skills, trial=trial))
