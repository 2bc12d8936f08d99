"""The kitchen in other words: each affordance, predicate and class that code could know by name has another one.

The world is made from the kitchen's own files, so that it cannot fall behind them; its conventions say what is what.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from yaml.emitter import Emitter
from yaml.representer import SafeRepresenter
from yaml.resolver import BaseResolver
from yaml.serializer import Serializer

from domains.conventions import CONVENTIONS, ConventionKind

__all__ = ["CONVENTIONAL", "PREDICATES", "WORDS", "in_kitchen_words", "scene_text", "written"]

KITCHEN = Path(__file__).parents[2] / "domains" / "kitchen"

CONVENTIONAL = {
    "actor": "acteur",
    "carry": "porte",
    "contain": "contenir",
    "convey": "transporter",
    "hollow": "creux",
    "location": "lieu",
    "open": "ouvrir",
    "support": "soutenir",
    "ajar": "entrouvert",
    "at": "chez",
    "closed": "ferme",
    "in": "dans",
    "inhand": "en_main",
    "liquid_in": "verse_dans",
    "near": "pres_de",
    "on": "sur",
    "opened": "ouvert",
    "aboard": "a_bord",
    "overturned": "renverse",
    "filled": "rempli",
    "free": "libre",
    "hand_occupied": "main_prise",
    "indirect_on": "au_dessus",
    "reachable": "a_portee",
    "floor": "sol",
    "robot": "androide",
}
"""The words of the conventions; a hand of its own the kitchen has none."""

OTHERS = {"human": "humain", "grasp": "saisir", "close": "fermer", "stack": "empiler", "pour": "verser"}


def _words(sort: ConventionKind) -> dict[str, str]:
    return {key: word for key, word in CONVENTIONAL.items() if CONVENTIONS[key] is sort}


AFFORDANCES = _words(ConventionKind.AFFORDANCE) | {key: OTHERS[key] for key in ("grasp", "close", "stack", "pour")}
CLASSES = _words(ConventionKind.CLASS) | {"human": OTHERS["human"]}
PREDICATES = _words(ConventionKind.PREDICATE)

WORDS = {**AFFORDANCES, **CLASSES, **PREDICATES}
"""Every word that is another one, by that of the kitchen."""


class _Plain(Emitter, Serializer, SafeRepresenter, BaseResolver):
    """Writes every text as it stands: ``on`` and ``true`` are text to who reads it."""

    def __init__(self, stream: Any, **_: object) -> None:
        Emitter.__init__(self, stream, width=10_000)
        Serializer.__init__(self)
        SafeRepresenter.__init__(self, sort_keys=False)
        BaseResolver.__init__(self)


def written(folder: Path) -> Path:
    """Write the world with its small scene into a folder; return the folder."""
    domain = yaml.load((KITCHEN / "domain.yaml").read_text(encoding="utf-8"), yaml.CBaseLoader)
    domain["name"] = "cuisine"
    domain["affordances"] = _keys(domain["affordances"], AFFORDANCES)
    for key in ("implied", "excluded"):
        domain[key] = {AFFORDANCES.get(one, one): _afforded(others) for one, others in domain[key].items()}
    sorts = AFFORDANCES | CLASSES
    domain["uses"] = {
        use: [sorts.get(one, one) for one in ([named] if isinstance(named, str) else named)]
        for use, named in domain["uses"].items()
    }
    domain["classes"] = {CLASSES.get(name, name): _class(name, one) for name, one in domain["classes"].items()}
    domain["predicates"] = {PREDICATES.get(name, name): _predicate(one) for name, one in domain["predicates"].items()}
    domain["fluents"] = {name: _predicate(one) for name, one in domain["fluents"].items()}
    domain["capabilities"] = {name: _capability(one) for name, one in domain["capabilities"].items()}
    domain["agents"] = _keys(domain["agents"], CLASSES)
    domain["phrases"] = [{**one, "goal": _formula(one["goal"])} for one in domain["phrases"]]
    domain["programs"] = {name: _program(one) for name, one in domain["programs"].items()}
    domain["rules"] = {name: {**one, "when": _prolog(one["when"])} for name, one in domain["rules"].items()}
    domain["repairs"] = {name: _repair(one) for name, one in domain["repairs"].items()}
    domain["conventions"] = CONVENTIONAL
    (folder / "scenes").mkdir(parents=True, exist_ok=True)
    _write(folder / "domain.yaml", domain)
    scene_text(folder, (KITCHEN / "scenes" / "small.yaml").read_text(encoding="utf-8"), "small")
    return folder


def scene_text(folder: Path, text: str, name: str) -> Path:
    """Write a scene of the kitchen in the words of this world; return its file."""
    scene = yaml.load(re.sub(r"\bfloor0\b", "sol0", text), yaml.CBaseLoader)
    scene["domain"] = "cuisine"
    for thing in scene["things"].values():
        thing["class"] = CLASSES.get(thing["class"], thing["class"])
    scene["beliefs"] = {_formula(fact): source for fact, source in (scene.get("beliefs") or {}).items()}
    path = folder / "scenes" / f"{name}.yaml"
    _write(path, scene)
    return path


def in_kitchen_words(text: str) -> str:
    """Return a text of this world as the kitchen would say it."""
    words = {meant: word for word, meant in WORDS.items()} | {"sol0": "floor0"}
    longest_first = "|".join(sorted(words, key=len, reverse=True))
    return re.sub(rf"(?<![a-z-])({longest_first})(?![a-z0-9-])", lambda match: words[match[1]], text)


def _write(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(yaml.dump(document, Dumper=_Plain), encoding="utf-8")


def _keys(table: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    return {words.get(key, key): value for key, value in table.items()}


def _afforded(value: Any) -> Any:
    if isinstance(value, str):
        return AFFORDANCES.get(value, value)
    return [AFFORDANCES.get(each, each) for each in value]


def _formula(value: Any) -> Any:
    if isinstance(value, list):
        return [_formula(each) for each in value]
    return re.sub(r"\((\w+)(?=[ )])", lambda match: f"({PREDICATES.get(match[1], match[1])}", value)


def _prolog(text: str) -> str:
    text = re.sub(r"(holds|fails)\((\w+),", lambda match: f"{match[1]}({PREDICATES.get(match[2], match[2])},", text)
    text = text.replace("[on, in]", f"[{PREDICATES['on']}, {PREDICATES['in']}]")
    return text.replace("thing(A, robot)", f"thing(A, {CLASSES['robot']})")


def _class(name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    words = [name, *one.get("words", ())] if name in CLASSES and name != "robot" else list(one.get("words", ()))
    more = {"words": words} if words else {}
    return {**one, "affordances": _afforded(one["affordances"]), **more}


def _predicate(one: Mapping[str, Any]) -> dict[str, Any]:
    return {**one, "parameters": _afforded(one["parameters"])}


def _capability(one: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {name: _afforded(asked) for name, asked in one["parameters"].items()}
    return {
        **one,
        "parameters": parameters,
        "precondition": _formula(one["precondition"]),
        "effect": _formula(one["effect"]),
    }


def _program(one: Mapping[str, Any]) -> dict[str, Any]:
    slots = {slot: _kind(kind) for slot, kind in one.get("slots", {}).items()}
    text = re.sub(r"\b(\w+)(?=\()", lambda match: PREDICATES.get(match[1], match[1]), one["text"])
    text = re.sub(r'(?<=objects\(")(\w+)', lambda match: (AFFORDANCES | CLASSES).get(match[1], match[1]), text)
    return {**one, "text": _formula(text), **({"slots": slots} if slots else {})}


def _kind(kind: Any) -> Any:
    """Return what a slot of a program takes: "all carry" is "all porte"; a slot with words of its own has no kind."""
    return " ".join(AFFORDANCES.get(word, word) for word in kind.split()) if isinstance(kind, str) else kind


def _repair(one: Mapping[str, Any]) -> dict[str, Any]:
    variables = {name: _afforded(asked) for name, asked in one.get("variables", {}).items()}
    return {**one, "when": _formula(one["when"]), **({"variables": variables} if variables else {})}
