"""Play series of games on programs that Sapper does not know, and count how many games it starts.

    python -m benchmarks.next_games --half development --log build/next-games.jsonl
    python -m benchmarks.next_games --log build/next-games.jsonl --limit 150 page-emoji FOLDER/*.toml
    python -m benchmarks.next_games --log build/next-games.jsonl --again winemine
    python -m benchmarks.next_games --log build/next-games.jsonl --remark "two shared cores"
    python -m benchmarks.next_games --log build/next-games.jsonl --report

Programs are played in the given order; without any, all known programs and all of `benchmarks/looks`. Each
series is one run of `sapper play --window` on a virtual screen, with nothing stored: Sapper gets the title of
the window and the number of mines, and recognises no program. The halves contain every second program in
alphabetical order, with all its themes. The sealed half is played once, with the finished code.

The log has one JSON object for each series, and for each remark about the run. A program in the log is only
played again with `--again`: then its last series counts, and the page names the others. `--report` writes
docs/results/series.md.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.live_games import SCREEN, STRANGER, LiveSeries, play_undescribed
from benchmarks.shared import LOOK_PROGRAMS, LOOKS, ROOT, append_log, new_parser, read_log
from bot.desktop.virtual import virtual_screen
from bot.play.next_game_actions import FILE
from bot.programs.program import BoardSize, Program
from games.errors import SapperError, UsageError

HEAD = """# Results: series of games

Made by `python -m benchmarks.next_games --report`; do not edit. {date}.

`sapper play --games {games}` on programs that Sapper does not recognise, with nothing stored; at most
{limits} s each (124). In alphabetical order, every second program with all its themes is sealed: played
once, with the finished code. Seconds: median of the won games."""
PAGE = ROOT / "docs" / "results" / "series.md"
GAMES = 5
LIMIT = 240.0  # seconds of a series, unless --limit says otherwise
SMALL = BoardSize(9, 9, 10)
HALVES = "development", "sealed"


def base_name(name: str) -> str:
    """The program of a theme: `gnome` for `gnome-mines-dark`."""
    return name.partition("-")[0]


def half_of(name: str, names: Sequence[str]) -> str:
    """The half that contains this program: every second one is sealed."""
    return HALVES[sorted({base_name(each) for each in names}).index(base_name(name)) % 2]


def board_of(file: str) -> str:
    """A small board, or the default board if that is smaller, or the program has no small board."""
    program = Program.load(file)
    if program.default.columns * program.default.rows < SMALL.columns * SMALL.rows:
        return str(program.default)
    try:
        program.level(SMALL)
    except UsageError:
        return str(program.default)
    return str(SMALL)


def play(file: str, limit: float, keep: Path | None) -> dict[str, Any]:
    """Play one series and return its entry for the log; `keep` receives the recordings."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, board = keep or Path(scratch), board_of(file)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            series = play_undescribed(folder, file, board, GAMES, STRANGER, limit)
        except SapperError as error:  # the program does not start
            series = LiveSeries((), error.exit_code, str(error))
        (folder / "stderr").write_text(series.stderr, encoding="utf-8")
        memory = next(folder.glob(f"data/**/{FILE}"), None)
        paths = json.loads(memory.read_text()).values() if memory is not None else ()
        last = series.stderr.strip().splitlines()[-1:]
        return {
            "date": time.strftime("%Y-%m-%d"),
            "board": board,
            "limit": limit,
            "seconds": [round(float(game["seconds"]), 1) for game in series.games],
            "results": [game["result"] for game in series.games],
            "known": [game["known"] for game in series.games],
            "wrong_certain": sum(int(game["wrong_certain"]) for game in series.games),
            "code": series.code,
            "why": last[0] if series.code and last else "",
            "path": [[each["key"] or f"{each['kind']} {each['side']}" for each in path] for path in paths],
        }


def started(entry: Mapping[str, Any]) -> tuple[int, int]:
    """The number of next games that began, and of the attempts to start one."""
    games = len(entry["results"])
    ended = games - (games > 0 and entry["results"][-1] == "stopped")
    return max(games - 1, 0), max(games - 1, min(ended, GAMES - 1))


