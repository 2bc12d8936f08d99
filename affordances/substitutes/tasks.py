"""What a goal requires of the missing object.

The first question of AutoGPT+P to its model is which affordances of the missing object matter for the task (Birr et al.
2024, Algorithm 2). Here data answer it (``tasks.yaml``). If the missing object is an argument of the goal, its role
determines what it must be good for; if not, it is a tool, and the tools that achieve such a goal determine it. Of these
ends, only those count that the missing object serves: both a towel and an umbrella keep a person dry, the towel after a
shower, the umbrella in the rain. Where the goal leaves several, or says nothing of a purpose, the words of the request
choose among them, wherever they stand. They speak alone for a missing object that nobody knows.

A world's own capabilities require affordances too (`demanded_by`). A predicate types its arguments by affordances, and
the capability that achieves the predicate types its tool: wiping a table in the kitchen needs something that affords
`wet-swipe`. This knowledge is certain for the world and takes precedence over the general knowledge of ``tasks.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from affordances.substitutes.everyday import data_of
from affordances.substitutes.knowledge import ClassProfile, Knowledge, spoken_uses
from domains.capability import Capability, Parameter
from domains.model import Domain
from semantics.logic.atoms import Atom, Formula, literals
from semantics.words.lexicon import plain

NEAR = 0.6  # of the uses that words speak of, those count that have at least this share of the highest weight
LEAST_SPOKEN = 0.2  # the least weight of a use that words alone speak of
LEAST_ALONE = 0.7  # the same for a thing of which nothing is known: a word that speaks of nothing else, or several

VESSEL = frozenset({"contain", "liquid-contain"})  # what makes a thing a vessel


@dataclass(frozen=True, slots=True)
class SubstitutionTask:
    """A goal for which an object is missing.

    Attributes:
        goal: The goal formula, in which the missing object may occur.
        missing: The class of the missing object.
        places: The names in `goal` that stand for the missing object; empty for a tool that the goal does not mention.
        classes: The class of each other name in `goal`; by default the name without its trailing digits.
        request: The sentence that the goal comes from, or empty.
    """

    goal: Formula
    missing: str
    places: frozenset[str] = frozenset()
    classes: Mapping[str, str] | None = None
    request: str = ""

    def class_of(self, name: str) -> str:
        """Return the class of a name of the goal."""
        return (self.classes or {}).get(name) or name.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a substitute must have."""

    needs: frozenset[str] = frozenset()  # all of these affordances
    ends: tuple[frozenset[str], ...] = ()  # at least one use or affordance of each of these groups
    # whether the goal does not state a purpose, so that `ends` holds all uses of the missing object
    fallback: bool = False

    def lacking(self, profile: ClassProfile) -> tuple[str, ...]:
        """Return what a class lacks: needs that it does not have, and all ends of each group of which it has none."""
        needs = [ability for ability in sorted(self.needs) if not profile.can(ability)]
        ends = [ability for group in self.ends if not any(map(profile.can, group)) for ability in sorted(group)]
        return tuple(dict.fromkeys((*needs, *ends)))

    @property
    def relevant(self) -> frozenset[str]:
        """All affordances and uses in the demand."""
        return self.needs.union(*self.ends)


@cache
def groups() -> Mapping[str, frozenset[str]]:
    """Return the groups of objects that ``tasks.yaml`` distinguishes, each with its words."""
    return {name: frozenset(words) for name, words in data_of("tasks")["groups"].items()}


@cache
def predicates() -> Mapping[str, Mapping[str, Any]]:
    """Return the data about each predicate in ``tasks.yaml``."""
    entries: dict[str, Mapping[str, Any]] = data_of("tasks")["predicates"]
    return {name: entries[entry["same"]] if "same" in entry else entry for name, entry in entries.items()}


