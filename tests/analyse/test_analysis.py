"""Analyses for the page: certain cells, risks, guesses, proofs, lessons and quizzes."""

from __future__ import annotations

import pytest

from bot.analyse.analysis import BoardAnalyser
from games.errors import InvalidFile, UsageError
from games.minesweeper import Board
from strategies import load_strategies

CORNER = Board.parse("mines 2\n1F..\n12..\n01..\n01..")


@pytest.fixture(scope="module")
def analyser() -> BoardAnalyser:
    return BoardAnalyser(load_strategies())


def test_analysis_names_cells_and_conflicts(analyser: BoardAnalyser) -> None:
    found = analyser.analysis(Board.parse("mines 2\n1...\n12..\n01..\n01.."))
    assert (found["mine"], found["safe"]) == ([1, 10], [2, 3, 6, 7, 11, 14, 15])
    assert found["risks"] == found["guesses"] == []
    assert found["apart"] == [3, 7, 11, 15]
    assert analyser.analysis(Board.parse("mines 2\n1.F.\n12..\n01..\n01.."))["wrong"] == [2]
    found = analyser.analysis(Board.parse("1.\n.2"))
    assert "r0c0 = 1" in found["contradiction"]
    assert found["clues"] == [0, 3]


def test_analysis_without_certain_cells_ranks_guesses(analyser: BoardAnalyser) -> None:
    found = analyser.analysis(Board.parse("mines 1\n1.\n.."))
    assert found["safe"] == found["mine"] == []
    assert dict(found["risks"])[1] == pytest.approx(1 / 3, abs=1e-3)
    assert [guess["safe"] for guess in found["guesses"]] == [pytest.approx(2 / 3, abs=1e-3)] * 3
    assert [guess["why"] == "" for guess in found["guesses"]] == [True, False, False]


def test_reason_certain_cell_has_proof(analyser: BoardAnalyser) -> None:
    found = analyser.reason(CORNER, 10)
    assert (found["answer"], found["mine"], found["status"]) == ("r2c2", True, "proved")
    assert found["sentences"]
    assert set(found["clues"]) <= {0, 4, 5, 8, 9, 12, 13}


def test_reason_open_cell_has_two_layouts(analyser: BoardAnalyser) -> None:
    board = Board.parse("1..\n...")
    mine, safe = analyser.reason(board, 1)["layouts"]
    assert (mine[1], safe[1]) == ("*", "-")
    assert analyser.reason(board, 0)["status"] == "number"
    with pytest.raises(InvalidFile, match="not on this board"):
        analyser.reason(board, 6)


def test_lesson_decides_every_certain_cell(analyser: BoardAnalyser) -> None:
    found = analyser.analysis(CORNER)
    steps = analyser.lesson(CORNER)
    assert all(step["clues"] for step in steps)
    assert {k for step in steps for k in step["cells"]} == {*found["safe"], *found["mine"]}


def test_quiz_positions_need_the_strategy(analyser: BoardAnalyser) -> None:
    with pytest.raises(UsageError, match="use one of"):
        analyser.quiz("magic", (6, 6, 6), 2, "seed")
    questions = analyser.quiz("set-rules", (6, 6, 6), 2, "seed")
    assert len(questions) == 2
    cheaper = BoardAnalyser([each for each in analyser.strategies if each.name == "single-cell"])
    for question in questions:
        board = Board.parse(question["text"])
        assert cheaper.analysis(board)["safe"] == []
        found = analyser.analysis(board)
        assert question["cell"] in found["mine" if question["mine"] else "safe"]
        assert question["sentences"]
