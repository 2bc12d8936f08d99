"""Evidence drawn by hypothesis."""

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from affordances.mapping import Evidence, EvidenceSource

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CLASSES = ("cup", "milk_carton", "tv-set")
AFFORDANCES = ("carry", "pour", "grasp")
NAMES = st.text("abc XYZ'\"{}#:,-ä/", max_size=8).map(lambda text: " ".join(text.split()))

moments = st.none() | st.integers(0, 10**6).map(lambda seconds: NOON + timedelta(seconds=seconds))


@st.composite
def pieces(draw, classes=CLASSES, affordances=AFFORDANCES):
    """Draw one piece of evidence of any source."""
    source = draw(st.sampled_from(EvidenceSource))
    share = {EvidenceSource.WORKED: 1.0, EvidenceSource.FAILED: 0.0}.get(source)
    return Evidence(
        draw(st.sampled_from(classes)),
        draw(st.sampled_from(affordances)),
        source,
        draw(st.floats(0.0, 1.0)) if share is None else share,
        draw(NAMES),
        draw(st.sampled_from(("list", "yes-no", "logic"))) if source is EvidenceSource.ASKED else "",
        draw(st.integers(1, 50)) if source.adds_up else 1,
        draw(moments),
    )


about_a_cup = st.lists(pieces(("cup",), ("pour",)), max_size=12)
