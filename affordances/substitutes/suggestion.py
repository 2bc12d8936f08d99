"""`suggest`: propose substitutes for a missing object, or report that there is none.

This is Algorithm 2 of AutoGPT+P (Birr et al. 2024), with data instead of a model answering its two questions: what the
task needs of the missing object (`affordances.substitutes.tasks`), and which of the objects that have all of it is
best: the purpose counts most, then the overall similarity, by weights that are our own judgement and not fitted to
data. An object that lacks something is never suggested, however similar its name: a sponge cake is no sponge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from affordances.substitutes.everyday import FIXED
from affordances.substitutes.knowledge import ClassProfile, Knowledge, sentence_of
from affordances.substitutes.tasks import Demand, SubstitutionTask, demanded_by, demands
from domains.conventions import STANDARD, Conventions
from domains.model import Domain
from semantics.logic.atoms import literals
from semantics.words.lexicon import plain

LEAST_SCORE = 0.30  # the least score of a suggestion when the goal does not state the purpose of the missing object
LEAST_ALIKE = 0.70  # the least score of a suggestion when moreover no use of the missing object is known
UNLIKE = "it is too unlike, and the goal does not say what it is for"
FAR = 3  # the smallest difference in steps of size at which an object is no substitute for another
FOOD = frozenset({"food", "drink", "condiment", "fruit", "vegetable", "snack"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A substitute."""

    class_name: str  # its class
    names: tuple[str, ...]  # the objects of this class in the scene, if their names are known
    score: float  # how good it is, from 0 to 1; comparable only within the same task
    likeness: ClassSimilarity  # the parts of the score
    shared: tuple[str, ...]  # what it has of what the task needs, as sentences about it
    sentence: str  # the proposal: "a mug instead of a glass: people drink from it without a second thought"
    note: str = ""  # what is guessed about it; or empty