def demands(task: SubstitutionTask, knowledge: Knowledge) -> Demand:
    """Return what a substitute must have, derived from the goal and the words of the request."""
    missing = knowledge.profile(task.missing)
    about = _Subject(task, knowledge)
    atoms = [literal.atom for literal in literals(task.goal)]
    spoken = _spoken(task, missing, atoms)
    served = _served(missing, spoken)
    own = {use: weight * missing.typical.get(use, 1.0) for use, weight in spoken.items() if use in served}
    said = _most_spoken(own)
    purposes = _Purposes(served, said, said if task.request else NOTHING)
    needs: set[str] = set()
    ends: list[frozenset[str]] = []
    for atom in atoms:
        for role in _roles(atom, task.places):
            needs |= {*role.get("needs", ())}
            ends += purposes.wanted(_ends_of_role(role, about))
    tools = [atom for atom in atoms if not task.places.intersection(atom.args)]
    ends += purposes.of_tools([_ends_of_tool(atom, about) for atom in tools], alone=not task.places)
    groups_of_ends = _distinct(ends) or ((purposes.said,) if purposes.said else ())
    if groups_of_ends:  # what serves them holds what it must, though it is made for something else
        return Demand(frozenset(needs - VESSEL), groups_of_ends)
    return Demand(frozenset(needs), (served,) if served else (), fallback=True)


def _spoken(task: SubstitutionTask, missing: ClassProfile, atoms: Iterable[Atom]) -> Mapping[str, float]:
    """Return the uses that the request and the goal speak of; the name of a known class says nothing more of it."""
    names = [task.class_of(arg) for atom in atoms for arg in atom.args if arg not in task.places]
    text = task.request or " ".join((*names, *(atom.predicate for atom in atoms)))
    return spoken_uses(text, task.missing) if missing.known_as else spoken_uses(f"{text} {task.missing}")


def _served(missing: ClassProfile, spoken: Mapping[str, float]) -> frozenset[str]:
    """Return the uses of the missing object; for one that is guessed, those most spoken of come first."""
    if missing.known_as and missing.uses:
        return missing.uses
    return (missing.uses & spoken.keys()) or _most_spoken(spoken, LEAST_ALONE) or missing.uses


def _most_spoken(spoken: Mapping[str, float], least: float = LEAST_SPOKEN) -> frozenset[str]:
    """Return the uses with about the highest weight."""
    best = max(spoken.values(), default=0.0)
    return frozenset(use for use, weight in spoken.items() if weight >= max(best * NEAR, least))


@dataclass(frozen=True, slots=True)
class _Subject:
    """The subject of a goal: the groups that its names other than the missing object belong to."""

    task: SubstitutionTask
    knowledge: Knowledge

    def belongs(self, names: Iterable[str], atom: Atom | None = None) -> bool:
        """Return whether a name in the goal, or in `atom` if given, belongs to one of the groups `names`."""
        args = atom.args if atom else [arg for literal in literals(self.task.goal) for arg in literal.atom.args]
        known_words = [self._words(arg) for arg in args if arg not in self.task.places]
        return any(groups()[group] & words for group in names for words in known_words)

    def _words(self, name: str) -> frozenset[str]:
        class_name = self.task.class_of(name)
        profile = self.knowledge.profile(class_name)
        head = plain(class_name).split()[-1:]
        return frozenset((class_name, profile.known_as, *profile.kinds, *head)) - {""}


Lines = Sequence[Mapping[str, Any]]
NOTHING = frozenset[str]()


class Ends(NamedTuple):
    """The uses that fit the subject of the goal, those of any other subject, and all possible ones."""

    fitting: frozenset[str]
    usual: frozenset[str]
    all: frozenset[str]


def _ends_of_role(role: Mapping[str, Any], about: _Subject) -> Ends:
    return _ends(role.get("of", ()), about.belongs, frozenset(role.get("uses", ())))


def _ends_of_tool(atom: Atom, about: _Subject) -> Ends:
    lines = predicates().get(atom.predicate, {}).get("by", ())
    return _ends(lines, lambda names: about.belongs(names, atom), NOTHING)


