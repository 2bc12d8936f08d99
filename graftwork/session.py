"""`Session`: a robot in a world, ready for instructions.

`handle` is the complete pipeline for one instruction. `start` returns a `Run` that the caller ticks, and `subtree`
returns a behaviour for the caller's own tree.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from affordances.mapping.object_affordances import THRESHOLD
from bt import Runner, Tree
from bt.background import in_background, waited
from bt.record import Journal
from bt.recovery import Obstacles
from bt.runner import Ended
from domains.reader import available_domains
from graftwork.decision import FinalDecision, PlanDecision, ProgramDecision, Wanted, decide, read_wanted, words_of
from graftwork.errors import NothingToDoError
from graftwork.language import model_from_name
from graftwork.language.interruption import Interruption, interruption_in, without_go_on
from graftwork.memory import Memory, default_place
from graftwork.record.episode import Episode, Outcome, Stopwatch
from graftwork.record.log import LogJournal
from graftwork.record.recorder import Records
from graftwork.run.context import Services
from graftwork.run.hearing import SAID_STOP
from graftwork.run.own_loop import OwnLoop, RecordedTree
from graftwork.run.past import Past, about, read_past
from graftwork.run.program_text import read_source
from graftwork.run.run import Answering, Run
from graftwork.setup.bodies import AUTO, ROBOTS, service_of
from graftwork.setup.environment import open_environment
from graftwork.setup.extensions import Extensions, extensions_from
from graftwork.setup.limits import Consent, Weights
from graftwork.setup.plans import session_planning
from graftwork.setup.settings import CONSENTS, PLAIN, Limits, settings_by_name, worlds_named
from planning.service import PlanningService
from robots.lease import Lease, driver_of
from semantics.body.detector import Detector
from semantics.body.observation import Observation
from semantics.body.protocols import LanguageModel, Planner, Robot, Sensor, Skill
from semantics.errors import UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal
from semantics.logic.reply import ProgramText
from semantics.logic.state import Plan
from semantics.plain_text import shortened

AnyRun = TypeVar("AnyRun", bound=Run)


class Session:
    """A robot in a world.

    Any thread may begin a run; of two at once, one gets a `UsageError`. A run belongs to the thread that ticks it,
    while any thread may call `say` and `cancel`. After ``fork``, the session and its runs work in the parent process
    only; the child opens a session of its own.

    Args:
        domain: Name or path of the world; a name means the same world as on the command line, also as a `Path`.
        scene: Name or path of the scene; ``auto`` is the scene named ``full``, or else the first by name.
        robot: Name of a body, or a body object; ``auto`` is PyBullet if the scene has poses, else the symbolic body.
        model: ``offline``, ``openai:NAME``, ``replay:FILE``, ``scripted:FILE``, or a model object.
        planner: Name of a planner, or ``up:ENGINE`` or ``up:ENGINE/PROFILE`` for a unified-planning engine, which plan
            in separate processes; or a planner object, which plans in this process; or a planning service. The session
            closes it.
        memory: The memory's file, ``None`` or ``False`` for none; by default in the user's data folder.
        seed: Perturbs the poses of the scene; 0 leaves them as written.
        record: A new folder for the record and report of the first run or tree; or a queue with a folder for each.
        skills: Skills by name of a capability or motion primitive, which replace the body's motions; or the names of
            modules with tables `SKILLS` and `SENSORS`, see docs/own-skill.md.
        sensors: Sensors by the name that a world gives them with ``sensed: NAME``.
        detector: What finds things in the pictures of the body that no file lists, instead of the body itself.
        noise: What becomes of a sensing by the errors of a camera, such as `robots.noise.Noise`; by default nothing.
        journals: Further journals, which get every event of the record.
        limits: The time limits.
        others: Single ones of these limits by the name of their setting, such as ``planning_seconds=5``.
        affordance_threshold: Minimum probability at which a class has an affordance, if the memory has evidence of it.
        costs: Cost of each action by class of agent, which replaces the world's.
        substitute: Whether a substitute may replace a missing object: ``ask``, ``allow`` or ``never``.
        part: Whether a part of an unreachable goal may be pursued: ``ask``, ``allow`` or ``never``.
        new_things: Whether a thing of an unknown class may count as a similar one: ``ask``, ``allow`` or ``never``.
        unsaid: Whether a model's goal may name what nobody has spoken of: ``ask``, ``allow`` or ``never``.
        learn: Whether what a person teaches is kept: ``ask``, ``allow`` or ``never``.
        together: Whether independent steps run in parallel: ``auto`` if the body supports several motions at a time,
            ``never`` for one step after the other.
        weights: The cost of a metre, a second and the risk of failure; by default actions have the world's costs.
        real_time: Whether a simulated body runs at the speed of the wall clock; the episode tells when it was slower.
        conversation: Whether the memory keeps what was said and meant, for the next session that is asked to go on.
        record_model: A file to which each exchange with a model that is given by name is added, for ``replay:FILE``.

    Raises:
        UsageError: A name, a file or a setting is wrong.
        OutsideError: The body, the planner or Prolog is not available.
    """

    _closed = False
    _run: Run | None = None
    _stopped_run: Run | None = None
    _runner: Runner | None = None
    _loop: OwnLoop | None = None

    def __init__(
        self,
        domain: str | Path = "kitchen",
        scene: str | Path = "auto",
        *,
        robot: str | Robot = AUTO,
        model: str | LanguageModel = "offline",
        planner: str | Planner | PlanningService = "fast-downward",
        memory: Path | str | bool | None = "default",
        seed: int = 0,
        record: Path | str | deque[Path] | None = None,
        skills: Mapping[str, Skill] | Sequence[str] | None = None,
        sensors: Mapping[str, Sensor] | None = None,
        detector: Detector | None = None,
        noise: Callable[[Observation], Observation] | None = None,
        journals: Sequence[Journal] = (),
        limits: Limits | None = None,
        affordance_threshold: float = THRESHOLD,
        costs: Mapping[str, int] | None = None,
        substitute: str = Consent.ASK,
        part: str = Consent.ASK,
        new_things: str = Consent.ASK,
        unsaid: str = Consent.ASK,
        learn: str = Consent.ASK,
        together: str = AUTO,
        weights: Weights | None = None,
        real_time: bool = False,
        conversation: bool = False,
        record_model: Path | str | None = None,
        **others: object,
    ) -> None:
        limits = replace(limits or Limits(), **settings_by_name(others))
        domain, scene = str(domain), str(scene)
        if domain not in available_domains():
            (domain,) = worlds_named([domain])
        asked = {**locals(), "model": model if isinstance(model, str) else model.name}  # all arguments, by name
        asked |= settings_by_name({name: asked[name] for name in PLAIN if asked[name] is not None})
        consents: dict[str, Any] = {name: Consent(asked[name]) for name in CONSENTS}
        if isinstance(skills, Mapping):
            extensions = Extensions(skills, sensors or {})
        else:
            named = extensions_from([skills] if isinstance(skills, str) else skills or ())
            extensions = replace(named, sensors={**named.sensors, **(sensors or {})})
        extensions = replace(extensions, detector=detector or extensions.detector, noise=noise)
        self._watch: Stopwatch | None = Stopwatch()
        self._turn = threading.Lock()
        self._scene = scene
        remembers = Memory(default_place() if memory is True or memory == "default" else memory) if memory else None
        recording = None if record_model is None else Path(record_model)
        by_name = partial(model_from_name, timeout=limits.model_seconds, record=recording)
        reader = by_name(model) if isinstance(model, str) else model
        with ExitStack() as opened:
            records = opened.enter_context(closing(Records(record, (LogJournal(), *journals))))
            service = opened.enter_context(closing(service_of(planner, limits.planning_memory)))
            service.warm_up()
            environment = self.environment = open_environment(
                domain,
                scene,
                robot,
                asked["seed"],
                self._watch,
                memory=None if remembers is None else remembers.path,
                threshold=asked["affordance_threshold"],
                costs=asked["costs"],
                extensions=extensions,
                labels={} if remembers is None else remembers.labels(),
                checks=True,
                real_time=asked["real_time"],
            )
            opened.callback(self._close_body)
            world = environment.world
            self._lease = Lease(environment.robot, "the tree of a program", self.cancel, self._give_way)
            shares = asked["together"] == AUTO
            planning = session_planning(environment, service, weights or Weights(), remembers, limits, shares)
            names = {"domain": world.domain.name, "scene": world.scene, "robot": environment.body}
            names |= {name: asked[name] for name in ("model", "seed")}
            self._services = Services(
                **{each.name: getattr(environment, each.name) for each in fields(environment)},
                planning=planning,
                records=records,
                limits=limits,
                names=names,
                about=about(world, asked, limits),
                beliefs=Obstacles(environment.watcher),
                model=reader,
                memory=remembers,
                keeps_turns=asked["conversation"],
                consent=consents.pop("substitute"),
                **consents,
            )
            opened.callback(world.rules.close)
            if remembers is not None and asked["conversation"]:
                self._services.conversation.extend(remembers.turns(world.domain.name, world.scene, world.vocabulary))
            self._loop = OwnLoop(replace(self._services, robot=self._lease), self._lease, self._refusal)
            self._opened = opened.pop_all()

    def handle(
        self,
        instruction: Wanted | None = None,
        answer: Answering | None = None,
        *,
        goal: str | None = None,
        prefer: Sequence[str] = (),
    ) -> Episode:
        """Execute an instruction to its end, or pursue a goal.

        Args:
            instruction: The instruction, or what it means, see `start`.
            answer: Answers questions; without it, questions stay without an answer. See `Run.finish`.
            goal: A goal in PDDL instead, such as ``(in apple0 fridge0)``.
            prefer: Wishes, see `start`.

        Raises:
            UsageError: As `start`.
        """
        run = self.start(instruction, goal=goal, prefer=prefer)
        try:
            return run.finish(answer=answer)
        except BaseException:  # the caller has no run that could be cancelled
            run.cancel("it was broken off")
            if run.runner is not None:
                with suppress(Exception):
                    run.tick()
            raise

    def start(self, wanted: Wanted | None = None, *, goal: str | None = None, prefer: Sequence[str] = ()) -> Run:
        """Begin a run and return it at once; another thread makes the decision, and nothing moves before a tick.

        After a stop, "go on" begins again what was stopped; "go on, but …" begins what else is said.

        Args:
            wanted: An instruction; or what it means already, such as a goal, a plan or a query, which is used exactly
                as given (`semantics.logic.reply`). Without it and `goal`, the goal of a scene that is a PDDL problem.
            goal: A goal in PDDL instead, such as ``(in apple0 fridge0)``; it may quantify.
            prefer: Wishes beside the goal, each as a fact with its value, such as ``(clean table0)=2``; they are
                fulfilled as far as it is worth most.

        Raises:
            UsageError: The goal cannot be read, or both are given, or neither; the session is closed, another run of it
                is still active, or somebody else drives the body.
            RecordError: The folder of the record cannot be created.
        """
        asked = self._wanted(wanted, goal, prefer)
        return self._begin(lambda: Run(self._services, asked))

    def converse(self, words: str) -> Run:
        """Take a line of a conversation, and return the run that it is about.

        What runs is told it (`Run.say`), also an open question. Otherwise it begins a run; an order that comes after a
        person's stop ends this stop, and a question does not.

        Raises:
            UsageError: As `start`.
        """
        if self._run is not None and not self._run.is_over:
            self._run.say(words)
            return self._run
        asked, stopped = self._wanted(words, None), "" if self._stopped_run is None else self._stopped_run.instruction
        return self._begin(lambda: Run(self._services, asked, instead_of=stopped))

    def _wanted(self, wanted: Wanted | None, goal: str | None, prefer: Sequence[str] = ()) -> Wanted:
        world = self.environment.world
        asked = read_wanted(wanted, goal, prefer, world.domain, world.objects, self._scene)
        hold, said = self._services.hold, wanted if isinstance(wanted, str) else ""
        if self._run is not None and self._run.was_stopped:
            self._stopped_run = self._run
        stopped = self._stopped_run if hold.stopped else None
        if stopped is not None and interruption_in(said) is Interruption.GO_ON and hold.go_on():
            return without_go_on(said) or stopped.wanted
        return asked

    def program(self, program: str | Path | ProgramText) -> Run:
        """Begin the run of a program, given as text or as a file; another thread checks it.

        Raises:
            ProgramFileError: The file cannot be read.
            UsageError: As `start`.
        """
        self._must_be_free()  # said before anything is read
        source = program if isinstance(program, ProgramText) else read_source(program)
        return self._begin(lambda: Run(self._services, source))

    def resume(self, record: Path | str | Past) -> Run:
        """Resume an interrupted run from its record and from what is sensed now.

        The goal of that run stays, without further questions about its meaning; if it had none, its instruction is
        interpreted again. Its beliefs stay until a sensing contradicts them, unless the body's world has started again.

        Raises:
            RecordError: The record cannot be read.
            NothingToDoError: That run ended with its goal achieved.
            UsageError: The run was in another world; or as `start`.
        """
        self._must_be_free()  # said before anything is read
        past = record if isinstance(record, Past) else read_past(record)
        if past.is_settled:
            raise NothingToDoError(past.instruction, f"the run of '{past.folder}' had ended: {past.outcome}")
        if past.domain != (here := self.environment.world.domain).name:
            raise UsageError(f"'{past.folder}' is of the world {past.domain}, and this is {here.name}")
        past = past.at(here, self.environment.body, anew=self.environment.body in ROBOTS)
        return self._begin(lambda: Run(self._services, past.instruction, past))

    def _must_be_free(self) -> None:
        self._services.must_be_here()
        if self._closed:
            raise UsageError("the session was closed")
        if self._run is not None and not self._run.is_over:
            raise UsageError(f"'{shortened(self._run.instruction)}' is still under way; finish or cancel it first")

    def _begin(self, make: Callable[[], AnyRun]) -> AnyRun:
        """Make a run and begin it, unless another one is active; two threads never begin one each."""
        self._services.must_be_here()  # before the lock, which a thread that a fork does not copy may hold
        with self._turn:
            self._must_be_free()
            run = make()
            if self.environment.pace is not None:
                self.environment.pace.restart()
            run.begin(self._watch or Stopwatch())
            self._watch = None  # only the first run's stopwatch includes the opening of the session
            self._run = run
        if (stopped := self._services.hold.stopped) and run.instead_of is None:  # also if it came meanwhile
            run.cancel(stopped)
        return run

    def subtree(self, instruction: Wanted | None = None, *, goal: str | None = None, namespace: str = "") -> Tree:
        """Return a behaviour for an instruction, a goal or a program, as in `start`; wait for the decision.

        Anything may tick it, at any rate, on one thread. It takes the body when it begins, fails if somebody else
        drives it, and gives it back when it ends. If it is not ticked for a second, the body is stopped, and the
        subtree begins anew with its next tick. Several such behaviours that are ticked by one thread share the body. If
        the goal holds when it is ticked, it succeeds and moves nothing.

        Args:
            instruction: The instruction, such as one that was taught, or a goal or a program, see `start`.
            goal: A goal in PDDL instead.
            namespace: Where the behaviour writes the keys ``goal`` (PDDL; or a program), ``outcome`` (see `Outcome`)
                and ``feedback`` (a `Feedback`, or None) of the blackboard, such as ``fetch`` for ``/fetch/outcome``.

        Raises:
            NothingToDoError: The instruction is refused or needs a question; the message says why.
            UsageError: The goal cannot be read, or there is not exactly one of both.
        """
        self._services.must_be_here()
        wanted = self._wanted(instruction, goal)
        watcher = self.environment.watcher
        watcher.refresh()
        work = partial(decide, self._services.decide_in(watcher.world), wanted, watcher.state)
        try:
            deciding = in_background(work, "run-decision")
            waited(deciding)
        except BaseException:  # an interrupt: no planning may continue without a caller
            self.cancel()
            raise
        decision = deciding.result()
        if isinstance(decision, FinalDecision) and not isinstance(decision, ProgramDecision):
            holding = decision.goal if decision.outcome is Outcome.ALREADY else None
            if not isinstance(holding, CheckedGoal):
                raise NothingToDoError(words_of(wanted), decision.message)
            # Without a step: if the goal does not hold any more when it is ticked, a plan is made then.
            held = next(filter(watcher.state.satisfies, map(watcher.world.vocabulary.decided, holding.conjuncts)))
            decision = PlanDecision(holding, Plan((), held), watcher.state)
        assert self._loop is not None
        return self._loop.subtree(decision, words_of(wanted), namespace)

    def _refusal(self) -> Feedback | None:
        """Return why a tree that the caller ticks may move nothing: a person stopped it. None if it may."""
        self._services.must_be_here()
        closed = "the session was closed" if self._closed else ""
        if reason := closed or self._services.hold.stopped or self._lease.stopped:
            return Feedback(Code.CANCELLED, f"the body {self._lease.name}", reason, recoverable=False)
        return None

    def run(self, root: Tree, *, limit_seconds: float | None = None, title: str = "") -> Ended:
        """Tick the caller's own tree to its end, on this body's clock; `say` stops and holds it like a run.

        Args:
            root: The tree.
            limit_seconds: The time limit, in seconds of the body's clock; by default that of the session.
            title: What the record calls the tree; by default the name of its root.

        Raises:
            BodyTakenError: Somebody else drives the body.
            UsageError: The tree of a loop of the caller's is being recorded.
            RecordError: The folder of the record cannot be created.
        """
        self._services.must_be_here()
        assert self._loop is not None
        self._lease.take()
        self._services.hold.end_wait()
        try:
            self._loop.is_run = True
            with self._loop.recorded(root, title) as recorded:
                self._runner = recorded.runner
                return self._runner.run(limit_seconds or self._services.limits.run_seconds)
        finally:
            self._loop.is_run, self._runner = False, None
            self._lease.give_back()

    def recorded(self, root: Tree, title: str = "") -> RecordedTree:
        """Return a services in which a tree is recorded that the caller ticks; at its end, tree and body are stopped.

        Call `RecordedTree.ticked` after each tick. The events go where those of an instruction go: to the record and
        the report of the session, if it keeps one, and to its journals, such as the terminal.

        Args:
            root: The tree.
            title: What the record calls the tree; by default the name of its root.

        Raises:
            UsageError: At its begin: another tree of this session is recorded.
            RecordError: At its begin: the folder of the record cannot be created.
        """
        self._services.must_be_here()
        assert self._loop is not None
        return self._loop.recorded(root, title)

    def sleep(self, seconds: float) -> None:
        """Let `seconds` of the body's clock pass, and sense: once between two ticks in a loop of the caller's.

        On a simulated clock this takes no longer than the simulation, and one seed gives one run. A loop that waits by
        other means, such as ``time.sleep``, needs no call of this: each tick of a subtree then lets as much time pass
        on a simulated clock as the loop has taken.
        """
        self._services.must_be_here()
        assert self._loop is not None
        self._loop.sleep(seconds)

    def say(self, words: str) -> bool:
        """Pass on a person's words to the active run, see `Run.say`; return whether they were used.

        Any thread may call this. A stop is heard at any time: it ends what runs, and each later run ends at once,
        with nothing moved, until somebody says to go on.
        """
        if self._run is not None and not self._run.is_over:
            return self._run.say(words)
        hold, driver = self._services.hold, driver_of(self.environment.robot)  # also of another session with this body
        match interruption_in(words, moves=driver is not None):
            case Interruption.STOP:
                hold.stop(SAID_STOP)
                self.cancel(SAID_STOP)
                if driver is not None:
                    driver.call_off(SAID_STOP)
            case Interruption.WAIT if driver is not None:
                hold.wait()
            case Interruption.GO_ON:
                return hold.go_on()
            case _:
                return False
        return True

    def cancel(self, reason: str = "the person stopped it") -> None:
        """Cancel what runs and all planning; call this from any thread or a signal handler."""
        self._lease.stopped = reason  # for a subtree that the caller ticks
        if (runner := self._runner) is not None:
            runner.cancel(reason)
        if self._run is not None and not self._run.is_over:
            self._run.cancel(reason)
        self._services.planning.service.cancel()

    def close(self) -> None:
        """Stop the body and end all processes; safe to call twice. In a fork, it leaves them to the parent."""
        if os.getpid() != self._services.process:
            return
        self._closed = True
        if self._run is not None and self._run.is_undecided:
            self._run.call_off("the session was closed")
        self._opened.close()

    def _close_body(self) -> None:
        """Stop and close the body, unless another session drives it."""
        if self._run is not None:
            self._run.let_go()
        if self._loop is not None:  # by trees that the caller will not tick any more
            self._loop.let_go()
        if driver_of(self.environment.robot) in (None, self._lease):
            self.environment.robot.close()
        while self._lease.is_held:  # by `run`, which another thread has not left yet
            self._lease.give_back()

    def _give_way(self) -> None:
        """Give the body back to another driver, if trees of the caller hold it and are not ticked any more."""
        if self._loop is not None:
            self._loop.give_way()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
