"""One sentence of the gallery: what is written about it, and what became of it when it was carried out.

Each sentence has a session of its own, as each call of the command line has. What a sentence that was said before has
taught is in a memory of this trial alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import yaml

from benchmarks.gallery.truth import holds, true_facts
from bt import Entries
from domains.model import Domain
from graftwork import Episode, Outcome, Session
from graftwork.decision import formal_goal
from graftwork.run.run import Run
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Formula, Not, Or
from semantics.logic.goal import Question
from semantics.logic.parsing import parse_formula
from semantics.logic.sentences import in_words

__all__ = ["Entry", "Group", "Shown", "groups", "perform"]

FILE = Path(__file__).with_name("sentences.yaml")
ROOT = Path(__file__).parents[2]
MOST_ALTERNATIVES = 4
"""How many alternatives of a goal are shown."""
SIMPLER = {"blocks": "symbolic", "kitchen": "fake", "tabletop": "symbolic"}
"""The bodies without physics of the worlds with geometry; a world without any has one that lives in the model."""
SPEAKS_AFTER = 60
"""After how many ticks a person says something; then the first step works, and the second one runs."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A sentence, and what one must see in the end.

    Attributes:
        say: The sentence; empty for a goal.
        goal: The goal in PDDL; empty for a sentence.
        domain: Name of the world.
        scene: Name of the scene, or its path from the root of the checkout; empty for the first choice of the world.
        end: What must be true of the body's world afterwards, in PDDL, and must not be true before, unless there is a
            way; a sentence after which nothing may have changed has none.
        way: What must become true of it before that, one after the other, in PDDL.
        outcome: The outcome that is expected.
        says: Words that the closing message must contain.
        answers: What the person answers to each question, in order.
        during: What the person says while the robot works, in order.
        before: Sentences that were carried out before, each from the start of the scene, with the same memory.
        options: Further options of the command.
        why: A remark for the reader.
    """

    say: str = ""
    goal: str = ""
    domain: str = "kitchen"
    scene: str = ""
    end: str = ""
    way: tuple[str, ...] = ()
    outcome: Outcome = Outcome.ACHIEVED
    says: str = ""
    answers: tuple[str, ...] = ()
    during: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Read an entry of the file."""
        lists = {name: tuple(document[name]) for name in ("answers", "before", "during", "way") if name in document}
        outcome = Outcome(document.get("outcome", Outcome.ACHIEVED))
        return cls(**{**document, **lists, "outcome": outcome})

    @property
    def title(self) -> str:
        """The words that are typed."""
        return self.say or self.goal

    @property
    def command(self) -> str:
        """The command line."""
        words = ["graftwork run", *([] if self.say else ["--goal"]), f'"{self.title}"']
        words += [] if self.domain == "kitchen" else [f"--domain {self.domain}"]
        words += [f"--scene {self.scene}"] if self.scene else []
        words += [f"--robot {SIMPLER[self.domain]}"] if self.domain in SIMPLER else []
        return " ".join((*words, *(f"--{name} {value}" for name, value in self.options.items())))

    @property
    def earlier(self) -> Iterator[Self]:
        """The entries of the sentences that were said before."""
        return (replace(self, say=sentence, before=(), answers=(), during=()) for sentence in self.before)


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that show one thing; a group may still be empty."""

    name: str
    title: str
    text: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of a sentence.

    Attributes:
        entry: The sentence.
        episode: How it went.
        meaning: The goal in plain words; empty when there is none.
        steps: The steps that were done, in plain words; empty when there were none.
        cost: What these steps cost, in the unit of the world.
        asked: The questions that were put to the person, in order.
        change: What is true afterwards and was not before, in plain words.
        wrong: What is not as it must be, in words; empty when nothing is.
    """

    entry: Entry
    episode: Episode
    meaning: str
    steps: str
    cost: float
    asked: tuple[str, ...]
    change: str
    wrong: tuple[str, ...] = ()


def groups(file: Path = FILE) -> tuple[Group, ...]:
    """Read the sentences, in order.

    Raises:
        UsageError: The file cannot be used.
    """
    try:
        documents = yaml.safe_load(file.read_text(encoding="utf-8"))
        return tuple(
            Group(name, each["title"], each["text"], tuple(map(Entry.read, each.get("sentences") or ())))
            for name, each in documents.items()
        )
    except (OSError, TypeError, KeyError, ValueError, AttributeError, yaml.YAMLError) as error:
        raise UsageError(f"{file}: {error}") from error


