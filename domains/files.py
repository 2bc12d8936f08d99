"""Whole worlds as files: PDDL of a scene and its goal, and YAML of a PDDL world and its problems, to continue it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from domains.capability import Capability
from domains.errors import DomainFileError
from domains.model import Domain, PredicateModel, SceneFile
from domains.pddl.reader import ProblemFile, read_pddl_problem
from domains.pddl.writer import PddlWriter
from domains.pddl.writer.formulas import expression_text, formula_text, number_text, parts_text
from domains.pddl.writer.texts import conditional_text, literal_text, numeric_text
from domains.reader import load_domain, scene_path
from semantics.errors import UsageError
from semantics.logic.atoms import And, Equal, Formula, Not
from semantics.logic.state import State


def problem_in(domain: Domain, name_or_path: str | Path) -> ProblemFile | None:
    """Return the PDDL problem of a scene, with its goal; None for a scene in YAML.

    Raises:
        UnknownNameError: There is no such scene.
        DomainFileError: The file cannot be used.
    """
    path = scene_path(domain, name_or_path)
    return read_pddl_problem(domain, path) if path.suffix == ".pddl" else None


def write_pddl(
    domain: Domain,
    scene: SceneFile | None,
    goal: Formula | None,
    profile: str = "adl-costs",
    *,
    state: State | None = None,
    drop_costs: bool = False,
) -> tuple[str, str, dict[str, str]]:
    """Write a domain and the problem of a scene.

    Args:
        domain: The domain to write.
        scene: The scene with its things; None to write no things and all classes.
        goal: Goal of the problem; None for the empty goal.
        profile: One of `PROFILES`.
        state: Initial state; by default the facts and beliefs of the scene.
        drop_costs: Whether to omit action costs.

    Returns:
        The domain, the problem, and the original names of renamed parts, by their PDDL names.

    Raises:
        ProfileError: The profile cannot express the domain or the goal; lists every reason.
        UnknownNameError: There is no such profile, or the goal has an unknown name.
    """
    writer = PddlWriter(domain, scene.things if scene else {}, profile, drop_costs=drop_costs)
    if state is None:
        state = State(scene.facts | frozenset(scene.beliefs), scene.numbers) if scene else State()
    written = writer.write(state, goal if goal is not None else And(()), scene.name if scene else "task")
    return written.domain, written.problem, dict(writer.naming.renamed)


def as_yaml(name: str, problems: Iterable[str]) -> dict[str, str]:
    """Return the files of a PDDL world in YAML, by name.

    Raises:
        UsageError: A name or file is wrong, or YAML cannot express the PDDL world.
    """
    domain = load_domain(name)
    files = {}
    for name_or_path in problems:
        problem = problem_in(domain, name_or_path)
        if problem is None:
            raise UsageError(f"{name_or_path} is no PDDL problem")
        files[f"scenes/{problem.scene.name}.yaml"] = scene_yaml(domain, problem.scene, problem.goal)
    return {"domain.yaml": _readable(domain), **files}


def _readable(domain: Domain) -> str:
    """Write a domain such that our own reader accepts it, with untyped predicates if necessary."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "domain.yaml"
        for loosely in (False, True):
            text = domain_yaml(domain, loosely=loosely)
            path.write_text(text, encoding="utf-8")
            try:
                load_domain(path)
            except DomainFileError as exc:
                problems = exc.problems
            else:
                return text
    messages = "\n".join(problem.message for problem in problems)
    raise UsageError(f"the domain {domain.name} cannot be said in YAML as it is:\n{messages}")


EXISTS = "item"
WIDE = 120


