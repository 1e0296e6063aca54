"""Inner loops compiled in the background: by whom, where they are kept, and what answers meanwhile."""

from __future__ import annotations

import getpass
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest
from waiting import wait_for, wait_until_ended

from games.minesweeper import Board, board_knowledge
from strategies.compiled.__main__ import compile_into
from strategies.compiled.compiling import BORROWING, functions
from strategies.compiled.keeping import (
    BUSY,
    COMPLETE,
    LOCK,
    UNUSED,
    alone,
    find_directory,
    is_under_way,
    share_done,
)
from strategies.compiled.kernels import Kernels
from strategies.compiled.linking import remembering
from strategies.compiled.settings import Settings
from strategies.guesser import rank_guesses
from strategies.testing import position_of


def test_kernels_lazy_import_and_compile() -> None:
    code = "import sys, bot.cli.main, strategies.builtin.guesses; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def answers_plainly(loops: Kernels) -> bool:
    board = Board.parse("mines 5\n1....\n.....\n.....")
    guesses = list(rank_guesses(position_of(board, board_knowledge(board)), Settings(), loops) or ())
    return bool(guesses and guesses[0].figures["plain"])


MAKES_ARRAYS = {"arange", "array", "concatenate", "copy", "empty", "flatnonzero", "full", "ones", "zeros"}


def test_kernels_without_refcounts_take_arrays() -> None:
    loops = {name: function for name, function, _ in functions()}
    assert set(BORROWING) <= set(loops)
    plain = re.compile(r"(int|float|bool|None|Touched|tuple\[|[], ])+")
    of_arrays = {name for name, loop in loops.items() if not plain.fullmatch(loop.__annotations__["return"])}
    assert {"survey", "all_risks", "classes_of"} <= of_arrays
    for name in BORROWING:
        assert not set(loops[name].__code__.co_names) & (MAKES_ARRAYS | of_arrays), name
        assert name not in of_arrays


def test_kernels_names_are_unique() -> None:
    names = [name for name, _, _ in functions()]
    assert sorted(set(names)) == sorted(names)


def test_kernels_without_numba_plain_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    loops = Kernels()
    assert answers_plainly(loops)
    assert not loops.wait()
    assert loops.error == "numba is not installed"


def test_kernels_without_cache_folder_plain_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "file"))
    loops = Kernels()
    assert answers_plainly(loops)
    assert "no directory" in loops.error


def test_kernels_unwritable_cache_uses_temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    private = tmp_path / f"sapper-{getpass.getuser()}"
    assert find_directory("digest") == private / "digest"
    assert private.stat().st_mode & 0o777 == 0o700
    private.chmod(0o777)  # somebody else could have put code there
    assert find_directory("digest") is None


def test_kernels_unused_cache_is_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(tmp_path))
    old, newer = (find_directory(name) for name in ("old", "newer"))
    assert old is not None
    assert newer is not None
    long_ago = time.time() - 2 * UNUSED
    os.utime(old / LOCK, (long_ago, long_ago))
    asked = find_directory("asked")
    assert [each for each in (old, newer, asked) if each and each.exists()] == [newer, asked]


def test_kernels_compile_error_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(_: Path) -> None:
        raise RuntimeError("no such processor")

    module = sys.modules[Kernels.__module__]
    monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))  # another process may compile now
    monkeypatch.setattr("strategies.compiled.__main__.compiled", fails)
    assert compile_into(tmp_path) == 1
    nothing = [sys.executable, "-c", ""]
    monkeypatch.setattr(module, "begin_compiling", lambda _: subprocess.Popen(nothing))
    loops = Kernels()
    assert not loops.wait()
    assert loops.error == "RuntimeError: no such processor"
    assert answers_plainly(loops)


def test_kernels_complete_cache_not_compiled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / COMPLETE).touch()
    monkeypatch.setattr("strategies.compiled.__main__.compiled", None)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert compile_into(tmp_path) == 0


