"""Reading what a plan must be like: whole, or by steps it has, has in order and has not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from domains.model import Capability, Domain
from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Node, Scalar, Table
from domains.reading.nodes.fields import open_fields, scalars, whole
from graftwork.cases.model import ANY, Shape, StepPattern
from semantics.vocabulary import Thing

__all__ = ["StepReader"]

STEP = re.compile(r"\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)|([^\s()]+)")
PARTS = ("contains", "in-order", "not", "length")


class StepReader:
    """Reads steps of a world.

    Args:
        domain: The world's capabilities.
        things: What arguments may name; None when the scene could not be read.
        complaints: Where mistakes are noted.
    """

    def __init__(self, domain: Domain, things: dict[str, Thing] | None, complaints: Complaints) -> None:
        self._domain = domain
        self._things = things
        self._complaints = complaints

    def shape(self, node: Node | None) -> Shape:
        """Read a whole plan, which is a list of steps, or a table of what is known of one."""
        if node is None:
            return Shape()
        if not isinstance(node, Table):
            return Shape(whole=tuple(self._steps(node, "the plan")))
        fields = open_fields(node, "the plan", self._complaints, optional=PARTS)
        if not fields.values:
            self._complaints.add(node.mark, f"the plan says nothing; expected one of {', '.join(PARTS)}")
        length = fields.get("length")
        return Shape(
            contains=tuple(self._steps(fields.get("contains"), "'contains'")),
            in_order=tuple(self._steps(fields.get("in-order"), "'in-order'")),
            without=tuple(self._steps(fields.get("not"), "'not'")),
            length=None if length is None else whole(length, "the length of the plan", self._complaints),
        )

    def _steps(self, node: Node | None, what: str) -> Iterator[StepPattern]:
        for scalar in scalars(node, what, self._complaints):
            step = self._step(scalar, what)
            if step is not None:
                yield step

    def _step(self, scalar: Scalar, what: str) -> StepPattern | None:
        match = STEP.fullmatch(scalar.text.strip().lower())
        if match is None:
            message = f"an item of {what} is no step; expected one such as (open robot0 fridge0 *), or its name alone"
            self._complaints.add(scalar.mark, message)
            return None
        name, *args = (match[1] or match[2]).split()
        capability = self._domain.capabilities.get(name)
        if capability is None:
            self._complaints.unknown(scalar.mark, "capability", name, self._domain.capabilities)
            return None
        step = StepPattern(name, tuple(args) if match[1] else None)
        self._check(step, capability, scalar)
        return step

    def _check(self, step: StepPattern, capability: Capability, scalar: Scalar) -> None:
        if step.args is None:
            return
        if len(step.args) != len(capability.parameters):
            form = " ".join((step.name, *(f"?{parameter.name}" for parameter in capability.parameters)))
            self._complaints.add(scalar.mark, f"{step} has {len(step.args)} arguments; expected ({form})")
        for arg in step.args:
            if self._things is not None and arg not in (ANY, *self._things):
                self._complaints.unknown(scalar.mark, "thing", arg, self._things)
