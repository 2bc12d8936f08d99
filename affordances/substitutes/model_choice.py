"""`ask_for_substitute`: the paper's way, with a language model (AutoGPT+P, Birr et al. 2024, Algorithm 2).

The model is asked which affordances of the missing thing matter for the goal; the things that have all of them are
kept; one that is left is the answer, of several the model names the one that is best for the rarest of them, and when
none is left it is asked openly. What it says is checked: a name that is not there goes back to it a few times, and
then the answer of the data stands, which a note says. A model that cannot be reached raises.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from affordances.elicitation.replies import affordance_named, read_list
from affordances.ontology import AFFORDANCES
from affordances.substitutes.knowledge import Knowledge, uses
from affordances.substitutes.suggestion import Present, Suggestions, restricted, suggest
from affordances.substitutes.tasks import Demand, SubstitutionTask
from domains.model import Domain
from semantics.embedding import Embedder
from semantics.errors import UsageError
from semantics.feedback import Feedback
from semantics.protocols import LanguageModel, Message

__all__ = ["ask_for_substitute"]

SYSTEM = (
    "You help a household robot that misses a thing it needs. Judge by what things can physically be used for, as a "
    "sensible person would. Answer with one JSON object and nothing else."
)
LIST_SCHEMA = {
    "type": "object",
    "properties": {"affordances": {"type": "array", "items": {"type": "string"}}},
    "required": ["affordances"],
    "additionalProperties": False,
}
CHOICE_SCHEMA = {
    "type": "object",
    "properties": {"substitute": {"type": ["string", "null"]}},
    "required": ["substitute"],
    "additionalProperties": False,
}
NONE = frozenset({"none", "nothing", "null", "no", ""})


def ask_for_substitute(
    task: SubstitutionTask,
    present: Present,
    knowledge: Knowledge,
    model: LanguageModel,
    *,
    tries: int = 3,
    domain: Domain | None = None,
    embed: Embedder | None = None,
) -> Suggestions:
    """Ask a model what could stand in for what is missing.

    Args:
        task: What is wanted, and what is not there.
        present: The classes of the scene, or the names of the things of each class.
        knowledge: What is known of classes.
        model: Who is asked.
        tries: How often each of the two questions is put, at most.
        domain: The world whose capabilities count too.
        embed: Ranks what the model leaves open.

    Raises:
        UsageError: `tries` is below 1.
        OutsideError: The model cannot be reached.
    """
    if tries < 1:
        raise UsageError(f"{tries} tries: a question is put once at least")
    offline = suggest(task, present, knowledge, domain=domain, embed=embed)
    relevant = _relevant(task, knowledge, model, tries)
    if relevant is None:
        return _with_note(offline, f"{model.name} did not say what matters, so the data decided")
    return _asked(task, present, knowledge, model, tries, relevant, offline)


def _asked(
    task: SubstitutionTask,
    present: Present,
    knowledge: Knowledge,
    model: LanguageModel,
    tries: int,
    relevant: frozenset[str],
    offline: Suggestions,
) -> Suggestions:
    """Keep what has all that matters; ask when that is not one thing."""
    fit = suggest(task, present, knowledge, demand=Demand(relevant))
    found = replace(fit, by=model.name)
    if len(found.ranked) == 1:
        return found
    rarest = max(sorted(relevant), key=knowledge.rarity) if found.ranked else ""
    offered = [one.class_name for one in found.ranked] or [name for name in present if name != task.missing]
    chosen = _choice(task, offered, rarest, model, tries)
    if chosen is None:
        return _with_note(offline, f"{model.name} named nothing that is there, so the data decided")
    if found.ranked:
        return restricted(found, chosen, keep=True)
    loose = suggest(task, present, knowledge, demand=Demand())
    return replace(restricted(loose, chosen), by=model.name)


def _with_note(found: Suggestions, note: str) -> Suggestions:
    return replace(found, notes=(*found.notes, note))


def _relevant(task: SubstitutionTask, knowledge: Knowledge, model: LanguageModel, tries: int) -> frozenset[str] | None:
    """Ask which affordances of the missing thing matter; None when it cannot be made out."""
    names = sorted(knowledge.profile(task.missing).abilities)
    listed = "\n".join(f"- {name}: {_sentence(name)}" for name in names)
    question = (
        f"{_situation(task)}\nA {task.missing} has these affordances:\n{listed}\n"
        'Which of them does the goal need of it? Leave out what does not matter. Answer {"affordances": ["..."]}.'
    )
    messages = [Message("system", SYSTEM), Message("user", question)]
    partial: frozenset[str] | None = None
    for _ in range(tries):
        text = model.complete(tuple(messages), schema=LIST_SCHEMA).text
        read = read_list(text, names)
        if not isinstance(read, Feedback) and read.names and not read.feedback:
            return read.names
        why = read.why if isinstance(read, Feedback) else "; ".join(one.what for one in read.feedback) or "it is empty"
        again = (
            f'That cannot be used: {why}. Use only these names: {", ".join(names)}. Answer {{"affordances": [...]}}.'
        )
        messages += [Message("assistant", text), Message("user", again)]
        partial = None if isinstance(read, Feedback) else read.names
    return partial or None


def _choice(
    task: SubstitutionTask, offered: Sequence[str], rarest: str, model: LanguageModel, tries: int
) -> str | None:
    """Ask which thing is best: its class, "" for none of them, None when the answers cannot be used."""
    what = f"for this above all: {_sentence(rarest)}" if rarest else "here"
    question = (
        f"{_situation(task)}\nThese things are there: {', '.join(sorted(offered))}.\nWhich one can best replace the "
        f'{task.missing} {what}? Answer {{"substitute": "NAME"}}, or {{"substitute": null}} if none of them will do.'
    )
    messages = [Message("system", SYSTEM), Message("user", question)]
    for _ in range(tries):
        text = model.complete(tuple(messages), schema=CHOICE_SCHEMA).text
        said = _read_choice(text)
        if said is not None and said.lower() in NONE:
            return ""
        named = None if said is None else _class_named(said, offered)
        if named is not None:
            return named
        again = f'That is not there. Answer {{"substitute": NAME}} with one of: {", ".join(sorted(offered))}.'
        messages += [Message("assistant", text), Message("user", again)]
    return None


def _read_choice(text: str) -> str | None:
    """Return what a reply names, "" for nothing; None when it has not the form of an answer."""
    start, end = text.find("{"), text.rfind("}") + 1
    try:
        document = json.loads(text[start:end])
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or "substitute" not in document:
        return None
    said = document["substitute"]
    return "" if said is None else said if isinstance(said, str) else None


def _class_named(said: str, offered: Iterable[str]) -> str | None:
    by_spelling = {name.replace("_", "-"): name for name in offered}
    named = affordance_named(said, by_spelling)
    return None if named is None else by_spelling[named]


def _situation(task: SubstitutionTask) -> str:
    return f"The goal in PDDL: {task.goal}\nThere is no {task.missing}."


def _sentence(ability: str) -> str:
    return uses()[ability].sentence if ability in uses() else AFFORDANCES.get(ability, ability)
