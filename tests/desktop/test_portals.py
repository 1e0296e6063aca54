"""The parts of the portals backend, each with a fake desktop."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.desktop.input import Input
from bot.desktop.portals.backend import require_unscaled
from bot.desktop.portals.capture import PortalCapture
from bot.desktop.portals.input import LAG, GnomeIdleMonitor, PortalInput
from bot.desktop.portals.share import BusError, BusInterface, ConsentTokens, ScreenShare, SessionBus
from bot.desktop.ports import Backend, Windows
from bot.play.finder import BoardFinder, DesktopAccess
from bot.readers import ReaderFactory
from games.errors import Interrupted, MissingRequirement


class MadeUpBus:
    """A bus with portals that give consent; `asked` has the options of each request."""

    def __init__(self, devices: int = 3, **versions: int) -> None:
        self.versions = {"ScreenCast": 4, "RemoteDesktop": 2} | versions
        self.devices = devices
        self.asked: dict[str, dict[str, Any]] = {}
        self.called: list[str] = []
        self.closed: list[str] = []

    def read(self, remote: BusInterface, name: str) -> int:
        kind = remote.interface.rpartition(".")[2]
        if not self.versions[kind]:
            raise BusError("no such interface")
        return self.versions[kind]

    def call(self, remote: BusInterface, method: str, signature: str = "", *body: Any) -> tuple[Any, ...]:
        self.called.append(method)
        return ()

    @contextmanager
    def heard(self, remote: BusInterface, signal: str) -> Iterator[list[str]]:
        yield self.closed

    def dispatch(self) -> None:
        pass

    def request(
        self, interface: str, method: str, signature: str, *body: Any, options: dict[str, Any], **_: Any
    ) -> dict[str, Any]:
        self.asked[method] = options
        if method == "CreateSession":
            return {"session_handle": "/one"}
        about = {"size": ("(ii)", (640, 450)), "position": ("(ii)", (0, 0))}
        start = {"streams": [(42, about)], "devices": self.devices, "restore_token": "again"}
        return start if method == "Start" else {}


def shared(bus: MadeUpBus, folder: Path, acts: bool = True) -> ScreenShare:
    return ScreenShare(bus, acts, ConsentTokens(folder))  # type: ignore[arg-type] # as much of a bus as is asked


@pytest.mark.parametrize(("acts", "asks"), [(True, "SelectDevices"), (False, "SelectSources")])
def test_consent_is_remembered(acts: bool, asks: str, tmp_path: Path) -> None:
    first, second = MadeUpBus(), MadeUpBus()
    with shared(first, tmp_path, acts) as sharing:
        assert (sharing.node, sharing.size) == (42, (640, 450))
    assert ("SelectDevices" in first.asked) == acts, "watching requires no input device"
    assert "restore_token" not in first.asked[asks]
    assert first.called == ["Close"]
    with shared(second, tmp_path, acts):
        assert second.asked[asks]["restore_token"] == ("s", "again")


def test_consent_older_portal_not_remembered(tmp_path: Path) -> None:
    bus = MadeUpBus(RemoteDesktop=1)
    with shared(bus, tmp_path) as sharing:
        assert "persist_mode" not in bus.asked["SelectDevices"] | bus.asked["SelectSources"]
        sharing.check()
        bus.closed.append("Closed")
        with pytest.raises(Interrupted, match="no longer shared"):
            sharing.check()


def test_portal_missing_or_without_mouse_refused(tmp_path: Path) -> None:
    bus = MadeUpBus(devices=0)
    with pytest.raises(Interrupted, match="allow remote interaction"):
        shared(bus, tmp_path)
    assert bus.called == ["Close"]
    with pytest.raises(MissingRequirement, match=r"no such interface.*--virtual"):
        shared(MadeUpBus(RemoteDesktop=0), tmp_path)


def test_tokens_unreadable_file_asks_again(tmp_path: Path) -> None:
    tokens = ConsentTokens(tmp_path / "state")
    assert tokens.get("ScreenCast") is None
    tokens.keep("ScreenCast", "one")
    tokens.keep("RemoteDesktop", "two")
    assert (tokens.get("ScreenCast"), tokens.get("RemoteDesktop")) == ("one", "two")
    tokens.keep("ScreenCast", None)
    assert tokens.get("ScreenCast") is None
    (tmp_path / "state" / "consent.json").write_text("[")
    assert tokens.get("RemoteDesktop") is None


class MadeUpScreen:
    """A shared screen; its stream has two pixels per point."""

    size = (640, 450)

    def __init__(self) -> None:
        self.done: list[tuple[Any, ...]] = []
        self.pixels = np.random.default_rng(1).integers(0, 256, (900, 1280, 4), np.uint8)

    def check(self) -> None:
        pass

    def point(self, x: float, y: float) -> None:
        self.done.append(("at", x, y))

    def button(self, code: int, state: int) -> None:
        self.done.append((code, state))

    def rows(self, top: int, bottom: int) -> NDArray[np.uint8]:
        return self.pixels[max(0, top) : bottom]


class MadeUpStream(MadeUpScreen):
    size = (1280, 900)


def test_portal_pictures_cropped_at_scale() -> None:
    stream = MadeUpStream()
    grabber = PortalCapture(MadeUpScreen(), stream)  # type: ignore[arg-type]
    whole, part, beyond = grabber.grab(), grabber.grab((10, 20, 30, 40)), grabber.grab((630, -5, 20, 20))
    assert (whole.scale, whole.width, whole.height) == (2.0, 1280, 900)
    assert np.array_equal(part.pixels, stream.pixels[40:120, 20:80, :3])
    assert (part.left, part.top) == (10, 20)
    assert np.array_equal(beyond.pixels[10:, :20], stream.pixels[:30, 1260:, :3])
    assert not beyond.pixels[:10].any()
    assert not beyond.pixels[:, 20:].any()


class Nobody:
    """An activity monitor that reports input if `is_there`."""

    is_there = False

    def is_foreign_input(self) -> bool:
        return self.is_there

    def reset(self) -> None:
        pass


def test_portal_click_moves_once_on_screen() -> None:
    screen, nobody = MadeUpScreen(), Nobody()
    gui = PortalInput(screen, lambda: (640, 450), nobody)  # type: ignore[arg-type]
    controls = Input(Backend(gui=gui, presser=gui, taken="you took the mouse, or pressed a key"))
    assert controls.pointer is None
    controls.click(30.5, 40)
    controls.click(900, -3, ["right"])
    clicks = [("at", 30.5, 40), (0x110, 1), (0x110, 0), ("at", 639, 0), (0x111, 1), (0x111, 0)]
    assert screen.done[1:] == clicks, "the first move is sent twice, because programs only start to listen"
    nobody.is_there = True
    with pytest.raises(Interrupted, match="took the mouse"):
        controls.click(30, 40)
    assert screen.done[1:] == clicks


def test_portal_untested_clicks_refused() -> None:
    require_unscaled((640, 450), (640, 450))
    require_unscaled(None, (640, 450))
    with pytest.raises(MissingRequirement, match="640x450 points in 1280x900 pixels"):
        require_unscaled((640, 450), (1280, 900))
    with pytest.raises(MissingRequirement, match="without input permission"):
        PortalInput(None, lambda: (640, 450), Nobody()).moveTo(3, 4)


class Idle:
    """GNOME's idle times, milliseconds."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)

    def call(self, remote: BusInterface, method: str) -> tuple[int]:
        return (self.answers.pop(0) if len(self.answers) > 1 else self.answers[0],)


