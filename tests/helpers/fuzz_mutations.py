"""Damage files for `fuzz_readers`: bytes, lines, words, and the structure of JSON, zip and PNG files.

Every function takes a random generator, so that the same seed gives the same file.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from random import Random
from typing import Any

MOST_BYTES = 1 << 20  # of a damaged file
NUMBERS = (
    b"0", b"-1", b"1", b"2", b"9", b"255", b"256", b"65535", b"65536", b"2147483647", b"-2147483648",
    b"4294967296", b"9223372036854775808", b"1e999", b"-1e999", b"1e308", b"nan", b"NaN", b"inf", b"0x10",
    b"0.5", b"-0.0", b"1_000", b"00", b"9" * 400, b"9" * 5000, b"40000", b"200", b"1000000",
)  # fmt: skip
WORDS = (
    b"", b" ", b"\0", b"\x1b]0;x\x07", b"\x1b[2J", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r",
    b"\r\n", b"\x85", b"\xe2\x80\xa8", b"..", b"../X", b"/", b"/abs/X", b"~", b"%s", b"{0}", b"$HOME", b"*",
    b"?", b"!", b"x", b"F", b".", b"-", b"#", b"# x: 1 2 3", b"# y: 1 2", b"mines 9999", b"variant quad",
    b"variant x", b"null", b"true", b"[", b"]", b"{", b"}", b'"', b"'", b'"""', b",", b":", b"=", b"\\",
    b"\\u0000", b"\\ud800", b"[" * 2000, b"{" * 2000, b'{"a":' * 3000, b"(" * 2000, b"(a+)+$", b"r0c0",
    b"r999c999", b"r-1c-1", b"board", b"event", b"look", b"plan", b"end", b"strip", b"lattice", b"cells",
    b"Scarlett", b"Ann", b"envelope", b"shows", b"passes", b"like = \"x\"", b"IHDR", b"IDAT", b"IEND",
    b"tEXt", b"PK\x03\x04", b"PK\x01\x02", b"\xc2\xb2", b"\xd9\xa3", b"\xef\xbc\x91", b"\xf0\x9f\x92\xa3",
    b"e\xcc\x81", b"\xe2\x80\xae",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 255, 65536, 2**31, 2**63, 10**30, 10**400, 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", " ", "x", "0", "-1", "1e999", "r0c0", "r999c999", "..", "/abs", "\0",
    "\x1b]0;x\x07", "\ud800", "\u202e", "9" * 500, "a" * 100_000, [], {}, [[]], [0], [0, 0], [0, 1, 2, 3],
    ["x"], {"x": 1}, {"": None}, [None] * 1000, [[[[[[[[]]]]]]]],
)  # fmt: skip
Damage = Callable[[Random, bytes], bytes]


def damage_file(rng: Random, name: str, data: bytes, other: bytes) -> bytes:
    """The content of the file `name`, damaged one to three times; `other` is another file of this kind."""
    ways = FORMATS.get(name.rpartition(".")[2], LINE_WAYS)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        if rng.random() < 0.03:
            data = splice(rng, data, other)
        else:
            data = rng.choice(ways if rng.random() < 0.85 else BYTE_WAYS)(rng, data)
    return data[:MOST_BYTES]


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    """A random part of the data, usually short."""
    start = rng.randint(0, len(data))
    return start, min(len(data), start + rng.choice((0, 1, 2, 4, 8, 64, 512, len(data))))


