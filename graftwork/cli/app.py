"""The commands and their parameters; the sibling modules implement them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from graftwork.cli.options import HELP, Commands, chosen_settings, command, echo, fill
from semantics.errors import UsageError

GROUPS = {
    "memory": "taught.memory_app",
    "repairs": "repairs.repairs_app",
    "classes": "classes.classes_app",
    "affordances": "affordances.affordances_app",
    "domain": "worlds.domain_app",
    "record": "records.record_app",
}
"""The groups of commands, by name; each is imported when it is called, or listed."""


class AllCommands(Commands):
    """The commands and the groups of commands."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's own copy of click
        """Return the names of all commands, the groups last."""
        return [*super().list_commands(ctx), *GROUPS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401
        """Return a command; None if there is none of this name."""
        if cmd_name not in GROUPS:
            return super().get_command(ctx, cmd_name)
        module, _, name = GROUPS[cmd_name].partition(".")
        made = typer.main.get_group(getattr(import_module(f"graftwork.cli.{module}"), name))
        made.name = cmd_name
        return made


app = typer.Typer(
    name="graftwork",
    cls=AllCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings=HELP,
    help="From a sentence to a robot that does it.\n\nExit codes: 0 achieved or already so, 1 failed, 2 bad usage or "
    "file, 3 refused or a question, 4 stopped, 5 something outside is not there, 6 no answer of a model is usable, "
    "70 a fault of this program.",
)

BATCH = ("seeds", "instructions", "parallel", "timeout", "csv")  # the options of several runs


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


@command(app, "serve")
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


@command(app, "run")
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

    _must_be_text(instruction, goal, *(prefer or ()), *(given["answer"] or ()))
    given["answer"] = given["answer"] or ()
    chosen, manner = chosen_settings(given), fill(Manner, given)
    if any(given[name] is not None for name in BATCH):
        from graftwork.cli.batch import BatchOptions, batch_command

        if reply is not None or prefer or given["answer"]:
            raise UsageError("runs for several seeds or sentences take no --reply, no --prefer and no --answer")
        raise typer.Exit(batch_command(instruction, goal, program, chosen, manner, fill(BatchOptions, given)))
    if program is not None or reply is not None:
        said = instruction or goal or next(iter(prefer or ()), None)
        raise typer.Exit(file_command(said, program, reply, chosen, manner))
    raise typer.Exit(run_command(instruction, goal, chosen, manner, prefer or ()))


@command(app, "chat")
def chat(**given: Any) -> None:
    """Talk with the robot: one body, one memory and one process for the whole conversation.

    What is typed while a line is done is said about it: a stop, a change, a question. The next line answers a question
    of the robot. An empty Enter pauses and goes on, Ctrl-C stops the robot, twice or Ctrl-D ends. Lines that come at
    once, also through a pipe, are a queue. The exit code is that of the last one, as of graftwork run.
    """
    from graftwork.cli.chat import chat_command

    shown = {name: given[name] for name in ("quiet", "pddl", "verbose")}
    raise typer.Exit(chat_command(chosen_settings(given), **shown))


@command(app, "plan")
def plan(instruction: str | None, goal: str | None, **given: Any) -> None:
    """Plan from the scene as it is written, without a robot."""
    from graftwork.cli.plan import plan_command

    _must_be_text(instruction, goal, *(given["prefer"] or ()), *(given["answer"] or ()))
    manner = {name: given[name] for name in ("reply", "tree", "as_json", "quiet", "pddl")}
    manner |= {name: given[name] or () for name in ("prefer", "answer")}
    raise typer.Exit(plan_command(instruction, goal, chosen_settings(given), **manner))


@command(app, "substitute")
def substitute(yes: bool, as_json: bool, pddl: bool, **given: Any) -> None:
    """Say what of a scene could stand in for something that is missing, and why (exit 3: nothing would)."""
    from graftwork.cli.substitutes import SubstituteWish, substitute_command

    wish = fill(SubstituteWish, given)
    _must_be_text(wish.class_name, wish.request, wish.goal)
    raise typer.Exit(substitute_command(wish, chosen_settings(given), agreed=yes, as_json=as_json, pddl=pddl))


@command(app, "domains")
def domains(as_json: bool) -> None:
    """List the worlds and their scenes."""
    from graftwork.cli.worlds import domains_command

    domains_command(as_json=as_json)


@command(app, "scene")
def scene(robot: str | None, picture: Path | None, as_json: bool, **given: Any) -> None:
    """Show the things of a scene: what they are good for, what is believed of them, and why."""
    from graftwork.cli.scene import picture_command, scene_command

    chosen = chosen_settings(given)
    if picture is not None:
        picture_command(chosen, robot, picture, as_json=as_json)
        return
    scene_command(chosen, robot, as_json=as_json)


@command(app, "demo")
def demo(record: Path | None) -> None:
    """Fetch the milk from the closed fridge while somebody pushes the door shut again."""
    from graftwork.cli.demo import demo_command

    raise typer.Exit(demo_command(record))


@command(app, "report")
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


@command(app, "test")
def run_cases(paths: list[str], pattern: str | None, **given: Any) -> None:
    """Run the cases of worlds, without a robot, a network or a model."""
    from graftwork.cli.test import test_command

    raise typer.Exit(test_command(paths, pattern, **given))


@command(app, "check")
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
