"""Wayland protocols that pywayland does not include, all version 1.

org_kde_kwin_idle, wlr-layer-shell, wlr-screencopy, wlr-virtual-pointer and virtual-keyboard.
"""

from __future__ import annotations

from pywayland.protocol.wayland import (
    WlBuffer,
    WlBufferProxy,
    WlOutput,
    WlOutputProxy,
    WlSeat,
    WlSeatProxy,
    WlSurface,
    WlSurfaceProxy,
)
from pywayland.protocol.xdg_shell import XdgPopup, XdgPopupProxy
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

INT, UINT = Argument(ArgumentType.Int), Argument(ArgumentType.Uint)


class IdleTimeout(Interface):
    """Reports whether a seat is idle (KDE's protocol)."""

    name = "org_kde_kwin_idle_timeout"
    version = 1


class IdleTimeoutProxy(Proxy[IdleTimeout]):
    """Requests of IdleTimeout; none are used."""

    interface = IdleTimeout


class IdleTimeoutEvents:
    """Events of IdleTimeout."""

    @IdleTimeout.event()
    def idle(self) -> None:
        """Event: no input during the timeout."""

    @IdleTimeout.event()
    def resumed(self) -> None:
        """Event: input after idle."""


class Idle(Interface):
    """Creates idle timeouts."""

    name = "org_kde_kwin_idle"
    version = 1


class IdleProxy(Proxy[Idle]):
    """Requests of Idle."""

    interface = Idle

    @Idle.request(
        Argument(ArgumentType.NewId, interface=IdleTimeout),
        Argument(ArgumentType.Object, interface=WlSeat),
        UINT,
    )
    def get_idle_timeout(self, seat: WlSeatProxy, milliseconds: int) -> IdleTimeoutProxy:
        """Create an idle timeout for a seat."""
        timeout: IdleTimeoutProxy = self._marshal_constructor(0, IdleTimeout, seat, milliseconds)
        return timeout


class LayerSurface(Interface):
    """A surface at a chosen position of an output."""

    name = "zwlr_layer_surface_v1"
    version = 1


class LayerSurfaceProxy(Proxy[LayerSurface]):
    """Requests of LayerSurface; lengths are points."""

    interface = LayerSurface

    @LayerSurface.request(UINT, UINT)
    def set_size(self, width: int, height: int) -> None:
        """Set width and height."""
        self._marshal(0, width, height)

    @LayerSurface.request(UINT)
    def set_anchor(self, anchor: int) -> None:
        """Anchor to edges of the output: 1 top, 2 bottom, 4 left, 8 right."""
        self._marshal(1, anchor)

    @LayerSurface.request(INT)
    def set_exclusive_zone(self, zone: int) -> None:
        """Reserve space at the edge; -1 extends the surface over reserved space."""
        self._marshal(2, zone)

    @LayerSurface.request(INT, INT, INT, INT)
    def set_margin(self, top: int, right: int, bottom: int, left: int) -> None:
        """Set the distances from the anchored edges."""
        self._marshal(3, top, right, bottom, left)

    @LayerSurface.request(UINT)
    def set_keyboard_interactivity(self, interactivity: int) -> None:
        """Set the keyboard mode; 0 is none."""
        self._marshal(4, interactivity)

    @LayerSurface.request(Argument(ArgumentType.Object, interface=XdgPopup))
    def get_popup(self, popup: XdgPopupProxy) -> None:
        """Make this the parent of a popup."""
        self._marshal(5, popup)

    @LayerSurface.request(UINT)
    def ack_configure(self, serial: int) -> None:
        """Acknowledge the event `configure`."""
        self._marshal(6, serial)

    @LayerSurface.request()
    def destroy(self) -> None:
        """Destroy the object."""
        self._marshal(7)
        self._destroy()


class LayerSurfaceEvents:
    """Events of LayerSurface."""

    @LayerSurface.event(UINT, UINT, UINT)
    def configure(self, serial: int, width: int, height: int) -> None:
        """Event: the surface may be shown with this size."""

    @LayerSurface.event()
    def closed(self) -> None:
        """Event: the surface is no longer shown."""


class LayerShell(Interface):
    """Creates layer surfaces."""

    name = "zwlr_layer_shell_v1"
    version = 1


