"""What Sapper knows of a Minesweeper program that somebody else wrote: data, one TOML file for each program.

A program file has these keys (all optional but `command`, `window` and a board size):

    like = "gnome-mines"            # a known program, or a file beside this one (without .toml): what is not
                                    # said here is as there, tables key by key
    package = "xdemineur"           # the Debian package that has it
    command = ["xdemineur", "-m", "{mines}"]
    window = "^xd.?mineur$"         # regular expression for the title of its window (searched, any case)
    session_bus = false             # run it under dbus-run-session
    window_manager = false          # on a virtual screen, it wants a window manager
    quiet = 0.05                    # seconds that its picture is still after an act before it counts
    interval = 0.0                  # least seconds between two acts; more where it loses clicks
    after_start = []                # steps (below) once its window is there
    notes = "..."                   # what a person should know
    [environment]                   # variables for it
    [words]                         # more words for {...} in `command`, `environment` and `files`
    [files]                         # files for it, written into a private home folder: path = "content"
    [board]
    default = "30x16/99"            # columns x rows / mines
    columns = [12, 60]              # least and most; without them, only the default and the levels
    rows = [1, 40]
    [[level]]                       # a size that is had in its own way
    board = "8x8/10"
    command = [...]                 # in place of the program's own
    after_start = [...]             # likewise
    words = { level = "Easy" }      # in place of the program's own, word by word
    [rules]
    first_click = "safe"            # safe, zero, none, opened (the program opens a cell itself), unknown
    win = "open"                    # open: every safe cell; flags: every mine flagged as well
    chord = "none"                  # none, left, middle, right, both: the button(s) on a satisfied number
    question_marks = false          # a right click on a flag makes a question mark first
    clicked_number = "unknown"      # a plain click on an open number: harmless (does nothing, or opens around
                                    # it when as many flags are set), unknown (may open all around it)
    [new_game]
    steps = ["key ctrl+n"]          # how to get a fresh board, in any state
    playing = [...]                 # in place of `steps` in this state; likewise `won`, `lost`
    [[popup]]                       # a further window that it opens
    title = "Confirm"               # regular expression for its title
    steps = ["key enter"]

A step is a line of words: `key ctrl+n`; `click AREA X Y` (AREA is board, above, below, left, right or window:
the board, the part of the window on one side of it, or the whole window; X and Y are fractions of it);
`wait SECONDS`; `popups SECONDS` (put away what pops up within that time); `restart` (end it, start it again).
In `command`, `environment` and `files`, `{columns}`, `{rows}`, `{mines}`, `{window_width}`, `{window_height}`
(most of the screen, pixels), `{folder}` (where the program file is) and the words of the level are filled in.

Where the command of a known program is.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
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


@dataclass(frozen=True)
class UiStep:
    """One thing to do to a program; `str` and `parse` round-trip."""

    do: Literal["key", "click", "wait", "popups", "restart"]
    key: str = ""
    area: Area = "board"
    x: float = 0.0
    y: float = 0.0
    seconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> UiStep:
        """Read one step. Raises ValueError."""
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
        raise ValueError(f"no step: {text}")

    def __str__(self) -> str:
        match self.do:
            case "key":
                return f"key {self.key}"
            case "click":
                return f"click {self.area} {self.x:g} {self.y:g}"
            case "wait" | "popups":
                return f"{self.do} {self.seconds:g}"
        return self.do


@dataclass(frozen=True)
class BoardSize:
    """The size of a board and its mines; `30x16/99`."""

    columns: int
    rows: int
    mines: int

    @classmethod
    def parse(cls, text: str) -> BoardSize:
        """Read `30x16/99`. Raises ValueError."""
        match = re.fullmatch(r"(\d{1,4})x(\d{1,4})/(\d{1,7})", text)
        if not match:
            raise ValueError(text)
        return cls(*(int(part) for part in match.groups()))

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}/{self.mines}"


@dataclass(frozen=True)
class ProgramLevel:
    """A size that a program offers in its own way; None where the program's general way holds."""

    size: BoardSize
    command: tuple[str, ...] | None = None
    after_start: tuple[UiStep, ...] | None = None
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Popup:
    """A further window that a program opens, and how to put it away."""

    title: str
    steps: tuple[UiStep, ...]


@dataclass(frozen=True)
class Program:
    """A Minesweeper that somebody else wrote; the module's docstring says what each part means."""

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
        """The programs that Sapper comes with."""
        return sorted(path.stem for path in FOLDER.glob("*.toml"))

    @classmethod
    def of_window(cls, title: str, command: str | None = None) -> str | None:
        """The program that Sapper comes with whose windows are titled so, None for none, or for several.

        Where several programs title their windows alike, `command` is the one that runs, if that is known.
        """
        titled = [name for name in cls.names() if re.search(cls.load(name).window, title, re.IGNORECASE)]
        if len(titled) > 1:
            titled = [name for name in titled if cls.load(name).command[0] == command]
        return titled[0] if len(titled) == 1 else None

    @classmethod
    def load(cls, name: str) -> Program:
        """A program by its name, or by the path of a TOML file. Raises UsageError or InvalidFile."""
        path = Path(name)
        if path.suffix != ".toml":
            path = FOLDER / f"{name}.toml"
            if name not in cls.names():
                meant, known = did_you_mean(name, cls.names()), ", ".join(cls.names())
                raise UsageError(
                    f"no program '{name}' is known{meant}: use one of {known}, or the path of a TOML file"
                )
        return cls.parse(path.stem, text_of(path), str(path))

    @classmethod
    def parse(cls, name: str, text: str, source: str) -> Program:
        """Read a program file; `source` is named in errors. Raises InvalidFile with the key."""
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
            files=top.table("files").texts(),
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
            raise InvalidFile(f"{source}: 'command' is empty: say what to run")
        program.level(program.default)
        return program

    def level(self, size: BoardSize) -> ProgramLevel:
        """How to get a board of this size. Raises UsageError, naming what there is, when it cannot be had."""
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
        offers = [str(level.size) for level in self.levels]
        if self.columns and self.rows:
            offers.append(f"{self.columns[0]}x{self.rows[0]} to {self.columns[1]}x{self.rows[1]}")
        if size.mines >= cells:
            raise UsageError(f"{size.mines} mines do not fit on {size.columns}x{size.rows}: take fewer")
        raise UsageError(f"{self.name} has no board {size}: choose {', '.join(offers) or self.default}")


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


GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps games; not in every PATH


def find_executable(command: str) -> str | None:
    """Where a command is, in PATH or where distributions keep games; None when it is not installed."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(command, path=folders)
