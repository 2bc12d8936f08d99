"""A problem as PDDL text, at its own costs, for planners that only read text."""

from __future__ import annotations

from dataclasses import replace

from domains.pddl import PROFILES, PddlWriter, ProfileError, WrittenProblem, write_problem
from domains.problem import Problem
from planning.errors import UnplannableError
from planning.problem.grounding import ground
from semantics.body.protocols import FoundPlan, NoPlan, Planner, ProfiledPlanner
from semantics.errors import OutsideError, UnknownNameError, UsageError, known_name
from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import together


def ask(problem: Problem, planner: Planner, *, seconds: float) -> FoundPlan | NoPlan:
    """Ask a planner with the text of a problem, in the profile of PDDL that the planner reads.

    A planner whose profile has no costs finds a shortest plan at best. It is called optimal only where every action
    costs the same.

    Args:
        problem: A problem with one alternative.
        planner: The planner; a `ProfiledPlanner` names its profile.
        seconds: The time limit.

    Returns:
        The answer, with the names of the world. If the profile cannot express the problem, a failure that names what.

    Raises:
        UnknownNameError: There is no such profile.
        UnplannableError: As `pddl_text`, for a planner that names no profile.
        OutsideError: The planner cannot be started, or its plan has a step that does not exist.
    """
    profile = _profile(planner)
    try:
        written = pddl_text(problem, profile)
    except UnplannableError as error:
        if profile and isinstance(error.__cause__, ProfileError):
            return _inexpressible(planner, error.__cause__)
        raise
    answer = planner.solve(written.domain, written.problem, seconds=seconds)
    if ignores_costs(planner) and not _costs_alike(problem):
        answer = replace(answer, bound=0) if isinstance(answer, NoPlan) else replace(answer, bound=0, optimal=False)
    if isinstance(answer, NoPlan):
        return answer
    try:
        actions = tuple(map(written.read, answer.actions))
        for action in actions:
            problem.ground(action)
    except (KeyError, UsageError) as error:
        raise OutsideError(f"planner {planner.name}: its plan has a step that does not exist: {error}") from error
    return replace(answer, actions=actions)


def ignores_costs(planner: Planner) -> bool:
    """Return whether a planner reads a profile without costs.

    Raises:
        UnknownNameError: There is no such profile.
    """
    profile = _profile(planner)
    return bool(profile) and not PROFILES[profile].costs


def _profile(planner: Planner) -> str:
    profile = planner.profile if isinstance(planner, ProfiledPlanner) else ""
    if profile:
        known_name(f"profile of PDDL (of the planner {planner.name})", profile, PROFILES)
    return profile


def _costs_alike(problem: Problem) -> bool:
    """Return whether all actions of a problem cost the same, so that a shortest plan is a cheapest one."""
    if problem.costs is not None or "costs-by-arguments" in problem.domain.features:
        return False
    agents = {agent.cost for agent in problem.domain.agents.values()}
    capabilities = {capability.cost for capability in problem.domain.capabilities.values()}
    return len(agents) <= 1 and len(capabilities) <= 1


def _inexpressible(planner: Planner, error: ProfileError) -> NoPlan:
    reasons = together(dict.fromkeys(f"{refusal.feature} ({refusal.where})" for refusal in error.refusals))
    why = f"it reads the profile {error.profile}, which cannot say {reasons}"
    how = "Choose a planner that reads more, such as fast-downward."
    culprits = tuple(dict.fromkeys(refusal.where for refusal in error.refusals))
    return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {planner.name}", why, how, culprits, recoverable=False))


def pddl_text(problem: Problem, profile: str = "") -> WrittenProblem:
    """Write a problem.

    Atoms of its state over unknown objects are left out.

    Args:
        problem: The problem to write.
        profile: One of `domains.pddl.PROFILES`; in one without costs, the costs are left out. By default
            ``adl-costs``, or ``numeric`` for a domain with numbers to be planned with.

    Raises:
        UnplannableError: The goal or a capability names something that does not exist, the profile cannot express the
            problem, or a rich domain has a cost model.
    """
    check_names(problem)
    domain = problem.domain
    profile = profile or ("numeric" if domain.planned_numbers else "adl-costs")
    try:
        if problem.costs is None or not PROFILES[profile].costs:
            return write_problem(problem, profile, drop_costs=not PROFILES[profile].costs)
        if domain.is_adl:
            raise UnplannableError(domain.name, "costs of a cost model are not written for rich domains")
        prices = {operator.action: operator.cost for operator in ground(problem)}
        return PddlWriter(domain, problem.objects, profile).write(problem.state, problem.conjunct, prices=prices)
    except (UnknownNameError, ProfileError) as error:
        raise UnplannableError(domain.name, str(error)) from error


def check_names(problem: Problem) -> None:
    """Raise an `UnplannableError` if the goal names something that does not exist."""
    for literal in sorted({literal for conjunct in problem.goal for literal in conjunct}):
        for name in literal.atom.args:
            if name not in problem.objects:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in problem.domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")
