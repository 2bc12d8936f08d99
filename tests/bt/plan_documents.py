"""Reads a plan back from its document, to see that the document says everything."""

from bt.document import VERSION
from semantics.errors import UsageError
from semantics.logic.atoms import dnf
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Plan
from tests.bt.programs.documents import DocumentError


def plan_from_document(written, domain, things):
    """Return the plan of a document, with every step grounded in `domain`.

    Raises:
        DocumentError: The document is no plan of this version, or a step does not fit the domain or the objects.
    """
    if written.get("v") != VERSION:
        raise DocumentError(f"a plan document of version {written.get('v')!r}; version {VERSION} is read")
    steps = written.get("steps")
    if not isinstance(steps, list):
        raise DocumentError("a plan document needs its 'steps' as a list")
    actions = [_action(number, step) for number, step in enumerate(steps)]
    try:
        operators = tuple(domain.ground(action, things) for action in actions)
        (goal,) = dnf(parse_formula(str(written.get("goal", ""))))
    except UsageError as exc:
        raise DocumentError(f"a plan document does not fit: {exc}") from exc
    except ValueError as exc:
        raise DocumentError("the goal of a plan document has to be one conjunction") from exc
    return Plan(operators, goal, written.get("optimal") is True, str(written.get("planner", "")))


def _action(number, step):
    if not isinstance(step, list) or not step or not all(isinstance(part, str) for part in step):
        raise DocumentError(f"step {number} of a plan document has to be a list of names, not {step!r}")
    return Action(step[0], tuple(step[1:]))
