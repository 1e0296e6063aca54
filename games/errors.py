"""The one error tree of Sapper, split by who must act.

`RetryableError`: the program may look once more.  `GameStopped`: the game cannot go on.  `UserError`: a
person must change something.  Every leaf carries the exit code that the command line documents, and its message is one
line: what happened, then what to do about it.
"""

from __future__ import annotations

from typing import ClassVar


class SapperError(Exception):
    """Anything that Sapper knows how to explain. `exit_code` is the process's exit code.

    `made` says how many moves of a sweep had been made when it broke off.
    """

    exit_code: ClassVar[int] = 1
    made: int = 0


class ReplayMismatch(SapperError):
    """A replay came to another reading, plan or act than was recorded (exit 1)."""


# --- read again ----------------------------------------------------------------------------------------


class RetryableError(SapperError):
    """The picture may be better in a moment; after a bounded number of tries the game stops (exit 4)."""

    exit_code = 4


class ImageUnsettled(RetryableError):
    """The picture did not stop changing within the time allowed."""


class InconsistentReading(RetryableError):
    """What was read cannot be a board, or cannot follow from the reading before it."""


# --- the game cannot go on -----------------------------------------------------------------------------


class GameStopped(SapperError):
    """The game cannot go on."""

    exit_code = 4


class BoardNotFound(GameStopped):
    """No board in the picture (exit 3)."""

    exit_code = 3


class AmbiguousBoard(GameStopped):
    """More than one board in the picture, and nothing says which one is meant (exit 3)."""

    exit_code = 3


class BoardUnplayable(GameStopped):
    """A board that cannot be played: unreadable, clipped, covered, moved, or acts do not show (exit 4)."""


class ResultUnknown(BoardUnplayable):
    """The game is over, and nothing shows how it ended (exit 4); the next one can be played."""


class Interrupted(GameStopped):
    """A person or the fail-safe stopped the game (exit 5)."""

    exit_code = 5


class ProgramExited(GameStopped):
    """The program under play went away (exit 6)."""

    exit_code = 6


# --- a person must change something --------------------------------------------------------------------


class UserError(SapperError):
    """Something that only the person at the keyboard can put right."""

    exit_code = 2


class UsageError(UserError):
    """The command's words do not fit together (exit 2)."""


class InvalidFile(UserError):
    """A file is missing, damaged or not of its kind (exit 7)."""

    exit_code = 7


class Contradiction(InvalidFile):
    """Constraints that cannot all hold; `sources` names them as closely as is known (exit 7)."""

    def __init__(self, message: str, sources: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.sources = sources


class MissingRequirement(UserError):
    """This machine lacks something that is needed; the message says how to get it (exit 8)."""

    exit_code = 8