class LayerShellProxy(Proxy[LayerShell]):
    """Requests of LayerShell."""

    interface = LayerShell

    @LayerShell.request(
        Argument(ArgumentType.NewId, interface=LayerSurface),
        Argument(ArgumentType.Object, interface=WlSurface),
        Argument(ArgumentType.Object, interface=WlOutput, nullable=True),
        UINT,
        Argument(ArgumentType.String),
    )
    def get_layer_surface(
        self, surface: WlSurfaceProxy, output: WlOutputProxy | None, layer: int, namespace: str
    ) -> LayerSurfaceProxy:
        """Assign a surface to a layer: 0 background, 1 bottom, 2 top, 3 overlay."""
        made: LayerSurfaceProxy = self._marshal_constructor(
            0, LayerSurface, surface, output, layer, namespace
        )
        return made


class ScreencopyFrame(Interface):
    """One captured frame: the server announces the required buffer, then fills it."""

    name = "zwlr_screencopy_frame_v1"
    version = 1


class ScreencopyFrameProxy(Proxy[ScreencopyFrame]):
    """Requests of ScreencopyFrame."""

    interface = ScreencopyFrame

    @ScreencopyFrame.request(Argument(ArgumentType.Object, interface=WlBuffer))
    def copy(self, buffer: WlBufferProxy) -> None:
        """Copy the next frame of the output to this buffer."""
        self._marshal(0, buffer)

    @ScreencopyFrame.request()
    def destroy(self) -> None:
        """Destroy the object."""
        self._marshal(1)
        self._destroy()


class ScreencopyFrameEvents:
    """Events of ScreencopyFrame."""

    @ScreencopyFrame.event(UINT, UINT, UINT, UINT)
    def buffer(self, form: int, width: int, height: int, stride: int) -> None:
        """Event: the required buffer."""

    @ScreencopyFrame.event(UINT)
    def flags(self, flags: int) -> None:
        """Event: 1 means that the rows are ordered from bottom to top."""

    @ScreencopyFrame.event(UINT, UINT, UINT)
    def ready(self, seconds_high: int, seconds: int, nanoseconds: int) -> None:
        """Event: the buffer is filled."""

    @ScreencopyFrame.event()
    def failed(self) -> None:
        """Event: the copy failed."""


class ScreencopyManager(Interface):
    """Captures outputs."""

    name = "zwlr_screencopy_manager_v1"
    version = 1


class ScreencopyManagerProxy(Proxy[ScreencopyManager]):
    """Requests of ScreencopyManager."""

    interface = ScreencopyManager

    @ScreencopyManager.request(
        Argument(ArgumentType.NewId, interface=ScreencopyFrame),
        INT,
        Argument(ArgumentType.Object, interface=WlOutput),
    )
    def capture_output(self, overlay_cursor: int, output: WlOutputProxy) -> ScreencopyFrameProxy:
        """Capture an output, optionally with the pointer."""
        frame: ScreencopyFrameProxy = self._marshal_constructor(0, ScreencopyFrame, overlay_cursor, output)
        return frame

    @ScreencopyManager.request(
        Argument(ArgumentType.NewId, interface=ScreencopyFrame),
        INT,
        Argument(ArgumentType.Object, interface=WlOutput),
        INT,
        INT,
        INT,
        INT,
    )
    def capture_output_region(
        self, overlay_cursor: int, output: WlOutputProxy, x: int, y: int, width: int, height: int
    ) -> ScreencopyFrameProxy:
        """Capture an area of an output, in points from its corner."""
        frame: ScreencopyFrameProxy = self._marshal_constructor(
            1, ScreencopyFrame, overlay_cursor, output, x, y, width, height
        )
        return frame


FIXED = Argument(ArgumentType.Fixed)
FILE = Argument(ArgumentType.FileDescriptor)


class VirtualPointer(Interface):
    """A virtual mouse."""

    name = "zwlr_virtual_pointer_v1"
    version = 1


