"""The few functions of GStreamer that are used, called in the system's own library.

PyGObject would be the ordinary way; it must be compiled, and wants the headers of half a desktop.

The latest picture of a screen that PipeWire streams; a new one comes only when something changes.

Pictures of the screen that is shared, cut out of the latest frame of its stream.
"""

from __future__ import annotations

import ctypes
import threading
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot.desktop.portals.share import ScreenShare
from bot.desktop.wayland.capture import intersection, pixels_of, whole_points
from bot.shutdown import Closeable
from games.errors import MissingRequirement
from vision.frame import Frame, Region

HOW = (
    "Debian and Ubuntu: apt-get install gstreamer1.0-pipewire gstreamer1.0-plugins-base; "
    "Fedora: dnf install pipewire-gstreamer gstreamer1-plugins-base"
)
NULL, PLAYING = 1, 4  # GstState
FAILED = 0  # GstStateChangeReturn
SECOND = 1_000_000_000  # GstClockTime is nanoseconds


class _Error(ctypes.Structure):
    _fields_ = (("domain", ctypes.c_uint32), ("code", c_int), ("message", c_char_p))


@dataclass(frozen=True)
class GstFrame:
    """One picture: a GstSample that is held, its size in pixels, and its bytes."""

    held: int
    width: int
    height: int
    size: int


class GStreamer:
    """GStreamer's library, ready. Raises MissingRequirement where it is not there."""

    def __init__(self) -> None:
        try:
            self._core = ctypes.CDLL("libgstreamer-1.0.so.0")
            self._app = ctypes.CDLL("libgstapp-1.0.so.0")
        except OSError as error:
            raise MissingRequirement(f"pictures of this desktop need GStreamer ({error}): {HOW}") from error
        for name, result, *arguments in (
            ("gst_init_check", c_int, c_void_p, c_void_p, c_void_p),
            ("gst_element_factory_find", c_void_p, c_char_p),
            ("gst_parse_launch", c_void_p, c_char_p, POINTER(POINTER(_Error))),
            ("gst_bin_get_by_name", c_void_p, c_void_p, c_char_p),
            ("gst_element_set_state", c_int, c_void_p, c_int),
            ("gst_object_unref", None, c_void_p),
            ("gst_sample_get_caps", c_void_p, c_void_p),
            ("gst_sample_get_buffer", c_void_p, c_void_p),
            ("gst_caps_get_structure", c_void_p, c_void_p, c_uint),
            ("gst_structure_get_int", c_int, c_void_p, c_char_p, POINTER(c_int)),
            ("gst_buffer_get_size", c_size_t, c_void_p),
            ("gst_buffer_extract", c_size_t, c_void_p, c_size_t, c_void_p, c_size_t),
            ("gst_mini_object_unref", None, c_void_p),
        ):
            function = getattr(self._core, name)
            function.restype, function.argtypes = result, arguments
        self._pull = self._app.gst_app_sink_try_pull_sample
        self._pull.restype, self._pull.argtypes = c_void_p, (c_void_p, c_uint64)
        self._is_over = self._app.gst_app_sink_is_eos
        self._is_over.restype, self._is_over.argtypes = c_int, (c_void_p,)
        if not self._core.gst_init_check(None, None, None):
            raise MissingRequirement(f"GStreamer does not start here: {HOW}")

    def lacks(self, *elements: str) -> list[str]:
        """Those of these elements that are not installed."""
        missing = []
        for name in elements:
            factory = self._core.gst_element_factory_find(name.encode())
            if factory:
                self._core.gst_object_unref(factory)
            else:
                missing.append(name)
        return missing

    def start(self, pipeline: str) -> tuple[int, int]:
        """A running pipeline, and its element that is named `sink`. Raises MissingRequirement."""
        error: Any = POINTER(_Error)()
        made = self._core.gst_parse_launch(pipeline.encode(), byref(error))
        if not made or error:
            reason = error.contents.message.decode(errors="replace") if error else "no reason is given"
            raise MissingRequirement(f"GStreamer cannot read this desktop's pictures ({reason}): {HOW}")
        sink = self._core.gst_bin_get_by_name(made, b"sink")
        if self._core.gst_element_set_state(made, PLAYING) == FAILED:
            self.stop(made, sink)
            raise MissingRequirement(
                "this desktop's pictures cannot be received from PipeWire: is it running?"
            )
        return made, sink

    def stop(self, pipeline: int, sink: int) -> None:
        """End a pipeline."""
        self._core.gst_element_set_state(pipeline, NULL)
        self._core.gst_object_unref(sink)
        self._core.gst_object_unref(pipeline)

    def pull(self, sink: int, seconds: float) -> GstFrame | None:
        """The next picture, to be let go of; None when none comes within this time."""
        held = self._pull(sink, int(seconds * SECOND))
        if not held:
            return None
        structure = self._core.gst_caps_get_structure(self._core.gst_sample_get_caps(held), 0)
        width, height = c_int(), c_int()
        self._core.gst_structure_get_int(structure, b"width", byref(width))
        self._core.gst_structure_get_int(structure, b"height", byref(height))
        size = self._core.gst_buffer_get_size(self._core.gst_sample_get_buffer(held))
        return GstFrame(held, width.value, height.value, size)

    def is_over(self, sink: int) -> bool:
        """Whether no more pictures come."""
        return bool(self._is_over(sink))

    def copy(self, sample: GstFrame, start: int, where: int, count: int) -> int:
        """Copy bytes of a picture to an address; how many there were."""
        buffer = self._core.gst_sample_get_buffer(sample.held)
        return int(self._core.gst_buffer_extract(buffer, start, where, count))

    def release(self, sample: GstFrame) -> None:
        """Let go of a picture."""
        self._core.gst_mini_object_unref(sample.held)


