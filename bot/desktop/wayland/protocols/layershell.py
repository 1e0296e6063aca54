"""wlr-layer-shell (version 1): surfaces above all windows."""

from __future__ import annotations

from pywayland.protocol.wayland import WlOutput, WlOutputProxy, WlSurface, WlSurfaceProxy
from pywayland.protocol.xdg_shell import XdgPopup, XdgPopupProxy
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

INT, UINT = Argument(ArgumentType.Int), Argument(ArgumentType.Uint)


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


for _interface, _proxy in ((LayerSurface, LayerSurfaceProxy), (LayerShell, LayerShellProxy)):
    _interface._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    _interface.proxy_class = _proxy
