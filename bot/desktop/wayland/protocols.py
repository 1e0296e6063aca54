"""Wayland protocols that pywayland does not include, all version 1.

org_kde_kwin_idle, wlr-layer-shell, wlr-screencopy, wlr-virtual-pointer and virtual-keyboard, from the XML
files of plasma-wayland-protocols and wlr-protocols. A message is its name and the types of its arguments; its
position in the list is its opcode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pywayland.protocol.wayland import WlBuffer, WlOutput, WlSeat, WlSurface
from pywayland.protocol.xdg_shell import XdgPopup
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

Message = tuple[str, *tuple[Argument, ...]]
INT, UINT, FIXED = Argument(ArgumentType.Int), Argument(ArgumentType.Uint), Argument(ArgumentType.Fixed)
STRING, FILE = Argument(ArgumentType.String), Argument(ArgumentType.FileDescriptor)
SEAT, OUTPUT = (Argument(ArgumentType.Object, interface=each) for each in (WlSeat, WlOutput))


def _new(interface: type[Interface]) -> Argument:
    return Argument(ArgumentType.NewId, interface=interface)


def _optional(interface: type[Interface]) -> Argument:
    return Argument(ArgumentType.Object, nullable=True, interface=interface)


def _interface(name: str, requests: Sequence[Message], events: Sequence[Message] = ()) -> type[Interface]:
    """An interface with these messages; its proxy has a method for each request."""

    class Made(Interface):
        version = 1

    Made.name = name
    methods: dict[str, Any] = {"interface": Made}
    for opcode, (request, *arguments) in enumerate(requests):
        methods[request] = Made.request(*arguments)(_sender(opcode, request, arguments))
    for event, *arguments in events:
        Made.event(*arguments)(_sender(0, event, arguments))  # only its name matters
    Made._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    Made.proxy_class = type(f"{name}_proxy", (Proxy,), methods)
    return Made


def _sender(opcode: int, name: str, arguments: Sequence[Argument]) -> Callable[..., Any]:
    """The proxy method that sends a request; it returns the new object, if the request creates one."""
    created = next((each.interface for each in arguments if each.argument_type == ArgumentType.NewId), None)

    def send(proxy: Any, *values: object) -> Any:
        if created is not None:
            return proxy._marshal_constructor(opcode, created, *values)  # noqa: SLF001 - see above
        proxy._marshal(opcode, *values)  # noqa: SLF001
        if name == "destroy":
            proxy._destroy()  # noqa: SLF001
        return None

    send.__name__ = name
    return send


IdleTimeout = _interface("org_kde_kwin_idle_timeout", [], [("idle",), ("resumed",)])
Idle = _interface("org_kde_kwin_idle", [("get_idle_timeout", _new(IdleTimeout), SEAT, UINT)])

LayerSurface = _interface(
    "zwlr_layer_surface_v1",
    [
        ("set_size", UINT, UINT),
        ("set_anchor", UINT),
        ("set_exclusive_zone", INT),
        ("set_margin", INT, INT, INT, INT),  # top, right, bottom, left
        ("set_keyboard_interactivity", UINT),
        ("get_popup", Argument(ArgumentType.Object, interface=XdgPopup)),
        ("ack_configure", UINT),
        ("destroy",),
    ],
    [("configure", UINT, UINT, UINT), ("closed",)],
)
SURFACE = Argument(ArgumentType.Object, interface=WlSurface)
LayerShell = _interface(
    "zwlr_layer_shell_v1",
    [("get_layer_surface", _new(LayerSurface), SURFACE, _optional(WlOutput), UINT, STRING)],
)

ScreencopyFrame = _interface(
    "zwlr_screencopy_frame_v1",
    [("copy", Argument(ArgumentType.Object, interface=WlBuffer)), ("destroy",)],
    [("buffer", UINT, UINT, UINT, UINT), ("flags", UINT), ("ready", UINT, UINT, UINT), ("failed",)],
)
ScreencopyManager = _interface(
    "zwlr_screencopy_manager_v1",
    [
        ("capture_output", _new(ScreencopyFrame), INT, OUTPUT),
        ("capture_output_region", _new(ScreencopyFrame), INT, OUTPUT, INT, INT, INT, INT),
    ],
)

VirtualPointer = _interface(
    "zwlr_virtual_pointer_v1",
    [
        ("motion", UINT, FIXED, FIXED),
        ("motion_absolute", UINT, UINT, UINT, UINT, UINT),  # time, x, y, width, height
        ("button", UINT, UINT, UINT),
        ("axis", UINT, UINT, FIXED),
        ("frame",),
    ],
)
VirtualPointerManager = _interface(
    "zwlr_virtual_pointer_manager_v1", [("create_virtual_pointer", _optional(WlSeat), _new(VirtualPointer))]
)

VirtualKeyboard = _interface(
    "zwp_virtual_keyboard_v1",
    [("keymap", UINT, FILE, UINT), ("key", UINT, UINT, UINT), ("modifiers", UINT, UINT, UINT, UINT)],
)
VirtualKeyboardManager = _interface(
    "zwp_virtual_keyboard_manager_v1", [("create_virtual_keyboard", SEAT, _new(VirtualKeyboard))]
)
