"""``graftwork affordances ask``: ask for affordances, show the answers, and add them to a mapping file."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affordances.elicitation import AnswerCache, ClassInquiry, ClassReply
from affordances.elicitation.estimate import Guess, Guesser, evidence_of_guess
from affordances.elicitation.inquiry import evidence_of_answers
from affordances.elicitation.strategies import class_symbol
from affordances.mapping import Evidence, EvidenceStore, ObjectAffordances, household, read_mapping, written
from affordances.ontology import AFFORDANCES
from graftwork.cli.options import echo, print_json, progress
from graftwork.language import model_from_name
from graftwork.setup.settings import Settings, command_settings, use_of_models
from semantics.errors import UsageError
from semantics.process.writing import replace_whole
from semantics.words.embedding import SentenceEmbedder

DEFAULT_STRATEGY = "logic"
STOPPED, FAILED, OUTSIDE = 4, 1, 5
YAML = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """The options of the command line; None where an option is not given."""

    model: str | None
    strategy: str | None
    cache: Path | None
    at_once: int
    tries: int

    def settings(self) -> Settings:
        """Return the settings with the chosen model."""
        return command_settings({"model": self.model})


@dataclass(slots=True)
class AskingOutcome:
    """The result of asking."""

    classes: list[dict[str, Any]] = field(default_factory=list)  # one document for each class, for JSON
    lines: list[str] = field(default_factory=list)  # the same for a person
    evidence: list[Evidence] = field(default_factory=list)  # evidence to add to the mapping
    cost: dict[str, Any] = field(default_factory=dict)  # cost of asking, for JSON; empty when no model was asked
    exit_code: int = 0  # exit code of the command
    problem: str = ""  # why it ended early, or empty


def ask_command(classes: Sequence[str], way: AskingOptions, save: Path | None, *, as_json: bool) -> int:
    """Ask, print the answers, and save them; return the exit code.

    Raises:
        UsageError: A name is wrong, or a file cannot be used.
        AnswerCacheError: The cache cannot be used.
    """
    classes = tuple(dict.fromkeys(map(class_symbol, classes)))
    keep = keeper(save)  # an unusable file is reported before any question is asked
    model = way.settings().model
    outcome = _guessed(classes, way) if model == "offline" else _asked(classes, way)
    keep(outcome.evidence)
    saved = str(save) if save is not None and outcome.evidence else None
    if as_json:
        print_json({"model": model, "classes": outcome.classes, **outcome.cost, "saved": saved})
    else:
        for line in (*outcome.lines, *([f"saved in {saved}"] if saved else [])):
            echo(line)
    if outcome.problem:
        echo(f"graftwork: {outcome.problem}", err=True)
    return outcome.exit_code


def inquiry_for(classes: Sequence[str], way: AskingOptions) -> ClassInquiry:
    """Prepare the questions to a model.

    Raises:
        UsageError: A name or a number is wrong.
        AnswerCacheError: The cache cannot be used.
    """
    from platformdirs import user_cache_path

    settings = way.settings()
    model = model_from_name(settings.model, timeout=settings.model_seconds)
    assert model is not None  # the offline guesser is handled by the caller
    strategy = way.strategy or DEFAULT_STRATEGY
    cache = AnswerCache(way.cache or user_cache_path("graftwork") / "affordances")
    use = use_of_models(settings)
    return ClassInquiry(classes, model, strategy=strategy, cache=cache, at_once=way.at_once, tries=way.tries, use=use)


def guesser(way: AskingOptions) -> Guesser:
    """Return the guesser that uses the mapping shipped with this program.

    Raises:
        UsageError: A strategy is given, but guessing has none.
    """
    if way.strategy is not None:
        raise UsageError("a strategy is for asking a model; name one with --model openai:NAME")
    return Guesser(household(), tuple(AFFORDANCES), embed=SentenceEmbedder())


def _asked(classes: Sequence[str], way: AskingOptions) -> AskingOutcome:
    inquiry = inquiry_for(classes, way)
    outcome = AskingOutcome()
    try:
        with progress(f"asking {inquiry.model}", inquiry.size, sys.stderr) as advance:
            inquiry.run(advance)
    except KeyboardInterrupt:
        outcome.exit_code, outcome.problem = STOPPED, "interrupted; what was answered is kept, ask again for the rest"
    counts = inquiry.counts
    for asked in inquiry.asked:
        outcome.classes.append(_document(asked))
        outcome.lines += _lines(asked)
        outcome.evidence += evidence_of_answers(asked, model=inquiry.model, strategy=inquiry.strategy)
    if inquiry.outage is not None and not outcome.exit_code:
        outcome.exit_code, outcome.problem = OUTSIDE, str(inquiry.outage)
    if any(asked.unknown or not asked.complete for asked in inquiry.asked):
        outcome.exit_code = outcome.exit_code or FAILED
    outcome.cost = {
        "strategy": inquiry.strategy,
        "asked": counts.asked,
        "cached": counts.cached,
        "tokens": counts.tokens,
        "money": round(counts.money, 6),
        "complete": all(asked.complete for asked in inquiry.asked),
    }
    outcome.lines.append(f"requests {counts.asked} asked, {counts.cached} from the cache; {counts.tokens} tokens")
    return outcome


def _document(asked: ClassReply) -> dict[str, Any]:
    return {
        "class": asked.class_name,
        "affordances": sorted(asked.affordances),
        "unknown": list(asked.unknown),
        "complete": asked.complete,
        "feedback": [record.as_dict() for record in asked.feedback],
    }


def _lines(asked: ClassReply) -> list[str]:
    missing = len(AFFORDANCES) - len(asked.answers)
    lines = [asked.class_name, f"  yes      {', '.join(sorted(asked.affordances)) or 'nothing'}"]
    lines += [f"  unknown  {', '.join(asked.unknown)}"] if asked.unknown else []
    lines += [f"  missing  {missing} of {len(AFFORDANCES)}"] if missing else []
    return lines + [f"  note     {' '.join(str(record).split())}" for record in asked.feedback]


def _guessed(classes: Sequence[str], way: AskingOptions) -> AskingOutcome:
    by_nearest = guesser(way)
    guesses = [by_nearest.guess(name) for name in classes]
    lines = [line for guess in guesses for line in _guess_lines(guess)]
    evidence = [piece for guess in guesses for piece in evidence_of_guess(guess)]
    return AskingOutcome([_guess_document(guess) for guess in guesses], lines, evidence)


def _guess_document(guess: Guess) -> dict[str, Any]:
    return {
        "class": guess.class_name,
        "affordances": sorted(guess.affordances),
        "how": str(guess.how),
        "guess": guess.known_as is None,
        "known_as": guess.known_as,
        "confidence": {name: round(value, 4) for name, value in guess.confidence.items()},
        "neighbours": [
            {
                "class": near.class_name,
                "share": round(near.share, 4),
                "likeness": None if near.likeness is None else round(near.likeness, 4),
                "sign": near.sign.name.lower(),
            }
            for near in guess.neighbours
        ],
        "note": guess.note,
    }


def _guess_lines(guess: Guess) -> list[str]:
    if guess.known_as is not None:
        head = (
            f"{guess.class_name}  known as {guess.known_as}" if guess.known_as != guess.class_name else guess.class_name
        )
    elif guess.neighbours:
        near = ", ".join(f"{neighbour.class_name} {neighbour.share:.2f}" for neighbour in guess.neighbours)
        head = f"{guess.class_name}  a guess by {guess.how}, from {near}"
    else:
        head = f"{guess.class_name}  unknown, and nothing known is near: only how common each affordance is"
    likely = sorted(guess.affordances, key=lambda name: (-guess.confidence[name], name))
    lines = [head, *(f"  {guess.confidence[name]:.2f}  {name:18} {AFFORDANCES[name]}" for name in likely)]
    return [*lines, *([f"  note  {guess.note}"] if guess.note else [])]


def keeper(file: Path | None) -> Callable[[Sequence[Evidence]], None]:
    """Return a function that saves evidence in a file; the file is checked now, so that errors appear early.

    Raises:
        UsageError: The file cannot be used.
    """
    if file is None:
        return lambda _: None
    if file.parent.is_dir() and not os.access(file.parent, os.W_OK):
        raise UsageError(f"{file}: nothing can be written in the folder {file.parent.absolute()}")
    if file.suffix.lower() not in YAML:
        store = EvidenceStore(file)
        store.load()
        return store.add
    if not file.parent.is_dir():
        raise UsageError(f"{file}: there is no folder {file.parent}")
    _mapping(file)
    return lambda evidence: _add(file, evidence)


def _mapping(file: Path) -> ObjectAffordances:
    return read_mapping(file) if file.exists() else ObjectAffordances()


def _add(file: Path, evidence: Sequence[Evidence]) -> None:
    """Add evidence to the file's current content, which may have grown since the questions were asked."""
    if not evidence:
        return
    with _alone(file.parent):
        replace_whole(file, written(_mapping(file).with_evidence(*evidence)))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder against other writers; the file itself cannot be the lock, because it is replaced."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
