"""A recorded game as something to look at: one self-contained HTML page, a picture, or a moving picture."""

from bot.report.drawn import lattice_of, picture_of_board
from bot.report.page import page_of
from bot.report.pictures import write_gif, write_png, write_video
from bot.report.sidebyside import side_by_side
from bot.report.story import Judged, Step, Story, percent, story_of

__all__ = [
    "Judged",
    "Step",
    "Story",
    "lattice_of",
    "page_of",
    "percent",
    "picture_of_board",
    "side_by_side",
    "story_of",
    "write_gif",
    "write_png",
    "write_video",
]
