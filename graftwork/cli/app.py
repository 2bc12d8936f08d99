"""The commands and their parameters; the sibling modules implement them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from graftwork.cli.affordances import affordances_app
from graftwork.cli.classes import classes_app
from graftwork.cli.memories import memory_app
from graftwork.cli.options import (
    REQUIRED,
    Commands,
    Setting,
    argument,
    chosen_settings,
    echo,
    fill,
    flag,
    option,
    takes,
)
from graftwork.cli.records import RECORD, record_app
from graftwork.cli.repairs import repairs_app
from graftwork.cli.worlds import domain_app
from semantics.errors import UsageError

app = typer.Typer(
    name="graftwork",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="From a sentence to a robot that does it.\n\nExit codes: 0 achieved or already so, 1 failed, 2 bad usage or "
    "file, 3 refused or a question, 4 stopped, 5 something outside is not there, 6 no answer of a model is usable, "
    "70 a fault of this program.",
)
app.add_typer(memory_app, name="memory")
app.add_typer(repairs_app, name="repairs")
app.add_typer(classes_app, name="classes")
app.add_typer(affordances_app, name="affordances")
app.add_typer(domain_app, name="domain")
app.add_typer(record_app, name="record")

PLANNING = "costs planner search planning_seconds planning_memory weights part substitute"
BATCH = ("seeds", "instructions", "parallel", "timeout", "csv")
"""The options of several runs."""


def _must_be_text(*words: str | None) -> None:
    """Refuse words that are not valid UTF-8, because no reader and no record can use them."""
    if any("\ud800" <= letter <= "\udfff" for word in words for letter in word or ""):
        raise UsageError("the words are not text in UTF-8")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        from importlib.metadata import version as version_of

        echo(f"graftwork {version_of('graftwork')}")
        raise typer.Exit


@app.command(epilog="Example: graftwork serve --scene small --robot fake --at /tmp/body")
@takes(
    option("at", Path, "SOCKET", "Where it is driven: a file for you alone.", default=REQUIRED),
    "domain scene",
    Setting("robot", "Body (default: the one that fits the scene).", "pybullet|fake|symbolic"),
    "seed",
)
def serve(at: Path, **given: Any) -> None:
    """Hold a body in this process for whoever drives it, one at a time, until Ctrl-C.

    Drive it with: graftwork run "…" --robot served:SOCKET. When a driver goes, however it goes, the body comes to rest
    and the world stays as it is.
    """
    from graftwork.setup.bodies import SERVED, body_named
    from graftwork.setup.environment import serve_body
    from graftwork.setup.settings import command_settings

    settings = command_settings(given)
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
@takes(
    argument("instruction", None, 'What is wanted, such as "bring me the milk".', default=None),
    "goal prefer reply domain scene robot model model_seconds record_model skills seed",
    option("record", Path, "DIR", "Write record.jsonl and report.html there (a new folder)."),
    option("resume", Path, "RECORD", "Go on with the run that left this record."),
    option("program", Path, "FILE", "Carry out this program, not a sentence."),
    option("seeds", str, "1..20", "A run for each of these seeds, in a process of its own; also 1,2,5."),
    option("instructions", Path, "FILE", "A run for each sentence, one a line, or for the cases of a world."),
    option("parallel", int, None, "How many of these runs go on at once.", min=1, max=64),
    option("timeout", float, "SECONDS", "Limit of each of these runs, wall clock (default: 600).", min=1),
    option("csv", Path, "FILE", "Write the results of these runs there."),
    "memory",
    flag("no_memory", "Neither recall nor remember."),
    flag("dry_run", "Show the plan and stop before anything moves."),
    flag("confirm", "Ask before anything moves."),
    flag("no_input", "Never ask: every question stays unanswered."),
    flag("yes", "Agree to the model, body and files that a record asks for."),
    f"{PLANNING} new_things unsaid real_time",
    option("video", Path, "FILE.gif", "Write a film of the run there, as an animated picture."),
    "as_json quiet pddl",
    flag("verbose", "Details on standard error.", "--verbose", "-v"),
)
def run(
    instruction: str | None,
    goal: str | None,
    program: Path | None,
    reply: Path | None,
    prefer: list[str] | None,
    **given: Any,
) -> None:
    """Do what a sentence asks for, or pursue a goal, and say how it went.

    Without either, the goal is that of the scene, which is then a PDDL problem. With --seeds or --instructions, all
    runs are done, and a table of their figures is printed.
    """
    from graftwork.cli.run import Manner, file_command, run_command

    _must_be_text(instruction, goal, *(prefer or ()))
    chosen, manner = chosen_settings(given), fill(Manner, given)
    if any(given[name] is not None for name in BATCH):
        from graftwork.cli.batch import BatchOptions, batch_command

        if reply is not None or prefer:
            raise UsageError("runs for several seeds or sentences take no --reply and no --prefer")
        raise typer.Exit(batch_command(instruction, goal, program, chosen, manner, fill(BatchOptions, given)))
    if program is not None or reply is not None:
        said = instruction or goal or next(iter(prefer or ()), None)
        raise typer.Exit(file_command(said, program, reply, chosen, manner))
    raise typer.Exit(run_command(instruction, goal, chosen, manner, prefer or ()))


@app.command(epilog='Example: graftwork plan --goal "(in apple0 fridge0)" --scene small --tree')
@takes(
    argument("instruction", None, "What is wanted, in words.", default=None),
    "goal prefer reply domain scene model model_seconds record_model",
    flag("tree", "Show the behaviour tree too."),
    f"{PLANNING} unsaid as_json quiet pddl",
)
def plan(instruction: str | None, goal: str | None, **given: Any) -> None:
    """Plan from the scene as it is written, without a robot."""
    from graftwork.cli.plan import plan_command

    _must_be_text(instruction, goal, *(given["prefer"] or ()))
    manner = {name: given[name] for name in ("reply", "tree", "as_json", "quiet", "pddl")}
    raise typer.Exit(plan_command(instruction, goal, chosen_settings(given), prefer=given["prefer"] or (), **manner))


@app.command(epilog='Example: graftwork substitute glass --for "bring me a glass" --scene small')
@takes(
    argument("class_name", "CLASS", "What is missing, such as glass."),
    option("request", str, "WORDS", "What it is needed for.", "--for"),
    option("goal", str, None, 'The same as a goal: "(inhand {glass} human0)".'),
    "domain scene model",
    flag("yes", "Agree without being asked."),
    "as_json pddl",
)
def substitute(yes: bool, as_json: bool, pddl: bool, **given: Any) -> None:
    """Say what of a scene could stand in for something that is missing, and why (exit 3: nothing would)."""
    from graftwork.cli.substitutes import SubstituteWish, substitute_command

    wish = fill(SubstituteWish, given)
    _must_be_text(wish.class_name, wish.request, wish.goal)
    raise typer.Exit(substitute_command(wish, chosen_settings(given), agreed=yes, as_json=as_json, pddl=pddl))


@app.command(epilog="Example: graftwork domains --json")
@takes("as_json")
def domains(as_json: bool) -> None:
    """List the worlds and their scenes."""
    from graftwork.cli.worlds import domains_command

    domains_command(as_json=as_json)


@app.command(epilog="Example: graftwork scene --domain kitchen --scene small --robot fake")
@takes(
    "domain scene",
    Setting("robot", "Body that looks once (default: none, as written)."),
    "memory",
    flag("no_memory", "Leave out what was learned."),
    "skills",
    option("picture", Path, "FILE", "Draw the room into a PNG file instead (with pybullet)."),
    "as_json",
)
def scene(robot: str | None, picture: Path | None, as_json: bool, **given: Any) -> None:
    """Show the things of a scene: what they are good for, what is believed of them, and why."""
    from graftwork.cli.scene import picture_command, scene_command

    chosen = chosen_settings(given)
    if picture is not None:
        picture_command(chosen, robot, picture, as_json=as_json)
        return
    scene_command(chosen, robot, as_json=as_json)


@app.command(epilog="Example: graftwork demo --record runs/demo")
@takes(option("record", Path, "DIR", "A new folder for the report."))
def demo(record: Path | None) -> None:
    """Fetch the milk from the closed fridge while somebody pushes the door shut again."""
    from graftwork.cli.demo import demo_command

    raise typer.Exit(demo_command(record))


@app.command(epilog="Example: graftwork report runs/milk")
@takes(RECORD, option("page", Path, "FILE", "The page (default: report.html beside the record).", "--out"))
def report(record: Path, page: Path | None) -> None:
    """Make the report page of a record again, also of one that was cut off."""
    from graftwork.cli.records import report_command

    report_command(record, page)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    epilog="Example: graftwork bench planning --sizes 10 20",
)
def bench(context: typer.Context, suite: Annotated[str | None, typer.Argument(help="Which.")] = None) -> None:
    """Measure, side by side with others (from a checkout); the options, --help too, are those of the suite."""
    from graftwork.cli.bench import bench_command, suites

    if suite is None or suite in ("-h", "--help"):
        typer.echo(context.get_help())
        echo(f"Suites: {', '.join(suites())}.")
        raise typer.Exit(0 if suite else 2)
    raise typer.Exit(bench_command(suite, context.args))


@app.command("test", epilog="Example: graftwork test kitchen -k milk")
@takes(
    argument("paths", "PATH…", "A world's name, its folder, its domain.yaml, its cases, or one file.", list[str]),
    option("pattern", str, "PATTERN", "Only cases whose name or file it is found in.", "-k"),
    option("jobs", int, None, "Processes to plan in; pays for hundreds of plans.", default=1, min=1, max=64),
    flag("fail_fast", "Stop at the first that fails."),
    "as_json",
)
def run_cases(paths: list[str], pattern: str | None, **given: Any) -> None:
    """Run the cases of worlds, without a robot, a network or a model."""
    from graftwork.cli.test import test_command

    raise typer.Exit(test_command(paths, pattern, **given))


@app.command(epilog="Example: graftwork check tabletop blocks --strict")
@takes(
    argument("paths", "PATH…", "Worlds, folders, files (.yaml, .pddl), or classes (MODULE:CLASS).", list[str]),
    flag("strict", "Exit 2 for warnings too."),
    Setting(
        "robot",
        "Tell what this body lacks for them, too; a skill is tried with it.",
        "pybullet|fake|symbolic|MODULE:CLASS",
    ),
    "skills",
    option("sentence", str, "SENTENCE", "What a class has to carry out, or help with.", "--try"),
    Setting("domain", "World of that sentence."),
    Setting("scene", "Scene of that sentence."),
    option("capability", str, "NAME", "Capability that a skill does."),
    "as_json",
)
def check(paths: list[str], strict: bool, robot: str | None, as_json: bool, **given: Any) -> None:
    """Tell every mistake in domains, scenes, cases and PDDL problems, with its line and column.

    A class of your own, MODULE:CLASS, is tried with what a body, planner, language model or skill has to do. Examples:

    graftwork check ./workshop --robot pybullet

    graftwork check my_body.py:House --domain ./lamps --try "light the lamp"

    graftwork check skills.py:Polish --domain ./workshop --try "polish the cup" --capability polish
    """
    from graftwork.cli.check import check_command

    skills = given.pop("skills")
    raise typer.Exit(check_command(paths, as_json=as_json, strict=strict, robot=robot, skills=skills, trial=given))
