import json

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bt import Entries
from bt.errors import RecordError, RecordWriteError
from bt.record import Journals, Recorder, read_record


def test_what_is_written_is_read_back(tmp_path):
    with Recorder(tmp_path / "new" / "folder") as recorder:
        recorder.write("note", {"t": 1.5, "text": "Grüße\n\u2028"})
        recorder.write("end", {"outcome": "achieved"})
    events = read_record(recorder.directory)
    assert events == read_record(recorder.path)
    assert [event["e"] for event in events] == ["note", "end"]
    assert events[0]["text"] == "Grüße\n\u2028"
    assert all(event["v"] == 1 for event in events)


def test_every_event_is_on_the_disk_before_the_next_one(tmp_path):
    recorder = Recorder(tmp_path)
    for number in range(3):
        recorder.write("note", {"t": number, "text": ""})
        assert len(read_record(tmp_path)) == number + 1
    recorder.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 400))
def test_a_record_cut_anywhere_is_read_up_to_its_last_whole_line(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("record")
    with Recorder(folder) as recorder:
        for number in range(6):
            recorder.write("note", {"t": number, "text": "größer"})
    whole = recorder.path.read_bytes()
    recorder.path.write_bytes(whole[:cut])
    events = read_record(folder)
    assert [event["t"] for event in events] == list(range(len(events)))
    assert len(events) in (whole[:cut].count(b"\n"), whole[:cut].count(b"\n") + 1)


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(RecordError, match="not empty"):
        Recorder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_second_record_in_the_same_folder_is_refused(tmp_path):
    with Recorder(tmp_path), pytest.raises(RecordError):
        Recorder(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match="file"):
        Recorder(tmp_path / "file")


def test_a_broken_line_in_the_middle_is_named_by_its_number(tmp_path):
    (tmp_path / "record.jsonl").write_text('{"v": 1, "e": "note"}\n{"v": 1, "e"\n{"v": 1, "e": "end"}\n')
    with pytest.raises(RecordError, match=r"record\.jsonl:2"):
        read_record(tmp_path)


def test_a_record_of_another_version_is_refused(tmp_path):
    (tmp_path / "record.jsonl").write_text('{"v": 7, "e": "note"}\n')
    with pytest.raises(RecordError, match="version 1"):
        read_record(tmp_path)


def test_a_missing_record_is_named(tmp_path):
    with pytest.raises(RecordError, match="nowhere"):
        read_record(tmp_path / "nowhere")


def test_what_is_not_plain_data_is_refused(tmp_path):
    with Recorder(tmp_path) as recorder:
        with pytest.raises(ValueError, match="JSON"):
            recorder.write("note", {"t": float("nan")})
        with pytest.raises(TypeError):
            recorder.write("note", {"t": {1, 2}})
    assert read_record(tmp_path) == []


def test_pictures_are_numbered_and_told_of(tmp_path):
    with Recorder(tmp_path) as recorder:
        paths = [recorder.picture(b"png", time) for time in (0.0, 2.0004)]
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == ["pictures/0001.png", "pictures/0002.png"]
    assert [event["t"] for event in read_record(tmp_path)] == [0.0, 2.0]


def test_a_disk_that_takes_nothing_is_an_outside_error(tmp_path):
    with Recorder(tmp_path) as recorder:
        (tmp_path / "pictures").write_text("in the way")
        with pytest.raises(RecordWriteError):
            recorder.picture(b"png", 0.0)


def test_a_closed_record_takes_nothing_more(tmp_path):
    recorder = Recorder(tmp_path)
    recorder.close()
    recorder.close()
    recorder.write("note", {"t": 0, "text": "late"})
    assert read_record(tmp_path) == []


def test_several_journals_get_the_same():
    one, other = Entries(), Entries()
    Journals((one, other)).write("note", {"t": 0})
    assert one.events == other.events == [{"e": "note", "t": 0}]
    assert json.dumps(one.of("note"))
