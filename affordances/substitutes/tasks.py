"""What a goal asks of the thing that is missing.

The paper's first question to its model is which affordances of the missing thing matter for the task (AutoGPT+P, Birr
et al. 2024, Algorithm 2). Here the goal answers it: the roles in which the missing thing stands, and where it stands in
none, what such a goal is brought about with (``tasks.yaml``). Of these ends those count that the missing thing serves:
a towel dries who comes out of the shower, an umbrella who walks in the rain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from affordances.substitutes.knowledge import ClassProfile, Knowledge, data_of, uses
from domains.capability import Capability, Parameter
from domains.model import Domain
from semantics.atoms import Atom, Formula, literals
from semantics.lexicon import plain

__all__ = ["Demand", "SubstitutionTask", "demanded_by", "demands", "groups", "known_uses", "predicates"]


@dataclass(frozen=True, slots=True)
class SubstitutionTask:
    """What is wanted, with something missing in it.

    Attributes:
        goal: The condition; the missing thing may stand in it.
        missing: The class that is not there.
        places: The names in `goal` that stand for the missing thing; none where it is a tool that the goal leaves out.
        classes: Class of each other name in `goal`; a name that is not listed is taken for its own class.
    """

    goal: Formula
    missing: str
    places: frozenset[str] = frozenset()
    classes: Mapping[str, str] | None = None

    def class_of(self, name: str) -> str:
        """Return the class of a name of the goal."""
        return (self.classes or {}).get(name) or name.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Demand:
    """What a substitute must be good for.

    Attributes:
        needs: Every one of these affordances.
        ends: Of each of these groups one use or affordance.
        fallback: Whether the goal says nothing of what the thing is for, so that `ends` holds all its own uses.
    """

    needs: frozenset[str] = frozenset()
    ends: tuple[frozenset[str], ...] = ()
    fallback: bool = False

    def lacking(self, profile: ClassProfile) -> tuple[str, ...]:
        """Return what a class lacks: needs, and where it serves no end of a group all of them."""
        needs = [each for each in sorted(self.needs) if not profile.can(each)]
        ends = [each for group in self.ends if not any(map(profile.can, group)) for each in sorted(group)]
        return tuple(dict.fromkeys((*needs, *ends)))

    @property
    def relevant(self) -> frozenset[str]:
        """Everything that matters."""
        return self.needs.union(*self.ends)


@cache
def groups() -> Mapping[str, frozenset[str]]:
    """Return the words of each group that a goal may be about."""
    return {name: frozenset(words) for name, words in data_of("tasks")["groups"].items()}


@cache
def predicates() -> Mapping[str, Mapping[str, Any]]:
    """Return what is known of each predicate."""
    found: dict[str, Mapping[str, Any]] = data_of("tasks")["predicates"]
    return {name: found[one["same"]] if "same" in one else one for name, one in found.items()}


def demands(task: SubstitutionTask, knowledge: Knowledge) -> Demand:
    """Return what a substitute must be good for."""
    missing = knowledge.profile(task.missing)
    about = _Subject(task, knowledge)
    atoms = [literal.atom for literal in literals(task.goal)]
    needs: set[str] = set()
    ends: list[frozenset[str]] = []
    for atom in atoms:
        for role in _roles(atom, task.places):
            needs |= {*role.get("needs", ())}
            ends += _wanted(_ends_of_role(role, about), missing)
    tools = [atom for atom in atoms if not task.places.intersection(atom.args)]
    ends += _of_tools([_ends_of_tool(atom, about) for atom in tools], missing, alone=not task.places)
    kept = _distinct(ends)
    return Demand(frozenset(needs), kept) if kept else Demand(frozenset(needs), _own(missing), fallback=True)


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a goal is about: which of the groups its other names belong to."""

    task: SubstitutionTask
    knowledge: Knowledge

    def belongs(self, names: Iterable[str], atom: Atom | None = None) -> bool:
        """Return whether something of the goal, or of one literal, is of one of the groups `names`."""
        args = atom.args if atom else [arg for literal in literals(self.task.goal) for arg in literal.atom.args]
        known = [self._words(arg) for arg in args if arg not in self.task.places]
        return any(groups()[group] & words for group in names for words in known)

    def _words(self, name: str) -> frozenset[str]:
        class_name = self.task.class_of(name)
        profile = self.knowledge.profile(class_name)
        head = plain(class_name).split()[-1:]
        return frozenset((class_name, profile.known_as, *profile.kinds, *head)) - {""}


