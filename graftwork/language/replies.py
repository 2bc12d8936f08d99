"""A reader of a language model's answer; the answer is only text and is never executed.

A correct answer is one JSON object, ``{"reply": {KIND: …}}`` (`semantics.logic.reply`). Slips are read as well: those
of `semantics.body.answer_values`, the older keys ``goal``, ``question`` and ``refusal`` together, a bare condition or
plan, a fenced program. What says two things is no answer: several objects, a goal beside a refusal, a key given twice.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from typing import Any

from semantics.body.answer_values import MARK, Twice, is_over, literal_of, once, values_in, without_thoughts
from semantics.body.exchange import LONGEST_ANSWER, Unusable
from semantics.errors import FormulaError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.parsing import Group, parse_sexprs, text_of
from semantics.logic.reply import Reply, ToolName
from semantics.logic.reply_form import FORMS, read_document, sentence_in

FENCE = re.compile(r"```[ \t]*+([\w+-]*+)[ \t]*+\n?(.*?)```", re.DOTALL)
PROGRAM_LANGUAGES = ("python", "py", "tool_code")
GOAL_SAID = re.compile(r"\bgoal\b[^()]{0,100}\(", re.IGNORECASE)  # where prose says a condition
DOT = re.compile(r"\)\s*+\.(?=\s|\Z)")
CALL = re.compile(r"(?<![\w(-])([a-z][\w-]*+)\(([^()]*+)\)", re.IGNORECASE)
ACTION = re.compile(r"^Action\s*:([^\n]{1,40})\nAction Input\s*:([^\n]*)\s*+\Z", re.MULTILINE | re.IGNORECASE)
OBSERVED, BEGUN = (re.compile(rf"^{word}\s*:", re.MULTILINE | re.IGNORECASE) for word in ("Observation", "Action"))
PERSONS_TURN = re.compile(r"<\|(?:(?:im_start|start|start_header_id)\|>\s*+user\b|user\|>)")
"""Where a model that does not end its turn writes the person's."""
HEADING = re.compile(r"[\w' ,-]{1,60}:\s*")
NUMBERED = re.compile(r"^\s*(?:\d{1,3}[.):]|[-*•])\s+")
WRAPPERS = tuple("reply answer response output result arguments parameters function input args message content".split())  # noqa: SIM905 - a list would take twelve lines
"""Keys under which a model wraps its reply."""
KEYS = {"note", *(key for form in FORMS.values() for key in form.keys)}
"""What is read of an object; a model may add what it thought."""
DEEPEST = 6  # how many wrappers a reply may stand in
HOLDS_PROGRAM = "lesson"  # the kind whose content may have the key of another kind


def read_reply(text: str, kinds: Collection[str] = ()) -> Reply | Unusable:
    """Read an answer.

    Args:
        text: The answer.
        kinds: The kinds of reply that are allowed; empty for all.
    """
    if len(text) > LONGEST_ANSWER:
        return _unreadable(text, f"it has more than {LONGEST_ANSWER} characters", nonsense=True)
    said = without_thoughts(text)
    objects = [piece for piece in values_in(said) if _is_answer(piece.value)]
    if len(objects) > 1:
        return _unreadable(text, "it holds more than one answer")
    if not objects:
        bare = _bare(said)
        why = 'it holds no JSON object with one of these keys: "reply", ' + ", ".join(f'"{kind}"' for kind in FORMS)
        return _unreadable(text, why, nonsense=True) if bare is None else _read(bare, kinds)
    (piece,) = objects
    before, after = (MARK.sub(" ", part).strip() for part in (said[: piece.start], said[piece.end :]))
    if before.endswith("[") and after.startswith("]"):  # the only one of a list of calls
        after = after[1:]
    if not is_over(after):
        return _unreadable(text, "there is text after the JSON object")
    if GOAL_SAID.search(before) or PERSONS_TURN.search(said):
        return _unreadable(text, "it holds more than one answer")
    if isinstance(piece.value, Twice):
        return _unreadable(text, f"it gives {piece.value} twice, and only one of them is an answer")
    return _read(piece.value, kinds)


def _read(value: object, kinds: Collection[str]) -> Reply | Unusable:
    read = read_document(_unwrapped(value), kinds)
    return Unusable(read.feedback) if isinstance(read, Rejection) else read


def _unreadable(text: str, why: str, *, nonsense: bool = False) -> Unusable:
    how = 'Answer with {"reply": {KIND: …}} and nothing else.'
    reason = Feedback(Code.UNREADABLE, sentence_in(text[:LONGEST_ANSWER]) or "an empty answer", why, how)
    return Unusable((reason,), nonsense=nonsense)


