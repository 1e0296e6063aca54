"""Slow operations are announced once, quick ones never."""

from __future__ import annotations

import pytest
from waiting import wait_for

from bot.cli.status import announce_if_slow


def test_announce_slow_operation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.status.QUICK", 60.0)
    said: list[str] = []
    with announce_if_slow("looking for a board", said.append):
        pass
    monkeypatch.setattr("bot.cli.status.QUICK", 0.01)
    with announce_if_slow("something else", said.append):
        wait_for(lambda: bool(said))
    assert said == ["something else"]