Lines = Sequence[Mapping[str, Any]]
Ends = tuple[frozenset[str], frozenset[str]]
"""The uses that fit what the goal is about, and all that might be meant."""


def _ends_of_role(role: Mapping[str, Any], about: _Subject) -> Ends:
    lines = role.get("of", ())
    everything = frozenset(role.get("uses", ())) | _named(lines)
    return _fitting(lines, about.belongs), everything


def _ends_of_tool(atom: Atom, about: _Subject) -> Ends:
    lines = predicates().get(atom.predicate, {}).get("by", ())
    fitting = _fitting(lines, lambda names: about.belongs(names, atom))
    return fitting, _named(lines)


def _fitting(lines: Lines, belongs: Callable[[Iterable[str]], bool]) -> frozenset[str]:
    about = [line for line in lines if "of" in line and belongs(line["of"])]
    return _named(about or [line for line in lines if "of" not in line])


def _named(lines: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(use for line in lines for use in line["uses"])


def _roles(atom: Atom, places: frozenset[str]) -> Iterator[Mapping[str, Any]]:
    roles = predicates().get(atom.predicate, {}).get("roles", ())
    for arg, role in zip(atom.args, roles, strict=False):
        if arg in places:
            yield role


def _wanted(ends: Ends, missing: ClassProfile) -> list[frozenset[str]]:
    """Return those uses of a role that the missing thing serves, those that fit the goal first."""
    for group in ends:
        served = group & missing.uses
        if served:
            return [served]
    return []


def _of_tools(all_ends: Sequence[Ends], missing: ClassProfile, *, alone: bool) -> list[frozenset[str]]:
    """Return what the missing thing is the tool for: uses it serves; else, when it is only a tool, what fits at all."""
    served = [group for ends in all_ends for group in _wanted(ends, missing)]
    if served or not alone:
        return served
    return [fitting for fitting, _ in all_ends if fitting]


def _own(missing: ClassProfile) -> tuple[frozenset[str], ...]:
    return (missing.uses,) if missing.uses else ()


def _distinct(ends: Sequence[frozenset[str]]) -> tuple[frozenset[str], ...]:
    """Leave out a group that another one is part of."""
    single = tuple(dict.fromkeys(ends))
    return tuple(group for group in single if not any(other < group for other in single))


def known_uses() -> frozenset[str]:
    """Return every use that a task names, to be checked against ``uses.yaml``."""
    roles = [role for one in predicates().values() for role in one.get("roles", ())]
    lines = [line for one in predicates().values() for line in one.get("by", ())]
    lines += [line for role in roles for line in role.get("of", ())]
    return _named(lines) | {use for role in roles for use in role.get("uses", ())} | frozenset(uses())


def demanded_by(domain: Domain, task: SubstitutionTask, missing: ClassProfile) -> frozenset[str]:
    """Return the affordances that a world asks of the missing thing, in its roles and as a tool."""
    atoms = [literal.atom for literal in literals(task.goal)]
    found = {each for atom in atoms for each in _of_roles(domain, atom, task)}
    tools = [atom for atom in atoms if not task.places.intersection(atom.args)]
    found |= {each for atom in tools for each in _of_tool(domain, atom, missing)}
    return frozenset(found) - domain.conventions.structural


def _of_roles(domain: Domain, atom: Atom, task: SubstitutionTask) -> Iterator[str]:
    model = domain.predicates.get(atom.predicate)
    if model is None:
        return
    for index, arg in enumerate(atom.args):
        if arg in task.places and index < len(model.predicate.parameters):
            yield model.predicate.parameters[index]


def _of_tool(domain: Domain, atom: Atom, missing: ClassProfile) -> frozenset[str]:
    """Return what the tool of a capability needs, where the missing thing could be that tool."""
    names = domain.conventions
    for capability in domain.capabilities.values():
        for parameter in _tool_parameters(capability, atom.predicate, names.actor):
            needed = frozenset(parameter.affordances) - names.structural
            if needed - {names.carry, names.support} and all(map(missing.can, needed)):
                return needed
    return frozenset()


def _tool_parameters(capability: Capability, predicate: str, actor: str) -> Iterator[Parameter]:
    """Yield the parameters, agents apart, that do not stand in the effect that a goal is about."""
    effects = [one for one in capability.effect if one.positive and one.predicate == predicate]
    for effect in effects:
        for parameter in capability.parameters:
            if f"?{parameter.name}" not in effect.args and actor not in parameter.affordances:
                yield parameter