class VirtualPointerProxy(Proxy[VirtualPointer]):
    """Requests of VirtualPointer; times are milliseconds."""

    interface = VirtualPointer

    @VirtualPointer.request(UINT, FIXED, FIXED)
    def motion(self, time: int, dx: float, dy: float) -> None:
        """Move the pointer by a distance."""
        self._marshal(0, time, dx, dy)

    @VirtualPointer.request(UINT, UINT, UINT, UINT, UINT)
    def motion_absolute(self, time: int, x: int, y: int, x_extent: int, y_extent: int) -> None:
        """Move to a position given as a fraction of the desktop: `x` / `x_extent`, `y` / `y_extent`."""
        self._marshal(1, time, x, y, x_extent, y_extent)

    @VirtualPointer.request(UINT, UINT, UINT)
    def button(self, time: int, button: int, state: int) -> None:
        """Press (1) or release (0) a button code of linux/input-event-codes.h."""
        self._marshal(2, time, button, state)

    @VirtualPointer.request(UINT, UINT, FIXED)
    def axis(self, time: int, axis: int, value: float) -> None:
        """Scroll along an axis."""
        self._marshal(3, time, axis, value)

    @VirtualPointer.request()
    def frame(self) -> None:
        """End a group of events that belong together."""
        self._marshal(4)


class VirtualPointerManager(Interface):
    """Creates virtual pointers."""

    name = "zwlr_virtual_pointer_manager_v1"
    version = 1


class VirtualPointerManagerProxy(Proxy[VirtualPointerManager]):
    """Requests of VirtualPointerManager."""

    interface = VirtualPointerManager

    @VirtualPointerManager.request(
        Argument(ArgumentType.Object, interface=WlSeat, nullable=True),
        Argument(ArgumentType.NewId, interface=VirtualPointer),
    )
    def create_virtual_pointer(self, seat: WlSeatProxy | None) -> VirtualPointerProxy:
        """Create a mouse on this seat."""
        pointer: VirtualPointerProxy = self._marshal_constructor(0, VirtualPointer, seat)
        return pointer


class VirtualKeyboard(Interface):
    """A virtual keyboard."""

    name = "zwp_virtual_keyboard_v1"
    version = 1


class VirtualKeyboardProxy(Proxy[VirtualKeyboard]):
    """Requests of VirtualKeyboard; times are milliseconds."""

    interface = VirtualKeyboard

    @VirtualKeyboard.request(UINT, FILE, UINT)
    def keymap(self, form: int, fd: int, size: int) -> None:
        """Set the keymap before any other request: a file in XKB text format (format 1)."""
        self._marshal(0, form, fd, size)

    @VirtualKeyboard.request(UINT, UINT, UINT)
    def key(self, time: int, key: int, state: int) -> None:
        """Press (1) or release (0) a key: its keycode in the keymap minus 8."""
        self._marshal(1, time, key, state)

    @VirtualKeyboard.request(UINT, UINT, UINT, UINT)
    def modifiers(self, depressed: int, latched: int, locked: int, group: int) -> None:
        """Set the active modifiers as bits of the keymap."""
        self._marshal(2, depressed, latched, locked, group)


class VirtualKeyboardManager(Interface):
    """Creates virtual keyboards."""

    name = "zwp_virtual_keyboard_manager_v1"
    version = 1


class VirtualKeyboardManagerProxy(Proxy[VirtualKeyboardManager]):
    """Requests of VirtualKeyboardManager."""

    interface = VirtualKeyboardManager

    @VirtualKeyboardManager.request(
        Argument(ArgumentType.Object, interface=WlSeat),
        Argument(ArgumentType.NewId, interface=VirtualKeyboard),
    )
    def create_virtual_keyboard(self, seat: WlSeatProxy) -> VirtualKeyboardProxy:
        """Create a keyboard on this seat."""
        keyboard: VirtualKeyboardProxy = self._marshal_constructor(0, VirtualKeyboard, seat)
        return keyboard


for _interface, _proxy in (
    (IdleTimeout, IdleTimeoutProxy),
    (Idle, IdleProxy),
    (LayerSurface, LayerSurfaceProxy),
    (LayerShell, LayerShellProxy),
    (ScreencopyFrame, ScreencopyFrameProxy),
    (ScreencopyManager, ScreencopyManagerProxy),
    (VirtualPointer, VirtualPointerProxy),
    (VirtualPointerManager, VirtualPointerManagerProxy),
    (VirtualKeyboard, VirtualKeyboardProxy),
    (VirtualKeyboardManager, VirtualKeyboardManagerProxy),
):
    _interface._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    _interface.proxy_class = _proxy
