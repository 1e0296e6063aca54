"""The parts of a desktop with portals, each against a desktop that is made up."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.desktop.input import Hands
from bot.desktop.portals.backend import refuse_scaled
from bot.desktop.portals.capture import PortalGrabber
from bot.desktop.portals.input import LAG, IdleMonitor, PortalGui
from bot.desktop.portals.share import Bus, Refused, Remote, Sharing, Tokens
from bot.desktop.ports import NoWindows
from bot.play.finder import Finder, Surroundings
from bot.readers import Sight
from games.errors import Interrupted, MachineLacks


class MadeUpBus:
    """A bus with portals that agree; `versions` are theirs, `asked` what was asked of them."""

    def __init__(self, devices: int = 3, **versions: int) -> None:
        self.versions = {"ScreenCast": 4, "RemoteDesktop": 2} | versions
        self.devices = devices
        self.asked: dict[str, dict[str, Any]] = {}
        self.called: list[str] = []
        self.closed: list[str] = []

    def read(self, remote: Remote, name: str) -> int:
        kind = remote.interface.rpartition(".")[2]
        if not self.versions[kind]:
            raise Refused("no such interface")
        return self.versions[kind]

    def call(self, remote: Remote, method: str, signature: str = "", *body: Any) -> tuple[Any, ...]:
        self.called.append(method)
        return ()

    @contextmanager
    def heard(self, remote: Remote, signal: str) -> Iterator[list[str]]:
        yield self.closed

    def take_in(self) -> None:
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


def shared(bus: MadeUpBus, folder: Path, acts: bool = True) -> Sharing:
    return Sharing(bus, acts, Tokens(folder))  # type: ignore[arg-type] # as much of a bus as is asked


@pytest.mark.parametrize(("acts", "asks"), [(True, "SelectDevices"), (False, "SelectSources")])
def test_what_was_agreed_to_is_remembered(acts: bool, asks: str, tmp_path: Path) -> None:
    first, second = MadeUpBus(), MadeUpBus()
    with shared(first, tmp_path, acts) as sharing:
        assert (sharing.node, sharing.size) == (42, (640, 450))
    assert ("SelectDevices" in first.asked) == acts, "who only looks asks for no mouse"
    assert "restore_token" not in first.asked[asks]
    assert first.called == ["Close"]
    with shared(second, tmp_path, acts):
        assert second.asked[asks]["restore_token"] == ("s", "again")


def test_an_older_portal_is_not_asked_to_remember(tmp_path: Path) -> None:
    bus = MadeUpBus(RemoteDesktop=1)
    with shared(bus, tmp_path):
        assert "persist_mode" not in bus.asked["SelectDevices"] | bus.asked["SelectSources"]


def test_a_screen_without_its_mouse_is_not_played_on(tmp_path: Path) -> None:
    bus = MadeUpBus(devices=0)
    with pytest.raises(Interrupted, match="allow remote interaction"):
        shared(bus, tmp_path)
    assert bus.called == ["Close"]


def test_a_desktop_without_the_portal_says_so(tmp_path: Path) -> None:
    with pytest.raises(MachineLacks, match=r"no such interface.*--virtual"):
        shared(MadeUpBus(RemoteDesktop=0), tmp_path)


def test_a_person_who_stops_sharing_is_obeyed(tmp_path: Path) -> None:
    bus = MadeUpBus()
    with shared(bus, tmp_path) as sharing:
        sharing.check()
        bus.closed.append("Closed")
        with pytest.raises(Interrupted, match="not shared"):
            sharing.check()


def test_tokens_that_cannot_be_read_only_cost_a_question(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "state")
    assert tokens.get("ScreenCast") is None
    tokens.keep("ScreenCast", "one")
    tokens.keep("RemoteDesktop", "two")
    assert (tokens.get("ScreenCast"), tokens.get("RemoteDesktop")) == ("one", "two")
    tokens.keep("ScreenCast", None)
    assert tokens.get("ScreenCast") is None
    (tmp_path / "state" / "consent.json").write_text("[")
    assert tokens.get("RemoteDesktop") is None


class MadeUpScreen:
    """A sharing, and a stream of pictures of it, with twice as many pixels as points."""

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


def test_pictures_are_cut_out_at_the_scale_of_the_screen() -> None:
    stream = MadeUpStream()
    grabber = PortalGrabber(MadeUpScreen(), stream)  # type: ignore[arg-type]
    whole, part, beyond = grabber.grab(), grabber.grab((10, 20, 30, 40)), grabber.grab((630, -5, 20, 20))
    assert (whole.scale, whole.width, whole.height) == (2.0, 1280, 900)
    assert np.array_equal(part.pixels, stream.pixels[40:120, 20:80, :3])
    assert (part.left, part.top) == (10, 20)
    assert np.array_equal(beyond.pixels[10:, :20], stream.pixels[:30, 1260:, :3])
    assert not beyond.pixels[:10].any()
    assert not beyond.pixels[:, 20:].any()


class Nobody:
    """Who hears of nobody, until somebody comes."""

    is_there = False

    def is_somebodys(self) -> bool:
        return self.is_there

    def forget(self) -> None:
        pass


def test_a_click_is_one_move_and_both_ends_of_it_on_the_screen() -> None:
    screen, nobody = MadeUpScreen(), Nobody()
    gui = PortalGui(screen, lambda: (640, 450), nobody)  # type: ignore[arg-type]
    hands = Hands(NoWindows(), gui, "you took the mouse, or pressed a key", gui)
    assert hands.pointer is None
    hands.click(30.5, 40)
    hands.click(900, -3, "right")
    clicks = [("at", 30.5, 40), (0x110, 1), (0x110, 0), ("at", 639, 0), (0x111, 1), (0x111, 0)]
    assert screen.done[1:] == clicks, "the first move is made twice: programs only begin to listen then"
    nobody.is_there = True
    with pytest.raises(Interrupted, match="took the mouse"):
        hands.click(30, 40)
    assert screen.done[1:] == clicks


def test_where_clicks_were_never_tried_nothing_is_clicked() -> None:
    refuse_scaled((640, 450), (640, 450))
    refuse_scaled(None, (640, 450))
    with pytest.raises(MachineLacks, match="640x450 points in 1280x900 pixels"):
        refuse_scaled((640, 450), (1280, 900))


def test_who_only_looks_cannot_click() -> None:
    gui = PortalGui(None, lambda: (640, 450), Nobody())
    with pytest.raises(MachineLacks, match="looking only"):
        gui.click(3, 4)


class Idle:
    """GNOME's answer, in milliseconds."""

    def __init__(self, *answers: int) -> None:
        self.answers = list(answers)

    def call(self, remote: Remote, method: str) -> tuple[int]:
        return (self.answers.pop(0) if len(self.answers) > 1 else self.answers[0],)


