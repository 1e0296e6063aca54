"""The few functions of GStreamer that are used, called in the system's own library.

PyGObject would be the ordinary way; it must be compiled, and wants the headers of half a desktop.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any

from games.errors import MachineLacks

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
class Sample:
    """One picture: a GstSample that is held, its size in pixels, and its bytes."""

    held: int
    width: int
    height: int
    size: int


class GStreamer:
    """GStreamer's library, ready. Raises MachineLacks where it is not there."""

    def __init__(self) -> None:
        try:
            self._core = ctypes.CDLL("libgstreamer-1.0.so.0")
            self._app = ctypes.CDLL("libgstapp-1.0.so.0")
        except OSError as error:
            raise MachineLacks(f"pictures of this desktop need GStreamer ({error}): {HOW}") from error
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
            raise MachineLacks(f"GStreamer does not start here: {HOW}")

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
        """A running pipeline, and its element that is named `sink`. Raises MachineLacks."""
        error: Any = POINTER(_Error)()
        made = self._core.gst_parse_launch(pipeline.encode(), byref(error))
        if not made or error:
            reason = error.contents.message.decode(errors="replace") if error else "no reason is given"
            raise MachineLacks(f"GStreamer cannot read this desktop's pictures ({reason}): {HOW}")
        sink = self._core.gst_bin_get_by_name(made, b"sink")
        if self._core.gst_element_set_state(made, PLAYING) == FAILED:
            self.stop(made, sink)
            raise MachineLacks("this desktop's pictures cannot be received from PipeWire: is it running?")
        return made, sink

    def stop(self, pipeline: int, sink: int) -> None:
        """End a pipeline."""
        self._core.gst_element_set_state(pipeline, NULL)
        self._core.gst_object_unref(sink)
        self._core.gst_object_unref(pipeline)

    def pull(self, sink: int, seconds: float) -> Sample | None:
        """The next picture, to be let go of; None when none comes within this time."""
        held = self._pull(sink, int(seconds * SECOND))
        if not held:
            return None
        structure = self._core.gst_caps_get_structure(self._core.gst_sample_get_caps(held), 0)
        width, height = c_int(), c_int()
        self._core.gst_structure_get_int(structure, b"width", byref(width))
        self._core.gst_structure_get_int(structure, b"height", byref(height))
        size = self._core.gst_buffer_get_size(self._core.gst_sample_get_buffer(held))
        return Sample(held, width.value, height.value, size)

    def is_over(self, sink: int) -> bool:
        """Whether no more pictures come."""
        return bool(self._is_over(sink))

    def copy(self, sample: Sample, start: int, where: int, count: int) -> int:
        """Copy bytes of a picture to an address; how many there were."""
        buffer = self._core.gst_sample_get_buffer(sample.held)
        return int(self._core.gst_buffer_extract(buffer, start, where, count))

    def let_go(self, sample: Sample) -> None:
        """Let go of a picture."""
        self._core.gst_mini_object_unref(sample.held)
