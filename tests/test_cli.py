"""The command line: exit codes, one-line errors, JSON; and learn, read and replay as a person uses them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
import numpy as np
import pytest
from click.shell_completion import ShellComplete
from drawing import SKIN, draw, lattice_for, record_game, save
from said import Said
from synthetic import random_look

import games.errors
from bot.cli.main import COMMANDS, main
from bot.cli.main import sapper as sapper_group
from bot.cli.options import parse_size
from games.errors import Usage
from games.minesweeper import Board
from vision.frame import Frame
from vision.labels import format_labels
from vision.skin import Skin, Tile, load_skin

HOUSE = Path(__file__).resolve().parents[1]
SCREENS = HOUSE / "fixtures" / "screens"
MIDDLE = Board.parse("........\n.1F?....\n.10112..\n.1000111\n11000000\n00000000")


Sapper = Callable[..., Said]


@pytest.fixture
def sapper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Run a command in this process, in an empty folder, without a display or anybody's own skins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("OPENCV_LOG_LEVEL", "OFF")  # main sets it for good otherwise

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return run


def refused(said: Said, code: int, *words: str) -> None:
    """The command failed with this code and one line that contains these words, and printed nothing else."""
    assert said.code == code, said
    assert said.err.startswith("sapper: ")
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    assert said.out == ""
    for word in words:
        assert word in said.err


# --- words ---------------------------------------------------------------------------------------------


def test_without_a_command_there_is_an_overview(sapper: Sapper) -> None:
    said = sapper()
    assert said.code == 0
    for name in COMMANDS:
        assert f"\n  {name}" in said.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, sapper: Sapper) -> None:
    said = sapper(name, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: sapper {name}")
    assert f"Example: sapper {name}" in said.out


def test_the_version_is_told(sapper: Sapper) -> None:
    assert sapper("--version").out.startswith("sapper ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nosuch"], "'nosuch'"),
        (["--nosuch"], "--nosuch"),
        (["read", "--nosuch"], "'sapper read --help'"),
        (["read"], "name pictures"),
        (["replay"], "DIR_OR_IMAGE"),
        (["learn"], "NAME"),
        (["learn", "mine"], "FILES"),
        (["skins", "too", "much"], "'sapper skins --help'"),
        (["strategies", "--json=3"], "--json"),
        (["play", "--mines"], "--mines"),
        (["play", "--mines", "many"], "'many'"),
        (["play", "--mines", "0"], "--mines"),
        (["play", "--games", "0"], "--games"),
        (["play", "--first-click", "lucky"], "'lucky'"),
        (["play", "--flags", "some"], "'some'"),
        (["play", "--delay", "-1"], "--delay"),
        (["play", "--variant", "nosuch"], "'nosuch'"),
        (["play", "extra"], "extra"),
    ],
)
def test_wrong_words_are_wrong_usage(words: list[str], told: str, sapper: Sapper) -> None:
    refused(sapper(*words), 2, told)


@pytest.mark.parametrize(
    "text", ["", "5", "5x", "x5", "0x5", "5x0", "5 x 5", "-5x5", "5x5x5", "10000x5", "axb", "5x5\n"]
)
def test_a_size_that_is_none(text: str) -> None:
    with pytest.raises(Usage, match="30x16"):
        parse_size(text)


def test_a_size() -> None:
    assert parse_size("30x16") == (30, 16)
    assert parse_size(None) is None


# --- play: what can be told before anything is started -------------------------------------------------


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (2, [], "--program"),  # no display, and nothing to start
        (2, ["--virtual"], "--program"),
        (2, ["--program", "nosuch"], "'nosuch'"),
        (7, ["--program", "nosuch.toml"], "nosuch.toml"),
        (7, ["--program", "broken.toml"], "broken.toml"),
        (2, ["--program", "xdemineur", "--size", "5x"], "'5x'"),
        (2, ["--program", "xdemineur", "--size", "5000x5000"], "5000x5000"),
        (2, ["--program", "xdemineur", "--size", "12x12", "--mines", "144"], "12x12/144"),
        (2, ["--program", "xdemineur", "--screen", "10x10"], "'10x10'"),
        (2, ["--program", "xdemineur", "--screen", "wide"], "'wide'"),
        (2, ["--program", "xdemineur", "--flags", "none"], "--flags none"),
        (2, ["--program", "xdemineur", "--skin", "nosuch"], "'nosuch'"),
        (7, ["--program", "xdemineur", "--skin", "broken.skin"], "broken.skin"),
        (2, ["--program", "xdemineur", "--strategy", "nosuch"], "'nosuch'"),
        (7, ["--program", "xdemineur", "--strategy", "nosuch.py"], "nosuch.py"),
        (7, ["--program", "xdemineur", "--strategy", "broken.py"], "broken.py, line 2"),
        (7, ["--program", "xdemineur", "--strategy", "empty.py"], "empty.py"),
        (2, ["--program", "xdemineur", "--record", "empty.py"], "--record"),
    ],
)
def test_play_refuses_before_it_starts_anything(
    code: int,
    words: list[str],
    told: str,
    sapper: Sapper,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(*_: object) -> None:
        raise AssertionError("a virtual screen was started")

    monkeypatch.setattr("bot.virtual.VirtualScreen.__init__", nothing)
    (tmp_path / "broken.toml").write_text("command = [")
    (tmp_path / "broken.skin").write_bytes(b"PK")
    (tmp_path / "broken.py").write_text("import os\ndef (:\n")
    (tmp_path / "empty.py").write_text("")
    refused(sapper("play", *words), code, told)


# --- read ----------------------------------------------------------------------------------------------


def test_read_prints_the_board(sapper: Sapper, tmp_path: Path) -> None:
    save(draw(MIDDLE, load_skin(SKIN)), tmp_path / "board.png")
    said = sapper("read", "board.png")
    assert (said.code, said.err) == (0, "")
    assert Board.parse(said.out) == MIDDLE


def test_read_as_json(sapper: Sapper, tmp_path: Path) -> None:
    skin = load_skin(SKIN)
    save(draw(MIDDLE, skin), tmp_path / "board.png")
    said = sapper("read", "--json", "--skin", SKIN, "board.png")
    data = json.loads(said.out)
    lattice = lattice_for(MIDDLE, skin, 24, 32)
    assert said.out.count("\n") == 1
    assert (data["image"], data["skin"], data["unread"]) == ("board.png", SKIN, [])
    assert (data["x"], data["y"]) == (list(lattice.xs), list(lattice.ys))
    assert data["rows"] == list(MIDDLE.grid)
    assert 0.9 < data["confidence"] <= 1


def test_a_cell_that_cannot_be_read_is_said_to_be_unread(sapper: Sapper, tmp_path: Path) -> None:
    frame = draw(MIDDLE, load_skin(SKIN))
    frame.pixels[32 + 3 : 32 + 18, 24 + 3 : 24 + 18] = (0, 200, 255)
    save(frame, tmp_path / "board.png")
    assert json.loads(sapper("read", "--json", "board.png").out)["unread"] == ["r0c0"]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Pictures that cannot be read, each in its own way."""
    skin = load_skin(SKIN)
    board = draw(Board.fresh(8, 8), skin)
    save(board, tmp_path / "board.png")
    save(Frame(np.hstack([board.pixels, board.pixels])), tmp_path / "two.png")
    save(Frame(np.full((200, 300, 3), 200, np.uint8)), tmp_path / "grey.png")
    save(board.cut(60, 0, board.width - 60, board.height), tmp_path / "cut.png")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "text.png").write_text("this is no picture")
    (tmp_path / "stub.png").write_bytes((tmp_path / "board.png").read_bytes()[:60])
    (tmp_path / "folder.png").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("missing.png", 7, "No such file"),
        ("empty.png", 7, "empty"),
        ("text.png", 7, "no picture"),
        ("stub.png", 7, "no picture"),
        ("folder.png", 7, "holds no picture"),
        ("grey.png", 3, "no board"),
        ("two.png", 3, "2 boards"),
    ],
)
def test_a_picture_that_cannot_be_read(
    name: str, code: int, told: str, sapper: Sapper, pictures: Path
) -> None:
    refused(sapper("read", name), code, name, told)