def domain_yaml(domain: Domain, *, loosely: bool = False) -> str:
    """Write a domain. A number without a value in a problem is 0 in YAML, which has no undefined numbers.

    Args:
        domain: A domain without phrases, rules, repairs and attributes, which only YAML can hold.
        loosely: Whether predicates and numbers are untyped, because some are used with undeclared types.

    Raises:
        UsageError: It has such parts.
    """
    if domain.phrases or domain.rules or domain.repairs or domain.ladder or domain.attributes:
        parts = "phrases, rules, repairs or attributes"
        raise UsageError(f"the domain {domain.name} has {parts}, so there is YAML of it already")
    affordances = dict(domain.affordances) or {EXISTS: "it can be told from others"}
    extra = () if domain.affordances else (EXISTS,)
    document: dict[str, Any] = {
        "name": domain.name,
        "affordances": affordances,
        "classes": {
            object_class.name: {"affordances": sorted({*object_class.affordances, *extra}), "abstract": True}
            for object_class in domain.classes.values()
            if object_class.affordances or extra
        },
        "predicates": {name: _predicate(domain, model, loosely) for name, model in domain.predicates.items()},
        "fluents": {
            fluent.name: {"parameters": _loose(fluent.parameters, loosely), "say": fluent.description, "default": 0}
            for fluent in domain.fluents.values()
        },
        "constants": {name: {"class": thing.class_name} for name, thing in domain.constants.items()},
        "capabilities": {capability.name: _capability(capability) for capability in domain.capabilities.values()},
        "agents": {
            agent.class_name: {"capabilities": sorted(agent.capabilities), "cost": agent.cost}
            for agent in domain.agents.values()
        },
        "conventions": dict(domain.conventions.declared(domain.names)),
    }
    return _text({key: value for key, value in document.items() if value or key == "agents"})


def _text(document: Mapping[str, Any]) -> str:
    return yaml.safe_dump(document, sort_keys=False, width=WIDE, allow_unicode=True)


def _loose(parameters: Iterable[str], loosely: bool) -> list[str]:
    return ["object" if loosely else parameter for parameter in parameters]


def _predicate(domain: Domain, model: PredicateModel, loosely: bool) -> dict[str, Any]:
    predicate, derived = model.predicate, domain.derived.get(model.predicate.name)
    if derived is None:
        return {"parameters": _loose(predicate.parameters, loosely), "say": predicate.description}
    named = {variable.name: variable.affordance for variable in derived.variables}
    bodies = [formula_text(body) for body in derived.bodies]
    return {"parameters": named, "say": predicate.description, "derived": bodies if len(bodies) > 1 else bodies[0]}


def _capability(capability: Capability) -> dict[str, Any]:
    parameters = {parameter.name: _one_or_all(parameter.affordances) for parameter in capability.parameters}
    table: dict[str, Any] = {
        "agent": "none",
        "parameters": parameters,
        "precondition": parts_text("and", tuple(_conditions(capability))),
        "effect": f"(and {' '.join(_effects(capability))})",
    }
    if not capability.agentless:
        del table["agent"]
    if capability.duration is not None:
        table["duration"] = _plain(capability.duration)
    cost = capability.cost if capability.cost_by is None else capability.cost_by
    if cost == 1:
        return table
    return {**table, "cost": cost if isinstance(cost, int | float) else expression_text(cost)}


def _one_or_all(names: tuple[str, ...]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)


def _conditions(capability: Capability) -> Iterable[Formula]:
    yield from (template.literal.formula for template in capability.precondition)
    for left, right in capability.distinct:
        yield Not(Equal(f"?{left}", f"?{right}"))
    if capability.condition is not None:
        yield capability.condition


def _effects(capability: Capability) -> Iterable[str]:
    added = {(template.predicate, template.args) for template in capability.effect if template.positive}
    for template in capability.effect:
        if template.positive or (template.predicate, template.args) not in added:
            yield literal_text(template)
    yield from map(numeric_text, capability.numeric)
    yield from map(conditional_text, capability.conditional)


def scene_yaml(domain: Domain, scene: SceneFile, goal: Formula | None = None) -> str:
    """Write the scene of a domain without geometry; its goal becomes a comment."""
    document: dict[str, Any] = {
        "domain": domain.name,
        "things": {
            name: {"class": thing.class_name} for name, thing in scene.things.items() if name not in domain.constants
        },
        "facts": [str(atom) for atom in sorted(scene.facts)],
    }
    if scene.numbers:
        document["numbers"] = {str(atom): _plain(value) for atom, value in sorted(scene.numbers.items())}
    note = "" if goal is None else f"# The goal of this problem: {formula_text(goal)}\n"
    return note + _text(document)


def _plain(value: float) -> int | float:
    return int(value) if "." not in number_text(value) else value