def test_activity_late_input_is_user(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    bus = Idle(5000, 5000, 0)  # the third query shows that the desktop has processed the act
    monitor = GnomeIdleMonitor(bus)  # type: ignore[arg-type] # as much of a bus as is asked
    monitor.reset()
    assert len(bus.answers) == 1
    now[0] += 2
    bus.answers = [1990]
    assert not monitor.is_foreign_input()
    bus.answers = [int(1000 * (2 - LAG)) - 100]
    assert monitor.is_foreign_input()


@pytest.mark.skipif(importlib.util.find_spec("jeepney") is None, reason="jeepney is not installed")
def test_portal_no_bus_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    with pytest.raises(MissingRequirement, match="DBUS_SESSION_BUS_ADDRESS"):
        SessionBus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    with pytest.raises(MissingRequirement, match="does not answer"):
        SessionBus()


def test_portal_window_option_refused() -> None:
    screen = MadeUpScreen()
    gui = PortalInput(screen, lambda: (640, 450), Nobody())  # type: ignore[arg-type]
    grabber = PortalCapture(screen, MadeUpStream())  # type: ignore[arg-type]
    around = DesktopAccess(grabber, Input(Backend(gui=gui)), Windows())
    with pytest.raises(MissingRequirement, match="leave out --window"):
        BoardFinder(around, ReaderFactory.load(), window="Mines").find()