def flip_bits(rng: Random, data: bytes) -> bytes:
    """Flip one to eight bits."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def set_integer(rng: Random, data: bytes) -> bytes:
    """Overwrite one, two or four bytes with an extreme integer."""
    code = rng.choice("BHI")
    order = rng.choice("<>")
    size = struct.calcsize(code)
    if len(data) < size:
        return data
    start = rng.randint(0, len(data) - size)
    value = rng.choice((0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
    piece = struct.pack(order + code, value & ((1 << 8 * size) - 1))
    return data[:start] + piece + data[start + size :]


def cut(rng: Random, data: bytes) -> bytes:
    """Keep only the beginning."""
    return data[: rng.randint(0, len(data))]


def remove(rng: Random, data: bytes) -> bytes:
    """Remove a part."""
    start, end = _span(rng, data)
    return data[:start] + data[end:]


def duplicate(rng: Random, data: bytes) -> bytes:
    """Repeat a part."""
    start, end = _span(rng, data)
    piece = data[start:end]
    return data[:end] + piece * min(rng.choice((1, 1, 2, 100)), MOST_BYTES // max(1, len(piece))) + data[end:]


def insert_random(rng: Random, data: bytes) -> bytes:
    """Insert random bytes."""
    start = rng.randint(0, len(data))
    return data[:start] + rng.randbytes(rng.choice((1, 4, 32))) + data[start:]


def insert_word(rng: Random, data: bytes) -> bytes:
    """Insert a word that some reader may treat specially, or replace a part by it."""
    start, end = _span(rng, data)
    return data[:start] + rng.choice(WORDS) + data[rng.choice((start, min(end, start + 8))) :]


def change_number(rng: Random, data: bytes) -> bytes:
    """Replace a number in a text."""
    found = list(re.finditer(rb"-?\d+", data))
    if not found:
        return insert_word(rng, data)
    place = rng.choice(found)
    return data[: place.start()] + rng.choice(NUMBERS) + data[place.end() :]


def change_word(rng: Random, data: bytes) -> bytes:
    """Replace a word in a text by a special word, a number, or another word of the text."""
    found = list(re.finditer(rb"[^\s,:=\[\]{}\"']+", data))
    if not found:
        return insert_word(rng, data)
    place = rng.choice(found)
    new = rng.choice((rng.choice(WORDS), rng.choice(NUMBERS), rng.choice(found)[0]))
    return data[: place.start()] + new + data[place.end() :]


def change_string(rng: Random, data: bytes) -> bytes:
    """Replace a quoted string in a text by another value."""
    found = list(re.finditer(rb'"[^"\n]*"', data))
    if not found:
        return change_word(rng, data)
    place = rng.choice(found)
    return data[: place.start()] + json.dumps(rng.choice(VALUES)).encode() + data[place.end() :]


def change_lines(rng: Random, data: bytes) -> bytes:
    """Remove, repeat or move a line."""
    lines = data.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2, 50))):
        lines.insert(rng.randint(0, len(lines)), line)
    return b"\n".join(lines)


def splice(rng: Random, data: bytes, other: bytes) -> bytes:
    """Replace a part by a part of another file."""
    start, end = _span(rng, data)
    first, last = _span(rng, other)
    return data[:start] + other[first:last] + data[end:]


def change_json(rng: Random, data: bytes) -> bytes:
    """Change one value of a JSON text, or of one line of it."""
    lines = data.split(b"\n") if b"\n{" in data and data.startswith(b'{"event"') else [data]
    number = rng.randrange(len(lines))
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):
        return change_word(rng, data)
    lines[number] = json.dumps(change_value(rng, value)).encode()
    return b"\n".join(lines)


def change_value(rng: Random, value: Any) -> Any:
    """Change a value somewhere in nested lists and dicts."""
    if not isinstance(value, list | dict) or not value or rng.random() < 0.15:
        return _new_value(rng, value)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if rng.random() < 0.15:
        del value[key]
    elif rng.random() < 0.1:
        value[key] = value[rng.choice(keys)] if rng.random() < 0.8 else [value[key]] * 3
    elif isinstance(value, dict) and rng.random() < 0.1:
        value[rng.choice(("", "x", "\ud800", "r999c0", "\x1b[2J", *map(str, keys)))] = value.pop(key)
    else:
        value[key] = change_value(rng, value[key])
    return value


def _new_value(rng: Random, value: Any) -> Any:
    if isinstance(value, int | float) and rng.random() < 0.4:
        return rng.choice((-value, value + 1, value - 1, value * 2, str(value), value * 1000))
    if isinstance(value, str) and rng.random() < 0.4:
        return change_word(rng, value.encode(errors="replace")).decode(errors="replace")
    return rng.choice(VALUES)


def change_png(rng: Random, data: bytes) -> bytes:
    """Change, remove, repeat or move a chunk of a PNG file; its checksum stays correct."""
    chunks, start = [], 8
    while start + 12 <= len(data):
        length = int.from_bytes(data[start : start + 4], "big")
        chunks.append(data[start + 4 : start + 8 + length])
        start += 12 + length
    if not chunks:
        return flip_bits(rng, data)
    number = rng.choice((0, rng.randrange(len(chunks))))
    body = chunks[number]
    way = rng.randrange(6)
    if way == 0 and body[:4] == b"IDAT":
        try:
            body = b"IDAT" + zlib.compress(flip_bits(rng, zlib.decompress(body[4:])), 1)
        except zlib.error:
            body = flip_bits(rng, body)
    elif way == 1:
        body = body[:4] + rng.choice((flip_bits, set_integer, cut, duplicate))(rng, body[4:])
    elif way == 2:
        body = rng.choice((b"IHDR", b"PLTE", b"tRNS", b"iCCP", b"zTXt", b"acTL", b"fcTL", b"eXIf")) + body[4:]
    elif way == 3 and body[:4] == b"IHDR":
        sizes = (0, 1, 7, 8192, 8193, 30000, 65536, 2**31 - 1, 2**32 - 1)
        body = b"IHDR" + struct.pack(">II", rng.choice(sizes), rng.choice(sizes)) + body[12:]
    elif way == 4:
        note = b"tEXtSapper\0" + rng.choice(WORDS) + b"# x: 1 9 17\n# y: 1 9\n" + rng.choice(WORDS) + b"..\n"
        chunks.insert(1, note)
    else:
        chunks.insert(rng.randint(0, len(chunks)), body)
    chunks[number] = body
    return data[:8] + b"".join(
        struct.pack(">I", max(0, len(c) - 4)) + c + struct.pack(">I", zlib.crc32(c)) for c in chunks
    )


def change_zip(rng: Random, data: bytes) -> bytes:
    """Change, remove, repeat or rename an entry of a zip file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [(name, archive.read(name)) for name in archive.namelist()]
    except Exception:  # noqa: BLE001 - a damaged archive: change its bytes
        return set_integer(rng, data)
    if not entries:
        return data
    name, content = entries.pop(rng.randrange(len(entries)))
    way = rng.randrange(10)
    if way < 8:
        ways = FORMATS.get(name.rpartition(".")[2], BYTE_WAYS)
        entries.append((name, rng.choice(ways)(rng, content)))
    elif way == 8:
        entries.append((rng.choice(("../X", "/abs/X", "x", name + "/", "tiles.png", "skin.json")), content))
    file = io.BytesIO()
    methods = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    method = rng.choices(methods, (5, 3, 1, 1))[0]
    with zipfile.ZipFile(file, "w", method) as archive:
        for each, content in entries:
            archive.writestr(zipfile.ZipInfo(each), content, method)
    return file.getvalue()


BYTE_WAYS: tuple[Damage, ...] = (
    flip_bits, set_integer, cut, remove, duplicate, insert_random, insert_word,
)  # fmt: skip
LINE_WAYS: tuple[Damage, ...] = (change_number, change_word, change_string, change_lines, insert_word)
FORMATS: dict[str, tuple[Damage, ...]] = {
    "json": (change_json, change_json, change_json, change_number, change_word),
    "jsonl": (change_json, change_json, change_json, change_number, change_lines),
    "png": (change_png, change_png, change_png, flip_bits),
    "skin": (change_zip, change_zip, change_zip, change_zip, flip_bits),
    **dict.fromkeys(("bin", "avf", "evf", "rmv", "mvf", "mbf", "avi", "gif", "jpg", "bmp"), BYTE_WAYS),
}
