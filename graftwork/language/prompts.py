"""The prompts that ask a language model for a reply; their words are the templates beside this file.

The rules of the answer and the world come first, so that a server that keeps prefixes reads them once. What things are
like is told of those that the request is about (`relevance`). Feedback is sent as one sentence for each error and as
records, so that a model can use the form that it reads better. Listing affordances beside classes follows AutoGPT+P
(section V); separating level, reason and remedy of an error follows CoPAL (section III).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordances.scene import Scene
from domains.world import World
from graftwork.language.relevance import rank_programs, rank_things, words_of
from graftwork.language.world_text import domain_parts, facts_told, scene_parts
from semantics.body.protocols import Message
from semantics.hints import did_you_mean
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Goal
from semantics.logic.reply import ControlKind, QueryKind, ToolName
from semantics.logic.state import State
from semantics.logic.vocabulary import ProgramPhrase, told_values
from semantics.plain_text import shortened

if TYPE_CHECKING:
    from jinja2 import Environment

PROMPT_VERSION = 4  # counts the changes of the templates and of what fills them
_HEAD = re.compile(r'def (\w+\(.*\)):\s+(?:"""(.*?)(?:"""|\n))?')
MOST_TAUGHT, MOST_FUNCTIONS = 8, 40  # the most programs, and functions, that a model is told of what was taught
MOST_ERRORS = 20
MOST_CULPRITS = 10
LONGEST_TEXT = 600
"""The most errors of an answer that a model is told, the most culprits of one, and the most characters of a text."""


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What a model is asked.

    Attributes:
        words: The words of the person.
        world: What there is.
        state: What is believed.
        believed: The beliefs behind the state, for sources, ages and positions; None without a body.
        viewer: As whom left and right are meant; empty if it is not known.
        answers: Earlier questions about the request, each with the person's answer.
        exchanges: The last requests, each with what came of it, oldest first.
        situation: What happened so far, if the request was tried before.
    """

    words: str
    world: World
    state: State
    believed: Scene | None = None
    viewer: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    exchanges: tuple[tuple[str, str], ...] = ()
    situation: str = ""


def opening_messages(asked: PromptRequest, kinds: Collection[str]) -> list[Message]:
    """Return the messages that begin a conversation; `kinds` are the kinds of reply that are allowed."""
    rules = _filled("rules", kinds=kinds, orders=list(ControlKind), queries=list(QueryKind), tools=list(ToolName))
    fixed = (_filled("role"), rules, _filled("domain", **domain_parts(asked.world)))
    pairs = [text for pair in (*asked.exchanges, *asked.answers) for text in pair]
    words = words_of(" ".join((asked.words, *pairs, asked.situation)))
    parts = scene_parts(asked.world, asked.state, asked.believed, rank_things(words, asked.world, asked.state))
    scene = _filled("scene", said=f" {' '.join(words)} ", viewer=asked.viewer, **parts)
    programs = rank_programs(words, asked.world.domain.programs) if "program" in kinds else []
    programs += _taught_near(asked) if "program" in kinds and asked.world.taught else []
    functions = _heads(programs, asked.world) if "program" in kinds else []
    request = _filled(
        "request", asked=asked, programs=programs, functions=functions, places=_place_queries() if programs else {}
    )
    told = (scene, *((_filled("lesson"),) if "lesson" in kinds else ()), request)
    return [Message("system", "\n\n".join(fixed)), Message("user", "\n\n".join(told))]


def _taught_near(asked: PromptRequest) -> list[ProgramPhrase]:
    """Return the programs that were taught for sentences like the request, the nearest last, as people read them."""
    from graftwork.language.examples import Examples  # most robots are taught none

    taught = [each for each in asked.world.taught.values() if each.patterns]
    sentences = [re.sub(r"\{([a-z_]+)\d*\}", r"\1", each.patterns[0]).replace("_", " ") for each in taught]
    examples = asked.world.remember("examples", lambda: Examples(sentences))
    said = (asked.words, *(words for words, _ in reversed(asked.exchanges)))
    return [taught[number] for number in reversed(examples.nearest(said, MOST_TAUGHT))]


def _heads(shown: Sequence[ProgramPhrase], world: World) -> list[tuple[str, str]]:
    """Return the heads of the functions that programs call, and of those that were taught, with what they do."""
    text, programs = " ".join(each.text for each in shown), {**world.vocabulary.programs, **world.taught}
    taught = [name for name, each in world.taught.items() if not each.patterns][:MOST_FUNCTIONS]
    called = (name for name in re.findall(r"\w+(?=\()", text) if name in programs)
    heads = (_HEAD.search(programs[name].text) for name in (*called, *taught))
    return list(dict.fromkeys((head[1], head[2] or "") for head in heads if head is not None))


def _place_queries() -> Mapping[str, Any]:
    from bt.programs.place_queries import TABLE  # few requests are about places

    queries: Mapping[str, Any] = TABLE["queries"]
    return queries


def look_up(name: str, asked: PromptRequest) -> str:
    """Return all that is known of a thing, a class or a kind; of another name, the nearest ones."""
    world, domain = asked.world, asked.world.domain
    if not any(name in known for known in (world.objects, domain.classes, domain.kinds)):
        near = did_you_mean(name, (*world.objects, *domain.classes, *domain.kinds))
        return f"There is no {name} here, and no such class or kind. {near}".strip()
    facts = [atom for atom in facts_told(world, asked.state, world.objects) if name in atom.args]
    told, scene = partial(told_values, attributes=domain.attributes), asked.believed or Scene(world)
    return _filled("look_up", called=name, world=world, state=asked.state, facts=facts, told=told, scene=scene)


def situation(goal: Goal, failure: Feedback, tried: Sequence[str], facts: Sequence[Atom]) -> str:
    """Describe why a pursued goal cannot be reached, what was `tried`, and what is believed of the things concerned."""
    return _filled("situation", goal=goal, failure=_brief(failure), tried=tried, facts=facts)


def under_way(
    instruction: str, goal: Goal | None, steps: Sequence[tuple[str, str]], program: str = "", refused: str = ""
) -> str:
    """Describe what a robot is at work on: the `steps` of its plan, each with its state, or its program.

    `refused` says why the last answer about it could not be taken.
    """
    about = {"instruction": instruction, "goal": goal, "steps": steps, "program": program, "refused": refused}
    return _filled("under_way", **about)


def correction(feedback: Sequence[Feedback], offers: Sequence[str] = ()) -> str:
    """Return what is wrong with an answer, or why there is no plan for it, and what the world `offers` instead."""
    told = list(map(_brief, feedback[:MOST_ERRORS]))
    return _filled("correction", told=told, more=len(feedback) - len(told), offers=offers)


def _brief(record: Feedback) -> Feedback:
    """Return a record with texts of bounded length, since they may repeat an answer of any length."""
    cut = partial(shortened, most=LONGEST_TEXT)
    what, why, how = map(cut, (record.what, record.why, record.how))
    return replace(record, what=what, why=why, how=how, culprits=tuple(map(cut, record.culprits[:MOST_CULPRITS])))


def _filled(template: str, **parts: object) -> str:
    return _templates().get_template(f"{template}.j2").render(parts).strip("\n")


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only who asks a model pays for it

    folder = FileSystemLoader(Path(__file__).parent / "templates")
    made = Environment(loader=folder, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["tojson"] = partial(json.dumps, ensure_ascii=False)  # the shipped one writes for HTML
    made.filters["by_meaning"] = lambda words: {meant: said for said, meant in reversed(words.items())}
    return made