def test_whoever_acts_later_than_sapper_is_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    bus = Idle(5000, 5000, 0)  # the desktop comes to what Sapper did at the third look
    monitor = IdleMonitor(bus)  # type: ignore[arg-type] # as much of a bus as is asked
    monitor.forget()
    assert len(bus.answers) == 1
    now[0] += 2
    bus.answers = [1990]
    assert not monitor.is_somebodys()
    bus.answers = [int(1000 * (2 - LAG)) - 100]
    assert monitor.is_somebodys()


@pytest.mark.skipif(importlib.util.find_spec("jeepney") is None, reason="jeepney is not installed")
def test_a_session_without_a_bus_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    with pytest.raises(MachineLacks, match="DBUS_SESSION_BUS_ADDRESS"):
        Bus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    with pytest.raises(MachineLacks, match="does not answer"):
        Bus()


def test_a_window_cannot_be_named_where_none_is_known() -> None:
    screen = MadeUpScreen()
    gui = PortalGui(screen, lambda: (640, 450), Nobody())  # type: ignore[arg-type]
    grabber = PortalGrabber(screen, MadeUpStream())  # type: ignore[arg-type]
    around = Surroundings(grabber, Hands(NoWindows(), gui), NoWindows())
    with pytest.raises(MachineLacks, match="leave out --window"):
        Finder(around, Sight.load(), window="Mines").find()
