"""What becomes of the replies of a small language model: ``graftwork bench words --set small``.

A small model seldom says what was meant. So its replies show whether what it says is read, and whether anything wrong
is done without a question. There are 300 of them to the household sentences of half a, drawn at temperature 0.8 under a
schema of one kind of reply with the names of the scene (`benchmarks.words.small_requests`). Each is given to a session
as the only answer of its model, and what comes of it is judged by what was meant. They are recorded; ``--base-url``
asks a server for those that are not (docs/local-model.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.words.crew import Job, results_of
from benchmarks.words.judge import Judged, Verdict, judge
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.small_requests import COUNTS, SmallRequest, misfits, requests
from benchmarks.words.trial import Manner, perform
from graftwork.errors import UnrecordedRequestError
from graftwork.language.openai_model import OpenAIModel
from graftwork.language.replayed import ReplayedModel
from graftwork.language.replies import read_reply
from semantics.body.exchange import Unusable
from semantics.errors import UsageError
from semantics.proportion import wilson_interval

__all__ = ["Outcome", "table_of", "try_replies"]

REPLIES = Path(__file__).with_name("replies") / "small-a.jsonl"
DRAWN: Mapping[str, Any] = {"temperature": 0.8, "max_tokens": 300}
SECONDS = 300.0
"""Time limit of one answer."""
DONE = (Kind.GOAL, Kind.PROGRAM)
ASKED = (Kind.OFFER, Kind.QUESTION)
HEADS = (
    "kind",
    "replies",
    "read, in the schema",
    "done unasked",
    "of these right",
    "wrong",
    "told as done already",
    "asked first",
    "refused or answered",
    "broken off",
)


class _DrawingModel(OpenAIModel):
    """A model whose answers are drawn; the same seed draws the same answer."""

    seed = 0

    def _sent(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        return {**super()._sent(schema), **DRAWN, "seed": self.seed}


@dataclass(frozen=True)
class Outcome:
    """A request to the small model, and what came of its reply.

    Attributes:
        request: The request.
        text: The reply; empty if there is no whole one.
        wrong: Why the reply cannot be read, or does not obey its schema; empty if neither.
        row: What a session did with it.
        judged: What that is worth.
    """

    request: SmallRequest
    text: str
    wrong: str
    row: Row
    judged: Judged

    @property
    def is_done(self) -> bool:
        """Whether something would be moved without a question."""
        return self.row.kind in DONE

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        told = {"id": self.request.id, "text": self.text, "wrong": self.wrong, "kind": self.row.kind}
        return {**told, **asdict(self.judged)}


def try_replies(given: argparse.Namespace) -> int:
    """Try the replies, print the table, and return the exit code.

    Args:
        given: The options of the suite: ``base_url`` of a server that is asked for the replies that are not recorded,
            ``only``, ``into``, ``jobs``, ``json`` and ``misses``.

    Raises:
        UsageError: Half b is asked for.
    """
    if given.half != "a":
        raise UsageError("the replies of the small model are to half a")
    chosen = [each for each in requests() if not given.only or each.entry.id.startswith(tuple(given.only))]
    replies = dict(_replies(chosen, given.base_url))
    outcomes = list(_tried(replies, given.into, given.jobs))
    sys.stdout.write("\n".join([table_of(outcomes), *(_misses(outcomes) if given.misses else ())]) + "\n")
    if given.json is not None:
        document = [each.as_dict() for each in outcomes]
        given.json.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


def _replies(asked: Iterable[SmallRequest], base_url: str | None) -> Iterator[tuple[SmallRequest, str]]:
    """Yield each request with its reply, recorded or asked for; what was cut off, or is not recorded, is empty."""
    model = _DrawingModel("small", base_url=base_url, api_key="any", timeout=SECONDS) if base_url else None
    recorded = ReplayedModel(REPLIES, record=model)
    for number, request in enumerate(asked, 1):
        if model is not None:
            model.seed = request.seed
            sys.stderr.write(f"asked {number}  {request.id}\n")
        try:
            reply = recorded.complete(request.messages, schema=request.schema)
        except UnrecordedRequestError:
            yield request, ""
        else:
            yield request, "" if reply.is_cut else reply.text


def _tried(replies: Mapping[SmallRequest, str], into: Path | None, count: int) -> Iterator[Outcome]:
    """Yield what came of each reply: those that can be read are given to a session."""
    wrong = {request: _why_unusable(request, text) for request, text in replies.items()}
    rows = {request.id: Row(request.id, error=wrong[request]) for request in replies if wrong[request]}
    known = read_rows(into) if into else {}
    jobs = [
        Job(request.id, perform, (request.entry, Manner(said=text)))
        for request, text in replies.items()
        if request.id not in {*rows, *known}
    ]
    for number, (key, row) in enumerate(results_of(jobs, max(count, 1)), 1):
        rows[key] = replace(row, id=key)
        sys.stderr.write(f"{number} of {len(jobs)}  {key}  {row.kind}\n")
        if into is not None:
            with into.open("a", encoding="utf-8") as file:
                file.write(rows[key].as_line())
    for request, text in replies.items():
        row = (known | rows)[request.id]
        yield Outcome(request, text, wrong[request], row, judge(request.entry, row))


def _why_unusable(request: SmallRequest, text: str) -> str:
    """Return why a reply cannot be read, or does not obey its schema; empty if neither."""
    if not text:
        return "there is no whole reply"
    read = read_reply(text, (request.kind,))
    if isinstance(read, Unusable):
        return " ".join(map(str, read.feedback))
    return "; ".join(misfits(json.loads(text), request.schema))


def table_of(outcomes: Sequence[Outcome]) -> str:
    """Return a table in Markdown with a line for each kind, and one for all with its Wilson intervals at 95 %."""
    lines = [HEADS, ("---",) * len(HEADS)]
    for kind in COUNTS:
        lines.append((kind, *map(str, _counts([each for each in outcomes if each.request.kind == kind]))))
    counts = _counts(outcomes)
    shares = (
        f"{count} ({low:.1%} to {high:.1%})"
        for count in counts[1:]
        for low, high in [wilson_interval(count, counts[0])]
    )
    lines.append(("all", str(counts[0]), *shares))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _counts(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the figures of a line."""
    done = [each for each in outcomes if each.is_done]
    kinds = [each.row.kind for each in outcomes]
    verdicts = [each.judged.verdict for each in done]
    declined = sum(kind in (Kind.REFUSAL, Kind.ANSWER) for kind in kinds)
    return (
        len(outcomes),
        sum(not each.wrong for each in outcomes),
        len(done),
        verdicts.count(Verdict.RIGHT),
        verdicts.count(Verdict.WRONG),
        kinds.count(Kind.ALREADY),
        sum(kind in ASKED for kind in kinds),
        declined,
        kinds.count(Kind.NOTHING),
    )


def _misses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for each in outcomes:
        if each.wrong or (each.is_done and each.judged.verdict is not Verdict.RIGHT):
            why = each.wrong or f"{each.judged.verdict}, {each.judged.why}"
            yield f'- {each.request.id}: "{each.request.entry.sentence}" {each.text} {" ".join(why.split())}'
