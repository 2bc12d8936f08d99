"""What the tests of asking share: a small ontology, and answers that know a little about mugs and knives."""

from __future__ import annotations

from affordances.elicitation.strategies import AskedAffordance

SMALL = {
    "cut": AskedAffordance(
        "other things can be cut with it", "(Does {} have a blade?) & (Is {} made to cut other things?)"
    ),
    "drink": AskedAffordance("it is made to drink from", "Is {} a vessel that people drink from?"),
    "grasp": AskedAffordance("fingers can get hold of it", "(Is {} solid?) & !(Is {} wider than a hand?)"),
}
TRUE = {"mug": {"drink", "grasp"}, "knife": {"cut", "grasp"}, "table": set()}
_YES = {
    "mug": ("drink", "fingers", "solid"),
    "knife": ("blade", "cut", "fingers", "solid"),
    "table": ("solid", "wider"),
}


def about(messages: list[dict[str, str]]) -> str:
    """The class that a request is about."""
    return messages[1]["content"].splitlines()[0].removeprefix("The class of things: ")


def knowing(messages: list[dict[str, str]]) -> str:
    """Answer as somebody who knows."""
    name, asked = about(messages), messages[1]["content"]
    if "JSON" in asked:
        return '{"affordances": [' + ", ".join(f'"{each}"' for each in sorted(TRUE[name])) + "]}"
    question = asked.splitlines()[1]
    return '{"answer": "yes"}' if any(word in question for word in _YES[name]) else '{"answer": "no"}'