LATE = 10.0  # seconds that a desktop gets to send its first picture
WAKES = 0.2  # seconds between two looks whether the stream is to end
PIXEL = 4  # bytes: blue, green, red, and one that says nothing
PIPELINE = (
    "pipewiresrc fd={descriptor} path={node} always-copy=true ! videoconvert ! video/x-raw,format=BGRx "
    "! appsink name=sink max-buffers=4 drop=true sync=false"
)


class PipeWireStream(Closeable):
    """Receives the pictures of one PipeWire node; the descriptor of the connection is its own from now on.

    Raises MissingRequirement when GStreamer is not there or the stream cannot be received.
    """

    def __init__(self, node: int, descriptor: int) -> None:
        self._library = GStreamer()
        self._pipeline, self._sink = self._library.start(
            PIPELINE.format(node=int(node), descriptor=int(descriptor))
        )
        self._latest: GstFrame | None = None
        self._is_ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._receive, name="pictures", daemon=True)
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures, pixels. Raises MissingRequirement where none comes."""
        with self._changed:
            latest = self._there()
            return latest.width, latest.height

    def rows(self, top: int, bottom: int) -> NDArray[np.uint8]:
        """These rows of the latest picture: rows, columns, blue green red and a byte that says nothing.

        Rows beyond its edges are left out. Raises MissingRequirement where no picture comes.
        """
        with self._changed:
            latest = self._there()
            top, bottom = max(0, top), min(bottom, latest.height)
            stride = latest.size // latest.height
            rows = np.zeros((max(0, bottom - top), stride), np.uint8)
            self._library.copy(latest, top * stride, rows.ctypes.data, rows.size)
        return rows[:, : latest.width * PIXEL].reshape(-1, latest.width, PIXEL)

    def _there(self) -> GstFrame:
        """The latest picture, waited for where it is the first. Raises MissingRequirement."""
        deadline = time.monotonic() + LATE
        while self._latest is None and time.monotonic() < deadline:
            self._changed.wait(WAKES)
        if self._latest is None or self._is_ended or self._library.is_over(self._sink):
            what = "sends no pictures" if self._latest is None else "has stopped sending pictures"
            raise MissingRequirement(f"this desktop {what} of the shared screen: start again")
        return self._latest

    def _receive(self) -> None:
        """Keep the latest picture. Some desktops send empty ones when only the pointer has moved."""
        while not self._is_ended:
            sample = self._library.pull(self._sink, WAKES)
            if sample is None:
                if self._library.is_over(self._sink):
                    self._changed_to(None)
                    time.sleep(WAKES)
                continue
            if not sample.size or not sample.height:
                self._library.release(sample)
                continue
            self._changed_to(sample)

    def _changed_to(self, sample: GstFrame | None) -> None:
        with self._changed:
            before, self._latest = self._latest, sample or self._latest
            if before is not None and sample is not None:
                self._library.release(before)
            self._changed.notify_all()

    def close(self) -> None:
        """Receive no more; a second time does nothing."""
        if self._is_ended:
            return
        self._is_ended = True
        self._thread.join()
        if self._latest is not None:
            self._library.release(self._latest)
        self._library.stop(self._pipeline, self._sink)


class PortalCapture(Closeable):
    """Takes pictures of the shared screen; satisfies `vision.frame.Capture`.

    The screen's own corner is the point (0, 0): it is all that is seen. Without the pointer, always.
    """

    def __init__(self, sharing: ScreenShare, stream: PipeWireStream) -> None:
        self._sharing = sharing
        self._stream = stream

    def grab(self, region: Region | None = None) -> Frame:
        """The picture of a region (points), or of the screen when it is None; black beyond its edges.

        Raises MissingRequirement when there is no picture, Interrupted when the person has stopped sharing.
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
