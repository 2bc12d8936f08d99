"""Names that an export to PDDL has to change: what PDDL keeps for itself, and what differs in case alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from domains.lint.survey.survey import DomainSurvey
from domains.pddl.writer.names import RESERVED, Naming

__all__ = ["check_names"]


def check_names(survey: DomainSurvey) -> None:
    """Tell of names that PDDL keeps for itself, and of names of one sort that differ in case, '-' and '_' alone."""
    for section, names in _sections(survey):
        seen: dict[str, str] = {}
        for name in names:
            folded = name.lower().replace("-", "_")
            if folded in seen:
                message = (
                    f"'{name}' and '{seen[folded]}' differ in case or in '-' and '_' alone; one is renamed on export"
                )
                survey.warn(survey.places.of(section, name), "alike-names", message, name)
            seen.setdefault(folded, name)
            if name.lower() in RESERVED:
                message = f"'{name}' is a word of PDDL; export writes it as '{Naming().give(section, name)}'"
                survey.warn(survey.places.of(section, name), "word-of-pddl", message, name)


def _sections(survey: DomainSurvey) -> Iterator[tuple[str, Mapping[str, object]]]:
    domain = survey.domain
    yield "affordances", {name: None for name in domain.affordances if name != "object"}
    yield "classes", domain.classes
    yield "predicates", domain.predicates
    yield "capabilities", domain.capabilities
    yield "fluents", domain.fluents
    yield "constants", domain.constants