def seconds_of(entry: Mapping[str, Any]) -> str:
    """The median time of the won games; "" if there is none."""
    pairs = zip(entry["results"], entry["seconds"], strict=True)
    times = [seconds for result, seconds in pairs if result == "won"]
    return f"{statistics.median(times):.1f}" if times else ""


def results_of(entry: Mapping[str, Any]) -> str:
    """The number of games with each result, such as `4 won, 1 lost`."""
    return ", ".join(f"{count} {result}" for result, count in Counter(entry["results"]).items()) or "none"


def end_of(entry: Mapping[str, Any]) -> str:
    """The exit code and the problem of a series that was stopped; otherwise the actions between its games."""
    if entry["code"]:
        return f"({entry['code']}) {entry['why'].removeprefix('sapper: ').partition(': ')[0]}"
    return "; ".join(" + ".join(path) for path in entry["path"]) or "started by itself"


def page(log: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """The page with the remarks and all programs of a log; `names` are all that can be played."""
    series = [each for each in log if "program" in each]
    last = {str(each["program"]): each for each in series}
    entries = [last[name] for name in sorted(last)]
    limits = sorted({float(each.get("limit", LIMIT)) for each in entries})
    most = " or ".join(f"{limit:.0f}" for limit in limits)
    lines = [HEAD.format(date=max(each["date"] for each in entries), games=GAMES, limits=most)]
    remarks = [f"- {each['remark']}" for each in log if "remark" in each]
    remarks += [
        f"- again: {each['program']}, before: {results_of(each)}; {end_of(each)}"
        for each in series
        if each is not last[str(each["program"])]
    ]
    lines += ["\nRemarks on this run:\n", *remarks] if remarks else []
    for half in HALVES:
        chosen = [each for each in entries if each["half"] == half]
        pairs = [started(each) for each in chosen]
        began, asked = (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
        full = sum(each["code"] == 0 for each in chosen)
        lines.append(
            f"\n## {half.capitalize()} half\n\n{len(chosen)} programs and themes, {full} played all games; "
            f"{began} of {asked} next games began; certain moves on a mine: "
            f"{sum(each['wrong_certain'] for each in chosen)}.\n\n"
            "| program | results | seconds | next games | actions, or the message |\n|---|---|---|---|---|"
        )
        for entry, (one, all_of) in zip(chosen, pairs, strict=True):
            cells = (
                str(entry["program"]),
                results_of(entry),
                seconds_of(entry),
                f"{one}/{all_of}",
                end_of(entry),
            )
            lines.append(f"|{'|'.join(cells)}|")
    missing = sorted({*names} - {str(each["program"]) for each in entries})
    lines += ["", f"Not played: {len(missing)} other themes of these programs."] if missing else []
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the programs that are not in the log, or write the page."""
    parser = new_parser(__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--half", choices=HALVES, help="play only this half")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of a series")
    parser.add_argument("--again", action="store_true", help="also play programs that are in the log")
    parser.add_argument("--keep", type=Path, help="keep recordings in this folder")
    parser.add_argument("--remark", metavar="TEXT", help="add a remark about the run, and play nothing")
    parser.add_argument("--report", action="store_true", help="write the page, and play nothing")
    options = parser.parse_args(arguments)
    log = read_log(options.log)
    os.environ["PATH"] += os.pathsep + str(LOOK_PROGRAMS)
    ours = {name: name for name in Program.names()} | {each.stem: str(each) for each in LOOKS.glob("*.toml")}
    if options.remark:
        append_log(options.log, {"remark": options.remark})
        return 0
    if options.report:
        PAGE.write_text(page(log, [*ours]), encoding="utf-8")
        return 0
    files = {Path(each).stem: ours.get(each, each) for each in options.programs} or ours
    everything = [*ours] if {*files} <= {*ours} else [*files]
    done = set() if options.again else {entry.get("program") for entry in log}
    width, height = map(int, SCREEN.split("x"))
    with virtual_screen(width, height, window_manager=True):
        for name in files:
            half = half_of(name, everything)
            if name not in done and options.half in (None, half):
                keep = options.keep and options.keep / f"{name}-{time.strftime('%H%M%S')}"
                entry = {"program": name, "half": half, **play(files[name], options.limit, keep)}
                append_log(options.log, entry)
                print(entry, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
