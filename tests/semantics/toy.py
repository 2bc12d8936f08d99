"""A workshop in a few lines, so that nothing here can lean on the kitchen."""

from dataclasses import dataclass

from semantics.logic.vocabulary import GoalPhrase, Predicate, Thing, Vocabulary

CLASSES = {
    "hammer": "carry",
    "wrench": "carry",
    "screw": "carry small",
    "box": "carry contain",
    "bench": "support location",
    "drawer": "contain open close",
    "tool_chest": "contain support",
    "arm": "actor",
    "smith": "actor location",
    "lamp": "carry light",
}
KINDS = {"tool": frozenset({"hammer", "wrench"}), "furniture": frozenset({"bench", "drawer", "tool_chest"})}
NAMES = ("hammer0 wrench0 screw0 screw1 screw2 box0 box1 bench0 drawer0 tool_chest0 arm0 smith0").split()  # noqa: SIM905 - a list would take twelve lines
WORDS = {"wrench": ("spanner",), "bench": ("workbench",), "box": ("crate",)}


def thing(name):
    class_name = name.rstrip("0123456789")
    kinds = frozenset(kind for kind, classes in KINDS.items() if class_name in classes)
    return Thing(name, class_name, frozenset(CLASSES[class_name].split()), kinds, WORDS.get(class_name, ()))


def vocabulary(names=NAMES, speaker="smith0", phrases=None):
    predicates = (
        Predicate("on", ("carry", "support"), "{0} is on {1}"),
        Predicate("in", ("carry", "contain"), "{0} is in {1}"),
        Predicate("held", ("carry", "actor"), "{1} holds {0}"),
        Predicate("near", ("actor", "location"), "{0} is near {1}"),
        Predicate("opened", ("open",), "{0} is open"),
        Predicate("shut", ("close",), "{0} is shut"),
        Predicate("touched", ("object",), "{0} was touched"),
        Predicate("free", ("object",), "{0} is free", goal=False),
    )
    return Vocabulary(
        domain="workshop",
        predicates={predicate.name: predicate for predicate in predicates},
        things={name: thing(name) for name in names},
        classes={name: frozenset(affordances.split()) for name, affordances in CLASSES.items()},
        kinds=KINDS,
        synonyms={"spanner": "wrench", "workbench": "bench", "crate": "box", "implement": "tool"},
        phrases=PHRASES if phrases is None else phrases,
        speaker=speaker,
        robot="arm0",
    )


PHRASES = (
    GoalPhrase("pass|hand me {thing}", "(held {thing} {speaker})", {"thing": "carry"}),
    GoalPhrase("pass|hand {thing} to {who}", "(held {thing} {who})", {"thing": "carry", "who": "actor"}),
    GoalPhrase("lay [down] {thing} on {place}", "(on {thing} {place})", {"thing": "carry", "place": "support"}),
    GoalPhrase("lay {thing} in|into {place}", "(in {thing} {place})", {"thing": "carry", "place": "contain"}),
    GoalPhrase("lay {thing} at {place}", "(on {thing} {place})", {"thing": "carry", "place": "support"}),
    GoalPhrase("lay {thing} at {place}", "(in {thing} {place})", {"thing": "carry", "place": "contain"}),
    GoalPhrase("pull out {box}", "(opened {box})", {"box": "open"}),
    GoalPhrase("push in {box}", "(shut {box})", {"box": "close"}),
    GoalPhrase("seize {thing}", "(held {thing} {robot})", {"thing": "carry"}),
    GoalPhrase("crate {thing}", "(in {thing} {box})", {"thing": "carry", "box": "contain"}),
    GoalPhrase("ruin {thing}", "(and (not (on {thing} bench0)) (touched {thing}))", {"thing": "object"}),
)


@dataclass(frozen=True)
class SomeRule:
    name: str
    prolog: str
    sentence: str = "{0} is not right"
    hint: str = "Mend {0}."
    definitions: str = ""


RULES = (
    SomeRule(
        "one-place",
        "holds(on, [X, Y]), holds(on, [X, Z]), Y @< Z, Culprits = [X, Y, Z]",
        "{0} cannot be on {1} and on {2}",
        "Keep one of them.",
    ),
    SomeRule("on-or-in", "holds(on, [X, Y]), holds(in, [X, Z]), Culprits = [X, Y, Z]", "{0} is on {1} and in {2}."),
    SomeRule("open-or-shut", "fails(opened, [X]), fails(shut, [X]), Culprits = [X]", "{0} must be open or shut"),
)
