"""`ClassInquiry`: ask a model about many classes in parallel, and read the answers so far at any time.

A few daemon threads do the tasks. On Ctrl-C `run` ends at once; the answers received by then are in `asked` and in the
cache, and a later inquiry asks only for the rest.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from affordances.elicitation.cache import AnswerCache
from affordances.elicitation.conversation import Counts, ModelAsker, StoppedError
from affordances.elicitation.strategies import STRATEGIES, AskedAffordance, AskingTask, Findings
from affordances.mapping import Evidence
from affordances.ontology import AFFORDANCES, QUESTIONS
from semantics.body.exchange import ModelUse
from semantics.body.protocols import LanguageModel
from semantics.errors import OutsideError, UsageError, known_name
from semantics.logic.feedback import Feedback

MOST_AT_ONCE = 64
_Done = queue.SimpleQueue[tuple[AskingTask, Findings | BaseException]]


@dataclass(frozen=True, slots=True)
class ClassReply:
    """The answers of a model about one class."""

    class_name: str  # the class
    # whether the class has each affordance; None where the model gave no readable answer
    answers: Mapping[str, bool | None]
    feedback: tuple[Feedback, ...]  # what went wrong
    complete: bool  # whether all affordances have been asked about; False after an interruption
    times: Mapping[str, datetime] = field(default_factory=dict)  # the time of each answer, in UTC

    @property
    def affordances(self) -> frozenset[str]:
        """The affordances for which the model answered yes."""
        return frozenset(name for name, answer in self.answers.items() if answer)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The affordances without a readable answer, in order."""
        return tuple(name for name, answer in self.answers.items() if answer is None)


class ClassInquiry:
    """Asks a model about classes. Call `run` once; read `asked` at any time, on any thread.

    After a fork, its threads work in the parent only; the child makes an inquiry of its own.
    """

    def __init__(
        self,
        classes: Sequence[str],
        model: LanguageModel,
        *,
        ontology: Mapping[str, AskedAffordance] | None = None,
        strategy: str = "logic",
        cache: AnswerCache | None = None,
        at_once: int = 8,
        tries: int = 3,
        use: ModelUse | None = None,
    ) -> None:
        """Make the list of tasks; no request is sent yet.

        Args:
            classes: Names of classes; duplicates are ignored.
            model: The model to ask.
            ontology: What each affordance means, by name; by default the whole ontology.
            strategy: One of `STRATEGIES`.
            cache: Earlier answers; by default an empty cache in memory.
            at_once: The largest number of simultaneous requests.
            tries: How often to ask a question before it counts as unknown.
            use: Counts the requests, within a budget.

        Raises:
            UnknownNameError: There is no such strategy.
            UsageError: A class name is empty, or a number is below 1.
            FormulaError: A logical combination in the ontology cannot be read.
        """
        self.classes = tuple(dict.fromkeys(classes))
        _check(self.classes, strategy, at_once, tries)
        self.strategy = strategy
        self.model = model.name
        self._ontology = whole_ontology() if ontology is None else ontology
        self._pieces = [piece for name in self.classes for piece in STRATEGIES[strategy](name, self._ontology)]
        self._found: dict[str, list[Findings]] = {name: [] for name in self.classes}
        cache = AnswerCache(None) if cache is None else cache
        self._conversation = ModelAsker(model, cache, tries=tries, use=use)
        self._at_once = at_once

    @property
    def counts(self) -> Counts:
        """The cost so far: requests sent, questions answered from the cache, tokens."""
        return self._conversation.counts

    @property
    def outage(self) -> OutsideError | None:
        """Why the model counts as unreachable; None while it does not."""
        return self._conversation.outage

    @property
    def size(self) -> int:
        """The number of tasks."""
        return len(self._pieces)

    @property
    def asked(self) -> tuple[ClassReply, ...]:
        """The answers about each class so far, in the order of the classes."""
        return tuple(self._asked(name) for name in self.classes)

    def run(self, on_piece: Callable[[AskingTask], None] | None = None) -> tuple[ClassReply, ...]:
        """Ask all questions; return the answers about each class.

        An interruption (`KeyboardInterrupt`) passes through at once; `asked` then holds the answers received so far.

        Args:
            on_piece: Called after each task, on the thread of the caller.

        Raises:
            AnswerCacheError: An answer cannot be stored.
        """
        tasks: queue.SimpleQueue[AskingTask] = queue.SimpleQueue()
        for piece in self._pieces:
            tasks.put(piece)
        done: _Done = queue.SimpleQueue()
        try:
            for _ in range(min(self._at_once, len(self._pieces))):
                threading.Thread(target=self._work, args=(tasks, done), daemon=True).start()
            for _ in self._pieces:
                piece, result = done.get()
                self._take(piece, result)
                if on_piece is not None:
                    on_piece(piece)
        finally:
            self._conversation.stopped.set()
            self._take_finished(done)
            self._conversation.settle()
        return self.asked

    def _take_finished(self, done: _Done) -> None:
        """Take the results that arrived before an interruption and were not taken yet."""
        while not done.empty():
            piece, result = done.get()
            if isinstance(result, Findings):
                self._found[piece.class_name].append(result)

    def _work(self, tasks: queue.SimpleQueue[AskingTask], done: _Done) -> None:
        """Do tasks until none is left; pass results and exceptions to the thread that called `run`."""
        while True:
            try:
                piece = tasks.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((piece, piece.work(self._conversation)))
            except BaseException as error:  # raised again by `run`
                done.put((piece, error))

    def _take(self, piece: AskingTask, result: Findings | BaseException) -> None:
        if isinstance(result, Findings):
            self._found[piece.class_name].append(result)
        elif not isinstance(result, StoppedError):
            raise result

    def _asked(self, name: str) -> ClassReply:
        results = self._found[name]
        answers = {key: answer for findings in results for key, answer in findings.answers.items()}
        ordered = {key: answers[key] for key in self._ontology if key in answers}
        feedback = tuple(dict.fromkeys(record for findings in results for record in findings.feedback))
        times = {key: findings.at for findings in results for key in findings.answers if findings.at}
        return ClassReply(name, ordered, feedback, complete=len(ordered) == len(self._ontology), times=times)


def _check(classes: Sequence[str], strategy: str, at_once: int, tries: int) -> None:
    known_name("strategy", strategy, STRATEGIES)
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise UsageError(f"{at_once} requests at once: from 1 to {MOST_AT_ONCE} can be")
    if tries < 1:
        raise UsageError(f"{tries} tries: a question is put once at least")
    if not all(name.strip() for name in classes):
        raise UsageError("a class without a name cannot be asked about")


def whole_ontology() -> Mapping[str, AskedAffordance]:
    """Return all affordances of the ontology, each with its sentence and question."""
    return {name: AskedAffordance(sentence, QUESTIONS[name]) for name, sentence in AFFORDANCES.items()}


def evidence_of_answers(asked: ClassReply, *, model: str, strategy: str) -> tuple[Evidence, ...]:
    """Return one piece of evidence for each affordance with an answer, dated with the time of the answer.

    Affordances without an answer are no evidence. A mapping keeps one piece for each pair, model and strategy, so that
    asking again replaces the earlier piece and never adds to it.
    """
    return tuple(
        Evidence.asked(asked.class_name, name, yes, model=model, strategy=strategy, at=asked.times.get(name))
        for name, yes in asked.answers.items()
        if yes is not None
    )
