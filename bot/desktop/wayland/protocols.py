"""KDE's idle (version 1): whether anybody uses the mouse or the keyboard.

wlr-layer-shell (version 1): surfaces above all windows.

wlr-screencopy (version 1): pictures of outputs.

wlr-virtual-pointer and virtual-keyboard (version 1): a mouse and a keyboard that are none.
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
    """Watches whether anybody uses the mouse or the keyboard of a seat (KDE's protocol)."""

    name = "org_kde_kwin_idle_timeout"
    version = 1


class IdleTimeoutProxy(Proxy[IdleTimeout]):
    """What can be asked of it: nothing that is needed."""

    interface = IdleTimeout


class IdleTimeoutEvents:
    """What it reports."""

    @IdleTimeout.event()
    def idle(self) -> None:
        """Event: nobody did anything for the time that was asked for."""

    @IdleTimeout.event()
    def resumed(self) -> None:
        """Event: somebody did something again."""


class Idle(Interface):
    """Makes watchers of a seat."""

    name = "org_kde_kwin_idle"
    version = 1


class IdleProxy(Proxy[Idle]):
    """What can be asked of it."""

    interface = Idle

    @Idle.request(
        Argument(ArgumentType.NewId, interface=IdleTimeout),
        Argument(ArgumentType.Object, interface=WlSeat),
        UINT,
    )
    def get_idle_timeout(self, seat: WlSeatProxy, milliseconds: int) -> IdleTimeoutProxy:
        """A watcher that calls a seat idle after so long."""
        watcher: IdleTimeoutProxy = self._marshal_constructor(0, IdleTimeout, seat, milliseconds)
        return watcher


class LayerSurface(Interface):
    """A surface at a place of an output that its owner chooses."""

    name = "zwlr_layer_surface_v1"
    version = 1


class LayerSurfaceProxy(Proxy[LayerSurface]):
    """What can be asked of it; measures are points."""

    interface = LayerSurface

    @LayerSurface.request(UINT, UINT)
    def set_size(self, width: int, height: int) -> None:
        """Be so large."""
        self._marshal(0, width, height)

    @LayerSurface.request(UINT)
    def set_anchor(self, anchor: int) -> None:
        """Lie at these edges of the output: 1 top, 2 bottom, 4 left, 8 right."""
        self._marshal(1, anchor)

    @LayerSurface.request(INT)
    def set_exclusive_zone(self, zone: int) -> None:
        """Keep others away so far; -1 lets it lie over what keeps others away."""
        self._marshal(2, zone)

    @LayerSurface.request(INT, INT, INT, INT)
    def set_margin(self, top: int, right: int, bottom: int, left: int) -> None:
        """Lie so far from the edges."""
        self._marshal(3, top, right, bottom, left)

    @LayerSurface.request(UINT)
    def set_keyboard_interactivity(self, interactivity: int) -> None:
        """Take the keyboard, or (0) never."""
        self._marshal(4, interactivity)

    @LayerSurface.request(Argument(ArgumentType.Object, interface=XdgPopup))
    def get_popup(self, popup: XdgPopupProxy) -> None:
        """Be the parent of a popup."""
        self._marshal(5, popup)

    @LayerSurface.request(UINT)
    def ack_configure(self, serial: int) -> None:
        """Understood: the answer to the event `configure`."""
        self._marshal(6, serial)

    @LayerSurface.request()
    def destroy(self) -> None:
        """Done with it."""
        self._marshal(7)
        self._destroy()


class LayerSurfaceEvents:
    """What the server says of it."""

    @LayerSurface.event(UINT, UINT, UINT)
    def configure(self, serial: int, width: int, height: int) -> None:
        """Event: it may be shown, so large."""

    @LayerSurface.event()
    def closed(self) -> None:
        """Event: it is not shown any more."""


class LayerShell(Interface):
    """Makes such surfaces."""

    name = "zwlr_layer_shell_v1"
    version = 1


class LayerShellProxy(Proxy[LayerShell]):
    """What can be asked of it."""

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
        """Make a surface one of this layer: 0 background, 1 bottom, 2 top, 3 overlay."""
        made: LayerSurfaceProxy = self._marshal_constructor(
            0, LayerSurface, surface, output, layer, namespace
        )
        return made


class ScreencopyFrame(Interface):
    """One picture: first the server says how large a buffer it wants, then it fills one."""

    name = "zwlr_screencopy_frame_v1"
    version = 1


class ScreencopyFrameProxy(Proxy[ScreencopyFrame]):
    """What can be asked of a picture."""

    interface = ScreencopyFrame

    @ScreencopyFrame.request(Argument(ArgumentType.Object, interface=WlBuffer))
    def copy(self, buffer: WlBufferProxy) -> None:
        """Fill this buffer with the next frame of the output."""
        self._marshal(0, buffer)

    @ScreencopyFrame.request()
    def destroy(self) -> None:
        """Done with it."""
        self._marshal(1)
        self._destroy()


class ScreencopyFrameEvents:
    """What the server says of a picture."""

    @ScreencopyFrame.event(UINT, UINT, UINT, UINT)
    def buffer(self, form: int, width: int, height: int, stride: int) -> None:
        """Event: the buffer that is wanted."""

    @ScreencopyFrame.event(UINT)
    def flags(self, flags: int) -> None:
        """Event: 1, the rows come from the bottom to the top."""

    @ScreencopyFrame.event(UINT, UINT, UINT)
    def ready(self, seconds_high: int, seconds: int, nanoseconds: int) -> None:
        """Event: the buffer is filled."""

    @ScreencopyFrame.event()
    def failed(self) -> None:
        """Event: there will be no picture."""


class ScreencopyManager(Interface):
    """Makes pictures of outputs."""

    name = "zwlr_screencopy_manager_v1"
    version = 1


class ScreencopyManagerProxy(Proxy[ScreencopyManager]):
    """What can be asked of it."""

    interface = ScreencopyManager

    @ScreencopyManager.request(
        Argument(ArgumentType.NewId, interface=ScreencopyFrame),
        INT,
        Argument(ArgumentType.Object, interface=WlOutput),
    )
    def capture_output(self, overlay_cursor: int, output: WlOutputProxy) -> ScreencopyFrameProxy:
        """A picture of a whole output, with the pointer drawn into it or not."""
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
        """A picture of a part of an output, in points from its corner."""
        frame: ScreencopyFrameProxy = self._marshal_constructor(
            1, ScreencopyFrame, overlay_cursor, output, x, y, width, height
        )
        return frame


FIXED = Argument(ArgumentType.Fixed)
FILE = Argument(ArgumentType.FileDescriptor)


class VirtualPointer(Interface):
    """A mouse that is none."""

    name = "zwlr_virtual_pointer_v1"
    version = 1


class VirtualPointerProxy(Proxy[VirtualPointer]):
    """What it can do; times are milliseconds."""

    interface = VirtualPointer

    @VirtualPointer.request(UINT, FIXED, FIXED)
    def motion(self, time: int, dx: float, dy: float) -> None:
        """Move by so much."""
        self._marshal(0, time, dx, dy)

    @VirtualPointer.request(UINT, UINT, UINT, UINT, UINT)
    def motion_absolute(self, time: int, x: int, y: int, x_extent: int, y_extent: int) -> None:
        """Move to this share of the whole desktop."""
        self._marshal(1, time, x, y, x_extent, y_extent)

    @VirtualPointer.request(UINT, UINT, UINT)
    def button(self, time: int, button: int, state: int) -> None:
        """Press (1) or release (0) a button, by its number in linux/input-event-codes.h."""
        self._marshal(2, time, button, state)

    @VirtualPointer.request(UINT, UINT, FIXED)
    def axis(self, time: int, axis: int, value: float) -> None:
        """Turn a wheel."""
        self._marshal(3, time, axis, value)

    @VirtualPointer.request()
    def frame(self) -> None:
        """What came since the last one belongs together."""
        self._marshal(4)


class VirtualPointerManager(Interface):
    """Makes virtual pointers."""

    name = "zwlr_virtual_pointer_manager_v1"
    version = 1


class VirtualPointerManagerProxy(Proxy[VirtualPointerManager]):
    """What can be asked of it."""

    interface = VirtualPointerManager

    @VirtualPointerManager.request(
        Argument(ArgumentType.Object, interface=WlSeat, nullable=True),
        Argument(ArgumentType.NewId, interface=VirtualPointer),
    )
    def create_virtual_pointer(self, seat: WlSeatProxy | None) -> VirtualPointerProxy:
        """A new mouse on this seat."""
        pointer: VirtualPointerProxy = self._marshal_constructor(0, VirtualPointer, seat)
        return pointer


class VirtualKeyboard(Interface):
    """A keyboard that is none."""

    name = "zwp_virtual_keyboard_v1"
    version = 1


class VirtualKeyboardProxy(Proxy[VirtualKeyboard]):
    """What it can do; times are milliseconds."""

    interface = VirtualKeyboard

    @VirtualKeyboard.request(UINT, FILE, UINT)
    def keymap(self, form: int, fd: int, size: int) -> None:
        """What its keys mean: a file with a keymap of XKB's text form (format 1), which must come first."""
        self._marshal(0, form, fd, size)

    @VirtualKeyboard.request(UINT, UINT, UINT)
    def key(self, time: int, key: int, state: int) -> None:
        """Press (1) or release (0) a key: its keycode in the keymap, less 8."""
        self._marshal(1, time, key, state)

    @VirtualKeyboard.request(UINT, UINT, UINT, UINT)
    def modifiers(self, depressed: int, latched: int, locked: int, group: int) -> None:
        """Which modifiers hold from now on, as bits of the keymap's."""
        self._marshal(2, depressed, latched, locked, group)


class VirtualKeyboardManager(Interface):
    """Makes virtual keyboards."""

    name = "zwp_virtual_keyboard_manager_v1"
    version = 1


class VirtualKeyboardManagerProxy(Proxy[VirtualKeyboardManager]):
    """What can be asked of it."""

    interface = VirtualKeyboardManager

    @VirtualKeyboardManager.request(
        Argument(ArgumentType.Object, interface=WlSeat),
        Argument(ArgumentType.NewId, interface=VirtualKeyboard),
    )
    def create_virtual_keyboard(self, seat: WlSeatProxy) -> VirtualKeyboardProxy:
        """A new keyboard on this seat."""
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