def test_the_others_are_read_all_the_same(sapper: Sapper, pictures: Path) -> None:
    said = sapper("read", "grey.png", "board.png", "missing.png")
    assert said.code == 3  # of the first that failed
    assert [line.split(":")[1].strip() for line in said.err.splitlines()] == ["grey.png", "missing.png"]
    assert said.out.startswith("# board.png\n........\n")


@pytest.mark.parametrize(
    ("skin", "code", "told"),
    [("nosuch", 2, "'nosuch'"), ("nosuch.skin", 7, "nosuch.skin"), ("text.png", 7, "this is no skin")],
)
def test_a_skin_that_cannot_be_had(skin: str, code: int, told: str, sapper: Sapper, pictures: Path) -> None:
    refused(sapper("read", "--skin", skin, "board.png"), code, told)


def test_a_skin_that_does_not_fit(sapper: Sapper, tmp_path: Path) -> None:
    """It knows hidden cells by another look, and so none of these."""
    noise = np.random.default_rng(1).integers(0, 255, (21, 21, 3), np.uint8)
    skin = load_skin(SKIN)
    tiles = tuple(Tile(tile.state, noise if tile.state == "." else tile.pixels) for tile in skin.tiles)
    Skin("odd", tiles, 12, 64).save(tmp_path / "odd.skin")
    save(draw(Board.fresh(8, 8), skin), tmp_path / "board.png")
    refused(sapper("read", "--skin", "odd.skin", "board.png"), 4, "board.png", "sapper learn")


