import io
import os
import socket
import sys
from contextlib import suppress

import pytest

from affordances.elicitation.cache import AnswerCache
from benchmarks.affordances.truth import read_truth
from benchmarks.copal.entries import read_state
from bt.errors import RecordError
from bt.record import Recorder, read_record
from bt.report import write_report
from bt.report.page import embed
from domains.pddl.reader.document import open_document
from domains.reader import load_domain
from graftwork.language.replayed import ReplayedModel
from graftwork.language.scripted import ScriptedModel
from graftwork.record.recorder import Records
from graftwork.run.program_text import read_source
from graftwork.setup.settings import load_settings
from semantics.errors import GraftworkError
from semantics.process.reading import TooLargeError, read_bounded, read_head, real_path

NO_FILES = ("folder", "pipe", "device", "socket", "dangling", "loop", "l" * 5000, "nul\0")
READERS = {
    "domain": load_domain,
    "pddl": open_document,
    "program": read_source,
    "script": ScriptedModel.from_file,
    "recording": ReplayedModel,
    "truth": lambda path: read_truth(path, ("grasp",)),
    "copal": read_state,
    "record": read_record,
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket is at most 107 bytes long
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
        yield tmp_path


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_refused_at_once(place, name):
    with pytest.raises(OSError, match=r"it is|too long|Too many levels"):
        read_bounded(place / name, 10)


NO_NEW_FOLDERS = tuple(name for name in NO_FILES if name != "folder")


@pytest.mark.parametrize("name", NO_NEW_FOLDERS)
def test_a_run_makes_no_record_there(place, name):
    with pytest.raises(RecordError):
        Recorder(place / name)
    with suppress(RecordError):  # what cannot be said before the run is said when its record begins
        Records(place / name)


@pytest.mark.parametrize("name", ["pipe", "device", "dangling", "loop", "socket"])
def test_a_record_is_neither_gone_on_from_nor_reported_if_it_is_no_file(place, name):
    (place / "record.jsonl").symlink_to(place / name)
    with pytest.raises(RecordError, match=r"it is|Too many levels"):
        read_record(place)
    with pytest.raises(RecordError, match=r"it is|Too many levels"):
        write_report(place)


def test_a_picture_of_a_report_that_is_no_file_is_left_out(place):
    events = [{"e": "picture", "t": 0, "file": name} for name in ("pipe", "folder", "loop")]
    assert embed(events, place) == ([], 0)


@pytest.mark.parametrize("name", NO_FILES)
@pytest.mark.parametrize("reader", READERS)
def test_each_reader_refuses_it_with_its_own_error(place, reader, name):
    with pytest.raises(GraftworkError):
        READERS[reader](place / name)


@pytest.mark.parametrize("name", ["pipe", "device", "dangling", "loop", "socket"])
def test_settings_and_caches_refuse_it_too(place, name):
    (place / "graftwork.toml").symlink_to(place / name)
    (place / "answers.jsonl").symlink_to(place / name)
    with pytest.raises(GraftworkError, match=r"answers\.jsonl"):
        AnswerCache(place)
    if name != "dangling":
        with pytest.raises(GraftworkError, match=r"graftwork\.toml"):
            load_settings({}, environment={}, folder=place, user_folder=place)


def test_a_path_in_a_loop_stays_as_it_is(place):
    assert real_path(place / "loop" / "file") == place / "loop" / "file"
    assert real_path(place / "nul\0") == place / "nul\0"
    (place / "link").symlink_to("folder")
    assert real_path(place / "link" / "file") == place / "folder" / "file"


def test_a_file_may_be_as_long_as_the_bound(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_bounded(file, 5) == b"12345"
    assert read_head(file, 2) == b"12"
    with pytest.raises(TooLargeError, match="larger than 4 bytes"):
        read_bounded(file, 4)


def test_a_dash_is_standard_input_where_a_caller_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"12345")))
    assert read_bounded("-", 5, standard_input=True) == b"12345"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"12345")))
    with pytest.raises(TooLargeError):
        read_bounded("-", 4, standard_input=True)
    with pytest.raises(FileNotFoundError):
        read_bounded("-", 5)
