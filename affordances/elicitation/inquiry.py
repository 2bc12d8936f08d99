"""`ClassInquiry`: many classes asked about in parallel, and what is known of each so far.

The pieces of work go to a few threads that nobody waits for: on Ctrl-C `run` leaves at once, what was answered by then
stands in `asked` and in the cache, and a later inquiry asks only what is missing.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from affordances.elicitation.cache import AnswerCache
from affordances.elicitation.conversation import Conversation, Counts, StoppedError
from affordances.elicitation.strategies import STRATEGIES, AskedAffordance, AskingTask, Findings
from affordances.mapping import Evidence
from affordances.ontology import AFFORDANCES, QUESTIONS
from semantics.errors import OutsideError, UnknownNameError, UsageError
from semantics.feedback import Feedback
from semantics.protocols import LanguageModel

__all__ = ["ClassInquiry", "ClassReply", "evidence_of_answers", "whole_ontology"]

MOST_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class ClassReply:
    """What a model said about one class.

    Attributes:
        class_name: The class.
        answers: Whether it has each affordance that was answered; None where the model gave no readable answer.
        feedback: What went wrong on the way.
        complete: Whether every affordance was come to; not so after an interruption.
        times: When each answer was given, in UTC.
    """

    class_name: str
    answers: Mapping[str, bool | None]
    feedback: tuple[Feedback, ...]
    complete: bool
    times: Mapping[str, datetime] = field(default_factory=dict)

    @property
    def affordances(self) -> frozenset[str]:
        """The affordances that the model said yes to."""
        return frozenset(name for name, answer in self.answers.items() if answer)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The affordances without a readable answer, in order."""
        return tuple(name for name, answer in self.answers.items() if answer is None)


class ClassInquiry:
    """Asks a model about classes; `run` once, read `asked` at any time."""

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
    ) -> None:
        """Lay out the work; nothing is sent yet.

        Args:
            classes: Names of classes; each is asked about once.
            model: Whom to ask.
            ontology: What each affordance means, by name; by default the whole ontology.
            strategy: One of `STRATEGIES`.
            cache: Answers from before; by default none.
            at_once: How many requests may be under way at a time.
            tries: How often a question is put before it counts as unknown.

        Raises:
            UnknownNameError: No such strategy.
            UsageError: An empty class name, or a number below 1.
            FormulaError: A logical combination in the ontology that cannot be read.
        """
        self.classes = tuple(dict.fromkeys(classes))
        _check(self.classes, strategy, at_once, tries)
        self.strategy = strategy
        self.model = model.name
        self._ontology = whole_ontology() if ontology is None else ontology
        self._pieces = [piece for name in self.classes for piece in STRATEGIES[strategy](name, self._ontology)]
        self._found: dict[str, list[Findings]] = {name: [] for name in self.classes}
        self._conversation = Conversation(model, AnswerCache(None) if cache is None else cache, tries=tries)
        self._at_once = at_once

    @property
    def counts(self) -> Counts:
        """Requests asked and questions answered from the cache, so far."""
        return self._conversation.counts

    @property
    def outage(self) -> OutsideError | None:
        """Why the model counts as gone; None while it does not."""
        return self._conversation.outage

    @property
    def size(self) -> int:
        """Pieces of work in all."""
        return len(self._pieces)

    @property
    def asked(self) -> tuple[ClassReply, ...]:
        """What is known of each class so far, in the order asked."""
        return tuple(self._asked(name) for name in self.classes)

    def run(self, on_piece: Callable[[AskingTask], None] | None = None) -> tuple[ClassReply, ...]:
        """Ask everything; return what is known of each class.

        An interruption (`KeyboardInterrupt`) passes through at once, and `asked` holds what was answered by then.

        Args:
            on_piece: Called after each piece of work, on the thread of the caller.

        Raises:
            AnswerCacheError: An answer cannot be kept.
        """
        waiting: queue.SimpleQueue[AskingTask] = queue.SimpleQueue()
        for piece in self._pieces:
            waiting.put(piece)
        done: queue.SimpleQueue[tuple[AskingTask, Findings | BaseException]] = queue.SimpleQueue()
        try:
            for _ in range(min(self._at_once, len(self._pieces))):
                threading.Thread(target=self._work, args=(waiting, done), daemon=True).start()
            for _ in self._pieces:
                self._take(*done.get())
                if on_piece is not None:
                    on_piece(self._last)
        finally:
            self._conversation.stopped.set()
            self._take_finished(done)
            self._conversation.settle()
        return self.asked

    def _take_finished(self, done: queue.SimpleQueue[tuple[AskingTask, Findings | BaseException]]) -> None:
        """After an interruption, take what was answered and not yet read."""
        while not done.empty():
            piece, found = done.get()
            if isinstance(found, Findings):
                self._found[piece.class_name].append(found)

    def _work(
        self,
        waiting: queue.SimpleQueue[AskingTask],
        done: queue.SimpleQueue[tuple[AskingTask, Findings | BaseException]],
    ) -> None:
        """Do pieces of work until none is left; whatever one raises is told to the caller's thread."""
        while True:
            try:
                piece = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((piece, piece.work(self._conversation)))
            except BaseException as error:  # raised again by `run`
                done.put((piece, error))

    def _take(self, piece: AskingTask, found: Findings | BaseException) -> None:
        self._last = piece
        if isinstance(found, Findings):
            self._found[piece.class_name].append(found)
        elif not isinstance(found, StoppedError):
            raise found

    def _asked(self, name: str) -> ClassReply:
        found = self._found[name]
        answers = {key: answer for findings in found for key, answer in findings.answers.items()}
        ordered = {key: answers[key] for key in self._ontology if key in answers}
        feedback = tuple(dict.fromkeys(each for findings in found for each in findings.feedback))
        times = {key: findings.at for findings in found for key in findings.answers if findings.at}
        return ClassReply(name, ordered, feedback, complete=len(ordered) == len(self._ontology), times=times)


def _check(classes: Sequence[str], strategy: str, at_once: int, tries: int) -> None:
    if strategy not in STRATEGIES:
        raise UnknownNameError("strategy", strategy, STRATEGIES)
    if not 1 <= at_once <= MOST_AT_ONCE:
        raise UsageError(f"{at_once} requests at once: from 1 to {MOST_AT_ONCE} can be")
    if tries < 1:
        raise UsageError(f"{tries} tries: a question is put once at least")
    if not all(name.strip() for name in classes):
        raise UsageError("a class without a name cannot be asked about")


def whole_ontology() -> Mapping[str, AskedAffordance]:
    """Return every affordance as it is asked about."""
    return {name: AskedAffordance(sentence, QUESTIONS[name]) for name, sentence in AFFORDANCES.items()}


def evidence_of_answers(asked: ClassReply, *, model: str, strategy: str) -> tuple[Evidence, ...]:
    """Return one piece for each affordance that the model answered, dated when it did."""
    return tuple(
        Evidence.asked(asked.class_name, name, yes, model=model, strategy=strategy, at=asked.times.get(name))
        for name, yes in asked.answers.items()
        if yes is not None
    )
