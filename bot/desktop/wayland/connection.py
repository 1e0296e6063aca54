"""A connection to a Wayland server: what it offers, where its outputs are, and waiting with a deadline."""

from __future__ import annotations

import os
import select
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from bot.shutdown import Closeable
from games.errors import MissingRequirement

PATIENCE = 5.0  # seconds that a server gets to answer
STEPS = 120  # to one: the scales that Wayland can name to programs (fractional-scale)
QUARTER_TURNED = (1, 3, 5, 7)  # wl_output.transform: width and height change places
HOW = "use --virtual, or run from a desktop of the wlroots family (sway and its kin)"


class NamedInterface(Protocol):
    """A pywayland interface, as far as it is asked for here."""

    name: str


@dataclass
class WaylandOutput:
    """One screen. Points are the desktop's own measure; `pixels` is the size of its picture as it is seen.

    `transform` is how the picture is turned on the screen (wl_output.transform).
    """

    proxy: Any
    placed: Any = None  # who reports its place, as long as it is kept
    name: str = ""
    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0
    transform: int = 0
    mode: tuple[int, int] = (0, 0)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of its picture, the right way up."""
        wide, high = self.mode
        return (high, wide) if self.transform in QUARTER_TURNED else (wide, high)

    @property
    def scale(self) -> float:
        """Pixels in a point: what the rounded size in points leaves open is a step of STEPS, if it can be."""
        measured = self.pixels[0] / self.width
        likely = round(measured * STEPS) / STEPS
        return likely if abs(self.pixels[0] / likely - self.width) <= 1 else measured

    @property
    def is_known(self) -> bool:
        """Whether the server has said where it is."""
        return min(self.width, self.height, *self.mode) > 0


@dataclass
class WaylandConnection(Closeable):
    """An open connection; `name` is a socket, WAYLAND_DISPLAY's by default. A context manager.

    Everything raises MissingRequirement when the server cannot be reached, does not answer, or goes away.
    """

    name: str | None = None
    _display: Any = field(default=None, init=False)
    _hang_up: Callable[[], object] = field(default=lambda: None, init=False)
    _registry: Any = field(default=None, init=False)
    _offers: dict[str, tuple[int, int]] = field(
        default_factory=dict, init=False
    )  # interface: number, version
    _outputs: dict[int, WaylandOutput] = field(default_factory=dict, init=False)
    _xdg: Any = field(default=None, init=False)
    _bound: list[Any] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        try:
            from pywayland.client import Display
        except ImportError as error:
            raise MissingRequirement(
                "a Wayland desktop needs the Python package pywayland: pip install 'sapper[wayland]'"
            ) from error
        self._display = Display(self.name)
        try:
            self._display.connect()
        except ValueError as error:
            shown = self.name or os.environ.get("WAYLAND_DISPLAY", "wayland-0")
            raise MissingRequirement(f"the Wayland desktop {shown} cannot be opened: {HOW}") from error
        # pywayland must be let go of before Python ends, or it crashes then
        self._hang_up = weakref.finalize(self, self._display.disconnect)
        self._registry = self._display.get_registry()
        self._registry.dispatcher["global"] = self._offered
        self._registry.dispatcher["global_remove"] = self._withdrawn
        self.roundtrip()
        self._ask_where_outputs_are()

    def close(self) -> None:
        """Hang up; a second time does nothing."""
        self._hang_up()
        self._display = None
        self._bound.clear()

    def offers(self, interface: str) -> bool:
        """Whether the server has this interface."""
        return interface in self._offers

    def bind(self, interface: Any, version: int = 1) -> Any:
        """The server's object of this interface. Raises MissingRequirement when it has none.

        It is kept as long as the connection: the server may speak to it at any time, and where Python lets go
        of it just then, pywayland ends the program.
        """
        if interface.name not in self._offers:
            raise MissingRequirement(f"this Wayland desktop does not offer {interface.name}: {HOW}")
        number, most = self._offers[interface.name]
        self._bound.append(self._registry.bind(number, interface, min(version, most)))
        return self._bound[-1]

    @property
    def outputs(self) -> list[WaylandOutput]:
        """The screens as they are now."""
        self.dispatch()
        known = [output for output in self._outputs.values() if output.is_known]
        if not known:
            raise MissingRequirement("this Wayland desktop shows no screen: switch one on")
        return known

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of all screens together, points."""
        outputs = self.outputs
        left, top = min(each.left for each in outputs), min(each.top for each in outputs)
        right = max(each.left + each.width for each in outputs)
        bottom = max(each.top + each.height for each in outputs)
        return left, top, right - left, bottom - top

    def dispatch(self) -> None:
        """Take in what the server has said meanwhile, without waiting."""
        self._turn(0.0)

    def roundtrip(self) -> None:
        """Wait until the server has done everything that it was asked for."""
        answered: list[int] = []
        callback = self._open().sync()
        callback.dispatcher["done"] = lambda _, number: answered.append(number)
        self.wait(lambda: bool(answered))

    def wait(self, is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Listen to the server until something is so. Raises MissingRequirement after so many seconds."""
        deadline = time.monotonic() + seconds
        while not is_so():
            left = deadline - time.monotonic()
            if left <= 0:
                raise MissingRequirement(f"the Wayland desktop does not answer within {seconds:.0f} s: {HOW}")
            self._turn(left)

    def _open(self) -> Any:
        if self._display is None:
            raise MissingRequirement("the connection to the Wayland desktop is closed: start again")
        return self._display

    def _turn(self, seconds: float) -> None:
        """Handle what has come, waiting so long for the first of it."""
        display = self._open()
        try:
            if display.dispatch(block=False):
                return
            display.flush()
            if select.select([display.get_fd()], [], [], seconds)[0]:
                display.read()
                display.dispatch(block=False)
        except (RuntimeError, OSError, ValueError) as error:
            raise MissingRequirement(
                f"the Wayland desktop went away ({error}): start again on one"
            ) from error

    def _offered(self, registry: Any, number: int, interface: str, version: int) -> None:
        from pywayland.protocol.wayland import WlOutput

        self._offers.setdefault(interface, (number, version))
        if interface == WlOutput.name:
            output = WaylandOutput(registry.bind(number, WlOutput, min(4, version)))
            output.proxy.dispatcher["geometry"] = lambda *values: setattr(output, "transform", values[8])
            output.proxy.dispatcher["mode"] = lambda _, flags, wide, high, __: (
                setattr(output, "mode", (wide, high)) if flags & 1 else None
            )
            self._outputs[number] = output
            self._bound.append(output.proxy)
            if self._xdg is not None:
                self._place(output)

    def _withdrawn(self, _: Any, number: int) -> None:
        self._outputs.pop(number, None)

    def _ask_where_outputs_are(self) -> None:
        from pywayland.protocol.xdg_output_unstable_v1 import ZxdgOutputManagerV1

        self._xdg = self.bind(ZxdgOutputManagerV1, 2)
        for output in self._outputs.values():
            self._place(output)
        self.roundtrip()

    def _place(self, output: WaylandOutput) -> None:
        placed = self._xdg.get_xdg_output(output.proxy)
        self._bound.append(placed)

        def at(_: Any, left: int, top: int) -> None:
            output.left, output.top = left, top

        def large(_: Any, width: int, height: int) -> None:
            output.width, output.height = width, height

        def named(_: Any, name: str) -> None:
            output.name = name

        placed.dispatcher["logical_position"] = at
        placed.dispatcher["logical_size"] = large
        placed.dispatcher["name"] = named