def _is_answer(value: object) -> bool:
    """Return whether a value has the form of an answer somewhere."""
    if isinstance(value, Mapping):
        return any(str(key) in FORMS or _is_answer(inner) for key, inner in value.items())
    if isinstance(value, str):
        return value.lstrip()[:1] == "{" and any(f'"{kind}"' in value for kind in FORMS)
    return isinstance(value, Twice) or (isinstance(value, list) and any(map(_is_answer, value)))


def _unwrapped(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return the object of a reply without what stands around it, and with its conditions mended."""
    for _ in range(DEEPEST):
        inner = _inner(value)
        if inner is None:
            break
        value = inner
    if not isinstance(value, Mapping):
        return value
    if "goal" in value:
        goals = value["goal"] if isinstance(value["goal"], list) else [value["goal"]]
        value = {**value, "goal": [_mended(goal) if isinstance(goal, str) else goal for goal in goals if goal]}
    return {key: each for key, each in value.items() if key in KEYS}


def _inner(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a value wraps; None if it wraps nothing."""
    if isinstance(value, str):
        pieces = list(values_in(value))
        return pieces[0].value if len(pieces) == 1 else None
    if isinstance(value, list):
        return value[0] if len(value) == 1 else None
    if not isinstance(value, Mapping):
        return None
    kinds = [key for key in value if key in FORMS and key not in WRAPPERS]
    wrapped = [key for key in (*WRAPPERS, *kinds) if key != HOLDS_PROGRAM and _is_answer(value.get(key))]
    return value[wrapped[0]] if len(wrapped) == 1 and set(kinds) <= {*wrapped} else None


def _mended(text: str) -> str:
    """Return a condition without ``(:goal …)``, with parentheses before its predicates, several facts as one."""
    condition, colon, values = DOT.sub(")", text).strip().partition(" :")
    for _ in range(DEEPEST):
        condition, count = CALL.subn(lambda match: f"({match[1]} {match[2].replace(',', ' ')})", condition)
        if not count:
            break
    nodes = _groups(condition)
    parts = [part for node in nodes for part in (node.items[1:] if node.head == ":goal" else (node,))]
    if not parts:
        return text
    joined = text_of(parts[0]) if len(parts) == 1 else f"(and {' '.join(map(text_of, parts))})"
    return f"{joined}{colon}{values}"


def _groups(text: str) -> list[Group]:
    """Return the groups of a text in PDDL; none if it is anything else."""
    try:
        nodes = parse_sexprs(text)
    except FormulaError:
        return []
    groups = [node for node in nodes if isinstance(node, Group)]
    return groups if len(groups) == len(nodes) else []


def _bare(text: str) -> dict[str, Any] | None:
    """Return the object that an answer without JSON means: a condition, a plan, or a program; None if it means none."""
    fences = list(FENCE.finditer(text))
    if len(fences) > 1 or (not fences and "{" in text):
        return None
    if not fences:
        return _bare_body(MARK.sub(" ", text), "")
    return _bare_body(fences[0][2], fences[0][1].lower()) if is_over(text[fences[0].end() :]) else None


def _bare_body(text: str, language: str) -> dict[str, Any] | None:
    lines = [line for line in text.splitlines() if line.strip()]
    lines = lines[1:] if lines and HEADING.fullmatch(lines[0]) else lines
    if lines and all(map(NUMBERED.match, lines)):
        steps = [NUMBERED.sub("", line).strip() for line in lines]
        return {"plan": steps} if all(map(_groups, steps)) or not any("(" in step for step in steps) else None
    if language in PROGRAM_LANGUAGES:
        return _call(text) or {"program": text}
    latest = OBSERVED.split(text)[-1]
    if (action := ACTION.search(latest)) is not None:
        if len(BEGUN.findall(latest)) > 1:
            return None
        return _action(" ".join(action[1].lower().replace("_", " ").split()), action[2].strip())
    said = None if text.lstrip().startswith("(") else GOAL_SAID.search(text)
    told = text[said.end() - 1 :].rstrip("\n\t `.") if said else text
    condition = _mended(told)
    return {"goal": [condition]} if condition.startswith("(") and not (said and len(_groups(told)) != 1) else None


def _call(text: str) -> dict[str, Any] | None:
    """Return the arguments of a text that calls the reply as a function, such as ``reply(goal=["(…)"])``."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in WRAPPERS:
            return once([(str(word.arg), literal_of(word.value)) for word in call.keywords])
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        pass
    return None


def _action(name: str, argument: str) -> dict[str, Any] | None:
    """Return the object that the last action of a chain of thoughts means (ReAct); None if it means none."""
    if name in [str(tool) for tool in ToolName]:
        return {"tool": name, "argument": argument}
    return {name: [_mended(argument)] if name == "goal" else argument} if name in FORMS else None
