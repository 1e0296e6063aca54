"""Captures of a virtual screen: position, size, colour order, colour depth; errors without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from bot.desktop.self_test import shows_pattern
from bot.desktop.x11.backend import x11_backend
from bot.desktop.x11.capture import X11Capture, channel
from bot.desktop.x11.overlay import X11PatternStage
from bot.desktop.x11.windows import X11Windows
from games.errors import MissingRequirement
from vision.frame import MssCapture

needs_screen = pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")


@contextmanager
def virtual(depth: int, monkeypatch: pytest.MonkeyPatch, width: int = 320) -> Iterator[str]:
    """A virtual screen of this colour depth; its display."""
    from pyvirtualdisplay.display import Display

    with Display(visible=False, size=(width, 200), color_depth=depth, manage_global_env=False) as display:
        monkeypatch.setenv("DISPLAY", display.new_display_var)
        yield display.new_display_var


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with virtual(24, monkeypatch) as name:
        yield name


@needs_screen
def test_grabber_no_region_captures_screen(screen: str) -> None:
    with MssCapture() as grabber:
        frame = grabber.grab()
    grabber.close()  # idempotent
    assert (frame.width, frame.height, frame.scale) == (320, 200, 1.0)
    assert (frame.left, frame.top) == (0.0, 0.0)
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.flags.c_contiguous


@needs_screen
def test_grabber_region_position_and_bgr(screen: str, tmp_path: Path) -> None:
    (tmp_path / "authority").touch()  # python-xlib wants the file to exist
    surroundings = {**os.environ, "DISPLAY": screen, "XAUTHORITY": str(tmp_path / "authority")}
    subprocess.run([sys.executable, "-c", PAINT, "#102030"], check=True, env=surroundings, timeout=120)
    with MssCapture() as grabber:
        frame = grabber.grab((10, 20, 30, 40))
    assert frame.pixels.shape == (40, 30, 3)
    assert frame.point(0, 0) == (10.0, 20.0)
    assert frame.point(5, 6) == (15.0, 26.0)
    assert tuple(frame.pixels[7, 7]) == (0x30, 0x20, 0x10)


PAINT = """
import sys
from Xlib import display
d = display.Display()
root = d.screen().root
root.change_attributes(background_pixel=int(sys.argv[1][1:], 16))
root.clear_area()
d.screen().default_colormap
d.set_close_down_mode(1)
d.sync()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only X can be absent")
def test_grabber_no_display_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":9876")
    with pytest.raises(MissingRequirement, match="--virtual") as caught:
        MssCapture().grab()
    assert "\n" not in str(caught.value)
    monkeypatch.delenv("DISPLAY")
    with pytest.raises(MissingRequirement, match="DISPLAY"):
        MssCapture().grab()


@needs_screen
def test_grabber_palette_screen_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "a 8-bit screen without true colour is not supported"
    with virtual(8, monkeypatch), pytest.raises(MissingRequirement, match=message):
        X11Capture()


@needs_screen
@pytest.mark.parametrize("depth", [15, 16, 30])
def test_grabber_other_depth_is_read(depth: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with virtual(depth, monkeypatch, width=333):
        (tmp_path / "authority").touch()
        monkeypatch.setenv("XAUTHORITY", str(tmp_path / "authority"))
        windows = X11Windows()
        assert windows.depth == depth
        with x11_backend(windows).open_grabber() as grabber, closing(X11PatternStage()) as stage:
            frame = grabber.grab()
            assert (frame.width, frame.height, frame.scale) == (333, 200, 1.0)
            with stage.patch(stage.screens()[0], 31, 47):
                assert shows_pattern(grabber.grab((11, 13, 101, 99)), 31, 47)
        windows.close()


def test_grabber_few_bits_span_full_range() -> None:
    pixels = np.array([[0, 1, 15, 31]], np.uint32) << np.uint32(11)
    assert channel(pixels, 0xF800).tolist() == [[0, 8, 123, 255]]
    assert channel(pixels, 0x07E0).tolist() == [[0, 0, 0, 0]]
