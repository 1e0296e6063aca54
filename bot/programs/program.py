"""Descriptions of Minesweeper programs, one TOML file per program, and the search for their commands.

docs/reference/file-formats.md describes the keys, the steps and the placeholders.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Literal, cast, get_args

from bot.programs.toml_table import TomlTable, load_values, text_of
from games.errors import InvalidFile, UsageError
from games.minesweeper import FirstClick
from games.names import did_you_mean

Win = Literal["open", "flags"]
ChordWay = Literal["none", "left", "middle", "right", "both"]
State = Literal["playing", "won", "lost"]
ClickedNumber = Literal["harmless", "unknown"]
Area = Literal["board", "above", "below", "left", "right", "window"]

FOLDER = Path(__file__).with_name("known")
FOLDERS = (FOLDER, FOLDER / "windows") if sys.platform == "win32" else (FOLDER,)


def user_programs_folder() -> Path:
    """Folder of the user's program files."""
    import platformdirs

    return platformdirs.user_data_path("sapper") / "programs"


@dataclass(frozen=True)
class UiStep:
    """One step of program control."""

    do: Literal["key", "click", "wait", "popups", "restart"]
    key: str = ""
    area: Area = "board"
    x: float = 0.0
    y: float = 0.0
    seconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> UiStep:
        """Parse one step. Raises ValueError."""
        match text.split():
            case ["key", key]:
                return cls("key", key=key)
            case ["click", area, x, y] if area in get_args(Area):
                place = float(x), float(y)
                if all(0 <= part <= 1 for part in place):
                    return cls("click", area=cast(Area, area), x=place[0], y=place[1])
            case ["wait", seconds]:
                return cls("wait", seconds=float(seconds))
            case ["popups", seconds]:
                return cls("popups", seconds=float(seconds))
            case ["restart"]:
                return cls("restart")
        raise ValueError(f"not a step: {text}")


@dataclass(frozen=True)
class BoardSize:
    """Board size and number of mines, such as `30x16/99`."""

    columns: int
    rows: int
    mines: int

    @classmethod
    def parse(cls, text: str) -> BoardSize:
        """Parse a text such as `30x16/99`. Raises ValueError."""
        match = re.fullmatch(r"(\d{1,4})x(\d{1,4})/(\d{1,7})", text)
        if not match:
            raise ValueError(text)
        return cls(*(int(part) for part in match.groups()))

    @property
    def in_words(self) -> str:
        """The size for messages."""
        return f"{self.columns}x{self.rows} with {self.mines} mines"


