"""Where the command of a known program is."""

from __future__ import annotations

import os
import shutil

GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # where Debian keeps games; not in every PATH


def find_program(command: str) -> str | None:
    """Where a command is, in PATH or where distributions keep games; None when it is not installed."""
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_FOLDERS])
    return shutil.which(command, path=folders)
