"""CoPAL's requests said to a session, to the end: ``graftwork bench words --set copal --sentences --model M``.

The same 35 problems as those whose plans are said (`benchmarks.words.copal`): ten cocktails, ten pizzas and 15 of the
block problems. Each sentence is decided and carried out on a body without physics. What is proposed gets a yes, and
nothing else is answered. Right is an end at which the key finds nothing wrong.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.copal.judging import Judge
from benchmarks.copal.recipes import SCENES, Recipe, recipes
from benchmarks.copal.scenes import import_copal
from benchmarks.gallery.truth import true_facts
from benchmarks.words.copal import block_problems
from benchmarks.words.crew import Job, results_of
from benchmarks.words.rows import Kind, Row, read_rows
from benchmarks.words.suite import Recording
from benchmarks.words.trial import Manner
from domains.model import SceneFile
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.record.episode import Outcome
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.goal import Question
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from semantics.plain_text import together
from semantics.proportion import wilson_interval

__all__ = ["run_sentences"]

YES = "yes"
TARGET = 0.95


class Request(NamedTuple):
    """What is asked for.

    Attributes:
        name: Of the problem.
        world: Its world.
        scene: The file of its scene.
        sentence: What is said.
        wrong: Returns what is wrong with a state at the end; empty when nothing is.
    """

    name: str
    world: str
    scene: Path
    sentence: str
    wrong: Callable[[State], str]


def requests(data: Path, with_recipe: bool, folder: Path) -> Iterator[Request]:
    """Yield the 35 requests, with what must be in it or by name alone; their scenes are written into a folder."""
    for world, kind, ending in (("barman", " cocktail", ", and serve it on the tray"), ("pizza", "", "")):
        domain, source = load_domain(world), data / "copal_scenes" / f"env_state_{SCENES[world]}.json"
        file = folder / f"{world}.yaml"
        file.write_text(import_copal(source, domain).text(source.name), encoding="utf-8")
        scene = load_scene(domain, file)
        judge = Judge(domain, scene)
        substances = [name for name, thing in scene.things.items() if "substance" in thing.affordances]
        for recipe in recipes(data, world, substances):
            told = f" with {together(name.replace('_', ' ') for name in sorted(recipe.must))}" if with_recipe else ""
            sentence = f"Please, prepare {recipe.name}{kind}{told}{ending}"
            yield Request(recipe.name, world, file, sentence, partial(_made, judge, recipe))
    for name, block_scene, sentence, goal in block_problems(data):
        file = folder / f"{name}.yaml"
        file.write_text(_blocks_text(block_scene), encoding="utf-8")
        yield Request(name, "blocks", file, sentence, partial(_lacking, goal))


def _blocks_text(scene: SceneFile) -> str:
    """Return the text of a scene of blocks, with the towers in a row on the table."""
    below = {fact.args[0]: fact.args[1] for fact in scene.facts if fact.predicate == "on"}
    lowest = [name for name, thing in scene.things.items() if thing.class_name == "block" and name not in below]
    lines = [
        "domain: blocks",
        "things:",
        "  robot0: {class: robot, pose: [0.0, 0.0, 0.0], body: panda-fixed}",
        "  table0: {class: table, pose: [0.53, 0.0, 3.1416], size: [0.72, 0.68, 0.72]}",
        *(f"  {name}: {{class: block, on: {under}}}" for name, under in below.items()),
        *(f"  {name}: {{class: block, on: table0, offset: {_offset(number)}}}" for number, name in enumerate(lowest)),
    ]
    facts = ", ".join(sorted(str(fact) for fact in scene.facts if fact.predicate != "on"))
    return "\n".join(lines) + f"\nfacts: [{facts}]\n"


def _offset(number: int) -> list[float]:
    return [round(-0.3 + 0.08 * (number % 8), 2), 0.1 * (number // 8)]


def _made(judge: Judge, recipe: Recipe, state: State) -> str:
    return judge.made(state, recipe)


def _lacking(goal: Conjunct, state: State) -> str:
    return " ".join(map(str, state.missing(goal)))


def say(request: str, world: str, scene: str, sentence: str, manner: Manner) -> Row:
    """Say a sentence to a session, and return what has come of it; `data` has the true facts at the end."""
    row = Row(request)
    try:
        with Session(
            world,
            scene,
            robot="symbolic",
            model=manner.model,
            memory=None,
            model_seconds=manner.model_seconds,
            record_model=manner.record,
        ) as session:
            episode = session.handle(sentence, lambda question: _agreed(question, row))
            row.outcome, row.calls, row.tokens = str(episode.outcome), episode.model_calls, episode.tokens
            row.kind = Kind.GOAL if episode.outcome is Outcome.ACHIEVED else Kind.NOTHING
            row.told, row.goals = [episode.message], [[[str(episode.goal)]]]
            row.data = {"end": sorted(map(str, true_facts(session.environment.robot)))}
    except Exception as error:  # of the program, which counts as a miss
        row.error = f"{type(error).__name__}: {error}"
    return row


def _agreed(question: Question, row: Row) -> str | None:
    row.question = question.text
    return YES if YES in question.options else None


def run_sentences(data: Path, with_recipe: bool, given: Namespace) -> int:
    """Say the requests, print what has come of them, and return 1 when the target is missed."""
    recording = Recording(given.record_model) if given.record_model else None
    known = read_rows(given.into) if given.into else {}
    with TemporaryDirectory() as folder:
        asked = list(requests(data, with_recipe, Path(folder)))
        jobs = [_job(one, given, recording) for one in asked if one.name not in known]
        for number, (name, row) in enumerate(results_of(jobs, given.jobs), 1):
            known[name] = row
            if recording is not None:
                recording.take_in(name)
            if given.into:
                with given.into.open("a", encoding="utf-8") as file:
                    file.write(row.as_line())
            sys.stderr.write(f"{number} of {len(jobs)}  {name}\n")
        if recording is not None:
            recording.close()
    return _told([(one, known[one.name]) for one in asked], given.model)


def _job(request: Request, given: Namespace, recording: Recording | None) -> Job:
    name, _, file = given.model.partition(":")
    if name == "replay" and not Path(file).exists():
        raise UsageError(f"there is no recording {file}")
    model = f"{name}:{Path(file).resolve()}" if name == "replay" else given.model
    record = recording.part(request.name) if recording is not None and name != "replay" else None
    manner = Manner(model, record, given.model_seconds)
    return Job(request.name, say, (request.name, request.world, str(request.scene), request.sentence, manner))


def _told(results: Sequence[tuple[Request, Row]], model: str) -> int:
    right: dict[str, bool] = {}
    for request, row in results:
        why = row.error or ("" if row.outcome == Outcome.ACHIEVED else " ".join(row.told))
        if not why:
            end = [parse_formula(fact) for fact in (row.data or {}).get("end", ())]
            why = request.wrong(State(frozenset(fact for fact in end if isinstance(fact, Atom))))
        right[request.name] = not why
        if why:
            sys.stdout.write(f"- {request.world}, {request.name}: {why} {row.question}\n")
    worlds = [request.world for request, _ in results]
    for world in (*dict.fromkeys(worlds), "all"):
        own = [row for request, row in results if world in (request.world, "all")]
        good = sum(right[request.name] for request, _ in results if world in (request.world, "all"))
        low, high = wilson_interval(good, len(own))
        calls, tokens = (sum(each) / len(own) for each in zip(*((row.calls, row.tokens) for row in own), strict=True))
        share = f"{good / len(own):.1%} ({low:.1%} to {high:.1%})"
        sys.stdout.write(f"{world}: {good} of {len(own)} right, {share}; calls {calls:.1f}, tokens {tokens:.0f}\n")
    sys.stdout.write(f"model {model}\n")
    return 0 if sum(right.values()) >= TARGET * len(right) else 1
