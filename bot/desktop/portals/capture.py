"""Frames of a shared screen, received from PipeWire through GStreamer.

The desktop sends a frame only when something changes, so `PipeWireStream` keeps the latest one and
`PortalCapture` crops it. GStreamer is called through ctypes, because PyGObject must be compiled and depends
on many system headers.
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
from bot.desktop.ports import round_region
from bot.desktop.wayland.capture import blit, pixels_of
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
    """One frame: a referenced GstSample, its width and height in pixels, and its size in bytes."""

    held: int
    width: int
    height: int
    size: int


class GStreamer:
    """The initialised GStreamer library. Raises MissingRequirement if it is not installed."""

    def __init__(self) -> None:
        try:
            self._core = ctypes.CDLL("libgstreamer-1.0.so.0")
            self._app = ctypes.CDLL("libgstapp-1.0.so.0")
        except OSError as error:
            raise MissingRequirement(
                f"screen capture on this desktop requires GStreamer ({error}): {HOW}"
            ) from error
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
            raise MissingRequirement(f"GStreamer does not start: {HOW}")

    def lacks(self, *elements: str) -> list[str]:
        """The elements that are not installed."""
        missing = []
        for name in elements:
            factory = self._core.gst_element_factory_find(name.encode())
            if factory:
                self._core.gst_object_unref(factory)
            else:
                missing.append(name)
        return missing

    def start(self, pipeline: str) -> tuple[int, int]:
        """Start a pipeline; return it and its element named `sink`. Raises MissingRequirement."""
        error: Any = POINTER(_Error)()
        made = self._core.gst_parse_launch(pipeline.encode(), byref(error))
        if not made or error:
            reason = error.contents.message.decode(errors="replace") if error else "unknown reason"
            raise MissingRequirement(f"GStreamer cannot receive this desktop's frames ({reason}): {HOW}")
        sink = self._core.gst_bin_get_by_name(made, b"sink")
        if self._core.gst_element_set_state(made, PLAYING) == FAILED:
            self.stop(made, sink)
            raise MissingRequirement(
                "cannot receive this desktop's frames from PipeWire: make sure that PipeWire is running"
            )
        return made, sink

    def stop(self, pipeline: int, sink: int) -> None:
        """Stop a pipeline."""
        self._core.gst_element_set_state(pipeline, NULL)
        self._core.gst_object_unref(sink)
        self._core.gst_object_unref(pipeline)

    def pull(self, sink: int, seconds: float) -> GstFrame | None:
        """The next frame, to be released by the caller; None on timeout."""
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
        """Whether the stream has ended."""
        return bool(self._is_over(sink))

    def copy(self, sample: GstFrame, start: int, where: int, count: int) -> int:
        """Copy bytes of a frame to an address; return the number of bytes copied."""
        buffer = self._core.gst_sample_get_buffer(sample.held)
        return int(self._core.gst_buffer_extract(buffer, start, where, count))

    def release(self, sample: GstFrame) -> None:
        """Release a frame."""
        self._core.gst_mini_object_unref(sample.held)


TIMEOUT = 10.0  # seconds; for the first frame
POLL = 0.2  # seconds between two checks for the end of the stream
PIXEL = 4  # bytes: blue, green, red, unused
PIPELINE = (
    "pipewiresrc fd={descriptor} path={node} always-copy=true ! videoconvert ! video/x-raw,format=BGRx "
    "! appsink name=sink max-buffers=4 drop=true sync=false"
)


class PipeWireStream(Closeable):
    """Receives the frames of one PipeWire node; takes ownership of the connection's descriptor.

    Raises MissingRequirement without GStreamer or if the stream cannot be received.
    """

    def __init__(self, node: int, descriptor: int) -> None:
        self._library = GStreamer()
        self._pipeline, self._sink = self._library.start(
            PIPELINE.format(node=int(node), descriptor=int(descriptor))
        )
        self._latest: GstFrame | None = None
        self._is_ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._receive, name="frames", daemon=True)
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frames, pixels. Raises MissingRequirement if there are none."""
        with self._changed:
            latest = self._wait_for_frame()
            return latest.width, latest.height

    def rows(self, top: int, bottom: int) -> NDArray[np.uint8]:
        """Rows of the latest frame, clipped to its edges: (rows, columns, BGRx).

        Raises MissingRequirement if there are no frames.
        """
        with self._changed:
            latest = self._wait_for_frame()
            top, bottom = max(0, top), min(bottom, latest.height)
            stride = latest.size // latest.height
            rows = np.zeros((max(0, bottom - top), stride), np.uint8)
            self._library.copy(latest, top * stride, rows.ctypes.data, rows.size)
        return rows[:, : latest.width * PIXEL].reshape(-1, latest.width, PIXEL)

    def _wait_for_frame(self) -> GstFrame:
        """The latest frame; waits for the first one. Raises MissingRequirement."""
        deadline = time.monotonic() + TIMEOUT
        while self._latest is None and time.monotonic() < deadline:
            self._changed.wait(POLL)
        if self._latest is None or self._is_ended or self._library.is_over(self._sink):
            what = "sends no frames" if self._latest is None else "has stopped sending frames"
            raise MissingRequirement(f"this desktop {what} of the shared screen: start again")
        return self._latest

    def _receive(self) -> None:
        """Keep the latest frame, ignoring the empty frames that some desktops send on pointer motion."""
        while not self._is_ended:
            sample = self._library.pull(self._sink, POLL)
            if sample is None:
                if self._library.is_over(self._sink):
                    self._set_latest(None)
                    time.sleep(POLL)
                continue
            if not sample.size or not sample.height:
                self._library.release(sample)
                continue
            self._set_latest(sample)

    def _set_latest(self, sample: GstFrame | None) -> None:
        with self._changed:
            before, self._latest = self._latest, sample or self._latest
            if before is not None and sample is not None:
                self._library.release(before)
            self._changed.notify_all()

    def close(self) -> None:
        """Stop receiving; idempotent."""
        if self._is_ended:
            return
        self._is_ended = True
        self._thread.join()
        if self._latest is not None:
            self._library.release(self._latest)
        self._library.stop(self._pipeline, self._sink)


class PortalCapture(Closeable):
    """Captures the shared screen without the pointer; satisfies `vision.frame.Capture`.

    The corner of the shared screen is the point (0, 0).
    """

    def __init__(self, sharing: ScreenShare, stream: PipeWireStream) -> None:
        self._sharing = sharing
        self._stream = stream

    def grab(self, region: Region | None = None) -> Frame:
        """A frame of a region (points), or of the screen if None; black beyond the screen edges.

        Raises MissingRequirement if there is no frame, Interrupted if the user has stopped sharing.
        """
        self._sharing.check()
        width, height = self._stream.size
        size = self._sharing.size or (width, height)
        scale = width / size[0]
        left, top, right, bottom = pixels_of(round_region(region or (0, 0, *size)), scale)
        canvas = np.zeros((bottom - top, right - left, 3), np.uint8)
        blit(self._stream.rows(top, bottom)[:, :, :3], canvas, -left, max(0, top) - top)
        return Frame(canvas, left / scale, top / scale, scale)