# --- learn, skins --------------------------------------------------------------------------------------


def test_a_skin_learned_from_fixtures_reads_them(sapper: Sapper, tmp_path: Path) -> None:
    folder = SCREENS / SKIN
    pairs = [folder / f"{name}.{kind}" for name in ("mid_game", "question_mark") for kind in ("png", "txt")]
    said = sapper("learn", "mine", *pairs, "--out", "mine.skin")
    assert said.code == 0
    assert "learned mine" in said.err
    assert said.out == ""
    truth = Board.parse((folder / "mid_game.txt").read_text())
    said = sapper("read", "--skin", "mine.skin", folder / "mid_game.png")
    assert said.code == 0
    assert Board.parse(said.out).cells == truth.cells


def test_a_skin_is_kept_with_the_persons_data_and_added_to(sapper: Sapper, tmp_path: Path) -> None:
    skin = load_skin(SKIN)
    save(draw(Board.fresh(8, 8), skin), tmp_path / "fresh.png")
    (tmp_path / "fresh.txt").write_text(str(Board.fresh(8, 8)))
    said = sapper("learn", "my-own", "fresh.png", "fresh.txt")
    assert said.code == 0
    assert "not seen 0 1 2" in said.err
    assert (tmp_path / "data" / "sapper" / "skins" / "my-own.skin").is_file()
    save(draw(MIDDLE, skin), tmp_path / "middle.png")
    (tmp_path / "middle.txt").write_text(format_labels(lattice_for(MIDDLE, skin, 24, 32), MIDDLE))
    assert sapper("learn", "my-own", "--add", "middle.png", "middle.txt").code == 0
    listed = [json.loads(line) for line in sapper("skins", "--json").out.splitlines()]
    own = next(each for each in listed if each["skin"] == "my-own")
    assert own["states"] == ".012F?"
    assert own["cells"] == [21]
    assert {each["skin"] for each in listed} > {SKIN, "my-own"}
    assert Board.parse(sapper("read", "--skin", "my-own", "middle.png").out) == MIDDLE


@pytest.fixture
def lone_picture(tmp_path: Path) -> Path:
    """A board in play of a look that nobody knows."""
    path = tmp_path / "lone.png"
    save(draw(Board.parse(GROUPED), random_look(5)), path)
    return path


GROUPED = "........\n...212..\n.2F102..\n121101..\n00000111\n00000000\n00000000\n00000000"


def test_the_groups_of_a_lone_picture_are_shown_named_and_corrected(
    sapper: Sapper, lone_picture: Path, tmp_path: Path
) -> None:
    shown = sapper("learn", "alone", lone_picture, "--sheet", tmp_path / "groups.png")
    assert shown.code == 0
    flag = next(line.split()[0] for line in shown.err.splitlines() if "first at r2c2" in line)
    assert str(tmp_path / "groups.png") in shown.err
    assert Frame.load(tmp_path / "groups.png").height > 200
    assert sapper("learn", "alone", lone_picture, "--group", f"{flag}=?").code == 0
    assert (tmp_path / "data" / "sapper" / "skins" / "alone.png").is_file()
    assert sapper("read", lone_picture, "--skin", "alone").out == GROUPED.replace("F", "?") + "\n"
    assert sapper("learn", "alone", "--add", lone_picture).code == 0  # by the skin that grows


