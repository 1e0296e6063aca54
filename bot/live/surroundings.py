"""The desktop that a session plays on: the person's own, or a virtual screen; its windows and its hands."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from bot.desktop import (
    X_TOOLKITS,
    Hands,
    Kind,
    OpenOverlay,
    Overlay,
    ScreenWindows,
    Toolkits,
    VirtualScreen,
    Windows,
    kind_of,
    open_backend,
    overlay_for,
)
from bot.programs import BoardSize, Program
from bot.programs.started import RunningProgram
from games.errors import MachineLacks, Usage
from vision.capture import Capture, Grabber


@dataclass(frozen=True)
class Desktop:
    """A place to play: `windows` answers what is where, `hands` act. `is_virtual`: nobody else uses it.

    `open_grabber` begins to take pictures; `toolkits` are variables for programs that are started here;
    `overlays` opens an overlay, None where none can be.
    """

    windows: Windows
    hands: Hands
    is_virtual: bool
    open_grabber: Callable[[], Capture] = Grabber
    toolkits: Toolkits = field(default_factory=lambda: X_TOOLKITS)
    overlays: OpenOverlay | None = None

    def open_overlay(self, pictures: Capture, keys: Sequence[str] = ()) -> AbstractContextManager[Overlay]:
        """An overlay on this desktop, which hears these keys. Raises MachineLacks where none can be."""
        if self.overlays is None:
            raise MachineLacks("marks over the board need an X11 or a sway desktop: leave out --overlay")
        return self.overlays(pictures, keys)

    def start(self, program: Program, size: BoardSize | None = None) -> RunningProgram:
        """Start a known program here, with its default size where none is named.

        Raises what `RunningProgram.start` raises, and MachineLacks where the desktop does not say which
        windows it has.
        """
        if not isinstance(self.windows, ScreenWindows):
            raise MachineLacks(
                "programs can be started on an X11 or a sway desktop only: use --virtual, or start it by "
                "hand and leave out --program"
            )
        return RunningProgram.start(program, size or program.default, self.windows, self.hands, self.toolkits)


def has_display() -> bool:
    """Whether there is a screen to play on without making a virtual one."""
    return kind_of(os.environ) is not None


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
    virtual: bool = False,
    size: tuple[int, int] = (1280, 900),
    window_manager: bool = False,
    backend: Kind | None = None,
    looks_only: bool = False,
) -> Iterator[Desktop]:
    """The person's own desktop, or a virtual screen of this size that ends with the block.

    `backend` is the kind of the person's desktop, where it is not to be found out; who `looks_only` does not
    ask its person for the mouse. Raises MachineLacks when there is no screen, Xvfb is missing, or the mouse
    cannot be used, and Interrupted when the person does not share the screen.
    """
    if virtual:
        with VirtualScreen(*size, window_manager=window_manager) as screen:
            overlays = overlay_for(screen.windows)
            yield Desktop(screen.windows, Hands(screen.windows), is_virtual=True, overlays=overlays)
        return
    with open_backend(backend, looks_only) as own:
        yield Desktop(own.windows, own.hands, False, own.open_grabber, own.toolkits, own.open_overlay)
