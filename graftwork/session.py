"""`Session`: a robot in a world, ready for instructions.

`handle` is the whole pipeline for one sentence; `start` gives a `Run` to be ticked from outside; `subtree` gives a
behaviour for a tree of one's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Self

from affordances.mapping import EvidenceStore
from affordances.mapping.object_affordances import THRESHOLD
from bt import Ended, Journal, Runner, Tree
from domains.model import Domain
from graftwork.acting.plans import Plans
from graftwork.acting.sharing import Sharing, together_named
from graftwork.deciding.decider import Settled
from graftwork.deciding.substituting import Consent
from graftwork.episode import Episode
from graftwork.errors import NothingToDoError
from graftwork.language import model_from_name
from graftwork.memory import Memory, default_place
from graftwork.memory.evidence import Experience, learned_from, store_beside
from graftwork.pricing.pricing import Pricing
from graftwork.pricing.weights import Weights
from graftwork.programs import ProgramRun, Source, read_source
from graftwork.resuming import Past, about, read_past
from graftwork.running.means import Means, make_decider
from graftwork.running.run import Run
from graftwork.running.saying import Answering
from graftwork.settings.limits import Limits, consents_named
from graftwork.staging.opening import open_stage, priced
from graftwork.staging.registry import AUTO, ROBOTS, service_of
from graftwork.stopwatch import Stopwatch
from graftwork.telling.chronicle import Chronicle
from graftwork.telling.logbook import LogJournal
from planning.service import PlanningService
from semantics.errors import UnknownNameError, UsageError
from semantics.feedback import Feedback
from semantics.protocols import LanguageModel, Planner, Robot, Skill
from semantics.wording import shortened

__all__ = ["Session"]


class Session:
    """A robot in a world.

    Args:
        domain: Name or path of the world.
        scene: Name or path of the scene; ``auto`` is the one called ``full``, or else the first by name.
        robot: Name of a body, or one of your own; ``auto`` is PyBullet where the scene places its things, and the body
            that lives in the model where it does not.
        model: ``offline``, ``openai:NAME``, ``replay:FILE``, ``scripted:FILE``, or a model of your own.
        planner: Name of a planner, or ``up:ENGINE`` for one of unified-planning's: it plans in processes of its own; or
            a planner of your own, which plans in this one; or a planning service. It is closed with the session.
        memory: The memory's file, ``None`` for none; by default in the user's data folder.
        seed: Moves the scene a little; 0 leaves it as written.
        record: A new folder for the record and the report of the first instruction.
        skills: By capability name, what gives the motion instead of the domain's primitive.
        journals: Who else is told of every event of the record.
        limits: How long things may take.
        affordance_threshold: From which probability on a class counts as having an affordance, where evidence from
            earlier runs is kept beside the memory; without any, the author's word counts.
        costs: What each action of a class of agents costs, other than the world says.
        substitute: Whether something else may be used instead of what is missing: ``ask``, ``allow`` or ``never``.
        part: Whether only a part of a goal may be gone for when not all can be had: ``ask``, ``allow`` or ``never``.
        together: Whether steps that do not depend on each other are done at once: ``auto`` is where the body can do
            several motions at a time, ``never`` is one step after the other.
        weights: What a metre, a second and the risk of failing cost; by default actions cost what the world says.

    Raises:
        UsageError: A name, a file or a setting is wrong.
        OutsideError: The body, the planner or Prolog is not there.
    """

    _closed = False
    _run: Run | None = None

    def __init__(
        self,
        domain: str = "kitchen",
        scene: str = "auto",
        *,
        robot: str | Robot = AUTO,
        model: str | LanguageModel = "offline",
        planner: str | Planner | PlanningService = "fast-downward",
        memory: Path | str | None = "default",
        seed: int = 0,
        record: Path | str | None = None,
        skills: Mapping[str, Skill] | None = None,
        journals: Sequence[Journal] = (),
        limits: Limits | None = None,
        affordance_threshold: float = THRESHOLD,
        costs: Mapping[str, int] | None = None,
        substitute: str = Consent.ASK,
        part: str = Consent.ASK,
        together: str = AUTO,
        weights: Weights | None = None,
    ) -> None:
        asked = {**locals(), "model": _named(model)}  # all that was given, by its name
        limits, consents = limits or Limits(), consents_named(substitute, part)
        watch, (remembers, kept) = Stopwatch(), _kept(memory)
        reader = model_from_name(model, timeout=limits.model_seconds) if isinstance(model, str) else model
        with ExitStack() as opened:
            chronicle = opened.enter_context(closing(Chronicle(record, (LogJournal(), *journals))))
            service = opened.enter_context(closing(service_of(planner)))
            service.warm_up()
            self.stage = open_stage(domain, scene, robot, seed, watch, learned_from(kept, affordance_threshold), costs)
            opened.callback(self.stage.robot.close)
            _must_be_capabilities(skills or {}, self.stage.domain)
            chronicle.pricing = priced(weights or Weights(), self.stage, remembers, kept)
            self._opened = opened.pop_all()
        names = self.stage.names | {"robot": self.stage.body, "model": _named(model), "seed": seed}
        chronicle.about = about(self.stage, asked, limits)
        plans = self._plans(service, chronicle.pricing, limits, together_named(together))
        decider = make_decider(self.stage, plans, reader, remembers, watch, limits, consents)
        experience = None if kept is None else Experience(kept, self.stage.domain, decider.things, self.stage.body)
        self._means = Means(self.stage, decider, chronicle, watch, limits, skills or {}, names, remembers, experience)

    def _plans(self, service: PlanningService, pricing: Pricing, limits: Limits, together: bool) -> Plans:
        robot, domain, things = self.stage.robot, self.stage.domain, self.stage.scene_file.things
        patience = limits.patience_on(robot.clock)
        sharing = Sharing.on(robot, domain, things) if together else None
        return Plans(service, domain, things, pricing, limits.planning_seconds, patience, together, sharing)

    def handle(self, instruction: str, answer: Answering | None = None) -> Episode:
        """Do what a sentence asks for, to the end.

        Args:
            instruction: What is wanted.
            answer: Answers questions; without it there is nobody to ask. See `Run.finish`.
        """
        return self.start(instruction).finish(answer=answer)

    def start(self, instruction: str) -> Run:
        """Decide on a sentence; nothing moves before the run is ticked.

        Raises:
            UsageError: The session was closed, or another run of it is still under way.
        """
        self._must_be_free()
        return self._begin(instruction)

    def program(self, program: str | Path | Source) -> ProgramRun:
        """Check a program, given as its text or by its file; nothing moves before the run is ticked.

        Raises:
            ProgramFileError: The file cannot be read.
            UsageError: As `start`.
        """
        self._must_be_free()
        source = program if isinstance(program, Source) else read_source(program)
        run = self._run = ProgramRun(self._means, source)
        return run

    def resume(self, record: Path | str | Past) -> Run:
        """Go on where a run was broken off, from what its record tells and what is sensed now.

        Its goal stands, and nobody is asked again what was meant; where it had none, its instruction is read again.
        What it had sensed is believed until a sensing says otherwise, unless this body's world has begun anew with it.

        Raises:
            RecordError: The record cannot be read.
            NothingToDoError: That run had ended with its goal achieved.
            UsageError: It was in another world; or as `start`.
        """
        self._must_be_free()
        past = record if isinstance(record, Past) else read_past(record)
        if past.is_settled:
            raise NothingToDoError(past.instruction, f"the run of '{past.folder}' had ended: {past.outcome}")
        if past.domain != self.stage.domain.name:
            raise UsageError(f"'{past.folder}' is of the world {past.domain}, and this is {self.stage.domain.name}")
        past = past.at(self.stage, anew=self.stage.body in ROBOTS)
        if past.sensed or past.stated:  # else its world begins anew, or it had not looked around
            self.stage.watcher.recall(past.beliefs(self.stage.robot.clock.now()))
        return self._begin(past.instruction, past)

    def _begin(self, instruction: str, past: Past | None = None) -> Run:
        self._run = Run(self._means, instruction, past)
        return self._run

    def _must_be_free(self) -> None:
        if self._closed:
            raise UsageError("the session was closed")
        if self._run is not None and self._run.episode is None:
            raise UsageError(f"'{shortened(self._run.instruction)}' is still under way; finish or cancel it first")

    def subtree(self, instruction: str) -> Tree:
        """Return a behaviour that does what a sentence asks for, for a tree of one's own.

        Raises:
            NothingToDoError: It is refused, has to be asked about, or is so already; the message says why.
        """
        decided = self._means.decide(instruction)
        if isinstance(decided, Settled):
            raise NothingToDoError(instruction, decided.message)
        tree = self._means.tree(decided)
        if isinstance(tree, Feedback):
            raise NothingToDoError(instruction, str(tree))
        return tree

    def run(self, root: Tree, *, limit_seconds: float | None = None) -> Ended:
        """Tick a tree of one's own to its end, on this body's clock."""
        runner = Runner(root, self.stage.robot, self._means.beliefs)
        return runner.run(limit_seconds or self._means.limits.run_seconds)

    def cancel(self, reason: str = "the person stopped it") -> None:
        """End what is under way, planning included; may be called from any thread or a signal handler."""
        self._means.plans.service.cancel()
        if self._run is not None and self._run.episode is None:
            self._run.cancel(reason)

    def close(self) -> None:
        """Stop the body and end every process; safe to call twice."""
        self._closed = True
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _kept(memory: Path | str | None) -> tuple[Memory | None, EvidenceStore | None]:
    """Return what is remembered of sentences, and of what things are good for."""
    if memory is None:
        return None, None
    opened = Memory(default_place() if memory == "default" else memory)
    return opened, store_beside(opened.path)


def _must_be_capabilities(skills: Mapping[str, Skill], domain: Domain) -> None:
    for name in skills:
        if name not in domain.capabilities:
            raise UnknownNameError("capability", name, domain.capabilities)


def _named(part: str | LanguageModel) -> str:
    return part if isinstance(part, str) else part.name