def _ends(lines: Lines, belongs: Callable[[Iterable[str]], bool], more: frozenset[str]) -> Ends:
    fitting = _named(line for line in lines if "of" in line and belongs(line["of"]))
    usual = NOTHING if fitting else _named(line for line in lines if "of" not in line)
    return Ends(fitting, usual, more | _named(lines))


def _named(lines: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(use for line in lines for use in line["uses"])


def _roles(atom: Atom, places: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    roles = predicates().get(atom.predicate, {}).get("roles", ())
    for arg, role in zip(atom.args, roles, strict=False):
        if arg in places:
            yield role


@dataclass(frozen=True, slots=True)
class _Purposes:
    """The uses that the missing object serves, those of them that the words speak of most, and those a person said."""

    served: frozenset[str]
    said: frozenset[str]
    heard: frozenset[str]

    def wanted(self, ends: Ends) -> list[frozenset[str]]:
        """Return the uses that count of those that a goal may be about.

        What the goal is about decides first, then the words; without both, all that the missing object serves count.
        What a person said counts beside what the goal is about, since the lists of ``tasks.yaml`` are not complete.
        """
        usual, possible = ends.usual & self.served, ends.all & self.served
        fitting = ends.fitting & self.heard or ends.fitting & self.served
        said = ends.all & self.said or (possible and self.heard)
        groups = (fitting and fitting | self.heard, usual and usual | self.said, said, possible)
        return [next(filter(None, groups))] if any(groups) else []

    def of_tools(self, all_ends: Sequence[Ends], *, alone: bool) -> list[frozenset[str]]:
        """Return the uses for which it is the tool; if it is only a tool and serves none at all, all that fit."""
        wanted = [group for ends in all_ends for group in self.wanted(ends)]
        if wanted or not alone or self.served:
            return wanted
        return [ends.fitting or ends.usual for ends in all_ends if ends.fitting or ends.usual]


def _distinct(ends: Sequence[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """Leave out each group that contains another group."""
    single = tuple(dict.fromkeys(ends))
    return tuple(group for group in single if not any(other < group for other in single))


def demanded_by(domain: Domain, task: SubstitutionTask, missing: ClassProfile) -> frozenset[str]:
    """Return the affordances that a world requires of the missing object, in its roles and as a tool."""
    atoms = [literal.atom for literal in literals(task.goal)]
    affordances = {affordance for atom in atoms for affordance in _of_roles(domain, atom, task)}
    tools = [atom for atom in atoms if not task.places.intersection(atom.args)]
    affordances |= {affordance for atom in tools for affordance in _of_tool(domain, atom, missing)}
    return frozenset(affordances) - domain.conventions.structural


def _of_roles(domain: Domain, atom: Atom, task: SubstitutionTask) -> Iterator[str]:
    model = domain.predicates.get(atom.predicate)
    if model is None:
        return
    for index, arg in enumerate(atom.args):
        if arg in task.places and index < len(model.predicate.parameters):
            yield model.predicate.parameters[index]


def _of_tool(domain: Domain, atom: Atom, missing: ClassProfile) -> frozenset[str]:
    """Return the affordances of a tool that achieves an atom, if the missing object could be this tool."""
    names = domain.conventions
    for capability in domain.capabilities.values():
        for parameter in _tool_parameters(capability, atom.predicate, names.actor):
            needed = frozenset(parameter.affordances) - names.structural
            if needed - {names.carry, names.support} and all(map(missing.can, needed)):
                return needed
    return frozenset()


def _tool_parameters(capability: Capability, predicate: str, actor: str) -> Iterator[Parameter]:
    """Yield the parameters that are neither agents nor arguments of the effect with the predicate."""
    effects = [literal for literal in capability.effect if literal.positive and literal.predicate == predicate]
    for effect in effects:
        for parameter in capability.parameters:
            if f"?{parameter.name}" not in effect.args and actor not in parameter.affordances:
                yield parameter
