"""The desktop that a session plays on: the person's own, or a virtual screen; its windows and its hands."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.desktop.hands import Hands
from bot.desktop.virtual import VirtualScreen
from bot.desktop.windows import Windows, XWindows, open_windows
from bot.programs.description import Layout, Program
from bot.programs.running import RunningProgram
from games.errors import MachineLacks, Usage


@dataclass(frozen=True)
class Desktop:
    """A place to play: `windows` answers what is where, `hands` act. `is_virtual`: nobody else uses it."""

    windows: Windows
    hands: Hands
    is_virtual: bool

    def start(self, program: Program, layout: Layout | None = None) -> RunningProgram:
        """Start a known program here, with its default layout where none is named.

        Raises what `RunningProgram.start` raises, and MachineLacks where there is no X11.
        """
        if not isinstance(self.windows, XWindows):
            raise MachineLacks(
                "programs can be started on an X11 screen only: use --virtual, or start it by hand and "
                "use --window"
            )
        return RunningProgram.start(program, layout or program.default, self.windows, self.hands)


def has_display() -> bool:
    """Whether there is a screen to play on without making a virtual one."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY"))


def parse_screen(text: str) -> tuple[int, int]:
    """`1920x1080` as width and height in pixels. Raises Usage."""
    width, _, height = text.partition("x")
    if not (
        width.isdigit() and height.isdigit() and 200 <= int(width) <= 8192 and 200 <= int(height) <= 8192
    ):
        raise Usage(f"'{text}' is no screen size: write it as 1280x900 (200 to 8192 each way)")
    return int(width), int(height)


@contextmanager
def open_desktop(
    virtual: bool = False, size: tuple[int, int] = (1280, 900), window_manager: bool = False
) -> Iterator[Desktop]:
    """The person's own desktop, or a virtual screen of this size that ends with the block.

    Raises MachineLacks when there is no screen, Xvfb is missing, or the mouse cannot be used.
    """
    if virtual:
        with VirtualScreen(*size, window_manager=window_manager) as screen:
            yield Desktop(screen.windows, Hands(screen.windows), is_virtual=True)
        return
    if not has_display():
        raise MachineLacks("there is no display: use --virtual, or run from a desktop session")
    windows = open_windows()
    try:
        yield Desktop(windows, Hands(windows), is_virtual=False)
    finally:
        windows.close()
