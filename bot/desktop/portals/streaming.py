"""The latest picture of a screen that PipeWire streams; a new one comes only when something changes."""

from __future__ import annotations

import threading
import time

import numpy as np
from numpy.typing import NDArray

from bot.closing import Closing
from bot.desktop.portals.gstreamer import GStreamer, Sample
from games.errors import MachineLacks

LATE = 10.0  # seconds that a desktop gets to send its first picture
WAKES = 0.2  # seconds between two looks whether the stream is to end
PIXEL = 4  # bytes: blue, green, red, and one that says nothing
PIPELINE = (
    "pipewiresrc fd={descriptor} path={node} always-copy=true ! videoconvert ! video/x-raw,format=BGRx "
    "! appsink name=sink max-buffers=4 drop=true sync=false"
)


class Stream(Closing):
    """Receives the pictures of one PipeWire node; the descriptor of the connection is its own from now on.

    Raises MachineLacks when GStreamer is not there or the stream cannot be received.
    """

    def __init__(self, node: int, descriptor: int) -> None:
        self._library = GStreamer()
        self._pipeline, self._sink = self._library.start(
            PIPELINE.format(node=int(node), descriptor=int(descriptor))
        )
        self._latest: Sample | None = None
        self._is_ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._receive, name="pictures", daemon=True)
        self._thread.start()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its pictures, pixels. Raises MachineLacks where none comes."""
        with self._changed:
            latest = self._there()
            return latest.width, latest.height

    def rows(self, top: int, bottom: int) -> NDArray[np.uint8]:
        """These rows of the latest picture: rows, columns, blue green red and a byte that says nothing.

        Rows beyond its edges are left out. Raises MachineLacks where no picture comes.
        """
        with self._changed:
            latest = self._there()
            top, bottom = max(0, top), min(bottom, latest.height)
            stride = latest.size // latest.height
            rows = np.zeros((max(0, bottom - top), stride), np.uint8)
            self._library.copy(latest, top * stride, rows.ctypes.data, rows.size)
        return rows[:, : latest.width * PIXEL].reshape(-1, latest.width, PIXEL)

    def _there(self) -> Sample:
        """The latest picture, waited for where it is the first. Raises MachineLacks."""
        deadline = time.monotonic() + LATE
        while self._latest is None and time.monotonic() < deadline:
            self._changed.wait(WAKES)
        if self._latest is None or self._is_ended or self._library.is_over(self._sink):
            what = "sends no pictures" if self._latest is None else "has stopped sending pictures"
            raise MachineLacks(f"this desktop {what} of the shared screen: start again")
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
                self._library.let_go(sample)
                continue
            self._changed_to(sample)

    def _changed_to(self, sample: Sample | None) -> None:
        with self._changed:
            before, self._latest = self._latest, sample or self._latest
            if before is not None and sample is not None:
                self._library.let_go(before)
            self._changed.notify_all()

    def close(self) -> None:
        """Receive no more; a second time does nothing."""
        if self._is_ended:
            return
        self._is_ended = True
        self._thread.join()
        if self._latest is not None:
            self._library.let_go(self._latest)
        self._library.stop(self._pipeline, self._sink)
