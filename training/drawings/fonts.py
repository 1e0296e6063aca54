"""Fonts from Debian packages, unpacked in a cache; they are neither installed nor committed."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from PIL.PcfFontFile import PcfFontFile

from games.errors import MissingRequirement
from training.splits import FONTS, SPLITS, families
from training.storage import CACHE, DRAWN, cached_arrays

NEEDED = "0123456789"
MIN_SIMILARITY = 0.4  # mean correlation of the digits of a font with the median digits
NOTO = ("notosans-", "notoserif-", "notomono", "notosansmono", "notosansdisplay-", "notoserifdisplay-")
Mask = NDArray[np.uint8]


def fetch_fonts() -> None:
    """Download and unpack the missing packages of FONTS."""
    debs, roots = CACHE / "debs", CACHE / "fonts"
    debs.mkdir(parents=True, exist_ok=True)
    names = [name for split in SPLITS for name in families(FONTS, split) if not (roots / name).is_dir()]
    missing = [name for name in names if not list(debs.glob(f"{name}_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "download", "-q", *missing], cwd=debs, check=False)
    for name in names:
        for deb in debs.glob(f"{name}_*.deb"):
            (roots / name).mkdir(parents=True)
            subprocess.run(["dpkg", "-x", str(deb), str(roots / name)], check=True)
        if not (roots / name).is_dir():  # without it, the other fonts would be drawn more often
            raise MissingRequirement(f"no package {name}: run apt-get update, and try again")


@dataclass(frozen=True)
class Face:
    """One font file. Bitmap fonts have one size and are enlarged."""

    path: str
    is_bitmap: bool = False

    def mask(self, text: str, height: float, weight: int = 0, smooth: bool = True) -> Mask | None:
        """The picture (0..255) of `text` with digits of `height` pixels; None if a letter is missing."""
        if self.is_bitmap:
            return self._bitmap(text, height)
        font = _sized(self.path, max(4, round(height / _ratio(self.path))))
        try:
            left, top, right, bottom = font.getbbox(text, stroke_width=weight)
        except (OSError, ValueError):
            return None
        width, depth = int(right - left), int(bottom - top)
        if width < 1 or depth < 1 or width > 600 or depth > 600:
            return None
        image = Image.new("L", (width, depth))
        draw = ImageDraw.Draw(image)
        draw.fontmode = "L" if smooth else "1"
        draw.text((-left, -top), text, fill=255, font=font, stroke_width=weight)
        return np.asarray(image, np.uint8).copy()

    def _bitmap(self, text: str, height: float) -> Mask | None:
        glyphs = _glyphs(self.path)
        if any(letter not in glyphs for letter in text):
            return None
        parts = [glyphs[letter] for letter in text]
        tall = max(part.shape[0] for part in parts)
        spaced = [np.pad(part, ((tall - part.shape[0], 0), (0, 1))) for part in parts]
        mask = np.concatenate(spaced, axis=1)[:, :-1]
        zoom = max(1, round(height / max(1, glyphs["8"].shape[0])))
        return np.kron(mask, np.ones((zoom, zoom), np.uint8))


@lru_cache(maxsize=256)
def _sized(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _ratio(path: str) -> float:
    """Height of the tallest digit divided by the font size."""
    font = _sized(path, 100)
    boxes = [font.getbbox(digit) for digit in "12345678"]
    return float(max(0.2, max(box[3] - box[1] for box in boxes) / 100))


@lru_cache(maxsize=1024)
def _glyphs(path: str) -> dict[str, Mask]:
    """The cropped bitmaps of an X11 font; cached, because Pillow decodes them slowly."""
    kept = CACHE / "bitmaps" / f"{Path(path).parents[0].name}-{Path(path).name}.npz"
    stored = cached_arrays(kept, lambda: _unpack(path))
    codes, shapes, flat = stored["codes"], stored["shapes"], stored["flat"]
    starts = np.concatenate([[0], np.cumsum(shapes.prod(axis=1))])
    return {chr(code): flat[starts[k] : starts[k + 1]].reshape(shapes[k]) for k, code in enumerate(codes)}


def _unpack(path: str) -> dict[str, NDArray[Any]]:
    with gzip.open(path) as file:
        font = PcfFontFile(io.BytesIO(file.read()))
    codes, pictures = [], []
    for code in range(33, 127):
        glyph = font.glyph[code]
        if glyph is None:
            continue
        picture = np.asarray(glyph[3].convert("L"), np.uint8)
        ys, xs = np.nonzero(picture)
        if len(ys):
            codes.append(code)
            pictures.append(picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])
    shapes = np.array([picture.shape for picture in pictures]).reshape(-1, 2)
    flat = np.concatenate([picture.ravel() for picture in pictures]) if pictures else np.zeros(0, np.uint8)
    return {"codes": np.array(codes, int), "shapes": shapes, "flat": flat}


def _signature(face: Face) -> NDArray[np.float32] | None:
    """The digits 1 to 8 at 20x20, (8, 400), with zero mean and unit length; None if one is missing."""
    rows = []
    for digit in "12345678":
        mask = face.mask(digit, 40)
        if mask is None or mask.max() == 0:
            return None
        small = cv2.resize(mask.astype(np.float32), (20, 20), interpolation=cv2.INTER_AREA).ravel()
        small -= small.mean()
        rows.append(small / (np.linalg.norm(small) + 1e-6))
    return np.array(rows, np.float32)


def _has_all(path: Path) -> bool:
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(path, fontNumber=0, lazy=True) as font:
            known = font.getBestCmap() or {}
    except (TTLibError, OSError, AssertionError, ValueError, KeyError):
        return False
    return all(ord(letter) in known for letter in NEEDED)


def load_faces() -> dict[str, dict[str, list[Face]]]:
    """The faces of all fonts by split and family; the list of `_find_faces` is cached."""
    kept = DRAWN / "faces.json"
    if not kept.exists():
        rows = _find_faces()
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(rows), encoding="utf-8")
    loaded: dict[str, dict[str, list[Face]]] = {split: {} for split in SPLITS}
    for split, family, path, is_bitmap in json.loads(kept.read_text(encoding="utf-8")):
        loaded[split].setdefault(family, []).append(Face(str(CACHE / path), is_bitmap))
    return loaded


def _find_faces() -> list[tuple[str, str, str, bool]]:
    """Split, family, path in CACHE and `is_bitmap` of each face with recognisable digits.

    Raises MissingRequirement without fonts.
    """
    faces: list[tuple[str, str, Face, NDArray[np.float32]]] = []
    for split in SPLITS:
        for family in families(FONTS, split):
            for path in sorted((CACHE / "fonts" / family).rglob("*")):
                face = _load_face(path)
                if face is None:
                    continue
                try:
                    signed = _signature(face)
                except (OSError, ValueError, IndexError, KeyError, SyntaxError, AssertionError):
                    continue
                if signed is not None:
                    faces.append((split, family, face, signed))
    if not faces:
        raise MissingRequirement(f"no fonts in {CACHE}: run 'python -m training fetch'")
    median = np.median(np.array([signed for *_, signed in faces]), axis=0)
    median /= np.linalg.norm(median, axis=1, keepdims=True)
    found = []
    for split, family, face, signed in faces:
        alike = signed @ median.T
        if alike.diagonal().mean() > MIN_SIMILARITY and (alike.argmax(axis=1) == np.arange(8)).sum() >= 5:
            found.append((split, family, str(Path(face.path).relative_to(CACHE)), face.is_bitmap))
    return found


def _load_face(path: Path) -> Face | None:
    name = path.name.lower()
    if "noto" in name and not name.startswith(NOTO):
        return None  # fonts of other scripts contain the same digits
    if name.endswith(".pcf.gz"):
        return Face(str(path), is_bitmap=True)
    if name.endswith((".ttf", ".otf", ".otb")) and path.is_file() and _has_all(path):
        return Face(str(path))
    return None
