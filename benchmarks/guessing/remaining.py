"""How much better guesses could still win: the candidates of `best`, played out on the same layouts.

    python benchmarks/guessing/remaining.py --first-click zero --games 200 --out build/remaining.jsonl

Plays games with `best`. At a share of the guesses that are not solved to their end the candidates that it
likes most are opened on layouts drawn at random, and `quick` plays on. Printed is what choosing by so many
layouts would win more in a game, judged on other layouts (no more than the best choice wins), and on the same
ones (no less): what one better step at every guess brings is between the two.

With `--out` a line is kept for every guess, and a run is gone on with. Play is that of swift.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from decisions import HIT, LOST, WON, Candidate, Decision, gain_per_game, read
from loops import MINE, WINS, compiled_loops
from swift import Game

from bot.show.board_text import ProgressBar
from bot.simulation.boards import first_click_cell
from games.errors import SapperError, UsageError
from games.minesweeper import LEVELS, Deal
from strategies.builtin import best, quick
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE, PROGRESS, SCORE, SECOND
from strategies.compiled.guessing.choosing import PLAYED, SAFE, WEIGHED
from strategies.compiled.kernels import kernels
from strategies.compiled.tables import Floats, Ints
from strategies.guesser import layout_marks

Letters: TypeAlias = npt.NDArray[np.str_]
MOST = 6  # candidates of a guess
SIFTED = 48  # layouts for all of them
FAR = 3.0  # standard errors behind the leader: then it is left out
COUNTS = 32, 64, 128  # of layouts to choose by


def main() -> int:
    """Play what is missing, print what came out; the exit code."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seed", default="remaining", help="of the boards")
    words.add_argument("--first-click", choices=("safe", "zero"), default="zero")
    words.add_argument("--games", type=int, default=20)
    words.add_argument("--share", type=float, default=1.0, help="of the guesses that are looked at")
    words.add_argument("--layouts", type=int, default=256, help="for each guess")
    words.add_argument("--out", type=Path, help="a table to keep, and to go on with")
    words.add_argument("--json", action="store_true", help="one object, and nothing else, on stdout")
    asked = words.parse_args()
    try:
        if asked.games < 1 or asked.layouts < 2 or not 0.0 < asked.share <= 1.0:
            raise UsageError(
                "take 1 or more with --games, 2 or more with --layouts, more than 0 with --share"
            )
        look_at(asked)
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


def look_at(asked: argparse.Namespace) -> None:
    """What was asked for. Raises SapperError."""
    decisions = read(asked.out) if asked.out else []
    first = max((decision.game for decision in decisions), default=-1)  # its last guesses may be missing
    decisions = [decision for decision in decisions if decision.game < first]
    if asked.out:
        asked.out.write_text("".join(decision.line + "\n" for decision in decisions), encoding="utf-8")
    compiled_loops()
    with ProgressBar("games") as progress:
        for game in range(max(first, 0), asked.games):
            for decision in decisions_of(game, asked):
                decisions.append(decision)
                if asked.out:
                    with asked.out.open("a", encoding="utf-8") as table:
                        table.write(decision.line + "\n")
            progress.at(game + 1, asked.games, f"{len(decisions)} guesses")
    print_result(asked, [decision for decision in decisions if decision.game < asked.games])


def print_result(asked: argparse.Namespace, decisions: list[Decision]) -> None:
    """Print what came out."""
    for count in (count for count in COUNTS if 2 * count <= asked.layouts - SIFTED):
        gains = [decision.gain(count) for decision in decisions]
        fair, fooled = (
            gain_per_game(decisions, [gain[part] for gain in gains], asked.games, asked.share)
            for part in (0, 1)
        )
        if asked.json:
            print(json.dumps({"layouts": count, "guesses": len(decisions), "fair": fair.rate,
                              "low": fair.low, "high": fair.high, "fooled": fooled.rate}))  # fmt: skip
            continue
        half = 100 * (fair.high - fair.rate)
        print(
            f"chosen by {count} layouts: {100 * fair.rate:+.2f} ± {half:.2f} points a game on others, "
            f"{100 * fooled.rate:+.2f} on the same ({len(decisions):,} guesses of {asked.games:,} games)"
        )


