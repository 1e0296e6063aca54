"""The command line: the one place where the rooms are wired together."""

from bot.cli.main import main

__all__ = ["main"]
