"""`Film`: an animated picture of a run, of bounded length however long the run is.

A picture is taken every tenth of a second of the body's clock. When there are `MOST_PICTURES`, every second one is
left out, and half as many are taken from then on: so the film plays twice as fast, and stays as long as it was.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bt import Runner
from bt.runner import Ended, Listener
from semantics.errors import OutsideError, UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

FILM_SIZE: Final = (480, 360)  # width and height of the pictures, in pixels
ENDINGS: Final = (".gif", ".webp")
PER_SECOND: Final = 10  # pictures that are shown in a second
MOST_PICTURES: Final = 120
COLOURS: Final = 96  # colours of a film: few enough for a small file, and enough for shaded things of ten colours
LAST_SECONDS: Final = 1.5  # how long the last picture is shown


def writable_film(file: Path) -> Path:
    """Return a name of a film that can be written.

    Raises:
        UsageError: Its ending names no animated picture, or its folder does not exist.
    """
    if file.suffix.lower() not in ENDINGS:
        names = " or ".join(str(file.with_suffix(ending)) for ending in ENDINGS)
        raise UsageError(f"--video {file}: a film is an animated picture; expected a name such as {names}")
    if not file.parent.is_dir():
        raise UsageError(f"--video {file}: there is no folder {file.parent}")
    return file


class Film(Listener):
    """Takes pictures of a run, and writes them as one animated picture.

    Args:
        camera: Returns a PNG picture of a width and a height.
    """

    def __init__(self, camera: Callable[[int, int], bytes]) -> None:
        self._camera = camera
        self._pictures: list[bytes] = []
        self._period = 1.0 / PER_SECOND
        self._next = 0.0

    @property
    def seconds(self) -> float:
        """How long it plays, without the last picture."""
        return len(self._pictures) / PER_SECOND

    @property
    def speed(self) -> int:
        """How many seconds of the body's clock a second of the film shows."""
        return round(self._period * PER_SECOND)

    def __bool__(self) -> bool:
        """Return whether it has a picture."""
        return bool(self._pictures)

    def ticked(self, runner: Runner) -> None:
        """Take a picture if it is time for one."""
        now = runner.robot.clock.now()
        if not self._pictures:
            self._next = now
        if now >= self._next - 1e-6:
            self._next += self._period * max(1.0, (now - self._next) // self._period + 1.0)
            self._take()

    def ended(self, runner: Runner, ended: Ended) -> None:
        """Take the last picture; a body that is gone gives none."""
        if ended.error is None:
            self._take()

    def _take(self) -> None:
        if len(self._pictures) == MOST_PICTURES:
            self._pictures = self._pictures[::2]
            self._next += self._period
            self._period *= 2.0
        self._pictures.append(self._camera(*FILM_SIZE))

    def save(self, file: Path) -> None:
        """Write the film; a file that is there is replaced.

        Raises:
            UsageError: It cannot be written.
            OutsideError: Pillow is not installed.
        """
        try:
            from PIL import Image
        except ImportError as error:
            raise OutsideError("a film needs Pillow: pip install 'graftwork[sim]'") from error
        pictures = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in self._pictures]
        first, *others = _of_one_palette(pictures) if file.suffix.lower() == ".gif" else pictures
        shown = [1000 // PER_SECOND] * len(others) + [round(1000 * LAST_SECONDS)]
        try:
            first.save(file, save_all=True, append_images=others, duration=shown, loop=0, optimize=True)
        except OSError as error:
            raise UsageError(f"--video {file}: it cannot be written: {error.strerror}") from error


def _of_one_palette(pictures: Sequence[Image]) -> list[Image]:
    """Return pictures with the same few colours, so that what does not move costs nothing in a GIF."""
    from PIL import Image

    first, last = pictures[0], pictures[-1]
    both = Image.new("RGB", (first.width, 2 * first.height))
    both.paste(first, (0, 0))
    both.paste(last, (0, first.height))
    palette = both.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
