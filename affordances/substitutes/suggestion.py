"""`suggest`: what could stand in for a thing that is not there, or that nothing could.

The paper's Algorithm 2 with the model's two questions answered by data: what the task needs of the missing thing
(`affordances.substitutes.tasks`), and which of the things that have all of it is best (`likeness`). What lacks
something is never suggested, however like it sounds: a sponge cake is no sponge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from affordances.ontology import AFFORDANCES
from affordances.substitutes.knowledge import SIZES, ClassProfile, Knowledge, uses
from affordances.substitutes.likeness import ClassSimilarity, likeness
from affordances.substitutes.tasks import Demand, SubstitutionTask, demanded_by, demands
from domains.conventions import STANDARD, Conventions
from domains.model import Domain
from semantics.atoms import literals
from semantics.embedding import Embedder
from semantics.errors import OutsideError
from semantics.lexicon import plain

__all__ = ["LEAST_SCORE", "RefusedSubstitute", "Suggestion", "Suggestions", "article", "restricted", "suggest"]

LEAST_SCORE = 0.35
"""Where a goal says nothing of what the missing thing is for, what is less like it is not suggested."""
LEAST_ALIKE = 0.60
"""The same, when nothing is known of what it is for at all."""
FAR = 3
"""Steps of size from which on one thing does not take the place of another."""
FOOD = frozenset({"food", "drink", "condiment", "fruit", "vegetable", "snack"})
VESSEL = frozenset({"contain", "liquid-contain"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that would do.

    Attributes:
        class_name: Its class.
        names: The things of that class in the scene, if they were given.
        score: How good it is, from 0 to 1; only to be compared within one task.
        likeness: What makes the score.
        shared: What it has of what the task needs, as sentences about it.
        sentence: What to say: "a mug instead of a glass: people drink from it without a second thought".
        note: What was guessed about it; or empty.
    """

    class_name: str
    names: tuple[str, ...]
    score: float
    likeness: ClassSimilarity
    shared: tuple[str, ...]
    sentence: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class RefusedSubstitute:
    """Something that would not do: what it lacks, or another reason in words."""

    class_name: str
    lacking: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What was found.

    Attributes:
        task: What it is for.
        demand: What was asked for.
        ranked: What would do, the best first.
        refused: What would not, and why.
        notes: What the reader must know.
        by: Who answered: ``offline``, or the name of a model.
    """

    task: SubstitutionTask
    demand: Demand
    ranked: tuple[Suggestion, ...] = ()
    refused: tuple[RefusedSubstitute, ...] = ()
    notes: tuple[str, ...] = ()
    by: str = "offline"

    @property
    def best(self) -> Suggestion | None:
        """The one to propose; None is the honest answer that nothing would do."""
        return self.ranked[0] if self.ranked else None

    @property
    def sentence(self) -> str:
        """What to tell a person."""
        if self.best is not None:
            return self.best.sentence
        wanted = "; ".join(_sentences(sorted(self.demand.relevant)))
        return f"nothing here would do instead of {article(self.task.missing)}" + (f" ({wanted})" if wanted else "")


Present = Mapping[str, Sequence[str]] | Iterable[str]


def suggest(
    task: SubstitutionTask,
    present: Present,
    knowledge: Knowledge,
    *,
    domain: Domain | None = None,
    embed: Embedder | None = None,
    demand: Demand | None = None,
) -> Suggestions:
    """Rank what could stand in for what is missing.

    Args:
        task: What is wanted, and what is not there.
        present: The classes of the scene, or the names of the things of each class.
        knowledge: What is known of classes.
        domain: The world whose capabilities are asked first, if there is one.
        embed: Compares names by meaning; None leaves that out, which costs little.
        demand: What is asked for; None to find it out from the goal.
    """
    names = _named(present)
    names.pop(task.missing, None)
    missing = knowledge.profile(task.missing)
    demand = demands(task, knowledge) if demand is None else demand
    if domain is not None:
        demand = replace(demand, needs=demand.needs | demanded_by(domain, task, missing))
    profiles = [knowledge.profile(name) for name in names]
    words = STANDARD if domain is None else domain.conventions
    refusals = ((one.class_name, _refusal(one, missing, demand, task, words)) for one in profiles)
    refused = {class_name: no for class_name, no in refusals if no is not None}
    fit = [one for one in profiles if one.class_name not in refused]
    meanings, note = _meanings(task.missing, [one.class_name for one in fit], embed)
    likenesses = [likeness(missing, one, demand, knowledge, meanings.get(one.class_name)) for one in fit]
    found = [_suggestion(one, missing, like, demand, task, names) for one, like in zip(fit, likenesses, strict=True)]
    ranked, unlike = _ranked(found, demand)
    notes = tuple(filter(None, (missing.note, note, *(one.note for one in ranked[:1]))))
    return Suggestions(task, demand, ranked, (*refused.values(), *unlike), notes)


def _named(present: Present) -> dict[str, tuple[str, ...]]:
    if isinstance(present, Mapping):
        return {name: tuple(present[name]) for name in present}
    return dict.fromkeys(present, ())


def _ranked(
    found: Sequence[Suggestion], demand: Demand
) -> tuple[tuple[Suggestion, ...], tuple[RefusedSubstitute, ...]]:
    """Return the suggestions, the best first, and what is too unlike to be one."""
    least = (LEAST_SCORE if demand.ends else LEAST_ALIKE) if demand.fallback else 0.0
    ranked = sorted((one for one in found if one.score >= least), key=lambda one: (-one.score, one.class_name))
    return tuple(ranked), tuple(_unlike(one) for one in found if one.score < least)


def restricted(found: Suggestions, class_name: str, *, keep: bool = False) -> Suggestions:
    """Return suggestions with one class first, and the others behind it or left out; none at all for an empty name."""
    chosen = tuple(one for one in found.ranked if one.class_name == class_name)
    others = tuple(one for one in found.ranked if one.class_name != class_name) if keep and chosen else ()
    return replace(found, ranked=chosen + others)


def _refusal(
    one: ClassProfile, missing: ClassProfile, demand: Demand, task: SubstitutionTask, words: Conventions
) -> RefusedSubstitute | None:
    """Return why a thing would not do; None when it would."""
    lacking = demand.lacking(one)
    if lacking:
        return RefusedSubstitute(one.class_name, lacking, f"it lacks {', '.join(lacking)}")
    if demand.needs & (VESSEL | {words.contain}) and one.kinds & FOOD and not missing.kinds & FOOD:
        return RefusedSubstitute(one.class_name, (), "there is something in it")
    if task.places and missing.size is not None and one.size is not None:
        if one.size == SIZES.index("fixed") and missing.size < one.size:
            return RefusedSubstitute(one.class_name, (), "it stays where it is") if _is_moved(task, words) else None
        if abs(one.size - missing.size) >= FAR and _is_moved(task, words):
            return RefusedSubstitute(
                one.class_name, (), f"it is much too {'large' if one.size > missing.size else 'small'}"
            )
    return None


def _is_moved(task: SubstitutionTask, words: Conventions) -> bool:
    """Return whether the missing thing is moved or filled, so that its size matters."""
    placed = words.placing | {words.liquid_in}
    return any(
        literal.atom.predicate in placed and task.places.intersection(literal.atom.args)
        for literal in literals(task.goal)
    )


def _unlike(one: Suggestion) -> RefusedSubstitute:
    return RefusedSubstitute(one.class_name, (), "it is too unlike, and the goal does not say what it is for")


def _meanings(missing: str, classes: Sequence[str], embed: Embedder | None) -> tuple[Mapping[str, float], str]:
    """Return the likeness of each name to the missing one, none when nothing has to be told apart."""
    if embed is None:
        return {}, "ranked by affordances, uses, kinds and size only, without comparing meanings"
    if len(classes) < 2:
        return {}, ""
    try:
        found = embed.similarities(plain(missing), [plain(one) for one in classes])
    except OutsideError as error:
        return {}, f"{error}; ranked by affordances, uses, kinds and size only, without comparing meanings"
    return dict(zip(classes, found, strict=True)), ""


def _suggestion(
    one: ClassProfile,
    missing: ClassProfile,
    like: ClassSimilarity,
    demand: Demand,
    task: SubstitutionTask,
    names: Mapping[str, tuple[str, ...]],
) -> Suggestion:
    ends = sorted(
        {use for group in demand.ends for use in group if one.can(use)},
        key=lambda use: (-one.typical.get(use, 0.0) * missing.typical.get(use, 0.0), use),
    )
    shared = _sentences(ends[: max(1, len(demand.ends))] or sorted(demand.needs))
    why = f": {' and '.join(shared)}" if shared else ""
    sentence = f"{article(one.class_name)} instead of {article(task.missing)}{why}"
    return Suggestion(one.class_name, names[one.class_name], round(like.score, 4), like, shared, sentence, one.note)


def _sentences(abilities: Sequence[str]) -> tuple[str, ...]:
    return tuple(uses()[one].sentence if one in uses() else AFFORDANCES.get(one, one) for one in abilities)


PLURALS = frozenset({"scissors", "tongs", "pliers", "eyeglasses", "sunglasses", "gloves", "socks", "chopsticks"})
UNCOUNTED = frozenset(
    {"sugar", "salt", "milk", "water", "flour", "butter", "margarine", "oil", "honey", "syrup", "juice", "cream"}
    | {"tape", "glue", "paper", "rice", "pasta", "foil", "wrap", "putty", "soap", "vinegar", "bread", "cheese", "chalk"}
    | {"string", "wire", "starch", "ice", "pepper", "mustard", "wool", "shampoo", "toothpaste", "detergent", "lard"}
)
"""Heads of names that stand without an article: what English counts in portions."""


def article(class_name: str) -> str:
    """Write a class as a noun with its article: "an axe", "scissors", "olive oil"."""
    words = plain(class_name)
    head = words.split()[-1] if words else ""
    if head in PLURALS or head in UNCOUNTED:
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"
