"""wlr-virtual-pointer and virtual-keyboard (version 1): a mouse and a keyboard that are none."""

from __future__ import annotations

from pywayland.protocol.wayland import WlSeat, WlSeatProxy
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

UINT = Argument(ArgumentType.Uint)
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
    (VirtualPointer, VirtualPointerProxy),
    (VirtualPointerManager, VirtualPointerManagerProxy),
    (VirtualKeyboard, VirtualKeyboardProxy),
    (VirtualKeyboardManager, VirtualKeyboardManagerProxy),
):
    _interface._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    _interface.proxy_class = _proxy
