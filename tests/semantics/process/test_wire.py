import io

import pytest

from planning import PlannerUnavailableError, PlanningFailedError, UnplannableError
from semantics.errors import FormulaError, ProcessFailedError, UnknownNameError
from semantics.process.wire import OversizeError, frame, raised, read, take_frames


def test_frames_come_out_whole_however_they_are_cut():
    values = [b"x" * 5000, {"a": [1, 2]}, None]
    data, inbox, found = b"".join(map(frame, values)), bytearray(), []
    for start in range(0, len(data), 7):
        inbox += data[start : start + 7]
        found += take_frames(inbox, 1 << 20)
    assert found == values
    stream = io.BytesIO(data)
    assert [read(stream) for _ in values] == values
    with pytest.raises(EOFError):
        read(stream)
    with pytest.raises(EOFError):
        read(io.BytesIO(data[:100]))


def test_a_frame_that_is_too_large_is_not_read():
    inbox = bytearray(frame(b"x" * 900))
    assert [len(value) for value in take_frames(inbox, 1000)] == [900]
    inbox += frame(b"x" * 2000)[:8]
    with pytest.raises(OversizeError):
        list(take_frames(inbox, 1000))


@pytest.mark.parametrize(
    "error",
    [
        UnplannableError("milk0", "no such thing"),
        UnknownNameError("planner", "fastdownward", ["fast-downward"], also="or another"),
        FormulaError("a parenthesis is missing", 2, 7),
        PlannerUnavailableError("kairos", "it is not installed"),
        PlanningFailedError("KeyError: 1", "a trace"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_ours_arrives_as_what_it_was(error):
    arrived = read(io.BytesIO(frame(raised(error)))).error()
    assert type(arrived) is type(error)
    assert (str(arrived), vars(arrived)) == (str(error), vars(error))


def test_any_other_error_arrives_with_the_text_of_its_traceback():
    try:
        {}["nothing"]
    except KeyError as error:
        arrived = read(io.BytesIO(frame(raised(error)))).error()
    assert isinstance(arrived, ProcessFailedError)
    assert arrived.what == "KeyError: 'nothing'"
    assert '{}["nothing"]' in arrived.trace


def test_an_error_of_ours_with_something_that_cannot_travel_still_says_what_it_said():
    error = UnplannableError("milk0", "no such thing")
    error.culprit = lambda: None
    arrived = read(io.BytesIO(frame(raised(error)))).error()
    assert isinstance(arrived, ProcessFailedError)
    assert "'milk0' cannot be planned with" in str(arrived)
