import json
import threading
from pathlib import Path

import pytest

from affordances.elicitation.cache import FILE_NAME, AnswerCache, AnswerCacheError, key_of
from semantics.body.protocols import Message

ASKED = (Message("system", "s"), Message("user", "u"))


def test_a_key_tells_models_messages_and_schemas_apart():
    keys = {
        key_of("a", ASKED, None),
        key_of("b", ASKED, None),
        key_of("a", ASKED[:1], None),
        key_of("a", ASKED, {"type": "object"}),
        key_of("a", (Message("system", "su"), Message("user", "")), None),
    }
    assert len(keys) == 5
    assert key_of("a", ASKED, {"x": 1, "y": 2}) == key_of("a", ASKED, {"y": 2, "x": 1})
    assert len(key_of("a", ASKED, None)) == 64


def test_what_is_kept_is_there_in_the_next_process(tmp_path: Path):
    AnswerCache(tmp_path / "new" / "folder").keep("k", "model", "yes — ✓\n")
    kept = AnswerCache(tmp_path / "new" / "folder").get("k")
    assert kept is not None
    assert kept.text == "yes — ✓\n"
    assert kept.at.tzinfo is not None


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    cache = AnswerCache(None)
    cache.keep("k", "model", "yes")
    assert cache.get("k") is not None
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_a_kill_cut_is_passed_over_and_spoils_no_other(tmp_path: Path, cut: int):
    cache = AnswerCache(tmp_path)
    cache.keep("first", "model", "yes")
    cache.keep("second", "model", "no")
    file = tmp_path / FILE_NAME
    file.write_bytes(file.read_bytes()[:-cut])
    after = AnswerCache(tmp_path)
    after.keep("third", "model", "yes")
    last = AnswerCache(tmp_path)
    assert last.get("first") is not None
    assert last.get("third") is not None
    assert (last.get("second") is None) == (cut > 1)


def test_lines_of_others_are_passed_over(tmp_path: Path):
    lines = ["", "null", "[1]", '{"key": 1, "text": "a", "at": "2026-11-20T00:00:00"}', "\x00", '{"key": "k"}']
    good = json.dumps({"key": "k", "model": "m", "text": "yes", "at": "2026-11-20T00:00:00+00:00"})
    (tmp_path / FILE_NAME).write_text("\n".join([*lines, good, ""]), encoding="utf-8")
    cache = AnswerCache(tmp_path)
    assert len(cache) == 1
    assert cache.get("k") is not None


def test_many_threads_and_two_caches_lose_nothing(tmp_path: Path):
    caches = [AnswerCache(tmp_path), AnswerCache(tmp_path)]

    def keep(number: int) -> None:
        for i in range(20):
            caches[number % 2].keep(f"{number}-{i}", "model", "yes " * 50)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(AnswerCache(tmp_path)) == 120


def test_a_folder_that_is_a_file_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AnswerCacheError, match="--cache"):
        AnswerCache(tmp_path / "file")
