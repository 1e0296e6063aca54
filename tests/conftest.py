"""What several test files share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.desktop import Desktop, open_desktop


@pytest.fixture(scope="session")
def desktop() -> Iterator[Desktop]:
    """One virtual screen for the whole test process: pyautogui opens its display once and never lets go."""
    with open_desktop(virtual=True, size=(1280, 900)) as opened:
        yield opened
