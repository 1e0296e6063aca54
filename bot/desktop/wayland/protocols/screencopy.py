"""wlr-screencopy (version 1): pictures of outputs."""

from __future__ import annotations

from pywayland.protocol.wayland import WlBuffer, WlBufferProxy, WlOutput, WlOutputProxy
from pywayland.protocol_core import Argument, ArgumentType, Interface, Proxy

INT = Argument(ArgumentType.Int)
UINT = Argument(ArgumentType.Uint)


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


for _interface, _proxy in (
    (ScreencopyFrame, ScreencopyFrameProxy),
    (ScreencopyManager, ScreencopyManagerProxy),
):
    _interface._gen_c()  # noqa: SLF001 - as every module of pywayland.protocol ends
    _interface.proxy_class = _proxy
