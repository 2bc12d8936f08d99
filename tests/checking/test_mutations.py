"""Whatever is done to the files of a world, a check tells problems: it raises nothing and ends.

``GRAFTWORK_EXAMPLES`` says how many worlds are tried; a few by default, as many as time allows elsewhere.
"""

import os
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graftwork.checks import check_paths
from tests.checking.shed import FILES, PARCELS, shed

EXAMPLES = int(os.environ.get("GRAFTWORK_EXAMPLES", "20"))
RELAXED = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
DEBRIS = ["{", "}", "[", "]", ":", "-", "?", "|", ">", "'", '"', "\n", "\t", "#", "&a", "*a", "!", "(", ")", "%", "\\"]
DEBRIS += ["é", "\u2028", "\x85", "\0", "1e999", ".nan", "not", "and", "forall", "?x", "- ", "object", "{0}", "~", "on"]
WORD = re.compile(r"[\w?-]+|[^\w\s]|\n *")


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """Return `text` with a few words replaced, doubled, swapped or left out."""
    words = list(WORD.finditer(text))
    for _ in range(draw(st.integers(1, 4))):
        match = draw(st.sampled_from(words))
        other = draw(
            st.one_of(st.sampled_from(DEBRIS), st.sampled_from(words).map(lambda found: found[0]), st.just(""))
        )
        at = min(match.start(), len(text))
        text = text[:at] + other + text[at + draw(st.sampled_from((0, len(match[0]), 40))) :]
    return text


@pytest.mark.parametrize("name", [*FILES, *PARCELS])
@RELAXED
@given(data=st.data())
def test_a_mutated_file_is_told_and_never_ends_the_check(name: str, data: st.DataObject):
    with tempfile.TemporaryDirectory() as folder:
        world = shed(Path(folder), (*FILES, *PARCELS))
        changed = data.draw(mutated((world / name).read_text(encoding="utf-8")))
        (world / name).write_bytes(changed.encode("utf-8", "surrogatepass"))
        report = check_paths([folder])
    assert all(problem.line >= 1 and problem.column >= 1 and problem.code for problem in report.problems)
