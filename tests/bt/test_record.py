import errno
import gc
import json
import os
import threading
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from bt import Entries
from bt.errors import RecordError, RecordWriteError
from bt.record import Journals, Recorder, read_record
from tests.failing_disk import FailingWrites, disk_full_at


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


@pytest.fixture
def six(tmp_path):
    """The record of six notes, and its lines."""
    with Recorder(tmp_path / "six") as recorder:
        for number in range(6):
            recorder.write("note", {"t": number, "text": "größer"})
    return recorder.path, recorder.path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("name", "change", "number"),
    [
        ("changed", lambda lines: lines.insert(2, lines.pop(2).replace(b'"t":2', b'"t":7')), 3),
        ("left out", lambda lines: lines.pop(3), 4),
        ("moved", lambda lines: lines.insert(1, lines.pop(4)), 2),
        ("given twice", lambda lines: lines.insert(2, lines[1]), 3),
        ("the first one left out", lambda lines: lines.pop(0), 1),
    ],
)
def test_a_line_that_was_is_told_by_its_checksum(six, name, change, number):
    path, lines = six
    change(lines)
    path.write_bytes(b"".join(lines))
    with pytest.raises(RecordError, match=rf"record\.jsonl:{number}: its checksum is wrong"):
        read_record(path)


def test_a_line_without_a_checksum_among_others_is_not_believed(six):
    path, lines = six
    lines.insert(3, b'{"v":1,"e":"goal","formula":"(opened fridge0)"}\n')
    path.write_bytes(b"".join(lines))
    with pytest.raises(RecordError, match=r"record\.jsonl:4: its checksum is wrong"):
        read_record(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(at=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_no_flipped_bit_is_believed(six, at, bit):
    path, lines = six
    whole = bytearray(b"".join(lines))
    whole[at % len(whole)] ^= 1 << bit
    path.write_bytes(whole)
    with suppress(RecordError):
        events = read_record(path)
        assert [event["t"] for event in events] == list(range(len(events)))
        assert len(events) >= len(lines) - 2  # the last line is torn, or the line end before it is


def test_a_record_of_before_there_were_checksums_is_read(tmp_path):
    lines = [{"v": 1, "e": "note", "t": number, "text": ""} for number in range(3)]
    (tmp_path / "record.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_record(tmp_path) == lines


@pytest.mark.parametrize("deep", [b"[" * 100_000, b'{"a":' * 100_000])
def test_a_line_that_is_nested_too_deeply_is_no_line(six, deep):
    path, lines = six
    path.write_bytes(b"".join(lines) + deep)
    assert len(read_record(path)) == 6  # a torn last line
    path.write_bytes(b"".join([*lines[:3], deep + b"\n", *lines[3:]]))
    with pytest.raises(RecordError, match=r"record\.jsonl:4: not a line of a record"):
        read_record(path)


def test_half_a_character_is_recorded_and_read_back(tmp_path):
    with Recorder(tmp_path) as recorder:
        recorder.write("note", {"t": 0, "text": "half \ud83d of one"})
    assert read_record(tmp_path)[0]["text"] == "half \ud83d of one"


def test_wherever_the_disk_is_full_the_record_ends_with_a_whole_line_and_stays_so(tmp_path):
    whole = 0
    for size in range(1, 700, 2):
        recorder = Recorder(tmp_path / str(size))
        told = []
        with disk_full_at(size):
            for number in range(10):
                try:
                    recorder.write("note", {"t": number, "text": "größer"})
                except RecordWriteError as error:
                    told.append(str(error))
            recorder.close()
        events = read_record(recorder.path)
        assert [event["t"] for event in events] == list(range(10 - len(told)))
        assert recorder.path.read_bytes().count(b"\n") == len(events)
        assert all(f"cannot write '{recorder.path}': File too large" in each for each in told)
        whole += not told
    assert 0 < whole < 150


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_whichever_write_fails_and_however_nothing_before_it_is_lost(tmp_path, monkeypatch, code):
    for number in range(12):
        for taken in (0, 1, 30):
            monkeypatch.setattr("semantics.process.writing.os", FailingWrites(number, code, taken))
            recorder = Recorder(tmp_path / f"{number}-{taken}")
            failed = 0
            for time in range(6):
                try:
                    recorder.write("note", {"t": time, "text": ""})
                except RecordWriteError as error:
                    failed += os.strerror(code) in str(error)
            recorder.close()
            assert [event["t"] for event in read_record(recorder.path)] == list(range(6 - failed))


def test_a_record_is_brought_to_the_disk_by_another_thread_and_whole_at_its_end(tmp_path, monkeypatch):
    synced = []

    def fdatasync(file):
        synced.append((threading.current_thread(), os.fstat(file).st_size))

    monkeypatch.setattr("bt.record.os.fdatasync", fdatasync)
    recorder = Recorder(tmp_path)
    for number in range(1000):
        recorder.write("note", {"t": number, "text": ""})
    recorder.close()
    assert synced[-1][1] == recorder.path.stat().st_size
    assert len(synced) < 100
    assert all(thread is not threading.current_thread() for thread, _ in synced)
    assert not any(thread.name == "record-sync" for thread in threading.enumerate())


def test_a_disk_that_fails_later_is_told_at_the_next_line(tmp_path, monkeypatch):
    failing = threading.Event()

    def fdatasync(file):
        failing.set()
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("bt.record.os.fdatasync", fdatasync)
    recorder = Recorder(tmp_path)
    recorder.write("note", {"t": 0, "text": ""})
    assert failing.wait(10)
    recorder._sync._thread.join(10)
    with pytest.raises(RecordWriteError, match="Input/output error"):
        recorder.write("note", {"t": 1, "text": ""})
    recorder.close()


def test_a_record_that_is_forgotten_leaves_no_file_open_and_no_thread(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    Recorder(tmp_path / "one").write("note", {"t": 0, "text": ""})
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
    assert not any(thread.name == "record-sync" for thread in threading.enumerate())


def test_several_journals_get_the_same():
    one, other = Entries(), Entries()
    Journals((one, other)).write("note", {"t": 0})
    assert one.events == other.events == [{"e": "note", "t": 0}]
    assert json.dumps(one.of("note"))
