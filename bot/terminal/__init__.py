"""What a terminal shows: boards as text in colour (`drawing`), `progress`, a game while it is `playing`."""

from bot.terminal.drawing import drawn, percent
from bot.terminal.progress import RunProgress

__all__ = ["RunProgress", "drawn", "percent"]
