"""Pictures of something like a kitchen, encoded by hand."""

import struct
import zlib


def png(width, height, pixel):
    """Encode a picture; `pixel` gives red, green and blue from 0 to 255 for a column and a row."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def camera(share):
    """Draw something like a kitchen: a wall, a floor, a fridge that comes nearer as `share` grows from 0 to 1."""
    size = 18 + int(60 * share)

    def pixel(x, y):
        if abs(x - 80) < size / 2 and 20 < y < 40 + size:
            return (225, 230, 235) if abs(x - 80) < size / 2 - 3 else (120, 130, 140)
        return (205, 198, 180) if y < 70 else (150 - y // 4, 120 - y // 4, 95)

    return png(160, 120, pixel)
