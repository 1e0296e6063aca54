"""Captures of a virtual screen: position, size, colour order, colour depth; errors without a screen."""

from __future__ import annotations

import shutil
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
def virtual(depth: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A virtual screen of this colour depth."""
    from pyvirtualdisplay.display import Display

    with Display(visible=False, size=(333, 200), color_depth=depth, manage_global_env=False) as display:
        monkeypatch.setenv("DISPLAY", display.new_display_var)
        yield


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
@pytest.mark.parametrize("depth", [15, 16, 24, 30])
def test_grabber_each_depth_is_read(depth: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The whole screen, and the position and colours of a region."""
    (tmp_path / "authority").touch()  # python-xlib wants the file to exist
    monkeypatch.setenv("XAUTHORITY", str(tmp_path / "authority"))
    with virtual(depth, monkeypatch), X11Windows() as windows:
        assert windows.depth == depth
        with x11_backend(windows).open_grabber() as grabber, closing(X11PatternStage()) as stage:
            frame = grabber.grab()
            assert (frame.width, frame.height, frame.scale) == (333, 200, 1.0)
            assert (frame.left, frame.top) == (0.0, 0.0)
            assert frame.pixels.dtype == np.uint8
            assert frame.pixels.flags.c_contiguous
            with stage.patch(stage.screens()[0], 31, 47):
                part = grabber.grab((11, 13, 101, 99))
            assert shows_pattern(part, 31, 47)
            assert part.point(5, 6) == (16.0, 19.0)


def test_grabber_few_bits_span_full_range() -> None:
    pixels = np.array([[0, 1, 15, 31]], np.uint32) << np.uint32(11)
    assert channel(pixels, 0xF800).tolist() == [[0, 8, 123, 255]]
    assert channel(pixels, 0x07E0).tolist() == [[0, 0, 0, 0]]
