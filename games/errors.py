"""Sapper's exceptions, grouped by who must act.

`RetryableError`: Sapper may capture the screen again. `GameStopped`: the game cannot continue. `UserError`:
the user must change something. Each class has the exit code documented for the command line. Messages are one
line: problem, colon, remedy.
"""

from __future__ import annotations

from typing import ClassVar


class SapperError(Exception):
    """Base class. `exit_code` is the exit code of the process.

    `made` is the number of moves of a sweep that were made before the error.
    """

    exit_code: ClassVar[int] = 1
    made: int = 0


class ReplayMismatch(SapperError):
    """A reading, plan or act of a replay differs from the recording (exit 1)."""


# --- read again ----------------------------------------------------------------------------------------


class RetryableError(SapperError):
    """The next frame may be readable; after a limited number of attempts the game stops (exit 4)."""

    exit_code = 4


class ImageUnsettled(RetryableError):
    """The image did not stop changing within the time allowed."""


class InconsistentReading(RetryableError):
    """The reading is not a possible board, or contradicts the previous reading."""


# --- the game cannot continue --------------------------------------------------------------------------


class GameStopped(SapperError):
    """The game cannot continue."""

    exit_code = 4


class BoardNotFound(GameStopped):
    """No board in the image (exit 3)."""

    exit_code = 3


class AmbiguousBoard(GameStopped):
    """Several boards in the image, none of them selected (exit 3)."""

    exit_code = 3


class BoardUnplayable(GameStopped):
    """The board is unreadable, clipped, covered, moved or unresponsive (exit 4)."""


class ResultUnknown(BoardUnplayable):
    """The game is over, but its result is not visible (exit 4); the next game can be played."""


class Interrupted(GameStopped):
    """The user or the fail-safe stopped the game (exit 5)."""

    exit_code = 5


class ProgramExited(GameStopped):
    """The Minesweeper program or the display went away (exit 6)."""

    exit_code = 6


# --- the user must change something --------------------------------------------------------------------


class UserError(SapperError):
    """An error that only the user can correct."""

    exit_code = 2


class UsageError(UserError):
    """Invalid command-line options or arguments (exit 2)."""


class ArgumentError(UsageError, ValueError):
    """A caller in Python passed a wrong value (exit 2)."""


class InvalidFile(UserError):
    """A file is missing, damaged or of the wrong type (exit 7)."""

    exit_code = 7


class Contradiction(InvalidFile):
    """The constraints are unsatisfiable; `sources` names those involved, as precisely as known (exit 7)."""

    def __init__(self, message: str, sources: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.sources = sources


class MissingRequirement(UserError):
    """A program or library is missing; the message says how to install it (exit 8)."""

    exit_code = 8
