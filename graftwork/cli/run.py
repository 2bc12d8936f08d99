"""``graftwork run``: execute an instruction or a program and report the result."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from io import StringIO
from operator import methodcaller
from pathlib import Path

import typer

from bt.runner import signals
from bt.terminal import LiveTree
from graftwork.cli.options import echo, print_json, tell_unneeded, waiting
from graftwork.cli.terminal import SLICE_SECONDS, AtTheTerminal, reading
from graftwork.decision import words_of
from graftwork.language.formal_goal import read_reply_file
from graftwork.record.episode import Episode, Outcome
from graftwork.record.film import Film, writable_film
from graftwork.record.log import keep_log, log_fault
from graftwork.run.past import Past, folder_beside, read_past
from graftwork.run.program_text import preview, read_source
from graftwork.run.run import Run
from graftwork.session import Session
from graftwork.setup.prices import cost_words
from graftwork.setup.settings import Settings, command_settings, session_arguments
from semantics.body.exchange import outage
from semantics.body.foreign import FAULTS, describe_error
from semantics.body.protocols import PictureSource
from semantics.errors import OutsideError, UsageError
from semantics.logic.feedback import Code, Feedback, left_out
from semantics.plain_text import counted, plain, shortened

KEPT_APART = ("memory", "record")  # what a run leaves; that it could not be written does not change how the run ended
INTERRUPTIONS = (KeyboardInterrupt, typer.Abort)


@dataclass(frozen=True)
class Manner:
    """The options of the command line that say how a run is performed."""

    record: Path | None = None
    dry_run: bool = False
    confirm: bool = False
    no_input: bool = False
    as_json: bool = False
    verbose: bool = False
    resume: Path | None = None
    yes: bool = False
    video: Path | None = None
    quiet: bool = False
    pddl: bool = False
    answer: Sequence[str] = ()

    @cached_property
    def display(self) -> LiveTree:
        """Shows the run, and knows the sentences of its world."""
        return LiveTree(StringIO() if self.quiet else None, pddl=self.pddl, ends=False)

    @property
    def may_ask(self) -> bool:
        """Whether a person at a terminal can answer questions."""
        return not self.no_input and sys.stdin.isatty()


def run_command(
    instruction: str | None,
    goal: str | None,
    chosen: Mapping[str, object],
    manner: Manner,
    prefer: Sequence[str] = (),
) -> int:
    """Run one instruction, pursue a goal, or resume an interrupted run; print the result and return the exit code.

    Without any of them, the goal is that of the scene, which is then a PDDL problem.

    Raises:
        UsageError: A name, a file or a setting is wrong, or there is nothing to do.
    """
    keep_log(verbose=manner.verbose)
    if sum(given is not None for given in (instruction, goal, manner.resume)) > 1:
        raise UsageError(
            "say what is wanted, in words or as --goal, or which run to go on with (--resume RECORD): one of them"
        )
    past = None if manner.resume is None else read_past(manner.resume)
    if manner.confirm and not manner.may_ask:
        raise UsageError("--confirm needs a terminal to ask on; use --dry-run to see the plan")
    given = {name: value for name, value in chosen.items() if value is not None}
    settings = command_settings(chosen if past is None else {**past.settings, **given})
    unagreed = None if past is None or past.is_settled or manner.yes else _agreed(past, chosen, settings, manner)
    if unagreed is not None:
        episode = unagreed
    elif past is None:
        asked = instruction or goal or next(iter(prefer), "") or f"the goal of {settings.scene}"
        begin = methodcaller("start", instruction, goal=goal, prefer=prefer)
        episode = attempt(asked, settings, partial(_converse, settings, manner, begin))
    elif past.is_settled:
        episode = _already_ended(past, settings)
    else:
        manner = replace(manner, record=manner.record or settings.record or folder_beside(past.folder))
        episode = attempt(
            past.instruction, settings, partial(_converse, settings, manner, methodcaller("resume", past))
        )
    return _reported(episode, manner)


def file_command(
    said: str | None, program: Path | None, reply: Path | None, chosen: Mapping[str, object], manner: Manner
) -> int:
    """Execute the program, or what the reply says, in a file; print the result and return the exit code.

    Raises:
        UsageError: A name, a file or a setting is wrong, or more than one of them is given, with a sentence, a goal or
            a record to resume.
    """
    keep_log(verbose=manner.verbose)
    if said is not None or manner.resume is not None or (program is not None and reply is not None):
        what, option = ("a program", "--program") if program is not None else ("a reply", "--reply")
        raise UsageError(f"{what} is carried out by itself: give no sentence and no --resume with {option}")
    if manner.confirm and not manner.may_ask:
        raise UsageError("--confirm needs a terminal to ask on; use --dry-run to see what it would do")
    content = read_source(program) if program is not None else read_reply_file(reply or Path())
    settings = command_settings(chosen)
    begin = methodcaller("start", content)
    episode = attempt(words_of(content), settings, partial(_converse, settings, manner, begin))
    return _reported(episode, manner, replace(episode, plan=()))  # the steps of the rehearsal were shown before


def _agreed(past: Past, chosen: Mapping[str, object], settings: Settings, manner: Manner) -> Episode | None:
    """Ask whether a record may choose what it names outside this program; return None if it may, or names nothing."""
    outside = {
        name: value for name, value in past.outside(command_settings(chosen)).items() if chosen.get(name) is None
    }
    if not outside:
        return None
    wants = ", ".join(f"{name} {plain(value)}" for name, value in outside.items())
    asked = f"The record asks for what your own settings do not: {wants}"
    if not manner.may_ask:
        how = " ".join(f"--{name} {plain(value)}" for name, value in outside.items())
        message = f"{asked}. Agree with --yes, or say it yourself: {how}"
        feedback = Feedback(Code.QUESTION, "the record", message, recoverable=False)
        return _without_robot(Outcome.QUESTION, message, feedback, past.instruction, settings)
    if typer.confirm(f"{asked}. Go on with that?", err=True):
        return None
    feedback = Feedback(Code.DECLINED, "the record", f"the person said no to {wants}", recoverable=False)
    message = "Nothing was done: the person said no."
    return _without_robot(Outcome.STOPPED, message, feedback, past.instruction, settings)


def _reported(episode: Episode, manner: Manner, shown: Episode | None = None) -> int:
    """Print an episode, or for a person the one to be `shown`; return the exit code."""
    if manner.as_json:
        print_json(episode.as_dict())
    else:
        words = manner.display.in_words(closing_words(shown or episode))
        echo(words.splitlines()[0] if manner.quiet else words)
    return episode.exit_code


def _already_ended(past: Past, settings: Settings) -> Episode:
    """Return the episode that says that the earlier run had already reached its goal."""
    message = f"That run had ended ({past.outcome}): nothing is left to be done."
    goal = None if past.goal is None else str(past.goal)
    return Episode(Outcome.ALREADY, past.instruction, *_place(settings), goal=goal, message=message)


def attempt(name: str, settings: Settings, carry_out: Callable[[], Episode]) -> Episode:
    """Carry out a run of some name and always return an episode, also after an outside failure or a fault."""
    try:
        return carry_out()
    except UsageError:
        raise
    except OutsideError as error:
        return _without_robot(Outcome.UNAVAILABLE, str(error), outage(name, error), name, settings)
    except (*INTERRUPTIONS, *FAULTS) as error:
        told = "" if isinstance(error, INTERRUPTIONS) else log_fault(error)
        if not _came_of_interruption(error):
            feedback = Feedback(Code.EXCEPTION, name, describe_error(error), recoverable=False)
            return _without_robot(Outcome.FAULT, f"A fault of this program, sorry; {told}.", feedback, name, settings)
        echo(err=True)
        feedback = Feedback(Code.CANCELLED, shortened(name), "the person stopped it", recoverable=False)
        return _without_robot(Outcome.STOPPED, "Stopped.", feedback, name, settings)


def _came_of_interruption(error: BaseException | None) -> bool:
    """Return whether an exception is an interruption, or came of one: some locks break if it comes in the middle."""
    return isinstance(error, INTERRUPTIONS) or (error is not None and _came_of_interruption(error.__context__))


def _without_robot(outcome: Outcome, message: str, feedback: Feedback, instruction: str, settings: Settings) -> Episode:
    return Episode(outcome, instruction, *_place(settings), feedback=(feedback,), message=message)


def _place(settings: Settings) -> tuple[str, str, str, str, int]:
    return settings.domain, settings.scene, settings.robot, settings.model, settings.seed


def _converse(settings: Settings, manner: Manner, begin: Callable[[Session], Run]) -> Episode:
    if manner.video is not None:
        writable_film(manner.video)
    display = None if manner.as_json else manner.display
    journals = () if display is None else (display,)
    given = session_arguments(settings) | {"record": manner.record or settings.record, "journals": journals}
    with ExitStack() as opened:
        opened.enter_context(contextlib.redirect_stdout(sys.stderr if manner.as_json else sys.stdout))
        with waiting("loading", silent=manner.as_json or manner.quiet):
            session = opened.enter_context(Session(**given))
        opened.callback(gc.unfreeze)
        gc.freeze()  # as in a conversation: no tick waits for a search through all that is loaded
        film = None if manner.video is None else _film(manner.video, session)
        run = begin(session)
        waits, may_ask = session.environment.robot.clock.simulated, manner.may_ask
        answers = deque(manner.answer)
        person = AtTheTerminal(run, display, settings.answer_seconds, waits=waits, is_there=may_ask, given=answers)
        try:
            with reading(person.hear) if may_ask else contextlib.nullcontext():
                episode = _performed(run, manner, display, person if may_ask or answers else None, film)
            tell_unneeded(answers)
        except BaseException:  # so that its record ends, too
            run.cancel()
            raise
    if film is not None:
        _keep_film(film, manner)
    return episode


def _film(file: Path, session: Session) -> Film:
    """Return the film of a run that begins.

    Raises:
        UsageError: The body takes no pictures.
    """
    robot = session.environment.robot
    if not isinstance(robot, PictureSource):
        raise UsageError(f"--video {file}: the body {session.environment.body} takes no pictures; try --robot pybullet")
    return Film(robot.picture)


def _keep_film(film: Film, manner: Manner) -> None:
    """Write the film of a run, and say where it is."""
    if not film or manner.video is None:
        echo("video   none: nothing moved", err=True)
        return
    film.save(manner.video)
    fast = f", {film.speed} times as fast" if film.speed > 1 else ""
    echo(f"video   {manner.video}: {film.seconds:.0f} s{fast}", err=True)


def _performed(
    run: Run, manner: Manner, display: LiveTree | None, person: AtTheTerminal | None, film: Film | None
) -> Episode:
    """Perform a run; without a person, its questions stay without an answer."""
    _decided(run, manner)
    while person is not None and run.question is not None and (words := person(run.question)) is not None:
        run.say(words)
        _decided(run, manner)
    if run.runner is None:
        return run.finish()
    if manner.dry_run or manner.confirm:
        echo(manner.display.in_words(plan_words(run)), err=manner.as_json)
    if manner.dry_run:
        failure = run.rehearse().failure if run.tree is not None else None
        left = run.leave()
        message = f"It would fail at {failure}; nothing was moved."
        return left if failure is None else replace(left, outcome=Outcome.FAILED, message=message)
    if manner.confirm and not (person is not None and person.agrees("Do it?", err=manner.as_json)):
        return run.decline()
    if film is not None:
        run.runner.listen(film)
    with signals(run.runner), nullcontext() if display is None else closing(display):
        return run.finish(answer=person)


def _decided(run: Run, manner: Manner) -> None:
    """Wait for the decision; the replies to what is said meanwhile are shown."""
    with waiting("deciding", silent=manner.as_json or manner.quiet):
        while not run.wait(SLICE_SECONDS):
            pass


def plan_words(run: Run) -> str:
    """Return the plan in words, for a person; for a program, its tree and the steps of its rehearsal."""
    if run.tree is not None:
        return preview(run.tree, run.rehearse())
    plan = run.plan
    assert plan is not None
    if run.looks_for:
        known = run.last_seen or f"Nobody knows where {run.looks_for} is"
        return f"{known}: it would be looked for, and planned for once it is found."
    steps = "\n".join(f"{number:4}  {step}" for number, step in enumerate(plan.steps, 1))
    reasons = "".join(f"\n{text}" for text in _left_out(run.dropped))
    return f"This would be done, at a cost of {cost_words(run.cost)}:\n{steps}{reasons}"


def _left_out(reasons: Iterable[Feedback]) -> Iterator[str]:
    return (left_out(reason.as_dict()) for reason in reasons)


def closing_words(episode: Episode) -> str:
    """Return the result of an episode in words, for a person."""
    rows = [f"{episode.outcome}: {episode.message}"]
    if episode.goal:
        rows.append(f"goal    {episode.goal}{'  (from memory)' if episode.recalled else ''}")
    rows += [f"note    {note}" for note in (*episode.notes, *_left_out(episode.dropped))]
    if episode.plan:
        in_order = ", then " in (episode.goal or "")
        worth = "optimal" if episode.optimal else "each goal in its turn" if in_order else "not proven optimal"
        steps = counted(len(episode.plan), "step")
        rows.append(f"plan    {steps}, cost {cost_words(episode.cost)}, {worth}; {episode.ticks} ticks")
        rows += [f"planner {episode.choice['why']}"] if episode.choice else []
    for left in (episode.part or {}).get("left_out", ()):
        rows.append(f"without {left['literal']}: {Feedback.from_dict(left['feedback'])}")
    rows += [f"repair  {use.code} by {use.rung}: {'solved' if use.solved else 'not solved'}" for use in episode.rungs]
    rows += [
        f"lost    {lost}" for lost in episode.feedback if lost.what in KEPT_APART and lost.code is Code.UNAVAILABLE
    ]
    if episode.report:
        rows.append(f"report  {episode.report}")
    return "\n".join(map(plain, rows))
