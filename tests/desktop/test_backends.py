"""Selection of the desktop backend, and errors without a screen."""

from __future__ import annotations

import sys

import pytest

from bot.desktop.backends import detect_backend, has_display, open_desktop, parse_screen
from bot.desktop.ports import Windows, find_windows, window_at, window_of
from games.errors import MissingRequirement, UsageError


@pytest.mark.parametrize(
    ("variables", "platform", "kind"),
    [
        ({}, "linux", None),
        ({"DISPLAY": ":0"}, "linux", "x11"),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "wayland"}, "linux", "x11"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "wayland"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux", "wayland"),
        ({"WAYLAND_DISPLAY": "", "DISPLAY": ":0"}, "linux", "x11"),
        ({}, "darwin", "system"),
        ({"DISPLAY": ":0"}, "win32", "system"),
    ],
)
def test_backend_chosen_by_environment(variables: dict[str, str], platform: str, kind: str | None) -> None:
    assert detect_backend(variables, platform) == kind


def test_screen_sizes_parsed_or_refused() -> None:
    assert parse_screen("1920x1080") == (1920, 1080)
    for wrong in ("", "1920", "x", "10x10", "1920x1080x24", "99999x900"):
        with pytest.raises(UsageError, match="screen size"):
            parse_screen(wrong)


def test_no_windows_backend_answers_nothing() -> None:
    windows = Windows()
    assert windows.all() is None
    assert window_at(windows, 1, 1) is None
    assert window_of(windows, (0, 0, 9, 9)) is None
    assert find_windows(windows, "x") == []
    assert not windows.pressed_keys("Escape")


def test_desktop_no_xvfb_names_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(MissingRequirement, match="apt-get install xvfb"), open_desktop(virtual=True):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_desktop_no_display_names_virtual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()
    with pytest.raises(MissingRequirement, match="--virtual"), open_desktop():
        pass
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")  # X11 is asked for
    with pytest.raises(MissingRequirement, match="there is no display"), open_desktop(kind="x11"):
        pass
