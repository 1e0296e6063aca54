"""Two ways to guess, compared on one board until they differ (benchmarks/guesser_pairs.py)."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from authored import hook

from benchmarks.guesser_pairs import GuesserMatch, PairedGame, mean_difference, parse_guesser, read_pairs
from benchmarks.kernel_games import HIDDEN, MINE, OPEN, KernelGame, decide, random_layout
from benchmarks.shared import append_log
from bot.simulation.tournament import WinRate
from games.errors import InvalidFile, UsageError
from games.logic import cell_set
from games.minesweeper import Board, Deal, board_knowledge
from strategies.kernels import survey, thread_memory
from strategies.probability.risks import mine_probabilities

WAYS = "quick", "quick:by_risk=1,layouts=0"


def game_of(deal: Deal, first: int = 0, first_click: str = "safe") -> KernelGame:
    game = KernelGame.begin(deal, first, first_click)
    assert game.state[first] == OPEN
    return game


def test_rollout_state_equals_real_game() -> None:
    compared = 0
    for number in range(12):
        game = game_of(Deal.random(9, 9, 14, f"swift/{number}"))
        is_alive = True
        while is_alive and not game.is_won:
            cells, bound, arrays = game.position()
            found = survey(arrays, thread_memory())
            text = [
                "." if shown < 0 else str(shown) for shown in np.where(game.state == OPEN, game.numbers, -1)
            ]
            rows = ["".join(text[9 * row : 9 * row + 9]) for row in range(9)]
            board = Board.parse("\n".join(["mines 14", *rows]))
            real = mine_probabilities(board_knowledge(board), (1 << 81) - 1)
            for k, risk in zip(cells[:bound], found.risks, strict=True):
                assert real.of(int(k)) == pytest.approx(risk, abs=1e-12)
                compared += 1
            opened, mines, _ = decide(parse_guesser("quick"), game)
            game.state[mines] = MINE
            is_alive = game.open(opened)
    assert compared > 150


def test_rollout_layouts_by_likelihood() -> None:
    game = game_of(Deal.random(5, 5, 6, "drawn/2"))
    cells, bound, arrays = game.position()
    risks = np.array(survey(arrays, thread_memory()).risks)
    rng, count = Random(1), 500
    drawn = [random_layout(game, rng) for _ in range(count)]
    is_open = game.state == OPEN
    for mines in drawn:
        assert mines.sum() == 6
        assert (game.graph.numbers(mines)[is_open] == game.numbers[is_open]).all()
    shares = np.mean(drawn, axis=0)[cells[:bound]]
    assert np.abs(shares - risks).max() < 4 * 0.5 / count**0.5  # four standard deviations


def test_rollout_clue_and_total_open_rest() -> None:
    deal = Deal.of(3, 4, cell_set([7]))
    game = game_of(deal, 0, "zero")
    assert [k for k in range(12) if game.state[k] == HIDDEN] == [3, 7, 11]
    opened, mines, is_guess = decide(parse_guesser("quick"), game)
    assert (opened.tolist(), mines.tolist(), is_guess) == ([3, 11], [7], False)
    assert game.open(opened)
    assert game.is_won


def test_paired_games_same_player_no_difference() -> None:
    deals = [Deal.random(9, 9, 14, f"pairs/{number}") for number in range(8)]
    one, other = map(parse_guesser, WAYS)
    same = [GuesserMatch(one, one, "safe", 0, 4).play(game, deal) for game, deal in enumerate(deals)]
    assert all(pair.layouts == 0 and pair.first == pair.second for pair in same)
    pairs = [GuesserMatch(one, other, "safe", 0, 4).play(game, deal) for game, deal in enumerate(deals)]
    back = [GuesserMatch(other, one, "safe", 0, 4).play(game, deal) for game, deal in enumerate(deals)]
    assert any(pair.layouts for pair in pairs)
    assert [pair.difference for pair in pairs] == [-pair.difference for pair in back]


def test_pairs_interval_of_mean() -> None:
    pair = PairedGame(0, 4, 3, 1, 1, 0, 1, 1.0, 1.0)
    none = replace(pair, layouts=0, only_first=0, only_second=0)
    found = mean_difference([pair, none, none, none])
    assert found.rate == 0.5 / 4
    assert found.high - found.rate == pytest.approx(1.96 * 0.25 / 2)  # standard deviation 0.25, four games


def test_pairs_no_difference_upper_bound() -> None:
    none = PairedGame(0, 0, 0, 0, 1, 1, 1, 1.0, 1.0)
    assert mean_difference([none] * 300) == WinRate(0.0, -0.01, 0.01)
    assert mean_difference([none]) == mean_difference([]) == WinRate(0.0, -1.0, 1.0)


def test_pairs_log_is_continued(tmp_path: Path) -> None:
    log, pair = tmp_path / "pairs.jsonl", PairedGame(7, 4, 3, 1, 1, 0, 2, 1.5, 0.25)
    assert read_pairs(log, "these") == {}
    append_log(log, {"run": "these", **asdict(pair)})
    complete = log.read_text()
    log.write_text(complete + '{"run": "the')
    assert read_pairs(log, "these") == {7: pair}
    assert log.read_text() == complete
    with pytest.raises(InvalidFile, match="belongs to another comparison"):
        read_pairs(log, "those")


@pytest.mark.parametrize("way", ["worst", "best:near", "best:nearly=1", "best:near=x"])
def test_pairs_unknown_play_refused(way: str) -> None:
    with pytest.raises(UsageError):
        parse_guesser(way)


def test_paired_games_accept_any_strategy(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    worst_cell = "max(bits(position.openable & ~position.knowledge.true), key=position.risks.get)"
    body = f"worst = {worst_cell}\nreturn [Guess(worst, 1 - position.risks[worst])]"
    file.write_text("from strategies import Guess, bits, hookimpl\n" + hook("guess", body), encoding="utf-8")
    deals = [Deal.random(6, 6, 7, f"any/{number}") for number in range(5)]
    safest, worst = parse_guesser("lowest-risk"), parse_guesser(str(file))
    assert [GuesserMatch(safest, safest, "safe", 0, 4).play(0, deal).layouts for deal in deals] == [0] * 5
    match = GuesserMatch(safest, worst, "safe", 0, 4)
    pairs = [match.play(number, deal) for number, deal in enumerate(deals)]
    assert mean_difference(pairs).rate > 0.2
    with pytest.raises(UsageError, match="it has no guess hook"):
        parse_guesser("single-cell")