def decisions_of(game: int, asked: argparse.Namespace) -> Iterator[Decision]:
    """The guesses of a game that are looked at. Raises MachineLacks."""
    rows, columns, mines = LEVELS["expert"]
    inset = 0 if asked.first_click == "safe" else 3
    start = first_click_cell(f"r{inset}c{inset}", rows, columns, mines, asked.first_click)
    assert start is not None
    deal = Deal.random(rows, columns, mines, f"{asked.seed}/{asked.first_click}/{game}")
    under_way, rng, number, alive = Game.begun(deal, start, asked.first_click), Random(game), 0, True
    while alive and not under_way.is_won:
        cells, field = under_way.field()
        figures = np.zeros((len(cells), FIGURES), np.float64)
        loops = kernels()
        settings = best.SETTINGS
        way, chosen = loops["choose"](field, settings.floats, layout_marks(settings), loops.tables, figures)
        under_way.state[cells[figures[:, IS_SAFE] == 0.0]] = MINE
        if way == SAFE:
            alive = under_way.open(cells[figures[:, IS_SAFE] == 1.0])
            continue
        number += 1
        if way in (WEIGHED, PLAYED) and rng.random() < asked.share:
            candidates = played_out(under_way, cells, field.bound, figures, chosen, asked.layouts, rng)
            size = loops["survey"](field, loops.tables).size
            state = "".join(map(str, under_way.state.tolist()))
            yield Decision(game, asked.first_click, number, int(way), size, state, SIFTED, candidates)
        alive = under_way.open(cells[chosen : chosen + 1])


def played_out(
    game: Game, cells: Ints, bound: int, figures: Floats, chosen: int, layouts: int, rng: Random
) -> tuple[Candidate, ...]:
    """The candidates with the best scores and the safest cell, each played on from; the chosen one first."""
    order = np.lexsort((-figures[:, IS_SAFE], -figures[:, SCORE])).tolist()
    taken = [chosen, *(k for k in order[:MOST] if k != chosen and figures[k, SCORE] > 0.0)][:MOST]
    safest = int(np.argmax(figures[:, IS_SAFE]))
    taken += [safest] if safest not in taken else []
    sifting = came_of(game, cells[taken], SIFTED, rng)
    wins = np.char.isalpha(sifting) & (sifting != HIT)
    leader = int(np.argmax(wins.sum(1)))
    behind = wins[leader].astype(float) - wins
    far = behind.mean(1) > FAR * behind.std(1) / SIFTED**0.5
    rivals = [i for i in range(len(taken)) if i == 0 or not far[i]]
    further = came_of(game, cells[[taken[i] for i in rivals]], layouts - SIFTED, rng)
    played = {i: "".join(sifting[i]) for i in range(len(taken))}
    for row, i in enumerate(rivals):
        played[i] += "".join(further[row])
    return tuple(
        Candidate(int(cells[k]), k < bound, *figures_of(figures[k]), played[i]) for i, k in enumerate(taken)
    )


def figures_of(row: Floats) -> tuple[float, float, float, float]:
    """The figures of a cell that a table keeps."""
    safe, score, second, progress = (round(float(row[c]), 6) for c in (IS_SAFE, SCORE, SECOND, PROGRESS))
    return safe, score, second, progress


def came_of(game: Game, opened: Ints, layouts: int, rng: Random) -> Letters:
    """A letter for each cell and each layout."""
    chances = np.random.default_rng(rng.getrandbits(64)).random((layouts, len(game.state) + 1))
    grid, settings = game.grid, quick.SETTINGS
    found = compiled_loops()["play_out"](
        game.state, game.numbers, grid.start, grid.members, grid.mines, opened, chances, settings.floats,
        layout_marks(settings), kernels().tables,
    )  # fmt: skip
    letters = np.array([*LOST, *"?" * (WINS - len(LOST)), *WON, *"?" * (WINS - len(WON)), HIT])
    named: Letters = letters[found]
    return named


if __name__ == "__main__":
    sys.exit(main())
