"""Program files: keys, inheritance, and error messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.cli.doctor import examine
from bot.programs.program import BoardSize, Program, UiStep, user_programs_folder
from games.errors import InvalidFile, UsageError

SMALL = 'command = ["x"]\nwindow = "X"\n[board]\ndefault = "9x9/10"\ncolumns = [5, 20]\nrows = [5, 20]\n'


@pytest.mark.parametrize("name", Program.names())
def test_programs_each_loads_with_default_size(name: str) -> None:
    program = Program.load(name)
    assert program.level(program.default).size == program.default
    assert program.package
    assert set(program.new_game) == {"playing", "won", "lost"}
    assert all(program.new_game.values())


def test_programs_required_ones_present() -> None:
    assert {"xdemineur", "sgt-mines", "gnome-mines", "kmines", "ace-minesweeper"} <= set(Program.names())


def test_step_and_size_parsed() -> None:
    steps = [
        UiStep("key", "ctrl+n"),
        UiStep("click", area="above", x=0.5, y=0.25),
        UiStep("wait", seconds=0.3),
        UiStep("popups", seconds=0.2),
        UiStep("restart"),
    ]
    texts = ("key ctrl+n", "click above 0.5 0.25", "wait 0.3", "popups 0.2", "restart")
    assert [*map(UiStep.parse, texts)] == steps
    for text in ("", "key", "click moon 0 0", "click board 2 0", "wait long", "restart now"):
        with pytest.raises(ValueError, match=r"not a step|could not convert"):
            UiStep.parse(text)
    assert BoardSize.parse("30x16/99") == BoardSize(30, 16, 99)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("[rules]\nwins = 'open'\n", "rules.wins"),
        ("[rules]\nwin = 'both'\n", "rules.win"),
        ("[rules]\nquestion_marks = 1\n", "rules.question_marks"),
        ("[new_game]\nsteps = ['dance']\n", "new_game.steps"),
        ("[new_game]\nwon = 'key n'\n", "new_game.won"),
        ("[[level]]\nboard = '9by9'\n", "level[0].board"),
        ("[files]\nx = 3\n", "files.x"),
        ("[surprise]\n", "surprise"),
        *(
            (f"[files]\n'{name}' = 'x'\n", f"files.{name}' leaves the private home folder")
            for name in ("../X", "/abs/X", "a/../../X", "")
        ),
        *(
            (f"[[popup]]\ntitle = '{title}'\nsteps = []\n", "popup[0].title' is not a regular expression")
            for title in ("[", "a{99999999999}", "(" * 2000)
        ),
    ],
)
def test_program_file_error_is_named(change: str, named: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        Program.parse("x", SMALL + change, "x.toml")
    assert f"x.toml: '{named}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_program_loaded_by_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SMALL)
    assert Program.load(str(file)).name == "mine"
    file.write_text("command = [")
    for name in ("mine.toml", "none.toml"):
        with pytest.raises(InvalidFile, match=name):
            Program.load(str(tmp_path / name))


def test_program_in_user_folder_known_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = user_programs_folder()
    folder.mkdir(parents=True)
    text = 'command = ["mine"]\nwindow = "^Mine Field$"\n[board]\ndefault = "9x9/10"\n'
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    (folder / "broken.toml").write_text("command", encoding="utf-8")
    (folder / "kmines.toml").write_text(text, encoding="utf-8")
    assert Program.own_names() == ["broken", "mine"]
    assert Program.load("mine").command == ("mine",)
    assert Program.load("kmines").command[0] == "kmines"
    assert Program.of_window("Mine Field") == "mine"
    with pytest.raises(InvalidFile, match="broken"):
        Program.load("broken")
    with pytest.raises(UsageError, match=rf"mean 'mine'.*put the file into {re.escape(str(folder))}"):
        Program.load("mien")
    examined = {each.what: each for each in examine({})}
    assert not examined["mine"].is_there
    assert "correct the TOML" in examined["broken"].detail


def test_program_unknown_name_lists_known() -> None:
    with pytest.raises(UsageError, match="xdemineur"):
        Program.load("solitaire")


def test_program_size_unavailable_lists_sizes() -> None:
    with pytest.raises(UsageError, match="no board 9x9 with 10 mines: choose 8x8 with 6 mines; 11x11"):
        Program.load("ace-minesweeper").level(BoardSize(9, 9, 10))
    with pytest.raises(UsageError, match="5x5 to 20x20"):
        Program.parse("x", SMALL, "x.toml").level(BoardSize(21, 9, 10))


def test_program_fixed_size_uses_default() -> None:
    program = Program.parse("x", SMALL.split("columns", maxsplit=1)[0], "x.toml")
    assert program.level(program.default).size == BoardSize(9, 9, 10)
    with pytest.raises(UsageError, match="choose 9x9 with 10 mines"):
        program.level(BoardSize(8, 8, 10))


def test_program_like_other_overrides_only(tmp_path: Path) -> None:
    (tmp_path / "theme.toml").write_text("like = 'kmines'\nquiet = 0.2\n[words]\nshade = 'dark'\n")
    (tmp_path / "other.toml").write_text("like = 'theme'\n[words]\nlevel = 'Easy'\n")
    other, kmines = Program.load(str(tmp_path / "other.toml")), Program.load("kmines")
    assert (other.name, other.command, other.popups) == ("other", kmines.command, kmines.popups)
    assert other.quiet == 0.2
    assert other.words == {"folder": str(tmp_path), "shade": "dark", "level": "Easy"}


def test_program_like_same_name_allowed(tmp_path: Path) -> None:
    (tmp_path / "kmines.toml").write_text("like = 'kmines'\nquiet = 0.2\n")
    assert Program.load(str(tmp_path / "kmines.toml")).quiet == 0.2


@pytest.mark.parametrize("like", ["3", "'../x'", "'nobody'", "'x'", f"'{'a' * 300}'"])
def test_program_like_invalid_reported(like: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text("like = 'y'\n")
    (tmp_path / "y.toml").write_text(f"like = {like}\n")
    with pytest.raises(InvalidFile):
        Program.load(str(tmp_path / "x.toml"))
