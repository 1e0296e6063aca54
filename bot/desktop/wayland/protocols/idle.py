"""KDE's idle (version 1): whether anybody uses the mouse or the keyboard."""

from __future__ import annotations

from pywayland.protocol.wayland import WlSeat, WlSeatProxy
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

UINT = Argument(ArgumentType.Uint)


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


for _interface, _proxy in (
    (IdleTimeout, IdleTimeoutProxy),
    (Idle, IdleProxy),
):
    _interface._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    _interface.proxy_class = _proxy
