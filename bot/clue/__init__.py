"""`sapper clue`: the deduction sheet of a game of Clue, from its log."""

from bot.clue.answering import Answer, Request, answer
from bot.clue.deducing import ORDER, PROVING, Deduced
from bot.clue.files import read_log
from bot.clue.page import MARK, page
from bot.clue.stepping import steps
from bot.clue.text import Paint, Signs, grid, news, solution, suggestions
from bot.clue.watching import saves

__all__ = [
    "MARK",
    "ORDER",
    "PROVING",
    "Answer",
    "Deduced",
    "Paint",
    "Request",
    "Signs",
    "answer",
    "grid",
    "news",
    "page",
    "read_log",
    "saves",
    "solution",
    "steps",
    "suggestions",
]
