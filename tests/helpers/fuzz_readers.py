"""Give damaged files to every reader of external data.

Each input is a fixture with random damage, determined by the reader's name and a number, so that
`fuzz(READERS[NAME], NUMBER, 1, 60, print)` repeats it, and `write_input` writes its files. A finding is an
exception other than SapperError, an internal error of a command, control characters in its output, a crash,
more than 1 GB of memory, more than 10 s of processor time, or a change outside the folder of the input.

Inputs run in forked processes. They stop after a finding; another process continues behind it.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
from external_readers import READERS, Files, Reader
from fuzz_mutations import damage_file
from places import HOUSE

from games.errors import SapperError

MOST_MEMORY = 1 << 30  # bytes of resident memory
MOST_SECONDS = 10.0  # seconds of processor time
SILENCE = 60.0  # seconds without a finished input, after which the process is killed
ADDRESS_SPACE = 6 << 30  # bytes; protects this machine


@dataclass(frozen=True)
class Finding:
    """A problem with one input; `place` identifies problems with the same cause."""

    reader: str
    number: int
    place: str
    detail: str

    def __str__(self) -> str:
        return f"{self.reader} {self.number}: {self.place}\n{self.detail}"


@cache
def _seeds(reader: str) -> Sequence[Files]:
    return READERS[reader].seeds()


def damaged_input(reader: str, number: int) -> tuple[dict[str, bytes], str, str]:
    """The files of an input; and the name of a file that is no regular file, and its kind (usually "")."""
    rng = Random(f"{reader}/{number}")
    seeds = _seeds(reader)
    files = dict(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2))):
        names = sorted(files)
        name = rng.choice([*names, *(each for each in names if "json" in each)])
        others = [each[name] for each in seeds if name in each]
        files[name] = damage_file(rng, name, files[name], rng.choice(others))
    kinds = READERS[reader].kinds
    if kinds and rng.random() < 0.02:
        return files, rng.choice(sorted(files)), rng.choice(kinds)
    return files, "", ""


def write_input(folder: Path, reader: str, number: int, victim: Path) -> None:
    """Write the files of an input. A link leads to `victim`."""
    files, special, kind = damaged_input(reader, number)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if name != special:
            path.write_bytes(data)
        elif kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind in {"device", "link"}:
            path.symlink_to("/dev/zero" if kind == "device" else victim)


class _TooSlow(BaseException):  # no reader may handle it
    pass


CHANGES = {  # audit events that change files: position of the path
    "os.mkdir": 0, "os.rename": 1, "os.remove": 0, "os.rmdir": 0, "os.symlink": 1, "os.link": 1,
    "os.truncate": 0, "os.chmod": 0, "shutil.rmtree": 0,
}  # fmt: skip
FOLLOWING = {"open", "os.truncate", "os.chmod"}  # those that follow a link at the path


def _watch_changes(root: Path) -> list[str]:
    """The list to which this process adds every path outside `root` that it changes."""
    found: list[str] = []
    allowed = (str(root) + os.sep, os.devnull)

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
                return
        elif event in CHANGES:
            path = arguments[CHANGES[event]]
        else:
            return
        if isinstance(path, str | bytes | os.PathLike):
            parent, name = os.path.split(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 - keeps links
            place = os.fsdecode(path) if event in FOLLOWING else parent
            real = os.path.realpath(place) + ("" if event in FOLLOWING else os.sep + name)
            if not real.startswith(allowed):
                found.append(f"{event} {real}")

    sys.addaudithook(check)
    return found


def _peak_memory() -> int:
    """The largest resident memory so far of this process or one of its ended children, bytes."""
    return 1024 * max(
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )


def _place(error: BaseException) -> str:
    """The type of an exception and the last lines of this repository in its traceback."""
    root = str(HOUSE) + os.sep
    lines = [
        f"{frame.filename.removeprefix(root)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(root) and "site-packages" not in frame.filename
    ]
    detail = "".join(str(error).strip().splitlines()[-1:])[:200] if isinstance(error, AssertionError) else ""
    return " ".join(filter(None, (type(error).__name__, lines[-1] if lines else "", detail)))


def _run_input(reader: Reader, number: int, root: Path, outside: list[str]) -> tuple[str, str]:
    """Read one input; the place and the details of a problem, or empty texts."""
    folder = root / "case"
    folder.mkdir()
    place = detail = ""
    try:
        write_input(folder, reader.name, number, root.parent / "victim")
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        try:
            reader.read(folder)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except SapperError as error:
        if str(error).count("\n"):
            place = "a message of several lines: " + repr(str(error))[:200]
    except BaseException as error:  # noqa: BLE001 - every exception is a finding
        place, detail = _place(error), traceback.format_exc()
    if outside:
        place, detail = place or "a change outside the folder", detail + "\n" + "\n".join(outside)
    if _peak_memory() > MOST_MEMORY:
        place = place or f"{_peak_memory() >> 20} MB of memory"
    for each in root.iterdir():
        if each.is_symlink() or not each.is_dir():
            each.unlink()
        else:
            shutil.rmtree(each)
    return place, detail


def _work(reader: Reader, numbers: Sequence[int], until: float, pipe: int, root: Path) -> None:
    """Run inputs until the first finding or the end of the time; writes a line for each."""

    def stop(*_: object) -> None:
        raise _TooSlow(f"more than {MOST_SECONDS:g} s of processor time")

    signal.signal(signal.SIGPROF, stop)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: end with the parent
    warnings.simplefilter("ignore")
    os.environ |= {name: str(root / "home") for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR")}
    tempfile.tempdir = str(root)
    os.chdir(root)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # messages of libpng
    outside = _watch_changes(root)
    with os.fdopen(pipe, "w", buffering=1) as lines:
        for number in numbers:
            if number > numbers[0] and time.monotonic() > until:
                lines.write("late\n")
                return
            lines.write(f"{number}\n")
            place, detail = _run_input(reader, number, root, outside)
            if place:
                lines.write(json.dumps({"place": place, "detail": detail[-3000:]}) + "\n")
                return


def _run_process(reader: Reader, numbers: Sequence[int], until: float) -> tuple[int, Finding | None, bool]:
    """Run inputs in another process; their number, the finding that ended it, whether time is over."""
    fast = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - in memory
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=fast) as place:
        (Path(place) / "victim").write_text("precious")
        root = Path(place) / "root"
        root.mkdir()
        ours, theirs = os.pipe()
        pid = os.fork()
        if not pid:
            code = 1
            try:
                os.close(ours)
                _work(reader, numbers, until, theirs, root.resolve())
                code = 0
            finally:
                os._exit(code)
        os.close(theirs)
        text, reason = b"", ""
        while select.select([ours], [], [], SILENCE)[0]:
            piece = os.read(ours, 1 << 16)
            if not piece:
                break
            text += piece
        else:
            os.kill(pid, signal.SIGKILL)
            reason = f"no end within {SILENCE:g} s"
        os.close(ours)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    lines = text.decode().splitlines()
    done = sum(line.isdigit() for line in lines)
    last = lines[-1] if lines else ""
    if last.startswith("{"):
        return done, Finding(reader.name, int(lines[-2]), **json.loads(last)), False
    if code or reason:
        return done, Finding(reader.name, int(last), reason or f"ended with code {code}", ""), False
    return done, None, last == "late"


def fuzz(
    reader: Reader, first: int, inputs: int, seconds: float, say: Callable[[Finding], object]
) -> tuple[int, Mapping[str, list[Finding]]]:
    """Read inputs from number `first` on for `seconds`, at least one; (inputs, findings by place)."""
    cv2.setNumThreads(1)  # forked processes lack the other threads
    _seeds(reader.name)
    until = time.monotonic() + seconds
    number, end = first, first + inputs
    findings: dict[str, list[Finding]] = {}
    while number == first or (number < end and time.monotonic() < until):
        done, finding, is_late = _run_process(reader, range(number, end), until)
        number += done
        if finding:
            if finding.place not in findings:
                say(finding)
            findings.setdefault(finding.place, []).append(finding)
        if is_late or not done:
            break
    return number - first, findings
