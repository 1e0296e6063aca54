"""A played game reviewed: from a recording, a video, screenshots or a replay file to a verdict on every move.

`sources` bring every kind of file into the form of a recording; `game` and `moves` say what was done between
two boards, `judging` what that was worth, `figures` what the game came to; `reviewing` puts it together.
"""

from bot.review.figures import BoardFigures
from bot.review.index import index_of, luck
from bot.review.keeping import kept, note_total
from bot.review.page import page_of_review, table
from bot.review.reviewing import Review, review
from bot.review.totals import totals_of
from bot.review.wording import said

__all__ = [
    "BoardFigures",
    "Review",
    "index_of",
    "kept",
    "luck",
    "note_total",
    "page_of_review",
    "review",
    "said",
    "table",
    "totals_of",
]
