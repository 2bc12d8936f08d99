"""Checks of names that only bodies and sensing define: tests, bookkeeping, furniture, motion primitives and roles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from affordances.bookkeeping import DERIVED
from affordances.scene import bookkeeping_of
from domains.capability import Capability, effects_of
from domains.diagnostics import Diagnostics, expected
from domains.errors import Diagnostic, Severity
from domains.lint import PositionFinder
from domains.model import Domain
from graftwork.setup.bodies import primitives_of
from graftwork.setup.extensions import Extensions, sensor_names
from robots.furniture import MODELS
from robots.primitives import PRIMITIVES, STATES, WAIT
from semantics.body.primitive import Primitive
from semantics.hints import distance, surely


@dataclass(frozen=True, slots=True)
class Means:
    """What a world is checked for."""

    robot: str = ""  # name of the body; empty for any
    extensions: Extensions = field(default_factory=Extensions)  # skills and sensors of the user
    # whether poses on boards are drawn and tried in the simulator, which takes seconds for a scene
    samples: bool = False


def check_bodies(domain: Domain, places: PositionFinder, diagnostics: Diagnostics, means: Means) -> None:
    """Report predicates that nothing senses or computes, and motions that no body, or the body of `means`, performs."""
    valid = sensor_names(means.extensions)
    for name, model in domain.predicates.items():
        if model.sensed is not None and model.sensed not in valid:
            diagnostics.unknown(places.of("predicates", name, "sensed"), "sensing test", model.sensed, valid)
    if means.robot:
        _check_body(domain, places, diagnostics, means)
    _check_bookkeeping(domain, places, diagnostics)
    for name, object_class in domain.classes.items():
        if (
            object_class.model is not None
            and object_class.model not in MODELS
            and any(_is_slip(object_class.model, model_name) for model_name in MODELS)
        ):
            message = (
                f"no body builds furniture of the model '{object_class.model}'; {expected(object_class.model, MODELS)}"
            )
            diagnostics.warn(
                places.of("classes", name, "model"), message, "unknown-furniture-model", object_class.model
            )
    for capability in domain.capabilities.values():
        if capability.primitive:
            _check_primitive(capability, places, diagnostics)


def _check_bookkeeping(domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Report bookkeeping predicates that are neither computed nor changed by an effect."""
    in_effects = {
        literal.atom.predicate for capability in domain.capabilities.values() for literal in effects_of(capability)
    }
    computed = bookkeeping_of(domain)
    for name, model in domain.predicates.items():
        if model.bookkeeping and name not in computed and name not in in_effects:
            message = f"nothing computes the bookkeeping predicate '{name}' and no effect keeps it"
            remedy = f"{expected(name, DERIVED)}, an effect, or 'derived'"
            diagnostics.warn(
                places.of("predicates", name), f"{message}; {remedy}", "unknown-bookkeeping-predicate", name
            )


def _check_body(domain: Domain, places: PositionFinder, diagnostics: Diagnostics, means: Means) -> None:
    """Report what one body lacks: capabilities that it cannot do, and effects that nothing tells after them."""
    primitives = primitives_of(means.robot)
    if primitives is None:
        return
    beyond = domain.beyond(primitives)
    skills = means.extensions.skills_of(domain, beyond)
    for name in sorted(beyond - skills.keys()):
        motion = domain.capabilities[name].primitive or name
        if motion in primitives:
            needed = ", ".join(sorted(primitives[motion].roles))
            message = f"the body {means.robot} does '{motion}' only with the roles {needed}"
        else:
            message = f"the body {means.robot} has no motion '{motion}'; {expected(motion, primitives)}, or a skill"
        diagnostics.warn(
            places.of("capabilities", name), f"{message}: plans leave '{name}' out", "beyond-the-body", name
        )
    changed = {
        literal.atom.predicate: name
        for name, capability in sorted(domain.capabilities.items(), reverse=True)
        if name not in beyond
        for literal in effects_of(capability)
    }
    for name, model in domain.predicates.items():
        is_known = model.sensed is not None or model.bookkeeping or model.told or model.believed or name in STATES
        if name in changed and not is_known and name not in domain.derived:
            message = f"the body {means.robot} does not tell '{name}', so '{changed[name]}' is never seen to succeed"
            remedy = "expected 'sensed: NAME', 'told: true' with a skill that tells it, or 'believed: true'"
            diagnostics.warn(places.of("predicates", name), f"{message}; {remedy}", "untold-effect", name)


def limits_of(domain: Domain, places: PositionFinder, shown: str, means: Means) -> Iterator[Diagnostic]:
    """Yield the limits that the body of `means` tells of the motions that capabilities use."""
    primitives = (primitives_of(means.robot) if means.robot else None) or {}
    told: set[str] = set()
    for name, capability in domain.capabilities.items():
        motion = capability.primitive or name
        if motion in primitives and primitives[motion].limits and motion not in told:
            told.add(motion)
            mark = places.of("capabilities", name)
            message = f"'{motion}' of the body {means.robot}: {'; '.join(primitives[motion].limits)}"
            yield Diagnostic(shown, mark.line, mark.column, message, "limits", Severity.NOTE, culprit=motion)


def _is_slip(written: str, meant: str) -> bool:
    """Return whether a name probably misspells another; short names count too, because this causes only a warning."""
    return surely(written, meant) or (written[:1] == meant[:1] and distance(written, meant) == 1)


def _check_primitive(capability: Capability, places: PositionFinder, diagnostics: Diagnostics) -> None:
    path = ("capabilities", capability.name)
    primitive = PRIMITIVES.get(capability.primitive)
    if primitive is None:
        # A custom body or the symbolic body may know more motions, so only a probable misspelling is reported.
        if any(_is_slip(capability.primitive, name) for name in PRIMITIVES):
            message = f"no body makes the motion '{capability.primitive}'; {expected(capability.primitive, PRIMITIVES)}"
            diagnostics.warn(places.of(*path, "primitive"), message, "unknown-primitive", capability.primitive)
        return
    missing = [role for role in primitive.roles if role not in capability.roles]
    if missing:
        roles = ", ".join(primitive.roles)
        message = f"'{capability.primitive}' is refused without its {', '.join(missing)}; expected {roles}"
        diagnostics.warn(places.of(*path, "roles"), message, "missing-role", ", ".join(missing))
    for role in capability.roles if capability.primitive != WAIT else ():
        if role not in primitive.roles and role not in primitive.optional:
            known = [*primitive.roles, *primitive.optional]
            message = f"'{capability.primitive}' has no role '{role}'; {expected(role, known)}"
            diagnostics.warn(places.of(*path, "roles", role), message, "unknown-role", role)
    _check_values(capability, primitive, places, diagnostics)


def _check_values(
    capability: Capability, primitive: Primitive, places: PositionFinder, diagnostics: Diagnostics
) -> None:
    """Report what a capability takes beside things and its motion does not."""
    numbers, wheres = ([model.name for model in models] for models in (primitive.values, primitive.places))
    own = [(model.name, "number", numbers) for model in capability.values if not model.number]
    for name, kind, known in (*own, *((model.name, "place", wheres) for model in capability.places)):
        if name not in known:
            remedy = expected(name, known) if known else "it takes none"
            message = f"'{capability.primitive}' takes no {kind} '{name}'; {remedy}"
            diagnostics.warn(places.of("capabilities", capability.name, "values", name), message, "unknown-value", name)