@dataclass(frozen=True)
class ProgramLevel:
    """A board size with its own settings; None means the program's settings."""

    size: BoardSize
    command: tuple[str, ...] | None = None
    after_start: tuple[UiStep, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Popup:
    """Another window of a program, and the steps that close it."""

    title: str
    steps: tuple[UiStep, ...]


@dataclass(frozen=True)
class Program:
    """A Minesweeper program; the fields are the keys of its file."""

    name: str
    command: tuple[str, ...]
    window: str
    default: BoardSize
    package: str = ""
    session_bus: bool = False
    window_manager: bool = False
    quiet: float = 0.05
    interval: float = 0.0
    notes: str = ""
    after_start: tuple[UiStep, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None
    levels: tuple[ProgramLevel, ...] = ()
    first_click: FirstClick = "unknown"
    win: Win = "open"
    chord: ChordWay = "none"
    question_marks: bool = False
    clicked_number: ClickedNumber = "unknown"
    new_game: Mapping[str, tuple[UiStep, ...]] = field(default_factory=dict)
    popups: tuple[Popup, ...] = ()

    @classmethod
    def names(cls) -> list[str]:
        """Names of the known programs."""
        return sorted(path.stem for folder in FOLDERS for path in folder.glob("*.toml"))

    @classmethod
    def own_names(cls) -> list[str]:
        """Names of the program files in the user's folder, without those of known programs."""
        return sorted({path.stem for path in user_programs_folder().glob("*.toml")} - {*cls.names()})

    @classmethod
    def of_window(cls, title: str, command: str | None = None) -> str | None:
        """The known program with this window title; None without a unique match.

        If several programs match, the name of the running `command` decides.
        """
        programs = [*map(cls.load, cls.names())]
        for name in cls.own_names():
            with suppress(InvalidFile):  # `doctor` reports it
                programs.append(cls.load(name))
        found = [program for program in programs if re.search(program.window, title, re.IGNORECASE)]
        if len(found) > 1:
            found = [program for program in found if program.command[0] == command]
        titled = [program.name for program in found]
        return titled[0] if len(titled) == 1 else None

    @classmethod
    def load(cls, name: str) -> Program:
        """Load a program by name or by the path of a TOML file. Raises UsageError or InvalidFile."""
        path = Path(name)
        if path.suffix != ".toml":
            names = [*cls.names(), *cls.own_names()]
            if name not in names:
                raise UsageError(
                    f"unknown program '{name}'{did_you_mean(name, names)}: use one of {', '.join(names)}, "
                    f"the path of a TOML file, or put the file into {user_programs_folder()}"
                )
            files = [folder / f"{name}.toml" for folder in (*FOLDERS, user_programs_folder())]
            path = next(file for file in files if file.exists())
        return cls.parse(path.stem, text_of(path), str(path))

    @classmethod
    def parse(cls, name: str, text: str, source: str) -> Program:
        """Parse a program file; `source` is named in errors. Raises InvalidFile with the key."""
        top = TomlTable(source, load_values(text, source, FOLDER))
        board, rules, fresh = top.table("board"), top.table("rules"), top.table("new_game")
        steps = fresh.strings("steps", ("restart",), UiStep.parse)
        program = cls(
            name=name,
            command=top.strings("command", None, str),
            window=top.pattern("window"),
            default=board.string("default", None, BoardSize.parse),
            package=top.string("package", "", str),
            session_bus=top.flag("session_bus"),
            window_manager=top.flag("window_manager"),
            quiet=top.seconds("quiet", cls.quiet),
            interval=top.seconds("interval", cls.interval),
            notes=top.string("notes", "", str),
            after_start=top.strings("after_start", (), UiStep.parse),
            environment=top.table("environment").texts(),
            files=_inside_home(source, top.table("files").texts()),
            words={"folder": str(Path(source).resolve().parent)} | top.table("words").texts(),
            columns=board.span("columns"),
            rows=board.span("rows"),
            levels=tuple(_level(table) for table in top.tables("level")),
            first_click=rules.choice("first_click", cls.first_click, get_args(FirstClick)),
            win=rules.choice("win", cls.win, get_args(Win)),
            chord=rules.choice("chord", cls.chord, get_args(ChordWay)),
            question_marks=rules.flag("question_marks"),
            clicked_number=rules.choice("clicked_number", cls.clicked_number, get_args(ClickedNumber)),
            new_game={state: fresh.strings(state, steps, UiStep.parse) for state in get_args(State)},
            popups=tuple(_popup(table) for table in top.tables("popup")),
        )
        for table in (top, board, rules, fresh):
            table.reject_unknown_keys()
        if not program.command:
            raise InvalidFile(f"{source}: 'command' is empty: name the command to run")
        program.level(program.default)
        return program

    def level(self, size: BoardSize, is_total_given: bool = True) -> ProgramLevel:
        """The settings for a board of this size. Raises UsageError with the available sizes.

        The message names the mine total only if the user gave it.
        """
        for level in self.levels:
            if level.size == size:
                return level
        cells = size.columns * size.rows
        if size == self.default:
            return ProgramLevel(size)
        if (
            self.columns
            and self.rows
            and self.columns[0] <= size.columns <= self.columns[1]
            and self.rows[0] <= size.rows <= self.rows[1]
            and 0 < size.mines < cells
        ):
            return ProgramLevel(size)
        offers = [level.size.in_words for level in self.levels]
        if self.columns and self.rows:
            offers.append(f"{self.columns[0]}x{self.rows[0]} to {self.columns[1]}x{self.rows[1]}")
        if is_total_given and size.mines >= cells:
            raise UsageError(f"{size.mines} mines do not fit on {size.columns}x{size.rows}: use fewer mines")
        wanted = size.in_words if is_total_given else f"{size.columns}x{size.rows}"
        raise UsageError(
            f"{self.name} has no board {wanted}: choose {'; '.join(offers) or self.default.in_words}"
        )


def _inside_home(source: str, files: Mapping[str, str]) -> Mapping[str, str]:
    for name in files:
        path = PurePath(name)
        if path.is_absolute() or ".." in path.parts or path == PurePath():
            raise InvalidFile(f"{source}: 'files.{name}' leaves the private home folder: use a relative path")
    return files


def _level(table: TomlTable) -> ProgramLevel:
    level = ProgramLevel(
        size=table.string("board", None, BoardSize.parse),
        command=table.strings("command", (), str) or None,
        after_start=table.strings("after_start", (), UiStep.parse) if "after_start" in table else None,
        words=table.table("words").texts(),
    )
    table.reject_unknown_keys()
    return level


def _popup(table: TomlTable) -> Popup:
    popup = Popup(table.pattern("title"), table.strings("steps", None, UiStep.parse))
    table.reject_unknown_keys()
    return popup


GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # Debian's games folders, often missing in PATH


def find_executable(command: str) -> str | None:
    """The path of a command in PATH or a games folder; None if it is not installed."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(command, path=folders)
