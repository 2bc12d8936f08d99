"""Nodes written as YAML, which reads to equal nodes; comments are lost."""

from __future__ import annotations

import yaml

from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode

__all__ = ["yaml_text"]

MAPPING, SEQUENCE, TEXT = (f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str"))
RESOLVER = yaml.resolver.Resolver()
BLOCKS = ("|", ">")
WIDTH = 100_000
"""Columns of a line: a text that is folded could be cut at a place where it does not read the same."""


def yaml_text(node: Node) -> str:
    """Return a node as the text of a file."""
    text: str = yaml.serialize(_written(node), Dumper=yaml.SafeDumper, width=WIDTH, allow_unicode=True)
    return text


def _written(node: Node) -> yaml.Node:
    if isinstance(node, Scalar):
        # The reader tells a number or a flag from a text by its quotes.
        tag = TEXT if node.style else RESOLVER.resolve(yaml.ScalarNode, node.text, (True, False))  # type: ignore[no-untyped-call]
        return yaml.ScalarNode(tag, node.text, style=node.style or None)
    if isinstance(node, Listing):
        return yaml.SequenceNode(SEQUENCE, [_written(item) for item in node.items], flow_style=_is_short(node))
    pairs = [(_written(entry.key), _written(entry.value)) for entry in node.entries]
    return yaml.MappingNode(MAPPING, pairs, flow_style=_is_short(node))


def _is_short(node: Listing | TableNode) -> bool:
    """Return whether a collection stands in one line: it holds plain texts, or short lists of them."""
    values = [item.value if isinstance(item, Entry) else item for item in _parts(node)]
    scalars = [value for value in values if isinstance(value, Scalar)]
    lists = [value for value in values if not isinstance(value, Scalar)]
    return all(value.style not in BLOCKS for value in scalars) and all(
        isinstance(value, Listing) and all(isinstance(item, Scalar) for item in value.items) for value in lists
    )


def _parts(node: Listing | TableNode) -> tuple[Node | Entry, ...]:
    return node.items if isinstance(node, Listing) else node.entries
