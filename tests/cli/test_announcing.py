"""What takes a while is named, and what does not is not."""

from __future__ import annotations

import pytest
from waiting import wait_for

from bot.cli import status as announcing
from bot.cli.status import announce_if_slow


def test_busy_slow_step_announced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "QUICK", 0.01)
    said: list[str] = []
    with announce_if_slow("looking for a board", said.append):
        wait_for(lambda: bool(said))
    assert said == ["looking for a board"]


def test_busy_quick_step_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcing, "QUICK", 60.0)
    said: list[str] = []
    with announce_if_slow("looking for a board", said.append):
        pass
    monkeypatch.setattr(announcing, "QUICK", 0.01)
    with announce_if_slow("something else", said.append):
        wait_for(lambda: bool(said))
    assert said == ["something else"]
