"""End of a game by signals and lost resources: message, JSON object, recording, exit code, no leftovers."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from said import Said, run_process
from waiting import PATIENCE, wait_for, wait_until_ended

from bot.recording.recording import Recording
from bot.shutdown import LEAST_MEMORY
from strategies.isolation.supervisor import descendants, process_name

pytestmark = pytest.mark.live
# so few mines that the game lasts until it is stopped
LARGE = ("--size", "50x30", "--mines", "150")
LONG_GAME = (*LARGE, "--delay", "150")
PLAY = (sys.executable, "-m", "bot", "play", "--program", "xdemineur", "--virtual")


@dataclass
class Playing:
    """A slow game of xdemineur on a virtual screen."""

    process: subprocess.Popen[bytes]
    folder: Path
    master: int | None = None  # master side of its terminal
    below: set[int] = field(default_factory=set)  # its processes

    @property
    def recording(self) -> Path:
        return self.folder / "recordings" / "xdemineur-001"

    @property
    def events(self) -> list[dict[str, object]]:
        with contextlib.suppress(OSError):
            lines = (self.recording / "events.jsonl").read_bytes().split(b"\n")
            return [json.loads(line) for line in lines[:-1]]  # Sapper may still be writing the last one
        return []

    def meet(self) -> None:
        """Wait for its first plan; making these moves takes seconds."""

        def has_planned() -> bool:
            if self.master is not None and select.select([self.master], [], [], 0)[0]:
                os.read(self.master, 1 << 16)
            assert self.process.poll() is None, (self.folder / "err").read_text()
            return any(event["event"] == "plan" for event in self.events)

        wait_for(has_planned)
        self.below = descendants(self.process.pid)
        assert len(self.below) >= 3

    def named(self, name: str) -> int:
        return next(pid for pid in self.below if process_name(pid) == name)

    def end(self, code: int, why: str) -> dict[str, object]:
        """Wait for the exit and check the leftovers; returns the JSON object of the game."""
        assert self.process.wait(PATIENCE) == code, (self.folder / "err").read_text()
        said = (self.folder / "err").read_text()
        assert "Traceback" not in said
        last = self.events[-1]
        assert last["event"] == "end"
        assert why in str(last["stopped"])
        assert list((self.folder / "tmp").iterdir()) == []
        wait_until_ended(self.below)
        result = last["result"]
        assert isinstance(result, dict)
        assert result["result"] == "stopped"
        assert why in str(result["why"])
        assert {"seconds", "clicks", "strategies", "faults", "recording"} <= result.keys()
        if self.master is None:
            assert [json.loads(line) for line in (self.folder / "out").read_text().splitlines()] == [result]
            assert why in said
        return result


def variables(**more: str | Path) -> dict[str, str]:
    """Our environment without a display, with additions."""
    ours = {name: text for name, text in os.environ.items() if name != "DISPLAY"}
    return ours | {name: str(text) for name, text in more.items()}


def played(*words: str, inside: Sequence[str] = (), **more: str | Path) -> Said:
    """Play games of xdemineur to the end."""
    return run_process(*inside, *PLAY, "--json", *words, env=variables(**more))


def own_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


Start = Callable[..., Playing]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    begun: list[Playing] = []

    def play(terminal: bool = False, **more: str) -> Playing:
        (tmp_path / "tmp").mkdir()
        words = [*PLAY, *LONG_GAME, "--record", str(tmp_path / "recordings")]
        ours, theirs = pty.openpty() if terminal else (None, None)
        with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
            process = subprocess.Popen(
                words if terminal else [*words, "--json"],
                stdin=subprocess.DEVNULL if theirs is None else theirs,
                stdout=out if theirs is None else theirs,
                stderr=err if theirs is None else theirs,
                env=variables(TMPDIR=tmp_path / "tmp", **more),
                start_new_session=True,
                preexec_fn=None if theirs is None else own_terminal,  # noqa: PLW1509 - there is one thread
            )
        if theirs is not None:
            os.close(theirs)
        begun.append(Playing(process, tmp_path, ours))
        begun[-1].meet()
        return begun[-1]

    yield play
    for playing in begun:
        for pid in {playing.process.pid, *playing.below}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        playing.process.wait()


@pytest.mark.parametrize(
    ("number", "name", "code", "why"),
    [
        (signal.SIGINT, "", 5, "stopped by the keyboard"),
        # test_shutdown_two_signals_are_one has SIGTERM, test_shutdown_closed_terminal_stops has SIGHUP
        (signal.SIGQUIT, "", 5, "stopped by SIGQUIT"),
        (signal.SIGKILL, "Xvfb", 6, "the display went away"),
        (signal.SIGKILL, "xdemineur", 6, "went away"),
    ],
)
def test_shutdown_signal_stops(start: Start, number: int, name: str, code: int, why: str) -> None:
    """`name` is the child process that receives the signal, or else Sapper itself."""
    playing = start()
    os.kill(playing.named(name) if name else playing.process.pid, number)
    playing.end(code, why)


def test_shutdown_two_signals_are_one(start: Start) -> None:
    playing = start()
    for number in (signal.SIGTERM,) * 5 + (signal.SIGINT,):
        playing.process.send_signal(number)
        time.sleep(0.01)
    playing.end(5, "stopped by SIGTERM")


def test_shutdown_closed_terminal_stops(start: Start) -> None:
    playing = start(terminal=True)
    assert playing.master is not None
    os.close(playing.master)
    playing.end(5, "the terminal was closed (SIGHUP)")


SMALL = """
mount -t tmpfs -o size=72k none "$0/recordings" || exit 99
"$@"
code=$?
cp -r "$0/recordings" "$0/kept"
exit $code
"""


def test_shutdown_full_disk(tmp_path: Path) -> None:
    if subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("no permission to mount a file system")
    for name in ("tmp", "recordings"):
        (tmp_path / name).mkdir()
    small = ("unshare", "-rm", "sh", "-c", SMALL, str(tmp_path))
    record = ("--record", str(tmp_path / "recordings"), "--games", "20")  # the first may be lost at once
    done = played(*record, *LARGE, inside=small, TMPDIR=tmp_path / "tmp")
    assert "Traceback" not in done.err
    assert "cannot write the recording (No space left on device): check the disk" in done.err
    assert done.code == 8
    result = done.objects[-1]
    assert result["result"] == "stopped"
    assert "No space left" in result["why"]
    recording = Recording(max((tmp_path / "kept").iterdir()))
    assert recording.events[-1]["event"] == "end"
    assert [frame.width > 0 for frame, _ in recording.looks()]
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("megabytes", [150, 400, 600, 800])
def test_shutdown_low_memory_limit_is_named(megabytes: int, tmp_path: Path) -> None:
    limit = ("prlimit", f"--as={megabytes * 1_000_000}")
    done = played(inside=limit, TMPDIR=tmp_path)
    assert (done.code, done.out) == (8, "")
    assert done.err.startswith("sapper: the memory limit of ")
    assert list(tmp_path.iterdir()) == []


def test_shutdown_least_memory_limit_is_enough(tmp_path: Path) -> None:
    assert played(inside=("prlimit", f"--as={LEAST_MEMORY}"), TMPDIR=tmp_path).printed


def test_shutdown_closed_pipe_plays_on(tmp_path: Path) -> None:
    words = [*PLAY, "--json", "--games", "3"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables(TMPDIR=tmp_path)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_shutdown_unwritable_home_costs_no_result(tmp_path: Path) -> None:
    nowhere = "/proc/self/nowhere"  # not even root can create a folder here
    places = {"HOME": nowhere, "XDG_DATA_HOME": nowhere, "XDG_CACHE_HOME": nowhere}
    done = played(**places, TMPDIR=tmp_path, XAUTHORITY=tmp_path / "none")
    assert json.loads(done.printed)["result"] in {"won", "lost"}
    assert "Traceback" not in done.err


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.5])
def test_shutdown_during_start_leaves_nothing(tmp_path: Path, wait: float) -> None:
    process = subprocess.Popen(
        [*PLAY, "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables(TMPDIR=tmp_path)
    )
    wait_for(lambda: bool(descendants(process.pid)))  # it starts its screen
    below = descendants(process.pid)
    deadline = time.monotonic() + wait
    while time.monotonic() < deadline:
        below |= descendants(process.pid)
    process.send_signal(signal.SIGINT)
    below |= descendants(process.pid)
    _, said = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in said
    assert process.returncode == 5
    wait_until_ended(below)
    assert list(tmp_path.iterdir()) == []
