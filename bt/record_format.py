"""The format of a record: its events with their fields, as a table that people and programs read.

`graftwork record format` prints it, docs/record.md contains it, and tests compare it with what runs write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class FieldFormat(NamedTuple):
    """A field of an event.

    Attributes:
        type: ``text``, ``number``, ``integer``, ``boolean``, ``object`` or ``any``; ``[T]`` is a list of T, ``{T}`` an
            object whose values are T, ``T or null`` also null.
        meaning: What it holds, with its unit.
        always: Whether every event of this version has it.
    """

    type: str
    meaning: str
    always: bool = True


class EventFormat(NamedTuple):
    """A kind of event: when it is written, and its fields by name."""

    meaning: str
    fields: Mapping[str, FieldFormat]


def _sometimes(kind: str, meaning: str) -> FieldFormat:
    return FieldFormat(kind, meaning, always=False)


_T = FieldFormat("number", "seconds of the body's clock, rounded to milliseconds")
_NODE = FieldFormat("text", "the names of the nodes from the root to this one, joined by `/`")
_FEEDBACK = FieldFormat("object", "what failed and why ([feedback](feedback.md))")
_RUNG = FieldFormat(
    "text", "the strategy: `again`, `rule`, `replan`, `explore`, `substitute`, `part`, `consult`, `ask`"
)

EVENTS: Mapping[str, EventFormat] = {
    "start": EventFormat(
        "The first event: what is wanted, and with what it is begun.",
        {
            "instruction": FieldFormat("text", "the sentence, the file of a program, or the title of a tree of yours"),
            "formula": _sometimes("text", "the goal in PDDL, where a goal was given and not a sentence"),
            "values": _sometimes("{text}", "with such a goal, its values: by name, `20cm/s`"),
            "domain": FieldFormat("text", "name of the world"),
            "scene": FieldFormat("text", "name of the scene"),
            "robot": FieldFormat("text", "name of the body"),
            "model": FieldFormat("text", "name of the language model"),
            "seed": FieldFormat("integer", "seed of the scene"),
            "date": FieldFormat("text", "when it began, ISO 8601, UTC; of the wall clock"),
            "settings": _sometimes("object", "the [settings](settings.md) of the run, by name"),
            "world": _sometimes("text", "SHA-256 of the files of the world and the scene; empty if one has none"),
            "resumes": _sometimes(
                "object",
                "of a run that [goes on from an earlier one](resuming.md), what that one knew: `record` (its folder), "
                "`goal` (as a `goal` has it; or null), `sensed`, `stated` (facts), `t`; `things` (as a `revision` has "
                "them) and `given` (all names that were given to things), where there are some",
            ),
        },
    ),
    "vocabulary": EventFormat(
        "The sentences of this world, so that a report needs no files of it.",
        {
            "facts": FieldFormat("{text}", "by predicate: a sentence with `{0}`, `{1}` for its arguments"),
            "actions": FieldFormat("{text}", "by action: the same"),
        },
    ),
    "goal": EventFormat(
        "A goal was understood; sent again when another one is pursued.",
        {
            "text": FieldFormat("text", "the sentence, or the goal as it was given"),
            "words": FieldFormat("text", "the formula in words"),
            "formula": FieldFormat("text", "PDDL. It stays whole, also where something is dropped"),
            "notes": FieldFormat("[text]", "what was assumed, a sentence each"),
            "values": _sometimes("{text}", "what was said about the way there, such as a speed: by name, `20cm/s`"),
            "later": _sometimes(
                "[object]", "the goals that come after this one, in order: `text`, `formula` and `values` of each"
            ),
            "every": _sometimes(
                "[[object]]",
                "of this goal and each later one, the words that mean all of a sort: `words`, `names` (the things that "
                "they meant) and `affordance`",
            ),
            "dropped": _sometimes("[object]", "the feedback of each alternative, and denial, that can never hold"),
        },
    ),
    "program": EventFormat(
        "The program that is carried out; sent again when it was corrected.",
        {"text": FieldFormat("text", "the program")},
    ),
    "plan": EventFormat(
        "A plan is carried out from now on.",
        {
            "t": _sometimes("number", "as of other events; only of plans that a program makes on its way"),
            "steps": FieldFormat("[text]", "the actions in PDDL, in order"),
            "costs": FieldFormat("[number]", "the cost of each step, in the unit of the world"),
            "cost": FieldFormat("number", "the cost of all steps"),
            "optimal": FieldFormat("boolean", "whether it is proved that no plan is cheaper"),
            "planner": FieldFormat("text", "its planner; `memory` for a remembered plan"),
            "seconds": FieldFormat("number", "how long the planner took; of the wall clock"),
            "why": FieldFormat(
                "text",
                "`first`, `recalled` (from memory), `cheaper` (found under way), `correction`, `achieve` (for a "
                "condition of a program), or the strategy that it comes from",
            ),
            "choice": _sometimes("object or null", "why this planner and not another, of a first plan"),
            "how": _sometimes("text", "how a replan was made: `tail`, `repair` or `fresh`"),
            "bound": _sometimes("number or null", "what every plan costs at least, of a replan"),
            "reason": _sometimes("text", "why the replan was made so, a sentence"),
        },
    ),
    "tree": EventFormat(
        "The behaviour tree; sent again whenever its nodes have changed.",
        {"root": FieldFormat("object", "its root, a [node](#nodes)")},
    ),
    "tick": EventFormat(
        "One tick of the tree, 20 a second. Only what has changed is told.",
        {
            "n": FieldFormat("integer", "number of the tick, from 1"),
            "t": _T,
            "status": _sometimes("{text}", "by id of a node: `running`, `success`, `failure` or `invalid`"),
            "resume": _sometimes("integer or null", "index of the step that is worked on; null if none leads on"),
            "facts": _sometimes("object", "what is believed now (`+`) and no longer (`-`), facts in PDDL"),
        },
    ),
    "revision": EventFormat(
        "[Things that no file lists](open-world.md) came, are known otherwise or are forgotten, or classes were added.",
        {
            "t": _T,
            "revision": FieldFormat("integer", "counts the changes of the world since its files were read"),
            "things": FieldFormat(
                "[object]",
                "things that are new or known otherwise: `name`, `class`, `label`, `source` (`world`, `pack`, "
                "`learned`, `guessed`, `model`, `a person`, or empty while nobody knows), `probability`, `is_open` "
                "(above), `box` (as of a `view`), `handle` (the body's own name)",
            ),
            "forgotten": FieldFormat("[text]", "the names of things that are forgotten"),
            "classes": FieldFormat("[text]", "the names of further classes"),
            "text": FieldFormat("text", "the changes, a sentence"),
        },
    ),
    "stated": EventFormat(
        "All facts that are believed and were never sensed; sent again whenever they change.",
        {"t": _T, "facts": FieldFormat("[text]", "the facts, in PDDL")},
    ),
    "numbers": EventFormat(
        "Numbers of the world have changed, such as how much is in a bottle ([amounts](robots.md#amounts)).",
        {
            "t": _T,
            "numbers": FieldFormat("{number}", "by fluent in PDDL: its value now, in the unit of the world"),
            "before": FieldFormat("{number or null}", "the same: its value before; null where none was known"),
            "text": FieldFormat("text", "the values now, a sentence"),
        },
    ),
    "resume": EventFormat(
        "Another step is worked on.",
        {
            "t": _T,
            "from": FieldFormat("integer or null", "index of the step before; null at the begin"),
            "to": FieldFormat("integer or null", "index of the step now; the number of steps is the goal, null none"),
            "why": FieldFormat("text", "why, a sentence"),
            "together": _sometimes("[integer]", "the steps that run, where several may at once"),
        },
    ),
    "line": EventFormat(
        "A program has come to another line.",
        {
            "t": _T,
            "line": FieldFormat("integer", "the line of the last `program`, from 1"),
            "text": FieldFormat("text", "its statement"),
        },
    ),
    "feedback": EventFormat("Something failed, or was refused.", {"t": _T, "node": _NODE, "feedback": _FEEDBACK}),
    "failure": EventFormat(
        "Where the repairs begin, before any is tried.",
        {
            "t": _T,
            "node": _NODE,
            "feedback": _FEEDBACK,
            "step": FieldFormat("text or null", "the step that failed"),
            "plan": FieldFormat("[text]", "the plan then"),
        },
    ),
    "rung": EventFormat(
        "Whether a [repair](repairs.md) has helped; written when that is known.",
        {
            "t": _T,
            "failed": _sometimes("number", "when the failure happened, as `t`"),
            "rung": _RUNG,
            "code": FieldFormat("text", "the [code](feedback.md) of the failure"),
            "solved": FieldFormat("boolean", "whether it has helped"),
            "seconds": FieldFormat("number", "from the failure to the answer, on the body's clock"),
        },
    ),
    "turn": EventFormat(
        "A strategy did something else: another goal, an errand first, or a new beginning.",
        {
            "t": _T,
            "rung": _RUNG,
            "said": FieldFormat("text", "a sentence about it; may be empty"),
            "goal": FieldFormat("[[text]] or null", "the new goal: lists of literals, any of which will do"),
            "errand": FieldFormat("[text] or null", "the steps of the errand"),
        },
    ),
    "disturbed": EventFormat(
        "The world changed, and no step explains it ([more](execution.md#what-changed-from-outside)).",
        {
            "t": FieldFormat("number", "when it was first noticed, in seconds of the body's clock"),
            "facts": FieldFormat("object", "what is so now (`+`) and was so before (`-`), facts in PDDL"),
            "text": FieldFormat("text", "the change, a sentence"),
        },
    ),
    "asked": EventFormat(
        "A question is put to a person while the run waits.",
        {
            "t": _T,
            "rung": FieldFormat("text", "the strategy that asks, or `program`"),
            "question": FieldFormat("text", "the question"),
            "options": FieldFormat("[text]", "the possible answers; empty if any will do"),
        },
    ),
    "answered": EventFormat(
        "The answer to the last question.",
        {
            "t": _T,
            "rung": FieldFormat("text", "as of the question"),
            "words": FieldFormat("text or null", "the answer; null when none came in time"),
        },
    ),
    "answer": EventFormat(
        "A [program](programs.md#answers) has ended with an answer.",
        {
            "t": _T,
            "type": FieldFormat(
                "text", "`number`, `yes or no`, `name` (of a thing), `names`, `text`, `quantity`, `point`, `list`"
            ),
            "value": FieldFormat(
                "any", "the answer: a number, a boolean, a text (a quantity such as `30ml` too), or a list of these"
            ),
            "text": FieldFormat("text", "the answer as it is said to a person"),
        },
    ),
    "request": EventFormat(
        "A person is asked to do a step.",
        {
            "t": _T,
            "agent": FieldFormat("text", "the person"),
            "step": FieldFormat("text", "the step, in PDDL"),
            "text": FieldFormat("text", "what is asked for"),
        },
    ),
    "heard": EventFormat(
        "A person said something that was no answer to a question.",
        {
            "t": _T,
            "words": FieldFormat("text", "what was said"),
            "means": FieldFormat("text or null", "`stop`, `wait`, `go_on`, or null for anything else"),
            "reply": FieldFormat("text", "what was replied"),
        },
    ),
    "reply": EventFormat(
        "A language model has answered.",
        {
            "t": _T,
            "text": FieldFormat("text", "the answer"),
            "errors": FieldFormat("[text]", "why it could not be used, at most 20; empty for one that was"),
            "told": FieldFormat("text", "what it was told, if it had chosen a tool; else empty"),
        },
    ),
    "view": EventFormat(
        "All that is in view, when that has changed, at most ten times a second.",
        {
            "t": _T,
            "things": FieldFormat("{[number]}", "by name: the box `x0, y0, z0, x1, y1, z1`, metres"),
            "robot": _sometimes("[number]", "`x, y` in metres and yaw in radians; missing while the pose is unknown"),
            "held": FieldFormat("[text]", "what the robot holds"),
            "doors": FieldFormat("{number}", "by name: how far it is open, 0 to 1"),
        },
    ),
    "picture": EventFormat(
        "A picture was stored.", {"t": _T, "file": FieldFormat("text", "the PNG, relative to the record's folder")}
    ),
    "note": EventFormat("A remark.", {"t": _T, "text": FieldFormat("text", "a sentence")}),
    "end": EventFormat(
        "The last event; a record without it was cut off, or its run goes on.",
        {
            "outcome": FieldFormat(
                "text",
                "`achieved`, `already`, `answered`, `failed`, `refused`, `question`, `stopped`, `unavailable`, "
                "`unusable-reply`, `planned`, `fault`",
            ),
            "seconds": FieldFormat("number", "how long all of it took; of the wall clock"),
            "summary": FieldFormat("text", "a sentence for a person"),
            "model": _sometimes(
                "{number}", "where a language model was asked: `calls`, `tokens`, and the `money` that these cost"
            ),
        },
    ),
}
"""Every kind of event, about in the order in which they appear in a record."""


def format_as_dict() -> dict[str, object]:
    """Return the format as plain data for JSON."""
    return {
        name: {"meaning": event.meaning, "fields": {key: field._asdict() for key, field in event.fields.items()}}
        for name, event in EVENTS.items()
    }


def format_page() -> str:
    """Return the format as Markdown: a heading and a table for each kind of event."""
    return "\n\n".join("\n".join(_section(name, event)) for name, event in EVENTS.items())


def _section(name: str, event: EventFormat) -> Iterator[str]:
    yield from (f"### {name}", "", event.meaning, "", "| field | type | meaning |", "|---|---|---|")
    for key, field in event.fields.items():
        kind = f"`{field.type}`{'' if field.always else ', not always'}"
        yield f"| `{key}` | {kind} | {field.meaning} |"
