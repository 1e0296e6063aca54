"""The process of a known program: its command, a home and an environment of its own, what it said last."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from bot.desktop import X_TOOLKITS, Kept, Toolkits
from bot.programs.description import BoardSize, Level, Program
from bot.programs.installed import find_program
from games.errors import MachineLacks


class ProgramProcess:
    """A program that was started, in a private home folder; `close` ends it with all that it started.

    `words` stand for `{word}` in its command, its files and its environment. Raises MachineLacks when it is
    not installed.
    """

    def __init__(
        self, program: Program, level: Level, words: Mapping[str, str], toolkits: Toolkits = X_TOOLKITS
    ) -> None:
        command = command_of(program, level, words)
        with ExitStack() as stack:
            home = Path(
                stack.enter_context(
                    tempfile.TemporaryDirectory(prefix="sapper-home-", ignore_cleanup_errors=True)
                )
            )
            for path, content in program.files.items():
                file = home / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(fill(content, words), encoding="utf-8")
            environment = private_environment(os.environ, home, toolkits)
            environment.update({key: fill(text, words) for key, text in program.environment.items()})
            self._output = home / "output"
            self._kept = Kept(command, environment, self._output)
            stack.callback(self._kept.close)
            self._open = stack.pop_all()

    @property
    def pids(self) -> set[int]:
        """The processes that belong to it now."""
        return self._kept.pids()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._kept.poll() is None

    @property
    def last_words(self) -> str:
        """The last line that it printed, for an error message."""
        try:
            lines = self._output.read_text(errors="replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f" (it said: {last[:120]})" if last else ""

    def close(self) -> None:
        """End it; a second time does nothing."""
        self._open.close()


def words_of(program: Program, level: Level, size: BoardSize, screen: tuple[int, int]) -> dict[str, str]:
    """What stands for `{columns}` and its like, with the words of the program file; `screen` in points."""
    width, height = screen
    return {
        "columns": str(size.columns),
        "rows": str(size.rows),
        "mines": str(size.mines),
        "window_width": str(width * 9 // 10),
        "window_height": str(height * 8 // 10),
        **program.words,
        **level.words,
    }


def command_of(program: Program, level: Level, words: Mapping[str, str]) -> list[str]:
    """The command that starts a program. Raises MachineLacks when it is not installed."""
    command = [fill(word, words) for word in level.command or program.command]
    path = find_program(command[0])
    if path is None:
        how = f"apt-get install {program.package}" if program.package else "install it"
        raise MachineLacks(f"{program.name} ({command[0]}) is not installed: {how}")
    bus = []
    if program.session_bus:
        if shutil.which("dbus-run-session") is None:
            raise MachineLacks(f"{program.name} wants dbus-run-session: apt-get install dbus-daemon")
        bus = ["dbus-run-session", "--"]
    return [*bus, path, *command[1:]]


def fill(text: str, words: Mapping[str, str]) -> str:
    """The text with every `{word}` that is known replaced; other braces stay."""
    return re.sub(r"\{(\w+)\}", lambda match: words.get(match[1], match[0]), text)


def private_environment(
    outer: Mapping[str, str], home: Path, toolkits: Toolkits = X_TOOLKITS
) -> dict[str, str]:
    """The variables for a program: this session's display, but a home, a bus and a language of its own.

    `toolkits` are those that say on which desktop its windows open (None: unset).
    """
    environment = {key: text for key, text in outer.items() if not key.startswith(("QT_", "PYTHON", "LC_"))}
    cookies = outer.get("XAUTHORITY") or str(Path(outer.get("HOME", "/"), ".Xauthority"))
    folders = {
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_CACHE_HOME": ".cache",
        "XDG_STATE_HOME": ".local/state",
        "XDG_RUNTIME_DIR": ".run",
    }
    for name, folder in folders.items():
        path = home / folder
        path.mkdir(parents=True, mode=0o700, exist_ok=True)
        environment[name] = str(path)
    environment |= {
        "HOME": str(home),
        "XAUTHORITY": cookies,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "NO_AT_BRIDGE": "1",  # GTK: start no accessibility bus
    }
    for name, text in toolkits.items():
        if text is None:
            environment.pop(name, None)
        else:
            environment[name] = text
    return environment
