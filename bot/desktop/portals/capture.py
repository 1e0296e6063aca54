"""Pictures of the screen that is shared, cut out of the latest frame of its stream."""

from __future__ import annotations

import numpy as np

from bot.closing import Closing
from bot.desktop.portals.sharing import Sharing
from bot.desktop.portals.streaming import Stream
from bot.desktop.wayland import intersection, pixels_of, whole_points
from vision.capture import Region
from vision.frame import Frame


class PortalGrabber(Closing):
    """Takes pictures of the shared screen; satisfies `vision.capture.Capture`.

    The screen's own corner is the point (0, 0): it is all that is seen. Without the pointer, always.
    """

    def __init__(self, sharing: Sharing, stream: Stream) -> None:
        self._sharing = sharing
        self._stream = stream

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the screen when it is None; black beyond its edges.

        Raises MachineLacks when there is no picture, Interrupted when the person has stopped sharing.
        """
        self._sharing.check()
        width, height = self._stream.size
        size = self._sharing.size or (width, height)
        scale = width / size[0]
        left, top, right, bottom = pixels_of(whole_points(region or (0, 0, *size)), scale)
        canvas = np.zeros((bottom - top, right - left, 3), np.uint8)
        common = intersection((0, 0, width, height), (left, top, right - left, bottom - top))
        if common is not None:
            x, y, wide, high = common
            picture = self._stream.rows(y, y + high)[:, x : x + wide, :3]
            canvas[y - top : y - top + picture.shape[0], x - left : x - left + picture.shape[1]] = picture
        return Frame(canvas, left / scale, top / scale, scale)

    def close(self) -> None:
        """Nothing: the stream is its opener's."""
