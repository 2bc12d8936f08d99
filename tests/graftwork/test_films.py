"""``graftwork run --video``: a film of a run, of bounded length, or why there is none."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from graftwork.record.film import FILM_SIZE, MOST_PICTURES, PER_SECOND, Film
from robots.fake import VirtualClock
from semantics.errors import UsageError
from tests.graftwork.test_commands import graftwork

image = pytest.importorskip("PIL.Image")


class Scene:
    """A camera whose pictures tell the time: their colour is the number of the tick."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.taken: list[float] = []

    def picture(self, width: int, height: int) -> bytes:
        self.taken.append(self.clock.now())
        file = io.BytesIO()
        shade = min(255, int(self.clock.now()))
        image.new("RGB", (width, height), (shade, 0, 255 - shade)).save(file, "PNG")
        return file.getvalue()

    def run(self, film: Film, seconds: float) -> None:
        runner = SimpleNamespace(robot=self)
        for _ in range(round(seconds * 20)):
            film.ticked(runner)
            self.clock.sleep(0.05)
        film.ended(runner, SimpleNamespace(error=None))


@pytest.mark.parametrize(("seconds", "speed"), [(3.0, 1), (20.0, 2), (100.0, 16), (200.0, 32)])
def test_a_film_is_short_however_long_the_run(tmp_path, seconds, speed):
    scene = Scene()
    film = Film(scene.picture)
    scene.run(film, seconds)
    assert film.speed == pytest.approx(speed, rel=0.51)
    assert film.seconds <= MOST_PICTURES / PER_SECOND
    assert film.seconds * film.speed == pytest.approx(seconds, rel=0.15)
    film.save(tmp_path / "film.gif")
    with image.open(tmp_path / "film.gif") as read:
        assert read.size == FILM_SIZE
        assert read.n_frames <= MOST_PICTURES
        assert read.info["loop"] == 0


@pytest.mark.parametrize("ending", ["gif", "webp"])
def test_a_film_begins_with_the_first_picture_and_ends_with_the_last(tmp_path, ending):
    scene = Scene()
    film = Film(scene.picture)
    scene.run(film, 100.0)
    film.save(tmp_path / f"film.{ending}")
    with image.open(tmp_path / f"film.{ending}") as read:
        shades = []
        for number in (0, read.n_frames - 1):
            read.seek(number)
            shades.append(read.convert("RGB").getpixel((5, 5))[0])
    assert shades == pytest.approx([0, 100], abs=8)


def test_a_film_that_cannot_be_written_is_told(tmp_path):
    scene = Scene()
    film = Film(scene.picture)
    scene.run(film, 0.2)
    (tmp_path / "taken.gif").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        film.save(tmp_path / "taken.gif")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--video", "film.mp4"), "expected a name such as film.gif or film.webp"),
        (("--video", "there/film.gif"), "there is no folder there"),
        (("--robot", "fake", "--video", "film.gif"), "the body fake takes no pictures; try --robot pybullet"),
        (("--seeds", "1..2", "--video", "film.gif"), "--video is for one run"),
    ],
)
def test_what_cannot_be_filmed_is_refused_before_anything_moves(tmp_path: Path, words: tuple[str, ...], why: str):
    ended = graftwork("run", "open the fridge", "--scene", "small", "--no-memory", *words, cwd=tmp_path)
    assert ended.returncode == 2
    assert why in ended.stderr
    assert not list(tmp_path.glob("film*"))


def test_a_run_in_the_simulator_is_filmed(tmp_path: Path):
    pytest.importorskip("pybullet")
    ended = graftwork(
        "run", "pick up the green block", "--domain", "tabletop", "--scene", "four", "--no-memory", "--video",
        "film.gif", cwd=tmp_path,
    )  # fmt: skip
    assert ended.returncode == 0
    assert "video   film.gif: " in ended.stderr
    with image.open(tmp_path / "film.gif") as read:
        assert read.n_frames > 20
