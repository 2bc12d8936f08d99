"""The ontology: all affordances of objects.

The 38 affordances are those of AutoGPT+P (Birr et al. 2024, appendix A). ``ontology.yaml`` holds, for each of them, a
sentence about an object that has it, and a question about a class for a person or a model; these texts are our own.
A domain may leave out affordances that it does not use, and may add its own, such as the structural types that its
capabilities need for their parameters.
"""

from __future__ import annotations

from collections.abc import Mapping

from semantics.process.reading import read_table

_TABLE: Mapping[str, Mapping[str, str]] = dict(sorted(read_table(__file__).items()))
AFFORDANCES: Mapping[str, str] = {name: texts["sentence"] for name, texts in _TABLE.items()}
"""Sentence of each affordance, by name."""
QUESTIONS: Mapping[str, str] = {name: texts["question"] for name, texts in _TABLE.items()}
"""Question about a class, by affordance, as text: questions in parentheses joined by ``&``, ``|`` and ``!``."""
