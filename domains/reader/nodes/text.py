"""Nodes written as YAML, which reads to equal nodes; comments are lost."""

from __future__ import annotations

import yaml

from domains.reader.nodes.document import Listing, Node, Scalar

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
        items = [_written(item) for item in node.items]
        return yaml.SequenceNode(SEQUENCE, items, flow_style=_are_plain(items))
    pairs = [(_written(key), _written(value)) for key, value in node.entries]
    return yaml.MappingNode(MAPPING, pairs, flow_style=_are_plain([value for _, value in pairs]))


def _are_plain(nodes: list[yaml.Node]) -> bool:
    """Return whether a collection stands in one line: it holds texts of one line, or lists of them."""
    lists = [node for node in nodes if isinstance(node, yaml.SequenceNode) and node.flow_style]
    texts = [node for node in nodes if isinstance(node, yaml.ScalarNode) and node.style not in BLOCKS]
    return len(lists) + len(texts) == len(nodes)