@dataclass(frozen=True, slots=True)
class RefusedSubstitute:
    """An object that is no substitute: what it lacks, or another reason in words."""

    class_name: str
    lacking: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The result of a search for substitutes."""

    task: SubstitutionTask  # the task of the search
    demand: Demand  # what a substitute must have
    ranked: tuple[Suggestion, ...] = ()  # the substitutes, the best first
    refused: tuple[RefusedSubstitute, ...] = ()  # the objects that are no substitutes, with the reasons
    notes: tuple[str, ...] = ()  # remarks for the reader
    by: str = "offline"  # the origin of the answer: ``offline``, or the name of a model

    @property
    def best(self) -> Suggestion | None:
        """The best substitute; None when there is none."""
        return self.ranked[0] if self.ranked else None

    @property
    def sentence(self) -> str:
        """The result as a sentence for a person."""
        if self.best is not None:
            return self.best.sentence
        wanted = "; ".join(map(sentence_of, sorted(self.demand.relevant)))
        return f"nothing here would do instead of {article(self.task.missing)}" + (f" ({wanted})" if wanted else "")


Present = Mapping[str, Sequence[str]] | Iterable[str]


def suggest(
    task: SubstitutionTask,
    present: Present,
    knowledge: Knowledge,
    *,
    domain: Domain | None = None,
    demand: Demand | None = None,
) -> Suggestions:
    """Rank the substitutes for a missing object.

    Args:
        task: The goal, and the missing object.
        present: The classes of the scene, or the names of the objects of each class.
        knowledge: The knowledge about classes.
        domain: The world, if there is one; the requirements of its capabilities count too.
        demand: What a substitute must have; by default `demands` derives it from the goal.
    """
    names = {name: tuple(present[name]) if isinstance(present, Mapping) else () for name in present}
    names.pop(task.missing, None)
    missing = knowledge.profile(task.missing)
    demand = demands(task, knowledge) if demand is None else demand
    if domain is not None:
        demand = replace(demand, needs=demand.needs | demanded_by(domain, task, missing))
    profiles = [knowledge.profile(name) for name in names]
    words = STANDARD if domain is None else domain.conventions
    refusals = ((profile.class_name, _refusal(profile, missing, demand, task, words)) for profile in profiles)
    refused = {class_name: refusal for class_name, refusal in refusals if refusal is not None}
    fit = [profile for profile in profiles if profile.class_name not in refused]
    suggestions = [
        _suggestion(profile, missing, likeness(missing, profile, demand, knowledge), demand, task, names)
        for profile in fit
    ]
    ranked, unlike = _ranked(suggestions, demand)
    notes = tuple(filter(None, (missing.note, *(profile.note for profile in ranked[:1]))))
    return Suggestions(task, demand, ranked, (*refused.values(), *unlike), notes)


def _ranked(
    suggestions: Sequence[Suggestion], demand: Demand
) -> tuple[tuple[Suggestion, ...], tuple[RefusedSubstitute, ...]]:
    """Return the suggestions, the best first, and the refusals of those whose score is too low."""
    least = (LEAST_SCORE if demand.ends else LEAST_ALIKE) if demand.fallback else 0.0
    ranked = sorted(
        (suggestion for suggestion in suggestions if suggestion.score >= least),
        key=lambda suggestion: (-suggestion.score, suggestion.class_name),
    )
    return tuple(ranked), tuple(
        RefusedSubstitute(suggestion.class_name, (), UNLIKE) for suggestion in suggestions if suggestion.score < least
    )


def restricted(suggestions: Suggestions, class_name: str, *, keep: bool = False) -> Suggestions:
    """Return the suggestions restricted to a class, followed by the others if `keep`; none for an empty name."""
    chosen = tuple(suggestion for suggestion in suggestions.ranked if suggestion.class_name == class_name)
    others = tuple(suggestion for suggestion in suggestions.ranked if suggestion.class_name != class_name)
    return replace(suggestions, ranked=chosen + (others if keep and chosen else ()))


def _refusal(
    candidate: ClassProfile, missing: ClassProfile, demand: Demand, task: SubstitutionTask, words: Conventions
) -> RefusedSubstitute | None:
    """Return why an object is no substitute; None when it may be one."""
    lacking = demand.lacking(candidate)
    if lacking:
        return RefusedSubstitute(candidate.class_name, lacking, f"it lacks {', '.join(lacking)}")
    filled = _is_filled(task, words)
    if filled and candidate.kinds & FOOD and not missing.kinds & FOOD:
        return RefusedSubstitute(candidate.class_name, (), "there is something in it")
    if missing.size is not None and candidate.size is not None and (filled or _is_moved(task, words)):
        if candidate.size == FIXED and missing.size < candidate.size:
            return RefusedSubstitute(candidate.class_name, (), "it stays where it is")
        if abs(candidate.size - missing.size) >= FAR:
            size = "large" if candidate.size > missing.size else "small"
            return RefusedSubstitute(candidate.class_name, (), f"it is much too {size}")
    return None


def _is_filled(task: SubstitutionTask, words: Conventions) -> bool:
    """Return whether the goal puts something into the missing object."""
    atoms = [literal.atom for literal in literals(task.goal)]
    return any(
        atom.predicate in {words.in_, words.liquid_in} and task.places.intersection(atom.args[1:]) for atom in atoms
    )


def _is_moved(task: SubstitutionTask, words: Conventions) -> bool:
    """Return whether the goal moves the missing object elsewhere."""
    placed = words.placing | {words.liquid_in}
    atoms = [literal.atom for literal in literals(task.goal)]
    return any(atom.predicate in placed and task.places.intersection(atom.args[:1]) for atom in atoms)


def _suggestion(
    candidate: ClassProfile,
    missing: ClassProfile,
    like: ClassSimilarity,
    demand: Demand,
    task: SubstitutionTask,
    names: Mapping[str, tuple[str, ...]],
) -> Suggestion:
    ends = sorted(
        {use for group in demand.ends for use in group if candidate.can(use)},
        key=lambda use: (-candidate.typical.get(use, 0.0) * missing.typical.get(use, 0.0), use),
    )
    shared = tuple(map(sentence_of, ends[: max(1, len(demand.ends))] or sorted(demand.needs)))
    why = f": {' and '.join(shared)}" if shared else ""
    sentence = f"{article(candidate.class_name)} instead of {article(task.missing)}{why}"
    return Suggestion(
        candidate.class_name, names[candidate.class_name], round(like.score, 4), like, shared, sentence, candidate.note
    )


PLURALS = frozenset({"scissors", "tongs", "pliers", "eyeglasses", "sunglasses", "gloves", "socks", "chopsticks"})
UNCOUNTED = frozenset(
    {"sugar", "salt", "milk", "water", "flour", "butter", "margarine", "oil", "honey", "syrup", "juice", "cream"}
    | {"tape", "glue", "paper", "rice", "pasta", "foil", "wrap", "putty", "soap", "vinegar", "bread", "cheese", "chalk"}
    | {"string", "wire", "starch", "ice", "pepper", "mustard", "wool", "shampoo", "toothpaste", "detergent", "lard"}
)
"""Heads of names that take no article: uncountable nouns."""


def article(class_name: str) -> str:
    """Write a class as a noun with its article: "an axe", "scissors", "olive oil"."""
    words = plain(class_name)
    head = words.split()[-1] if words else ""
    if head in PLURALS or head in UNCOUNTED:
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


WEIGHTS = {"purpose": 0.50, "abilities": 0.25, "kinds": 0.15, "size": 0.10}
STEEP = 4.0
"""The power of how typical a class is for a use: it lets the uses that it is made for outweigh its occasional ones."""


@dataclass(frozen=True, slots=True)
class ClassSimilarity:
    """How similar a class is to the missing one; each part is from 0 to 1."""

    purpose: float  # how typical the class is for the purpose in the task
    abilities: float  # overlap of affordances and uses, weighted by their rarity
    kinds: float  # overlap of kinds
    size: float  # 1 for the same size, 0 for the other end of the scale; 0.5 when unknown

    @property
    def score(self) -> float:
        """The weighted mean of the parts, from 0 to 1."""
        parts: dict[str, float] = {name: getattr(self, name) for name in WEIGHTS}
        return sum(WEIGHTS[name] * value for name, value in parts.items()) / sum(WEIGHTS.values())


def likeness(missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge) -> ClassSimilarity:
    """Compare two classes for a task."""
    abilities = _overlap(missing.abilities, other.abilities, knowledge)
    kinds = len(missing.kinds & other.kinds) / max(len(missing.kinds | other.kinds), 1)
    return ClassSimilarity(_purpose(missing, other, demand, knowledge), abilities, kinds, _size(missing, other))


def _purpose(missing: ClassProfile, other: ClassProfile, demand: Demand, knowledge: Knowledge) -> float:
    """Return how typical a class is for the purposes of the task.

    Each group of ends counts with its best use, weighted by how typical the missing object is for this use. When the
    goal does not state a purpose, all uses of the missing object count, its typical ones most.
    """
    if demand.fallback and not demand.ends:
        return _overlap(missing.abilities, other.abilities, knowledge)
    if demand.fallback:
        weights: dict[str, float] = {
            use: knowledge.rarity(use) * missing.typical.get(use, 1.0) ** STEEP
            for group in demand.ends
            for use in group
        }
        served = sum(weight * other.typical.get(use, 0.0) for use, weight in weights.items())
        return served / (sum(weights.values()) or 1.0)
    groups = [
        max((other.typical.get(use, 0.0) * missing.typical.get(use, 1.0) for use in group), default=0.0)
        for group in demand.ends
    ]
    return sum(groups) / len(groups) if groups else 1.0


def _overlap(abilities: Mapping[str, float], others: Mapping[str, float], knowledge: Knowledge) -> float:
    """Return what two classes share of what either is good for; rare abilities and typical uses weigh more."""
    names = sorted(abilities.keys() | others.keys())
    pairs = [(knowledge.rarity(name), abilities.get(name, 0.0), others.get(name, 0.0)) for name in names]
    either = sum(rarity * max(pair) ** STEEP for rarity, *pair in pairs)
    return sum(rarity * min(pair) ** STEEP for rarity, *pair in pairs) / either if either else 0.0


def _size(missing: ClassProfile, other: ClassProfile) -> float:
    if missing.size is None or other.size is None:
        return 0.5
    return 1.0 - abs(missing.size - other.size) / FIXED
