"""Nodes written as YAML, which reads to equal nodes; comments are lost."""

from __future__ import annotations

import yaml

from domains.reader.nodes.document import Listing, Node, Scalar

__all__ = ["yaml_text"]

MAPPING, SEQUENCE, TEXT = (f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str"))
RESOLVER = yaml.resolver.Resolver()
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
        are_texts = all(isinstance(item, Scalar) for item in node.items)
        return yaml.SequenceNode(SEQUENCE, list(map(_written, node.items)), flow_style=are_texts)
    pairs = [(_written(key), _written(value)) for key, value in node.entries]
    return yaml.MappingNode(MAPPING, pairs, flow_style=False)
