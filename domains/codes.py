"""The codes of every problem that a file of a world can have, each with a sentence.

A code is stable: it stays what it is when its message is reworded. Names that nothing carries have a code for each sort
of name, ``unknown-class`` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping

from domains.lint.codes import LINT_CODES

__all__ = ["CODES", "PDDL_CODES", "READING_CODES", "UNKNOWN"]

UNKNOWN = (
    "action",
    "actor",
    "affordance",
    "agent",
    "bookkeeping-predicate",
    "capability",
    "class",
    "code",
    "domain",
    "file",
    "form",
    "furniture-model",
    "key",
    "keyword",
    "kind",
    "name",
    "number",
    "object",
    "parameter",
    "path",
    "predicate",
    "primitive",
    "requirement",
    "role",
    "scene",
    "section",
    "sensing-test",
    "slot",
    "thing",
    "type",
    "value",
    "variable",
)
"""Sorts of names that may be unknown."""

READING_CODES: Mapping[str, str] = {
    "ambiguous-name": "a name is that of a world and of a folder that holds one",
    "bad-name": "a name has other letters than names have",
    "bad-pattern": "a phrase cannot be matched as it is written",
    "bad-rule": "the body of a rule asks what it may not, or cannot be read",
    "bad-rule-pack": "a file of definitions holds what it may not, or cannot be read",
    "bad-sentence": "a sentence does not fill in what it is about",
    "bad-size": "a size is not that of a solid of this form",
    "beyond-the-edge": "a thing lies beside what it is on",
    "carries-itself": "a thing stands on or in itself, by way of others",
    "contradiction": "something is asked for, or made, true and false at once",
    "derived-changed": "an effect changes a predicate that follows from others by definition",
    "derived-from-denial": "a predicate is defined by its own denial",
    "derived-stated": "a scene states a fact that follows from others by definition",
    "duplicate-entry": "something stands twice in a list",
    "duplicate-key": "a key stands twice in a table",
    "empty-section": "something has to be said and is not",
    "invalid": "something else is wrong, as the message says",
    "keys-contradict": "two keys of a table exclude each other",
    "lacks-affordance": "a thing or parameter does not afford what is asked of it",
    "missing-key": "a table lacks keys",
    "named-twice": "a name, or a word, is taken already",
    "needs-placement": "a thing with a body does not say where it is, or a constant has a body",
    "no-agent-parameter": "a capability has no parameters, and does not say that it needs no agent",
    "no-domain": "a scene or a case is not beside its world",
    "no-file": "a file that is named is not there",
    "no-value": "a number without a default has no value in a scene",
    "no-world": "a folder holds no world",
    "not-a-number": "a cost is neither a number nor one that depends on things",
    "not-a-variable": "a quantifier binds what is no variable",
    "not-an-effect": "an effect holds what cannot be made true",
    "out-of-range": "a number is too small, too large or not whole",
    "reserved-name": "a predicate or number has a word of the language for a name",
    "too-many-values": "a number has more values in a scene than are taken",
    "unreadable": "a file is no YAML, no text or not there",
    "unreadable-formula": "a condition, an effect or a fact cannot be read",
    "unusable": "a world cannot be used as it is",
    "unusable-domain": "the world of a scene or case has errors of its own",
    "wrong-arity": "a predicate, a number or a step has too few or too many arguments",
    "wrong-kind": "a text, a number, a list or a table stands where another is expected",
    "wrong-number-of-robots": "a scene in which things are placed has no robot, or several",
    "missing-role": "a motion lacks a part that it needs",
    **{f"unknown-{sort}": f"no {sort.replace('-', ' ')} has this name" for sort in UNKNOWN},
}
"""What keeps YAML files from being used."""

PDDL_CODES: Mapping[str, str] = {
    "arity": "a predicate or function has too few or too many arguments",
    "bracket": "brackets do not match",
    "condition": "something stands where a condition is expected",
    "cost": "a cost cannot be read",
    "define": "a file does not say what it defines",
    "denied-fact": "the start of a problem denies a fact, which is false anyway",
    "derived-cycle": "a predicate is defined by its own denial",
    "derived-effect": "an effect changes a derived predicate",
    "duplicate-fact": "a fact or a value stands twice",
    "duplicate-name": "a name stands twice",
    "effect": "something stands where an effect is expected",
    "empty": "a file is empty",
    "hidden-variable": "a variable hides another one of its name",
    "metric": "a metric is not supported",
    "missing-domain": "a problem does not name its domain",
    "missing-effect": "an action has no effect",
    "missing-goal": "a problem has no goal",
    "missing-parameters": "an action has no list of parameters",
    "missing-requirement": "a requirement is used and not declared",
    "name": "something stands where a name is expected",
    "not-supported": "a part of PDDL is not supported",
    "number": "something stands where a number is expected",
    "other-domain": "a problem is of another domain",
    "outside": "something stands outside the definition",
    "parts": "a condition or effect has too few or too many parts",
    "type-cycle": "a type is below itself",
    "type-missing": "a type is missing after '-'",
    "undeclared-type": "a type is used and not declared",
    "unused-requirement": "a requirement is declared and not used",
    "value-missing": "a keyword has nothing after it",
    "variables": "something stands where variables are expected",
    "wrong-type": "an argument is of another type",
}
"""What is wrong in PDDL files."""

CODES: Mapping[str, str] = {**LINT_CODES, **PDDL_CODES, **READING_CODES}
"""Every code; a code of several lists means the same."""
