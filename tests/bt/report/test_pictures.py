import base64

from bt.report import page
from bt.report.page import embed
from tests.bt.report.pictures import camera


def shot(number):
    return {"t": float(number), "file": f"pictures/{number}.png"}


def kept(folder, count):
    (folder / "pictures").mkdir()
    for number in range(count):
        (folder / f"pictures/{number}.png").write_bytes(camera(number / count))
    return [shot(number) for number in range(count)]


def test_pictures_become_data_that_decodes_to_the_same_file(tmp_path):
    found, count = embed(kept(tmp_path, 3), tmp_path)
    assert count == 3
    head, data = found[1].uri.split(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(data) == (tmp_path / "pictures/1.png").read_bytes()


def test_too_many_pictures_are_thinned_out_and_the_last_is_kept(tmp_path, monkeypatch):
    told = kept(tmp_path, 20)
    size = max(path.stat().st_size for path in (tmp_path / "pictures").iterdir())
    monkeypatch.setattr(page, "BUDGET_BYTES", 7 * size)
    found, count = embed(told, tmp_path)
    assert count == 20
    assert 5 <= len(found) <= 7
    assert found[-1].time == 19.0


def test_files_outside_of_the_record_and_other_kinds_of_file_are_not_read(tmp_path):
    folder = tmp_path / "record"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(camera(0.5))
    (folder / "text.png").write_text("<svg onload='alert(1)'/>")
    files = ["../secret.png", str(tmp_path / "secret.png"), "text.png", "missing.png", "", "a\0b", None]
    assert embed([{"t": 0.0, "file": file} for file in files], folder) == ([], 0)
