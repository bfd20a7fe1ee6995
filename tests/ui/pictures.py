# SPDX-License-Identifier: MIT
"""Reads PNG files with the standard library alone, to check that a picture is not blank."""
import struct
import zlib

from person import check


ENOUGH_COLOURS = 100


def read_png(path):
    """Width, height and the number of different pixels, counted until there are enough, of a PNG (8 bit
    RGB or RGBA, no interlacing), read without any library."""
    with open(path, "rb") as file:
        data = file.read()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG.")
    position, pixels, header = 8, b"", None
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        check(struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0]
              == zlib.crc32(kind + body), f"{path}: chunk {kind!r} is damaged.")
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            pixels += body
        position += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    check(depth in (8, 16) and colour in (2, 6) and interlaced == 0, f"{path}: unusual PNG.")
    size = (4 if colour == 6 else 3) * depth // 8
    raw = zlib.decompress(pixels)
    check(len(raw) == height * (1 + width * size), f"{path}: {len(raw)} bytes of pixels.")
    colours, before = set(), bytearray(width * size)
    for y in range(height):
        line = bytearray(raw[y * (1 + width * size) + 1:(y + 1) * (1 + width * size)])
        unfilter(raw[y * (1 + width * size)], line, before, size)
        colours.update(bytes(line[i:i + size]) for i in range(0, len(line), size))
        if len(colours) >= ENOUGH_COLOURS:
            break
        before = line
    return width, height, len(colours)


def unfilter(kind, line, before, size):
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up = before[i]
        corner = before[i - size] if i >= size else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + up) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif kind == 4:
            estimate = left + up - corner
            distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
            line[i] = (line[i] + (left, up, corner)[distances.index(min(distances))]) & 255