def test_kernels_one_process_compiles_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert not is_under_way()
    begun: list[Path] = []
    monkeypatch.setattr("strategies.compiled.__main__.compiled", begun.append)
    with alone() as is_alone:
        assert is_alone
        assert is_under_way()
        assert compile_into(tmp_path) == BUSY
        module = sys.modules[Kernels.__module__]
        monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
        monkeypatch.setattr(module, "begin_compiling", lambda _: pytest.fail("a second one was started"))
        loops = Kernels()
        assert answers_plainly(loops)
        assert (loops.error, loops.share) == ("", 0.0)
    assert begun == []
    assert compile_into(tmp_path) == 0
    assert begun == [tmp_path]
    assert share_done(tmp_path) == 1.0


@dataclass
class Operator:
    """What `linking` uses of an operator of numba's."""

    ways: dict[object, str] = field(default_factory=dict)
    asked: list[object] = field(default_factory=list)

    @property
    def _impl_keys(self) -> dict[object, str]:
        return self.ways

    def try_out(self, context: object, args: tuple[str, ...], kws: dict[str, str]) -> SimpleNamespace:
        self.asked.append(args)
        if "no type" in args:
            raise TypeError
        self.ways[args] = f"way {len(self.asked)}"
        return SimpleNamespace(args=args)

    def get_impl_key(self, signature: SimpleNamespace) -> str:
        return self.ways[signature.args]

    __hash__ = object.__hash__


def test_operator_tried_once_per_types() -> None:
    operator, other = Operator(), Operator()
    type_of_call = remembering(Operator.try_out)
    first = type_of_call(operator, None, ("int", "int"), {})
    type_of_call(operator, None, ("int", "float"), {})
    operator.ways.clear()  # another function's flags may have led to another way meanwhile
    assert type_of_call(operator, None, ("int", "int"), {}) is first
    assert operator.ways == {("int", "int"): "way 1"}
    assert operator.asked == [("int", "int"), ("int", "float")]
    assert type_of_call(other, None, ("int", "int"), {}) is not first
    for _ in range(2):
        with pytest.raises(TypeError):
            type_of_call(operator, None, ("no type",), {})
    assert len(operator.asked) == 4


COMPILES = """
import sys, time
from pathlib import Path
from strategies.compiled.keeping import begin_compiling

compiling = begin_compiling(Path(sys.argv[1]))
print(compiling.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_kernels_compiler_ends_with_its_program(tmp_path: Path, number: int) -> None:
    words = [sys.executable, "-c", COMPILES, str(tmp_path)]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as player:
        assert player.stdout is not None
        compiler = Path(f"/proc/{int(player.stdout.readline())}")
        wait_for(lambda: bool(list(tmp_path.glob("sapper-*/compiling"))))
        assert "strategies.compiled" in (compiler / "cmdline").read_text()
        player.send_signal(number)
    wait_until_ended([int(compiler.name)])


def test_kernels_progress_reported_in_steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = sys.modules[Kernels.__module__]
    monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
    monkeypatch.setattr(module, "begin_compiling", lambda _: subprocess.Popen([sys.executable, "-c", ""]))
    monkeypatch.setattr(module, "is_under_way", lambda: False)
    shares = iter([0.0, 0.05, 0.1, 0.45, 0.46, 0.9])
    monkeypatch.setattr(module, "share_done", lambda _: next(shares, 0.99))
    told: list[float] = []
    loops = Kernels()
    assert not loops.wait(told.append)  # nothing was compiled in the end, and nobody says why
    assert told == sorted(told)
    assert loops.error == "compiling was stopped"


def test_kernels_busy_compiler_closes_pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = sys.modules[Kernels.__module__]
    monkeypatch.setattr(module, "find_directory", lambda _: tmp_path)
    monkeypatch.setattr(module, "is_under_way", lambda: False)
    monkeypatch.setattr(module, "TRY_AGAIN", 0.0)
    codes, begun = iter((BUSY, 0)), []

    def begin(_: Path) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", f"raise SystemExit({next(codes)})"]
        begun.append(subprocess.Popen(words, stdin=subprocess.PIPE))
        return begun[-1]

    monkeypatch.setattr(module, "begin_compiling", begin)
    assert not Kernels().wait()
    busy, last = begun
    assert busy.stdin is not None
    assert busy.stdin.closed
    assert last.stdin is not None
    last.stdin.close()
