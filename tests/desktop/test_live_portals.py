"""Games on a GNOME desktop without a screen, through the portals that its person is asked by."""

from __future__ import annotations

import importlib.util
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from gnome_person import Person, person_on
from headless_gnome import Gnome, gnome, lacks
from live import Meddler, session_on
from logging_window import LoggingWindow, logging_window
from waiting import wait_for

from benchmarks.game_verdict import judge
from bot.desktop.backends import Desktop, open_desktop
from bot.recording.recording import Recording
from games.errors import BoardUnplayable, Interrupted, SapperError
from strategies.isolation.supervisor import SupervisedProcess

MISSING = [*lacks(), *([] if importlib.util.find_spec("jeepney") else ["python: jeepney"])]
pytestmark = [
    pytest.mark.live,
    pytest.mark.campaign,  # half a minute each, of a desktop that draws by software
    pytest.mark.skipif(bool(MISSING), reason=f"this machine lacks {', '.join(MISSING)}"),
]
ENDED = 120.0  # seconds that Sapper gets


@pytest.fixture
def at_it(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Gnome, Person, LoggingWindow]]:
    """A desktop, its user, and a full-screen window that logs clicks outside the game."""
    with (
        gnome() as desktop,
        person_on(desktop, monkeypatch) as person,
        logging_window(str(desktop.folder / "wayland-7")) as behind,
    ):
        yield desktop, person, behind


@contextmanager
def mines(desktop: Gnome, person: Person, *options: str) -> Iterator[SupervisedProcess]:
    """gnome-mines, shown above what is there."""
    before = person.sees()
    running = desktop.start("gnome-mines", *options)
    try:
        wait_for(lambda: bool((person.sees() != before).any()))
        time.sleep(1)
        yield running
    finally:
        running.close()


def test_portal_shared_screen_game_is_played(
    at_it: tuple[Gnome, Person, LoggingWindow], tmp_path: Path
) -> None:
    desktop, person, behind = at_it
    with mines(desktop, person, "--medium"):
        playing = desktop.sapper("play", "--mines", "40", "--yes", "--json", "--record", str(tmp_path))
        person.agrees()
        out, err = playing.communicate(timeout=ENDED)
    assert playing.returncode == 0, err
    game = json.loads(out)
    assert game["result"] in ("won", "lost")
    assert game["wrong_certain"] == 0
    assert game["clicks"] > 5
    (folder,) = tmp_path.iterdir()
    assert judge(Recording(folder)).result == game["result"]
    assert behind.clicks == []


def test_portal_advise_asks_for_screen_only_once(at_it: tuple[Gnome, Person, LoggingWindow]) -> None:
    desktop, person, _ = at_it
    with mines(desktop, person, "--small"):
        advising = desktop.sapper("advise", "--once", "--json", "--mines", "10")
        person.agrees(with_mouse=False)
        out, err = advising.communicate(timeout=ENDED)
        assert advising.returncode == 0, err
        assert len(json.loads(out)["rows"]) == 8
        dry = desktop.sapper("play", "--dry-run", "--json", "--mines", "10", "--yes")
        out, err = dry.communicate(timeout=ENDED)  # nobody agrees again
        assert dry.returncode == 0, err
        assert len(json.loads(out)["board"]) == 8
    kept = desktop.folder / "state" / "sapper" / "consent.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert list(json.loads(kept.read_text())) == ["ScreenCast"]


def test_portal_declined_stops(at_it: tuple[Gnome, Person, LoggingWindow]) -> None:
    desktop, person, _ = at_it
    asking = desktop.sapper("play", "--json", "--yes")
    person.declines()
    _, err = asking.communicate(timeout=ENDED)
    assert asking.returncode == 5
    assert "was declined" in err.splitlines()[-1]


@contextmanager
def agreed(person: Person) -> Iterator[Desktop]:
    """The desktop as Sapper opens it, with the permissions that the person grants."""
    agrees = threading.Thread(target=person.agrees)
    agrees.start()
    with open_desktop() as opened:
        agrees.join()
        yield opened


Deed = Callable[[ExitStack, Gnome, Person, SupervisedProcess], object]
DEEDS: dict[str, Deed] = {
    "covered": lambda stack, on_it, _, __: stack.enter_context(
        logging_window(str(on_it.folder / "wayland-7"), "cover")
    ),
    "closed": lambda _, __, ___, program: program.close(),
    "taken": lambda _, __, person, ___: person.moves(900, 600),
    "a key": lambda _, __, person, ___: person.presses(57),
}


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        ("covered", BoardUnplayable, "board"),
        ("closed", SapperError, "board"),
        ("taken", Interrupted, "took the mouse"),
        ("a key", Interrupted, "pressed a key"),
    ],
)
def test_portal_disturbed_game_stops_without_click(
    deed: str, kind: type[SapperError], words: str, at_it: tuple[Gnome, Person, LoggingWindow]
) -> None:
    desktop, person, behind = at_it
    with ExitStack() as stack, mines(desktop, person, "--medium") as running, agreed(person) as opened:
        covers: list[object] = []

        def interfere() -> None:
            time.sleep(0.3)
            covers.append(DEEDS[deed](stack, desktop, person, running))
            time.sleep(0.3)

        with session_on(opened, None, Meddler(2, interfere), size=(16, 16), mines=40) as session:
            games = session.games(1)
            game = next(games)
            assert game.result == "stopped", game
            with pytest.raises(kind, match=words):
                next(games)
        assert covers
        heard = [click for each in covers if isinstance(each, LoggingWindow) for click in each.clicks]
    assert heard + behind.clicks == []
