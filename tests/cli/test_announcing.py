"""Slow operations are announced once, quick ones never."""

from __future__ import annotations

import pytest
from waiting import wait_for

from bot.cli.status import announce_if_slow


def test_announce_slow_operation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.status.QUICK", 0.2)
    said: list[str] = []
    with announce_if_slow("looking for a board", said.append):
        pass
    with announce_if_slow("something else", said.append):
        wait_for(lambda: bool(said))
    assert said == ["something else"]