def test_a_name_is_corrected_on_the_terminal(
    sapper: Sapper, lone_picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("1=Q\n1=x\n\n"))
    said = sapper("learn", "alone", lone_picture)
    assert said.code == 0
    assert "no cell can show 'Q'" in said.err
    assert "x" in load_skin("alone").states


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (3, ["mine", "board.png", "board.txt", "two.png"], "2 boards"),
        (7, ["mine", "board.png", "board.txt", "board.txt"], "board.txt"),
        (2, ["mine", "board.png", "--group", "9=F"], "from 1 to"),
        (2, ["mine", "board.png", "--group", "1=9"], "'9'"),
        (2, ["mine", "board.png", "--group", "F"], "NUMBER=STATE"),
        (2, ["mine", "board.png", "board.txt", "--group", "1=F"], "--group"),
        (7, ["mine", "board.png", "--sheet", "board.txt/sheet.png"], "--sheet"),
        (2, ["../mine", "board.png", "board.txt"], "'../mine'"),
        (2, ["", "board.png", "board.txt"], "''"),
        (7, ["mine", "missing.png", "board.txt"], "missing.png"),
        (7, ["mine", "empty.png", "board.txt"], "empty.png"),
        (7, ["mine", "board.png", "missing.txt"], "missing.txt"),
        (7, ["mine", "board.txt", "board.png"], "board.txt"),  # the other way round
        (7, ["mine", "board.png", "ragged.txt"], "ragged.txt"),
        (7, ["mine", "board.png", "small.txt"], "8x8"),
        (7, ["mine", "board.png", "lines.txt"], "lines.txt"),
        (7, ["mine", "board.png", "unknown.txt"], "no cell is labelled"),
        (7, ["mine", "board.png", "wrong.txt"], "looks the same"),
        (3, ["mine", "grey.png", "board.txt"], "no board"),
        (3, ["mine", "two.png", "board.txt"], "2 boards"),
        (2, ["mine", "--add", "board.png", "board.txt"], "'mine'"),
        (7, ["mine", "board.png", "board.txt", "--out", "board.txt/mine.skin"], "--out"),
        (7, ["mine", "board.png", "board.txt", "--out", "."], "--out"),
    ],
)
def test_what_cannot_be_learned_from(
    code: int, words: list[str], told: str, sapper: Sapper, pictures: Path
) -> None:
    fresh = str(Board.fresh(8, 8))
    (pictures / "board.txt").write_text(fresh)
    (pictures / "ragged.txt").write_text("...\n..")
    (pictures / "small.txt").write_text("...\n...")
    (pictures / "lines.txt").write_text(f"# x: 9 8 7\n# y: 1 2\n{fresh}")
    (pictures / "unknown.txt").write_text(fresh.replace(".", "~"))
    (pictures / "wrong.txt").write_text(fresh.replace(".", "1", 1))
    refused(sapper("learn", *words), code, told)
    assert not (pictures / "data" / "sapper").exists()


def test_a_damaged_skin_of_the_person_is_named(sapper: Sapper, pictures: Path) -> None:
    folder = pictures / "data" / "sapper" / "skins"
    folder.mkdir(parents=True)
    (folder / "zz.skin").write_bytes(b"PK damaged")
    refused(sapper("read", "board.png"), 7, "zz.skin")


# --- replay, strategies --------------------------------------------------------------------------------


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    record_game(tmp_path / "game-001", seed=2)
    return tmp_path / "game-001"


def test_a_recording_replays_the_same(sapper: Sapper, recording: Path) -> None:
    said = sapper("replay", "game-001")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("game-001: ")
    assert said.out.endswith(" acts: the same\n")
    data = json.loads(sapper("replay", "--json", recording).out)
    assert data["differences"] == []
    assert data["looks"] == data["acts"] + 1 > 2


def test_differences_make_exit_code_1(sapper: Sapper, recording: Path) -> None:
    said = sapper("replay", "--strategy", "single-cell", "game-001")
    assert said.code == 1
    assert "differences: 1" in said.out
    said = sapper("replay", "--json", "--strategy", "single-cell", "game-001")
    assert said.code == 1
    assert len(json.loads(said.out)["differences"]) == 1


def test_a_strategy_that_is_not_there_any_more_is_told(sapper: Sapper, recording: Path) -> None:
    meta = json.loads((recording / "meta.json").read_text())
    meta["strategies"] = [["my-own", "ab12cd"], *meta["strategies"]]
    (recording / "meta.json").write_text(json.dumps(meta))
    refused(sapper("replay", "game-001"), 7, "game-001", "'my-own'", "--strategy")


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (7, ["missing"], "missing"),
        (7, ["game-001/empty"], "holds no recording"),
        (2, ["game-001", "--strategy", "nosuch"], "'nosuch'"),
        (7, ["game-001", "--strategy", "nosuch.py"], "nosuch.py"),
        (2, ["game-001", "--skin", "nosuch"], "'nosuch'"),
    ],
)
def test_what_cannot_be_replayed(
    code: int, words: list[str], told: str, sapper: Sapper, recording: Path
) -> None:
    (recording / "empty").mkdir()
    refused(sapper("replay", *words), code, told)


