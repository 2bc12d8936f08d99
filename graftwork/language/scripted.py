"""`ScriptedModel`: a language model that gives prepared answers, in order.

It needs no network and costs nothing. A test uses it to define the answers of a model, including nonsense.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from graftwork.errors import OutOfAnswersError, RecordingError
from semantics.body.protocols import Message, ModelReply
from semantics.plain_text import shortened
from semantics.process.reading import read_bounded

MOST_BYTES = 20_000_000
PARTS = ("goal", "question", "refusal")


class ModelRequest(NamedTuple):
    """A request to a model: the conversation so far, and the schema of the answer."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None


class ScriptedModel:
    """Answers in order; see `semantics.body.protocols.LanguageModel`.

    Args:
        answers: The answers. A text is returned unchanged. A table such as ``{"goal": "(opened fridge0)"}`` is returned
            as JSON; the missing keys of a goal's answer are null. An exception is raised.
        name: Its name.

    Attributes:
        requests: The requests so far, in order.
    """

    def __init__(
        self, answers: Iterable[str | Mapping[str, Any] | ModelReply | Exception], *, name: str = "scripted"
    ) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._answers = tuple(map(_reply, answers))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read answers from JSON lines: a text or an object in each; ``-`` is standard input.

        Raises:
            RecordingError: The file cannot be read, or a line is neither a text nor an object.
        """
        try:
            lines = read_bounded(path, MOST_BYTES, standard_input=True).decode("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise RecordingError(str(path), 0, f"cannot be read: {error}") from error
        answers = [_answer(line, str(path), number) for number, line in enumerate(lines, 1) if line.strip()]
        return cls(answers, name=f"scripted:{path}")

    @property
    def left(self) -> int:
        """Number of answers that are not used yet."""
        return max(len(self._answers) - len(self.requests), 0)

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Return the next answer.

        Raises:
            OutOfAnswersError: There is none left.
            Exception: The next answer of the script is an exception.
        """
        self.requests.append(ModelRequest(tuple(messages), schema))
        number = len(self.requests)
        if number > len(self._answers):
            raise self._spent(messages)
        answer = self._answers[number - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _spent(self, messages: Sequence[Message]) -> OutOfAnswersError:
        excerpt = f": {shortened(messages[-1].content, 200)}" if messages else ""
        have = "1 answer" if len(self._answers) == 1 else f"{len(self._answers)} answers"
        what = f"request {len(self.requests)} came, and the script has {have}{excerpt}"
        return OutOfAnswersError(self.name, what, "add an answer to the script")


def _reply(answer: str | Mapping[str, Any] | ModelReply | Exception) -> ModelReply | Exception:
    if isinstance(answer, ModelReply | Exception):
        return answer
    if isinstance(answer, str):
        return ModelReply(answer)
    full = {**dict.fromkeys(PARTS), **answer} if answer.keys() <= set(PARTS) else dict(answer)
    return ModelReply(json.dumps(full, ensure_ascii=False))


def _answer(line: str, path: str, number: int) -> str | Mapping[str, Any]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordingError(path, number, f"no JSON: {error}") from error
    if not isinstance(answer, str | dict):
        raise RecordingError(path, number, "expected a JSON text or object in each line")
    return answer
