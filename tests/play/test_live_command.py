"""`sapper play` on a virtual screen: output, dry run, skins, missing requirements."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.live


def sapper(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_play_json_one_line_per_game(tmp_path: Path) -> None:
    done = sapper(
        "play", "--program", "sgt-mines", "--size", "9x9", "--mines", "10", "--virtual", "--games", "2",
        "--json", "--record", str(tmp_path),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [game["result"] for game in games] == ["won", "won"]
    assert {path.name for path in tmp_path.iterdir()} == {"sgt-mines-001", "sgt-mines-002"}
    assert sapper("replay", *map(str, tmp_path.iterdir())).returncode == 0


def test_play_16_bit_screen_tested_and_played(tmp_path: Path) -> None:
    from pyvirtualdisplay.display import Display

    with Display(visible=False, size=(1280, 900), color_depth=16, manage_global_env=False) as display:
        here = {"DISPLAY": display.new_display_var, "XAUTHORITY": str(tmp_path / "none")}
        tried = sapper("doctor", "--try", "--backend", "x11", "--json", **here)
        played = sapper(
            "play", "--program", "xdemineur", "--size", "16x16", "--backend", "x11", "--json", **here
        )
    assert tried.returncode == 0, tried.stderr
    found = [json.loads(line) for line in tried.stdout.splitlines()]
    assert [each["there"] for each in found if each["what"].startswith("screen ")] == [True]
    assert played.returncode == 0, played.stderr
    game = json.loads(played.stdout)
    assert (game["result"] in ("won", "lost"), game["wrong_certain"]) == (True, 0)


def test_play_dry_run_clicks_nothing() -> None:
    done = sapper("play", "--program", "xdemineur", "--size", "12x9", "--virtual", "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert len(plan["board"]) == 9
    assert plan["moves"]
    assert plan["certain"] or plan["guess"]


def test_play_virtual_without_xvfb_exit_code_8(tmp_path: Path) -> None:
    done = sapper("play", "--program", "xdemineur", "--virtual", PATH=str(tmp_path), DISPLAY="")
    assert (done.returncode, done.stdout) == (8, "")
    assert "xvfb" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_play_unknown_theme_learns_skin(tmp_path: Path) -> None:
    done = sapper(
        "play", "--program", "sgt-mines", "--size", "9x9", "--mines", "10", "--virtual", "--games", "2",
        "--json", "--skins", str(tmp_path / "skins"), "--record", str(tmp_path / "games"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(game["result"] in ("won", "lost"), game["wrong_certain"]) for game in games] == [(True, 0)] * 2
    assert [path.name for path in (tmp_path / "skins").iterdir()] == ["sgt-mines-learned.skin"]
    assert sapper("replay", *map(str, (tmp_path / "games").iterdir())).returncode == 0


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
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["result"] in {"won", "lost"} for result in results] == [True, True]
    for result in results:
        assert result["wrong_certain"] == 0
        assert result["strategies"][0] == "hostile"
        (fault,) = result["faults"]
        assert f"hostile is quarantined for this game: {tmp_path}/hostile.py, line " in fault
        assert "it changed what it was given; the built-in strategies deduce instead" in fault
    assert done.stderr.count('{"result": "won"}') >= 3