@pytest.mark.parametrize("file", ["meta.json", "events.jsonl", "cells.png.bin", "first.png", "look.skin"])
def test_a_recording_that_is_cut_off_somewhere_is_no_valid_file(
    file: str, sapper: Sapper, recording: Path
) -> None:
    path = recording / file
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    refused(sapper("replay", recording), 7, file)


def test_strategies_are_listed_in_their_order(sapper: Sapper) -> None:
    from strategies import BUILT_IN

    listed = [json.loads(line) for line in sapper("strategies", "--json").out.splitlines()]
    names = [each["strategy"] for each in listed]
    assert names[: len(BUILT_IN)] == list(BUILT_IN)
    assert all(each["does"] and each["about"] for each in listed)
    assert sapper("strategies").out.count("built-in") >= len(BUILT_IN)


# --- errors of every kind ------------------------------------------------------------------------------


def leaves(kind: type[games.errors.SapperError]) -> list[type[games.errors.SapperError]]:
    return [kind, *(leaf for child in kind.__subclasses__() for leaf in leaves(child))]


ERRORS = [each for each in leaves(games.errors.SapperError) if each.__module__ == games.errors.__name__]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_has_its_exit_code(
    kind: type[games.errors.SapperError], sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise kind("what happened\nand what to do")

    monkeypatch.setattr("vision.skin.known_skins", fail)
    refused(sapper("skins"), kind.exit_code, "what happened and what to do")


def test_a_fault_of_ours_is_one_line_and_its_details_are_kept(
    sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr("vision.skin.known_skins", fail)
    said = sapper("skins")
    refused(said, 1, "a fault in Sapper (ZeroDivisionError)")
    assert "a secret detail" in Path(said.err.rsplit(" ", 1)[1].strip()).read_text()


@pytest.mark.parametrize("signal", [KeyboardInterrupt, click.Abort])
def test_control_c_is_a_stop_by_a_person(
    signal: type[BaseException], sapper: Sapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise signal

    monkeypatch.setattr("vision.skin.known_skins", interrupt)
    said = sapper("skins")
    assert said.code == 5
    assert said.err.strip().endswith("stopped by the keyboard")


# --- as a process --------------------------------------------------------------------------------------


def process(*words: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        cwd=HOUSE,
        env=environment | {"XDG_DATA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--version"], 0), (["nosuch"], 2), (["read", "nosuch.png"], 7), (["play"], 2)],
)
def test_the_exit_code_is_that_of_the_process(words: list[str], code: int, tmp_path: Path) -> None:
    done = process(*words, tmp_path=tmp_path)
    assert done.returncode == code
    assert done.stderr.count("\n") == (1 if code else 0)
    assert "Traceback" not in done.stderr


def test_a_damaged_picture_is_one_line_too(tmp_path: Path) -> None:
    """OpenCV has warnings of its own, which no test in this process can see."""
    save(draw(Board.fresh(8, 8), load_skin(SKIN)), tmp_path / "board.png")
    (tmp_path / "stub.png").write_bytes((tmp_path / "board.png").read_bytes()[:60])
    done = process("read", str(tmp_path / "stub.png"), tmp_path=tmp_path)
    refused(Said(done.returncode, done.stdout, done.stderr), 7, "stub.png")


def test_a_reader_that_has_enough_is_no_fault(tmp_path: Path) -> None:
    """`sapper strategies | head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bot", "skins"],
            cwd=HOUSE,
            env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    asked = os.environ | {"_SAPPER_COMPLETE": f"{shell}_source"}
    script = subprocess.run(
        [sys.executable, "-m", "bot"], env=asked, capture_output=True, text=True, check=False
    )
    assert "_SAPPER_COMPLETE" in script.stdout, script.stderr


def test_commands_and_options_are_completed() -> None:
    def completed(*words: str) -> set[str]:
        found = ShellComplete(sapper_group, {}, "sapper", "_SAPPER_COMPLETE")
        return {each.value for each in found.get_completions(list(words[:-1]), words[-1])}

    assert completed("re") == {"read", "replay", "report"}
    assert "--first-click" in completed("play", "--f")
    assert completed("play", "--flags", "n") == {"none", "needed"}
