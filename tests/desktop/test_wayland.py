"""Wayland backend without a desktop: keys, sway trees, pixels, error messages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from said import Sapper, refused

from bot.desktop.ports import intersection, round_region
from bot.desktop.wayland.backend import toolkits
from bot.desktop.wayland.capture import apply_transform, blit, pixels_of
from bot.desktop.wayland.connection import WaylandConnection, WaylandOutput
from bot.desktop.wayland.input import key_sequence
from bot.desktop.wayland.sway import SwayConnection, user_bindings, windows_in_tree
from games.errors import MissingRequirement, UsageError

pywayland = pytest.mark.skipif(sys.platform != "linux", reason="Wayland is on Linux only")


@pywayland
def test_backend_missing_desktop_one_line(
    sapper: Sapper, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    for words in (("play", "--yes"), ("advise", "--once"), ("play", "--backend", "wayland", "--dry-run")):
        refused(sapper(*words), 8, "wayland-7", "--virtual")


@pywayland
def test_backend_no_pywayland_names_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pywayland.client", None)
    with pytest.raises(MissingRequirement, match=r"pip install pywayland jeepney"):
        WaylandConnection("wayland-7")


def test_program_variables_lead_to_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1000")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-1")
    assert toolkits()["WAYLAND_DISPLAY"] == "/run/user/1000/wayland-1"
    monkeypatch.setenv("WAYLAND_DISPLAY", "/elsewhere/socket")
    assert toolkits()["WAYLAND_DISPLAY"] == "/elsewhere/socket"


def test_sway_missing_one_line(tmp_path: Path) -> None:
    with pytest.raises(MissingRequirement, match="SWAYSOCK"):
        SwayConnection(str(tmp_path / "none.sock"))


def area(x: int, y: int, width: int, height: int) -> dict[str, int]:
    return {"x": x, "y": y, "width": width, "height": height}


def node(id: int, kind: str = "con", **more: Any) -> dict[str, Any]:
    """A node of sway's tree; a window when it has a pid."""
    none = area(0, 0, 0, 0)
    usual = {"id": id, "type": kind, "name": f"window {id}", "rect": none, "window_rect": none}
    return usual | {"deco_rect": none, "nodes": [], "floating_nodes": [], "visible": True} | more


def tree(*tiled: dict[str, Any], floating: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    workspace = node(3, "workspace", nodes=list(tiled), floating_nodes=list(floating), fullscreen_mode=1)
    return node(1, "root", nodes=[node(2, "output", nodes=[workspace])])


def test_sway_windows_stacking_order() -> None:
    split = node(10, nodes=[node(11, pid=5), node(12, pid=6, fullscreen_mode=1), node(13, pid=7)])
    windows = windows_in_tree(tree(split, floating=(node(20, "floating_con", pid=8),)))
    assert [(window.id, window.level) for window in windows] == [(11, 0), (13, 1), (20, 2), (12, 3)]


def test_sway_window_frame_included() -> None:
    outer, inner, title = area(336, 136, 608, 451), area(4, 0, 600, 447), area(336, 111, 608, 25)
    (window,) = windows_in_tree(tree(node(11, pid=5, rect=outer, window_rect=inner, deco_rect=title)))
    assert window.box == (340, 136, 600, 447)
    assert window.outer == (336, 111, 608, 476)


def test_sway_scratchpad_window_hidden() -> None:
    (window,) = windows_in_tree(tree(node(11, pid=5, visible=False, name=None)))
    assert not window.is_shown
    assert window.title == ""


@pytest.mark.parametrize(
    ("keys", "codes", "held"),
    [
        (("n",), [49], 0),
        (("f2",), [60], 0),
        (("ctrl", "n"), [29, 49], 4),
        (("ctrl", "shift", "r"), [29, 42, 19], 5),
        (("N",), [49], 1),
        (("?",), [53], 1),
        (("escape",), [1], 0),
        (("Enter",), [28], 0),
    ],
)
def test_keymap_is_us_keyboard(keys: tuple[str, ...], codes: list[int], held: int) -> None:
    assert key_sequence(keys) == (codes, held)


def test_keymap_unknown_key_refused() -> None:
    with pytest.raises(UsageError, match="hyperspace"):
        key_sequence(("hyperspace",))


def test_bound_keys_read_from_configuration() -> None:
    config = """
    bindsym F9 exec volume
    bindsym --locked --no-repeat XF86AudioMute exec mute
    bindsym Mod4+Escape kill
    mode "resize" {
        bindsym Escape mode default
    }
    bindsym Pause exec music
    """
    assert user_bindings(config) == {"F9", "XF86AudioMute", "Pause"}


@pytest.mark.parametrize(
    ("mode", "width", "transform", "scale"),
    [
        ((1280, 900), 1280, 0, 1),
        ((1280, 900), 640, 0, 2),
        ((1280, 900), 853, 0, 1.5),
        ((1280, 900), 900, 1, 1),
        ((1280, 900), 962, 0, 1280 / 962),
    ],
)
def test_output_scale_from_rounded_sizes(
    mode: tuple[int, int], width: int, transform: int, scale: float
) -> None:
    output = WaylandOutput(None, width=width, height=1, transform=transform, mode=mode)
    assert output.scale == pytest.approx(scale)


def test_region_whole_points_and_pixels() -> None:
    assert round_region((10.4, 20.6, 0.2, 99.5)) == (10, 21, 1, 100)
    assert pixels_of((10, 20, 30, 40), 1.5) == (15, 30, 60, 90)
    assert intersection((0, 0, 10, 10), (8, 9, 10, 10)) == (8, 9, 2, 1)
    assert intersection((0, 0, 10, 10), (10, 0, 10, 10)) is None


def test_canvas_drawing_is_clipped() -> None:
    canvas = np.zeros((4, 4, 3), np.uint8)
    blit(np.full((3, 3, 3), 9, np.uint8), canvas, -1, 2)
    assert canvas[:, :, 0].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [9, 9, 0, 0], [9, 9, 0, 0]]
    blit(np.full((3, 3, 3), 7, np.uint8), canvas, 9, 9)
    assert canvas.max() == 9


@pytest.mark.parametrize("transform", range(8))
def test_transform_four_turns_two_flips_identity(transform: int) -> None:
    picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    turned = picture
    for _ in range(2 if transform >= 4 else 4):
        turned = apply_transform(turned, transform)
    assert np.array_equal(turned, picture)
    if transform:
        assert not np.array_equal(apply_transform(picture, transform), picture)
