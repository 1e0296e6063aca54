"""Recordings of games: written (`recording`), played again (`replay`), compared with what is read today."""

from bot.recording.comparing import Change, Compared, compare, update
from bot.recording.recording import EVENTS, META, Meta, Recorder, Recording
from bot.recording.replay import replay
from bot.recording.screenshots import compare_picture, update_picture

__all__ = [
    "EVENTS",
    "META",
    "Change",
    "Compared",
    "Meta",
    "Recorder",
    "Recording",
    "compare",
    "compare_picture",
    "replay",
    "update",
    "update_picture",
]
