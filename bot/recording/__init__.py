"""Recordings of games: what they hold (`meta`), written and read, played again (`replay`) and compared."""

from bot.recording.comparing import Change, Compared, compare, update
from bot.recording.meta import EVENTS, META, Meta
from bot.recording.reading import Recording
from bot.recording.replay import replay
from bot.recording.screenshots import compare_picture, update_picture
from bot.recording.writing import Recorder

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
