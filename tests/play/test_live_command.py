"""`sapper play` on a virtual screen: output, dry run, skins, missing requirements."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from said import Said, refused, run_sapper

pytestmark = pytest.mark.live


def sapper(*words: str, **environment: str) -> Said:
    return run_sapper(*words, env=os.environ | environment)


def test_play_16_bit_screen_tested_and_played(tmp_path: Path) -> None:
    from pyvirtualdisplay.display import Display

    with Display(visible=False, size=(1280, 900), color_depth=16, manage_global_env=False) as display:
        here = {"DISPLAY": display.new_display_var, "XAUTHORITY": str(tmp_path / "none")}
        tried = sapper("doctor", "--try", "--backend", "x11", "--json", **here)
        played = sapper(
            "play", "--program", "xdemineur", "--size", "16x16", "--backend", "x11", "--json", **here
        )
    assert tried.printed
    assert [each["there"] for each in tried.objects if each["what"].startswith("screen ")] == [True]
    game = json.loads(played.printed)
    assert (game["result"] in ("won", "lost"), game["wrong_certain"]) == (True, 0)


def test_play_dry_run_clicks_nothing() -> None:
    done = sapper("play", "--program", "xdemineur", "--size", "12x9", "--virtual", "--dry-run", "--json")
    plan = json.loads(done.printed)
    assert len(plan["board"]) == 9
    assert plan["moves"]
    assert plan["certain"] or plan["guess"]


def test_play_virtual_without_xvfb_exit_code_8(tmp_path: Path) -> None:
    done = sapper("play", "--program", "xdemineur", "--virtual", PATH=str(tmp_path), DISPLAY="")
    refused(done, 8, "xvfb")


def test_play_unknown_theme_learns_skin(tmp_path: Path) -> None:
    done = sapper(
        "play", "--program", "sgt-mines", "--size", "9x9", "--mines", "10", "--virtual", "--games", "2",
        "--json", "--skins", str(tmp_path / "skins"), "--record", str(tmp_path / "games"),
    )  # fmt: skip
    assert done.printed
    games = done.objects
    assert [(game["result"] in ("won", "lost"), game["wrong_certain"]) for game in games] == [(True, 0)] * 2
    assert {path.name for path in (tmp_path / "games").iterdir()} == {"sgt-mines-001", "sgt-mines-002"}
    assert [path.name for path in (tmp_path / "skins").iterdir()] == ["sgt-mines-learned.skin"]
    assert sapper("replay", *map(str, (tmp_path / "games").iterdir())).printed


HOSTILE = """
import os
from strategies import hookimpl

print('{"result": "won"}')


@hookimpl
def deduce(knowledge):
    print('{"result": "won"}')
    object.__setattr__(knowledge, "false", knowledge.universe)
    return []


@hookimpl
def guess(position):
    os._exit(0)
"""


def test_play_hostile_strategy_is_quarantined(tmp_path: Path) -> None:
    (tmp_path / "hostile.py").write_text(HOSTILE)
    play = ("play", "--program", "xdemineur", "--virtual", "--json", "--games", "2")
    done = sapper(*play, "--strategy", str(tmp_path / "hostile.py"))
    assert done.printed
    assert [result["result"] in {"won", "lost"} for result in done.objects] == [True, True]
    for result in done.objects:
        assert result["wrong_certain"] == 0
        assert result["strategies"][0] == "hostile"
        (fault,) = result["faults"]
        assert f"hostile is quarantined for this game: {tmp_path}/hostile.py, line " in fault
        assert "it changed what it was given; the built-in strategies deduce instead" in fault
    assert done.err.count('{"result": "won"}') >= 3
