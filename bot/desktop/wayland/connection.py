"""A connection to a Wayland server: its interfaces and outputs, and waiting with a timeout."""

from __future__ import annotations

import os
import select
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.shutdown import Closeable
from games.errors import MissingRequirement

PATIENCE = 5.0  # seconds; for a reply of the server
STEPS = 120  # steps per unit of scale in the Wayland protocol fractional-scale
QUARTER_TURNED = (1, 3, 5, 7)  # wl_output.transform: width and height are swapped
HOW = "use --virtual, or run from a wlroots desktop such as sway"


@dataclass
class WaylandOutput:
    """One screen: position and size in points (logical coordinates), mode size in pixels.

    `transform` is wl_output.transform, the rotation and mirroring of the screen.
    """

    proxy: Any
    name: str = ""
    left: int = 0
    top: int = 0
    width: int = 0
    height: int = 0
    transform: int = 0
    mode: tuple[int, int] = (0, 0)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels of the upright image."""
        wide, high = self.mode
        return (high, wide) if self.transform in QUARTER_TURNED else (wide, high)

    @property
    def scale(self) -> float:
        """Pixels per point: the nearest multiple of 1/STEPS if it fits the rounded size in points."""
        measured = self.pixels[0] / self.width
        likely = round(measured * STEPS) / STEPS
        return likely if abs(self.pixels[0] / likely - self.width) <= 1 else measured

    @property
    def is_known(self) -> bool:
        """Whether the server has reported its position and size."""
        return min(self.width, self.height, *self.mode) > 0


class WaylandConnection(Closeable):
    """An open connection; `name` is a socket, by default WAYLAND_DISPLAY. A context manager.

    All methods raise MissingRequirement if the server is unreachable, does not answer or goes away.
    """

    def __init__(self, name: str | None = None) -> None:
        self._offers: dict[str, tuple[int, int]] = {}  # number and version by interface
        self._outputs: dict[int, WaylandOutput] = {}
        self._bound: list[Any] = []
        self._xdg: Any = None
        try:
            from pywayland.client import Display
        except ImportError as error:
            raise MissingRequirement(
                "a Wayland desktop needs the Python package pywayland: pip install pywayland jeepney"
            ) from error
        self._display: Any = Display(name)
        try:
            self._display.connect()
        except ValueError as error:
            shown = name or os.environ.get("WAYLAND_DISPLAY", "wayland-0")
            raise MissingRequirement(f"the Wayland desktop {shown} cannot be opened: {HOW}") from error
        # pywayland crashes at interpreter exit unless it is disconnected first
        self._hang_up = weakref.finalize(self, self._display.disconnect)
        self._registry: Any = self._display.get_registry()
        self._registry.dispatcher["global"] = self._offered
        self._registry.dispatcher["global_remove"] = self._withdrawn
        self.roundtrip()
        self._ask_where_outputs_are()

    def close(self) -> None:
        """Close the connection; idempotent."""
        self._hang_up()
        self._display = None
        self._bound.clear()

    def offers(self, interface: str) -> bool:
        """Whether the server offers this interface."""
        return interface in self._offers

    def bind(self, interface: Any, version: int = 1) -> Any:
        """Bind the server's object of this interface. Raises MissingRequirement if it is not offered.

        The object is kept as long as the connection, because pywayland aborts the process if the server sends
        an event to an object that Python is freeing.
        """
        if interface.name not in self._offers:
            raise MissingRequirement(f"this Wayland desktop does not offer {interface.name}: {HOW}")
        number, most = self._offers[interface.name]
        self._bound.append(self._registry.bind(number, interface, min(version, most)))
        return self._bound[-1]

    @property
    def outputs(self) -> list[WaylandOutput]:
        """The current screens."""
        self.dispatch()
        known = [output for output in self._outputs.values() if output.is_known]
        if not known:
            raise MissingRequirement("this Wayland desktop has no active screen: switch one on")
        return known

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Bounding box of all screens: left, top, width, height in points."""
        outputs = self.outputs
        left, top = min(each.left for each in outputs), min(each.top for each in outputs)
        right = max(each.left + each.width for each in outputs)
        bottom = max(each.top + each.height for each in outputs)
        return left, top, right - left, bottom - top

    def dispatch(self) -> None:
        """Process received events without waiting."""
        self._turn(0.0)

    def roundtrip(self) -> None:
        """Wait until the server has processed all requests."""
        answered: list[int] = []
        callback = self._open().sync()
        callback.dispatcher["done"] = lambda _, number: answered.append(number)
        self.wait(lambda: bool(answered))

    def wait(self, is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Process events until a condition holds. Raises MissingRequirement after this time."""
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
        """Process received events, waiting up to this time for the first."""
        display = self._open()
        try:
            if display.dispatch(block=False):
                return
            display.flush()
            if select.select([display.get_fd()], [], [], seconds)[0]:
                display.read()
                display.dispatch(block=False)
        except (RuntimeError, OSError, ValueError) as error:
            raise MissingRequirement(f"the Wayland desktop went away ({error}): start it again") from error

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