def perform(entry: Entry) -> Shown:
    """Carry a sentence out and judge it."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder, "memory.db") if entry.before else None
        for earlier in entry.earlier:
            with _session(earlier, memory) as session:
                session.handle(earlier.say)
        journal = Entries()
        with _session(entry, memory, journal) as session:
            witness, person = _Witness(entry, session), _Person(entry)
            run = session.start(entry.say) if entry.say else session.start(goal=entry.goal)

            def tick() -> None:
                witness.look()
                person.speak(run)

            episode = run.finish(tick=tick, answer=person.answer)
            asked = tuple(question.text for question in person.asked)
            return _shown(entry, episode, session.environment.world.domain, journal, asked, witness)


def _session(entry: Entry, memory: Path | None, *journals: Entries) -> Session:
    return Session(
        entry.domain,
        str(ROOT / entry.scene) if "/" in entry.scene else entry.scene or "auto",
        robot=SIMPLER.get(entry.domain, "symbolic"),
        memory=memory,
        journals=journals,
        **entry.options,
    )


class _Witness:
    """Who looks at the true state of the body's world.

    Attributes:
        before: The true facts at the start.
        end: What must be true in the end, or None.
        missing: What has not become true yet of what must become true on the way.
    """

    def __init__(self, entry: Entry, session: Session) -> None:
        self._robot = session.environment.robot
        domain, things = session.environment.world.domain, session.environment.world.objects
        self.before = true_facts(self._robot)
        self.end = formal_goal(entry.end, domain, things).formula if entry.end else None
        self.missing = [formal_goal(text, domain, things).formula for text in entry.way]

    @property
    def after(self) -> frozenset[Atom]:
        """The true facts now."""
        return true_facts(self._robot)

    def look(self) -> None:
        """Look whether what is missing has become true."""
        while self.missing and holds(self.missing[0], self.after):
            del self.missing[0]


class _Person:
    """Who answers the questions of a run and speaks while it is under way.

    Attributes:
        asked: The questions so far.
    """

    def __init__(self, entry: Entry) -> None:
        self.asked: list[Question] = []
        self._answers, self._unsaid = list(entry.answers), list(entry.during)
        self._ticks = 0

    def answer(self, question: Question) -> str | None:
        """Answer a question; who has no more answers stops the run."""
        if question not in self.asked:
            self.asked.append(question)
        return self._answers.pop(0) if self._answers else "stop"

    def speak(self, run: Run) -> None:
        """Say what is to be said by now; ticks are counted, because a simulated clock stands still in a wait."""
        self._ticks += 1
        if self._unsaid and self._ticks % SPEAKS_AFTER == 0:
            run.say(self._unsaid.pop(0))


def _shown(
    entry: Entry, episode: Episode, domain: Domain, journal: Entries, asked: tuple[str, ...], witness: _Witness
) -> Shown:
    done = tuple(_done(journal))
    costs = {step: cost for plan in journal.of("plan") for step, cost in zip(plan["steps"], plan["costs"], strict=True)}
    shown = Shown(
        entry,
        episode,
        ", then ".join(_meaning(goal, domain) for goal in (episode.goal or "").split(", then ") if goal),
        _in_words(done, domain),
        sum(costs.get(step, 0) for step in done),
        asked,
        _change(domain, witness.before, witness.after),
    )
    return replace(shown, wrong=tuple(_wrong(shown, witness)))


def _done(journal: Entries) -> Iterator[str]:
    """Yield the steps that worked, in order; the last step of an errand ends with its tree, before the next tick."""
    steps: dict[str, str] = {}
    last, worked = "", ""
    for event in journal.events:
        if event["e"] == "resume":
            worked = event["why"].removesuffix(" worked") if event["why"].endswith(" worked") else ""
        elif event["e"] == "tree":
            if worked not in ("", last):
                yield worked
            steps |= {node["id"]: node["what"] for node in _nodes(event["root"]) if node["kind"] == "step"}
        elif event["e"] == "tick":
            for name, status in event.get("status", {}).items():
                if status == "success" and name in steps:
                    yield (last := steps[name])


def _nodes(root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield root
    for child in root["children"]:
        yield from _nodes(child)


def _in_words(steps: Sequence[str], domain: Domain) -> str:
    """Return steps as one sentence, in which a person or robot is named once for all that it does in a row."""
    sentence, subject = "", ""
    for step in steps:
        name, *args = step.strip("()").split()
        capability = domain.capabilities[name]
        text = capability.template.format(*args) if capability.say else " ".join((name, *args))
        agent = args[0] if args and text.startswith(f"{args[0]} ") else ""
        again = bool(agent) and agent == subject
        sentence += f"{', ' if again else '; ' if sentence else ''}{text.removeprefix(f'{agent} ') if again else text}"
        subject = agent
    return sentence


def _meaning(formula: str, domain: Domain) -> str:
    """Return a goal in plain words; of many alternatives, the first ones."""
    read, words = parse_formula(formula, adl=True), {name: each.predicate for name, each in domain.predicates.items()}
    if not isinstance(read, Or) or len(read.parts) <= MOST_ALTERNATIVES:
        return in_words(read, words)
    return f"{in_words(Or(read.parts[:MOST_ALTERNATIVES]), words)}, or {len(read.parts) - MOST_ALTERNATIVES} others"


def _change(domain: Domain, before: frozenset[Atom], after: frozenset[Atom]) -> str:
    """Return in words what has become true; if nothing has, what is true no more."""
    told = {name for name, model in domain.predicates.items() if not model.bookkeeping and name not in domain.derived}
    new, gone = (sorted(atom for atom in facts if atom.predicate in told) for facts in (after - before, before - after))
    parts: tuple[Formula, ...] = tuple(new) or tuple(map(Not, gone))
    return in_words(And(parts), {name: model.predicate for name, model in domain.predicates.items()}) if parts else ""


def _wrong(shown: Shown, witness: _Witness) -> Iterator[str]:
    entry, episode = shown.entry, shown.episode
    if episode.outcome is not entry.outcome:
        yield f"it ended with {episode.outcome} instead of {entry.outcome}: {episode.message}"
    if entry.says not in " ".join((episode.message, *shown.asked)):
        yield f"'{entry.says}' is not in the message: {episode.message}"
    if len(shown.asked) != len(entry.answers):
        yield f"it asked {shown.asked}, and the answers were {entry.answers}"
    yield from (f"{condition} was not true when it had to be" for condition in witness.missing[:1])
    if witness.end is None and witness.before != witness.after:
        yield f"something has changed: {shown.change}"
    if witness.end is not None and not entry.way and holds(witness.end, witness.before):
        yield f"{entry.end} was true before, so that it shows nothing"
    if witness.end is not None and not holds(witness.end, witness.after):
        yield f"{entry.end} is not true afterwards"
