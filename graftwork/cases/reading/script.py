"""The answers of a scripted model in a case: text as it is, or a table that becomes the JSON a model answers with."""

from __future__ import annotations

import json

from domains.reading.nodes.complaints import Complaints
from domains.reading.nodes.document import Listing, Node, Scalar
from domains.reading.nodes.fields import open_fields, text

__all__ = ["answer_text"]

PARTS = ("goal", "question", "refusal")


def answer_text(node: Node, complaints: Complaints) -> str:
    """Read an answer: a text is given as it is written, of a table the missing keys are null."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Listing):
        complaints.add(node.mark, f"an answer is a list; expected a text, or a table with one of {', '.join(PARTS)}")
        return ""
    fields = open_fields(node, "an answer", complaints, optional=PARTS)
    if len(fields.values) != 1:
        complaints.add(node.mark, f"an answer says {len(fields.values)} things; expected one of {', '.join(PARTS)}")
    said = {part: text(fields.get(part), f"'{part}' of an answer", complaints) or None for part in PARTS}
    return json.dumps(said, ensure_ascii=False)
