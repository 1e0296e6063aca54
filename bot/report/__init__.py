"""A recorded game as something to look at: one self-contained HTML page, a picture, or a moving picture."""

from bot.report.page import page_of
from bot.report.pictures import write_gif, write_png, write_video
from bot.report.story import Step, Story, story_of

__all__ = ["Step", "Story", "page_of", "story_of", "write_gif", "write_png", "write_video"]
