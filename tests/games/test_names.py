"""Suggestions for misspelled names."""

from __future__ import annotations

import pytest
from said import Sapper, refused

from games.names import did_you_mean


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("xdemineurr", " (did you mean 'xdemineur'?)"),
        ("KMINES", " (did you mean 'KMines'?)"),
        ("SGT", " (did you mean 'sgt-mines'?)"),
        ("solitaire", ""),
        ("", ""),
    ],
)
def test_suggest_nearest_name(word: str, meant: str) -> None:
    assert did_you_mean(word, ["KMines", "xdemineur", "sgt-mines"]) == meant


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("pley", "play"),
        ("new corner-rule", "new-strategy"),
        ("play --program xdemineurr", "xdemineur"),
        ("bench --games 1 --strategy singel-cell", "single-cell"),
        ("bench --games 1 --variant quat", "quad"),
    ],
)
def test_suggest_asks_did_you_mean(words: str, meant: str, sapper: Sapper) -> None:
    refused(sapper(*words.split()), 2, f"(did you mean '{meant}'?)")
