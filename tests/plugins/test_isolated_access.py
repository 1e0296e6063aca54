"""Isolated strategies can use the files they need; the kernel denies everything else."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from said import run_process

import games
import strategies
from bot.cli import doctor
from games.errors import InvalidFile
from strategies import load_strategies
from strategies.isolation import sandbox
from strategies.isolation.sandbox import denials, readable_paths

FILES, MEMORY, SIGNALS, TCP, SOCKETS = denials()
HEAD = """
import ctypes, errno, os, socket, subprocess, tempfile
from pathlib import Path
from strategies import hookimpl

SAPPER, SECRET, PORT = {sapper}, Path({secret!r}), {port}

def read_memory(pid):
    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    buffer = ctypes.create_string_buffer(8)
    local, remote = Vector(ctypes.addressof(buffer), 8), Vector({address}, 8)
    library = ctypes.CDLL(None, use_errno=True)
    if library.process_vm_readv(pid, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")

@hookimpl
def deduce(knowledge):
    return []

"""
DENIED = {  # what a strategy tries -> the code, and what the kernel must be able to deny
    "memory file": ("open(f'/proc/{SAPPER}/mem', 'rb').close()", MEMORY),
    "memory by system call": ("read_memory(SAPPER)", MEMORY),
    "environment": ("open(f'/proc/{SAPPER}/environ', 'rb').close()", MEMORY),
    "foreign file": ("SECRET.read_text()", FILES),
    "foreign folder": ("os.listdir(SECRET.parent)", FILES),
    "foreign file in a child": ("subprocess.run(['cat', SECRET], check=True, capture_output=True)", FILES),
    "own folder changed": ("Path(__file__).with_name('new').write_text('x')", FILES),
    "foreign file deleted": ("SECRET.unlink()", FILES),
    "foreign file linked": ("os.link(SECRET, tempfile.mkdtemp() + '/link')", FILES),
    "signal": ("os.kill(SAPPER, 0)", SIGNALS),
    "TCP": ("socket.create_connection(('127.0.0.1', PORT)).close()", TCP),
    "UDP": ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()", SOCKETS),
    "local socket": ("socket.socket(socket.AF_UNIX).close()", SOCKETS),
}
NEEDED = {  # what ordinary strategies do
    "data file": "assert Path(__file__).with_name('data.txt').read_text() == 'data'",
    "folder of data": "assert os.listdir(Path(__file__).with_name('more')) == ['data.txt']",
    "numerical library": "import numpy, numpy.linalg; numpy.linalg.inv(numpy.eye(9))",
    "temporary file": "assert tempfile.TemporaryFile().write(b'x') == 1",
    "program": "assert subprocess.run(['ls', '/usr'], check=True, stdout=subprocess.DEVNULL)",
    "socket pair": "socket.socketpair()[0].close()",
    "random numbers": "open('/dev/urandom', 'rb').read(1)",
    "event loop": "import asyncio; asyncio.run(asyncio.sleep(0))",
}


@pytest.fixture(autouse=True)
def temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put temporary files of trusted strategies into the folder of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def load(folder: Path, lines: str, port: int, trust: bool) -> None:
    """Load a strategy that executes these lines. Raises InvalidFile if they raise an exception."""
    (folder / "own" / "more").mkdir(parents=True)
    (folder / "own/data.txt").write_text("data")
    (folder / "own/more/data.txt").write_text("data")
    secret = folder / "secret" / "file"
    secret.parent.mkdir()
    secret.write_text("precious")
    head = HEAD.format(sapper=os.getpid(), secret=str(secret), port=port, address=id(None))
    (folder / "own/mine.py").write_text(head + lines + "\n")
    load_strategies([str(folder / "own/mine.py")], trust=trust)


@pytest.mark.parametrize("what", DENIED)
def test_isolated_strategy_access_denied(what: str, tmp_path: Path, port: int) -> None:
    lines, need = DENIED[what]
    if not denials()[need]:
        pytest.skip(f"this kernel does not restrict {need}")
    with pytest.raises(InvalidFile, match=r"PermissionError|CalledProcessError|cross-device"):
        load(tmp_path, lines, port, trust=False)
    assert (tmp_path / "secret/file").read_text() == "precious"
    assert not (tmp_path / "own/new").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the lines are for Linux")
@pytest.mark.parametrize("what", DENIED)
def test_trusted_strategy_access_allowed(what: str, tmp_path: Path, port: int) -> None:
    """Without isolation the same lines succeed, so that the test above tests isolation."""
    load(tmp_path, DENIED[what][0], port, trust=True)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_restrict_older_landlock_files_denied(version: int, tmp_path: Path) -> None:
    """The rights that each version of Landlock knows are accepted, and deny other files."""
    if sandbox.landlock_version() < version:
        pytest.skip("the kernel has an older version")
    (tmp_path / "secret").write_text("precious")
    tries = (
        "import os, sys\nfrom pathlib import Path\nfrom strategies.isolation import sandbox\n"
        f"sandbox.landlock_version = lambda: {version}\n"
        "folder = Path(sys.argv[1])\n(folder / 'own').mkdir()\n"
        "sandbox.restrict([Path(os.__file__).parent], folder / 'own')\n"
        "(folder / 'own/file').write_text('x')\n(folder / 'secret').read_text()\n"
    )
    done = run_process(sys.executable, "-c", tries, tmp_path)
    assert done.err.splitlines()[-1].startswith("PermissionError"), done
    assert (tmp_path / "own/file").exists()


@pytest.mark.parametrize("what", NEEDED)
def test_isolated_strategy_needs_allowed(what: str, tmp_path: Path, port: int) -> None:
    load(tmp_path, NEEDED[what], port, trust=False)


def test_isolated_strategy_temporary_files_deleted(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import tempfile\nfrom strategies import hookimpl\n\nprint(tempfile.mkdtemp(), flush=True)\n\n\n"
        "@hookimpl\ndef deduce(knowledge):\n    return []\n"
    )
    loads = f"from strategies import load_strategies\nload_strategies([{str(tmp_path / 'mine.py')!r}])"
    folder = Path(run_process(sys.executable, "-c", loads).err.strip())
    assert folder.parent.name.startswith("sapper-")
    assert not folder.parent.exists()


def test_readable_paths_home_folder_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home/me"))
    found = readable_paths("mine.py", tmp_path / "home/me", ["", "/", str(tmp_path / "home"), "lib"])
    below = {path for path in found if path.is_relative_to(tmp_path)}
    assert below == {tmp_path / "home/me/mine.py", tmp_path / "home/me/lib"}
    assert Path("/") not in found


def test_readable_paths_editable_project_included(tmp_path: Path) -> None:
    about = tmp_path / "site/mine-1.dist-info/direct_url.json"
    about.parent.mkdir(parents=True)
    about.write_text(json.dumps({"url": (tmp_path / "my project").as_uri(), "dir_info": {"editable": True}}))
    assert tmp_path / "my project" in readable_paths("mine", tmp_path, [str(tmp_path / "site")])
    about.write_text("[")
    assert tmp_path / "my project" not in readable_paths("mine", tmp_path, [str(tmp_path / "site")])


def test_readable_paths_sapper_included(tmp_path: Path) -> None:
    """`Position.risks` imports modules on first use, however Sapper was installed."""
    own = {Path(games.__file__).parent, Path(strategies.__file__).parent}
    assert own <= set(readable_paths("mine", tmp_path, []))


@pytest.mark.parametrize("version", [0, 1])
def test_doctor_old_kernel_names_what_is_missing(version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "landlock_version", lambda: version)
    monkeypatch.setattr(sandbox, "can_deny_sockets", lambda: False)
    (found,) = [each for each in doctor.examine() if each.what == "isolated strategies"]
    assert not found.is_there
    assert ("memory of other processes" in found.detail) == (version == 0)
    assert "TCP" in found.detail
