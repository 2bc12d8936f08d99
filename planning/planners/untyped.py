"""PDDL without types, for planners that read none or only flat ones.

Each type becomes a static predicate that holds for its objects. A parameter of an action with a type becomes a
parameter without one, and a condition. The texts must be as `domains.pddl` writes them: all types are directly below
their root, and predicates, functions and quantified variables range over all objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from semantics.logic.parsing import Group, Node, Word, parse_sexpr, text_of

ROOT = "object"
CONDITIONS = {":precondition": "{}", ":condition": "(at start {})"}
"""How a condition of an action is written, by the keyword of its conditions."""


def untyped(domain: str, problem: str) -> tuple[str, str]:
    """Return a domain and a problem with static predicates instead of types.

    Raises:
        FormulaError: A text is no expression.
    """
    model, task = _sections(domain), _sections(problem)
    objects = [*_typed(_items(model, ":constants")), *_typed(_items(task, ":objects"))]
    kinds = dict.fromkeys(kind for _, kind in objects if kind != ROOT)
    facts = " ".join(f"({_predicate(kind)} {name})" for name, kind in objects if kind in kinds)
    declared = " ".join(f"({_predicate(kind)} ?x)" for kind in kinds)
    added = {":predicates": declared, ":init": facts}
    texts = (
        f"(define {' '.join(_section(section, kinds, added) for section in sections if section.head != ':types')})"
        for sections in (model, task)
    )
    first, second = texts
    return first, second


def _sections(text: str) -> list[Group]:
    node = parse_sexpr(text)
    return [item for item in node.items if isinstance(item, Group)] if isinstance(node, Group) else []


def _items(sections: Iterable[Group], head: str) -> Sequence[Node]:
    return next((section.items[1:] for section in sections if section.head == head), ())


def _predicate(kind: str) -> str:
    return f"is-{kind}"


def _section(section: Group, kinds: Iterable[str], added: dict[str, str]) -> str:
    match section.head:
        case ":requirements":
            return text_of(section).replace(" :typing", "")
        case ":constants" | ":objects":
            return f"({section.head} {' '.join(name for name, _ in _typed(section.items[1:]))})"
        case ":predicates" | ":functions" | ":init":
            return f"{text_of(section)[:-1]} {added.get(section.head, '')})"
        case ":action" | ":durative-action":
            return _action(section, frozenset(kinds))
        case _:
            return text_of(section)


def _action(action: Group, kinds: frozenset[str]) -> str:
    parameters = _parameters(action)
    guards = [f"({_predicate(kind)} {name})" for name, kind in parameters if kind in kinds]
    lasts = action.head == ":durative-action"
    keyword = ":condition" if lasts else ":precondition"
    parts, keys = [], [item.text if isinstance(item, Word) else "" for item in action.items]
    for key, item in zip(["", *keys], action.items, strict=False):
        if key == ":parameters":
            parts.append(f"({' '.join(name for name, _ in parameters)})")
        elif key == keyword:
            parts.append(f"(and {' '.join(CONDITIONS[keyword].format(guard) for guard in guards)} {text_of(item)})")
        else:
            parts.append(text_of(item))
    if guards and keyword not in keys:
        parts += [keyword, f"(and {' '.join(CONDITIONS[keyword].format(guard) for guard in guards)})"]
    return f"({' '.join(parts)})"


def _parameters(action: Group) -> list[tuple[str, str]]:
    keys = [item.text if isinstance(item, Word) else "" for item in action.items]
    group = action.items[keys.index(":parameters") + 1] if ":parameters" in keys else None
    return list(_typed(group.items)) if isinstance(group, Group) else []


def _typed(items: Iterable[Node]) -> Iterator[tuple[str, str]]:
    """Yield each name of a list such as ``a b - type`` with its type."""
    words, names = [item.text for item in items if isinstance(item, Word)], list[str]()
    following = iter(words)
    for word in following:
        if word == "-":
            kind = next(following, ROOT)
            yield from ((name, kind) for name in names)
            names = []
        else:
            names.append(word)
    yield from ((name, ROOT) for name in names)
