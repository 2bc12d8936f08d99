"""`ask_for_substitute`: find a substitute with a language model (AutoGPT+P, Birr et al. 2024, Algorithm 2).

The model first says which affordances of the missing object matter for the goal. Only objects with all of them remain.
If one object remains, it is the answer. If several remain, the model names the best one for the rarest of these
affordances. If none remains, the model chooses among all objects. Its answers are checked: an unknown name goes back to
the model a few times; then the answer from data counts, and a note says so. An unreachable model raises an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from affordances.elicitation.replies import affordance_named, read_list
from affordances.substitutes.knowledge import Knowledge, sentence_of
from affordances.substitutes.suggestion import Present, Suggestions, restricted, suggest
from affordances.substitutes.tasks import Demand, SubstitutionTask
from domains.model import Domain
from semantics.body.answer_values import only_value
from semantics.body.exchange import Exchange, ModelUse, Unusable
from semantics.body.protocols import LanguageModel, Message
from semantics.errors import UsageError
from semantics.logic.feedback import Feedback
from semantics.schemas import object_schema

T = TypeVar("T")
SYSTEM = (
    "You help a household robot that misses a thing it needs. Judge by what things can physically be used for, as a "
    "sensible person would. Answer with one JSON object and nothing else."
)
LIST_SCHEMA = object_schema({"affordances": {"type": "array", "items": {"type": "string"}}})
CHOICE_SCHEMA = object_schema({"substitute": {"type": ["string", "null"]}})
_Ask = Callable[[str, Mapping[str, Any], Callable[[str], T | Unusable], Callable[[Unusable], str]], T | None]
"""Puts a question, whose answer has a schema; the others are those of `Exchange.ask`."""
NONE = frozenset({"none", "nothing", "null", "no", ""})


def ask_for_substitute(
    task: SubstitutionTask,
    present: Present,
    knowledge: Knowledge,
    model: LanguageModel,
    *,
    tries: int = 3,
    domain: Domain | None = None,
    use: ModelUse | None = None,
    called_off: Callable[[], object] = lambda: False,
) -> Suggestions:
    """Ask a model for a substitute for a missing object.

    Args:
        task: The goal, and the missing object.
        present: The classes of the scene, or the names of the objects of each class.
        knowledge: The knowledge about classes.
        model: The model to ask.
        tries: The largest number of times to ask each of the two questions.
        domain: The world whose capabilities count too.
        use: Counts the requests, within a budget.
        called_off: Returns whether the answer is no longer needed; then the request is abandoned, and none follows.

    Raises:
        UsageError: `tries` is below 1.
        OutsideError: The model cannot be reached.
    """
    if tries < 1:
        raise UsageError(f"{tries} tries: a question is put once at least")
    offline = suggest(task, present, knowledge, domain=domain)
    use = use or ModelUse()

    def ask(
        question: str,
        schema: Mapping[str, Any],
        read: Callable[[str], T | Unusable],
        objection: Callable[[Unusable], str],
    ) -> T | None:
        messages = [Message("system", SYSTEM), Message("user", question)]
        return Exchange(model, messages, schema, use, called_off).ask(read, objection, tries)

    relevant = _relevant(task, knowledge, ask)
    if relevant is None:
        return _with_note(offline, f"{model.name} did not say what matters, so the data decided")
    fit = replace(suggest(task, present, knowledge, demand=Demand(relevant)), by=model.name)
    if len(fit.ranked) == 1:
        return fit
    rarest = max(sorted(relevant), key=knowledge.rarity) if fit.ranked else ""
    others = (name for name in present if name != task.missing)
    chosen = _choice(task, [suggestion.class_name for suggestion in fit.ranked] or [*others], rarest, ask)
    if chosen is None:
        return _with_note(offline, f"{model.name} named nothing that is there, so the data decided")
    if fit.ranked:
        return restricted(fit, chosen, keep=True)
    loose = suggest(task, present, knowledge, demand=Demand())
    return replace(restricted(loose, chosen), by=model.name)


def _with_note(suggestions: Suggestions, note: str) -> Suggestions:
    return replace(suggestions, notes=(*suggestions.notes, note))


def _relevant(task: SubstitutionTask, knowledge: Knowledge, ask: _Ask[frozenset[str]]) -> frozenset[str] | None:
    """Ask which affordances of the missing object matter; return None when no answer can be read."""
    names = sorted(knowledge.profile(task.missing).abilities)
    listed = "\n".join(f"- {name}: {sentence_of(name)}" for name in names)
    question = (
        f"{_situation(task)}\nA {task.missing} has these affordances:\n{listed}\n"
        'Which of them does the goal need of it? Leave out what does not matter. Answer {"affordances": ["..."]}.'
    )
    partial: frozenset[str] | None = None

    def read(text: str) -> frozenset[str] | Unusable:
        nonlocal partial
        listed = read_list(text, names)
        partial = None if isinstance(listed, Feedback) else listed.names
        if isinstance(listed, Feedback):
            return Unusable((listed,))
        return listed.names if listed.names and not listed.feedback else Unusable(listed.feedback)

    def objection(unusable: Unusable) -> str:
        why = "; ".join(record.why if partial is None else record.what for record in unusable.feedback) or "it is empty"
        return f'That cannot be used: {why}. Use only these names: {", ".join(names)}. Answer {{"affordances": [...]}}.'

    return ask(question, LIST_SCHEMA, read, objection) or partial or None


def _choice(task: SubstitutionTask, offered: Sequence[str], rarest: str, ask: _Ask[str]) -> str | None:
    """Ask which object is best; return its class, "" for none of them, or None when no answer can be used."""
    what = f"for this above all: {sentence_of(rarest)}" if rarest else "here"
    question = (
        f"{_situation(task)}\nThese things are there: {', '.join(sorted(offered))}.\nWhich one can best replace the "
        f'{task.missing} {what}? Answer {{"substitute": "NAME"}}, or {{"substitute": null}} if none of them will do.'
    )

    def read(text: str) -> str | Unusable:
        answer = _read_choice(text)
        if answer is not None and answer.lower() in NONE:
            return ""
        named = None if answer is None else _class_named(answer, offered)
        return Unusable(()) if named is None else named

    objection = f'That is not there. Answer {{"substitute": NAME}} with one of: {", ".join(sorted(offered))}.'
    return ask(question, CHOICE_SCHEMA, read, lambda _: objection)


def _read_choice(text: str) -> str | None:
    """Return the name in a reply, "" for none; None when the reply does not have the form of an answer."""
    document = only_value(text)
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    answer = document.get("substitute", False) if isinstance(document, dict) else False
    return "" if answer is None else answer if isinstance(answer, str) else None


def _class_named(answer: str, offered: Iterable[str]) -> str | None:
    by_spelling = {name.replace("_", "-"): name for name in offered}
    named = affordance_named(answer, by_spelling)
    return None if named is None else by_spelling[named]


def _situation(task: SubstitutionTask) -> str:
    asked = f"A person asked: {json.dumps(task.request, ensure_ascii=False)}\n" if task.request else ""
    return f"{asked}The goal in PDDL: {task.goal}\nThere is no {task.missing}."
