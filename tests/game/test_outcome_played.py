"""How games end in the player's loop: misread mines, covered boards, dialogs of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tables import FixedProbe, Heard, Table, field_of, player

from bot.game.outcome import GameResult
from bot.game.player import Player
from bot.game.types import BoardState, BoardStatus, GameRules
from games.errors import BoardUnplayable, ResultUnknown
from games.logic import bits
from games.minesweeper import FLAG, HIDDEN, UNKNOWN, Board, Minefield, Move
from vision.reading import Reading

RULES = GameRules(None, "none", "open")


def play(table: Table, rules: GameRules = RULES) -> tuple[GameResult, Heard]:
    notes = Heard()
    return player(table, rules, notes).play(), notes


def two_mines() -> Minefield:
    """Two mines next to a 2; the 1 below it narrows them down."""
    field = field_of("*.*\n...", opened=[1, 3])
    assert field.board == Board.parse("mines 2\n.2.\n1..")
    return field


def misread(only_in_play: bool) -> Callable[[int, Board], Board]:
    """The 2 is read as a 1, so the right mine looks safe."""
    return lambda _, board: board if only_in_play and board.shown_mines else board.with_states({1: "1"})


@pytest.mark.parametrize("only_in_play", [True, False])
def test_outcome_misread_number_counts_wrong_certain(only_in_play: bool) -> None:
    result, notes = play(Table(two_mines(), misread(only_in_play)))
    assert not notes.plans[0].guess
    assert (result.result, result.wrong_certain) == ("lost", 1)
    assert notes.notes == (["corrected: r0c1 was read as 1"] if only_in_play else [])


def test_outcome_mine_opened_by_user_not_counted() -> None:
    field = field_of("*..\n...\n...", opened=[1])  # the bottom row is safe

    def meddle(act: int, move: Move) -> bool:  # just before the first move
        field.play([Move("open", 0)])
        return False

    result, notes = play(Table(field, lose=meddle), GameRules(1, "none", "open"))
    assert not notes.plans[0].guess
    assert (result.result, result.wrong_certain) == ("lost", 0)


def test_outcome_brief_mine_is_no_loss() -> None:
    def flash(look: int, board: Board) -> Board:
        return board.with_states({4: "*"}) if look == 2 else board

    field = field_of("*....\n.....\n.....\n.....", win_needs="flags", opened=[19])
    assert play(Table(field, flash), GameRules(1, "none", "flags"))[0].result == "won"


def test_outcome_impossible_unopened_mines_no_loss() -> None:
    field = field_of("*....\n.....\n.....\n.....\n....*", win_needs="flags", opened=[12])
    table = Table(field, lambda look, board: board.with_states({0: "*", 1: "*"}) if look > 1 else board)
    with pytest.raises(BoardUnplayable, match="no opened cell explains that"):
        play(table, GameRules(2, "none", "flags"))


def test_outcome_program_flags_mines_of_won_game() -> None:
    """An opened corner behind mines is never read, so that the last mines are not known."""

    def shown(_: int, board: Board) -> Board:
        flags = dict.fromkeys([1, 5, 6], FLAG) if board[11] == "2" else {}
        return board.with_states({0: UNKNOWN} | flags)

    field = field_of(".*...\n**...\n.....", opened=[0, 10, 14])
    result, notes = play(Table(field, shown))
    assert (result.result, result.known) == ("won", "inferred")
    assert notes.notes == ["the program flagged the last mines: won"]


def test_outcome_silent_end_is_unknown() -> None:
    """The image shows the end of the game, but no mine."""

    def ended(_: int, board: Board) -> Reading:
        opened = board.with_states({moves[0].cell: "1" for moves in table.acts})
        return replace(Reading.sure(opened), has_ended=bool(table.acts))

    table = Table(field_of("*...\n...*"), ended, lambda *_: True)
    with pytest.raises(BoardUnplayable, match="does not show the result"):
        play(table, GameRules(2, "none", "open"))
    assert len(table.acts) == 1


def test_outcome_lasting_number_change_believed() -> None:
    def learns(look: int, board: Board) -> Board:
        return board.with_states({1: "3"}) if look == 1 else board

    notes = Heard()
    with pytest.raises(BoardUnplayable, match="has no effect"):
        player(Table(two_mines(), learns, lambda *_: True), RULES, notes).play()
    assert notes.notes[0] == "corrected: r0c1 was read as 3"


def frozen(board: Board, drawn: str = UNKNOWN) -> Board:
    """The screen of a program that freezes at the end: the exploded mine looks like this state."""
    return board.with_states({k: drawn if board[k] == "!" else HIDDEN for k in bits(board.shown_mines)})


@pytest.mark.parametrize(
    ("truth", "mines", "drawn"),
    [
        ("*****\n*****\n****.", None, UNKNOWN),
        ("*****\n*****\n****.", None, "F"),
        ("*...\n....\n....", 1, "F"),
    ],
)
def test_outcome_guess_on_unreadable_mine_lost(truth: str, mines: int | None, drawn: str) -> None:
    table = Table(field_of(truth), lambda _, board: frozen(board, drawn))
    result, _ = play(table, GameRules(mines, "none", "open"))
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert {move.kind for moves in table.acts for move in moves} == {"open"}


def test_outcome_certain_on_unreadable_mine_counted() -> None:
    """The 2 is read as a 1, so the right mine looks safe."""
    field = field_of("*.*..\n.....", opened=[1, 5])
    result, _ = play(Table(field, lambda _, board: frozen(board).with_states({1: "1"})))
    assert (result.result, result.wrong_certain) == ("lost", 1)


def test_outcome_loss_that_opens_everything() -> None:
    def open_everything(_: int, board: Board) -> Board:
        if not board.shown_mines:
            return board
        numbers = {k: str((board.around[k] & 1).bit_count()) for k in range(1, len(board))}
        return board.with_states({**numbers, 0: UNKNOWN})

    table = Table(field_of("*...\n....\n...."), open_everything)
    result, notes = play(table)
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert len(table.acts) == 1
    assert notes.notes


class CoveredEnd(Table):
    """A table that is covered once the game has ended; a probe with a `glimpse` of the end sees it before."""

    def __init__(self, field: Minefield, state: BoardState, glimpse: bool) -> None:
        super().__init__(field)
        self._state, self._glimpse = state, glimpse

    def look(self) -> Reading:
        if self.field.is_won or self.field.board.shown_mines:
            raise BoardUnplayable("the board is covered by 'Well done'")
        return super().look()

    def status(self, waits: bool) -> BoardStatus:
        return BoardStatus(self._state, 0, Reading.sure(self.field.board) if self._glimpse else None)


@pytest.mark.parametrize(
    ("truth", "opened", "mines", "glimpse", "result"),
    [
        *(
            ("....\n.*..\n....\n....", [15], mines, glimpse, "won")
            for mines in (1, None)
            for glimpse in (True, False)
        ),
        ("**\n**", [], None, True, "lost"),
    ],
)
def test_outcome_window_over_ended_game(
    truth: str, opened: list[int], mines: int | None, glimpse: bool, result: str
) -> None:
    table = CoveredEnd(field_of(truth, opened=opened), "window", glimpse)
    game = player(table, GameRules(mines, "none", "unknown"), probe=table).play()
    assert (game.result, game.known) == (result, "seen" if glimpse else "inferred")
    assert game.wrong_certain == 0


def test_outcome_new_game_over_guess_is_unknown() -> None:
    table = CoveredEnd(field_of("**"), "fresh", False)
    with pytest.raises(ResultUnknown, match="already started a new game"):
        player(table, GameRules(1, "none", "open"), probe=table).play()


WON = "....\n....\n...*\n..*."  # the mine total decides the last cell
LOST = "..\n..\n*."  # a guess between two cells


class Message(Table):
    """A program that covers the board with a dialog at the end of the game, until it is answered.

    `covers` returns the visible part of the board, or None.
    """

    def __init__(self, truth: str, covers: Callable[[Board], Board | None], first: int = 0) -> None:
        super().__init__(field_of(truth, opened=[first]))
        self.covers = covers
        self.answered = 0

    @property
    def is_covered(self) -> bool:
        return (self.field.is_won or bool(self.field.board.shown_mines)) and not self.answered

    def look(self) -> Reading:
        reading = super().look()
        seen = self.covers(reading.board) if self.is_covered else reading.board
        if seen is None:
            raise BoardUnplayable("the board is covered by 'Message'")
        return Reading.sure(seen)

    def answer(self) -> bool:
        self.answered += self.is_covered
        return bool(self.answered)


def corners(board: Board) -> Board:
    """A number and the last cell are unread, and no mine is visible yet."""
    return frozen(board, HIDDEN).with_states({0: UNKNOWN, (15 if len(board) == 16 else 4): UNKNOWN})


class Disguised(Message):
    """Mines look like closed cells, and the program ignores moves after the end."""

    def look(self) -> Reading:
        return Reading.sure(frozen(super().look().board, HIDDEN))

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        if self.field.board.shown_mines:
            self.acts.append(list(moves))
        else:
            super().act(moves, certain)


def with_dialogs(table: Message, probe: bool = True, answers: bool = True) -> Player:
    rules = GameRules(table.field.board.mines, "none", "open")
    return player(
        table, rules, probe=FixedProbe() if probe else None, dismiss_dialog=table.answer if answers else None
    )


@pytest.mark.parametrize(
    ("truth", "expected", "covers", "probe"),
    [
        (*game, covers, probe)
        for game in ((WON, "won"), (LOST, "lost"))
        for covers, probe in ((corners, True), (lambda board: None, True), (lambda board: None, False))
    ],
)
def test_outcome_message_answered_result_as_shown(
    truth: str, expected: str, covers: Callable[[Board], Board | None], probe: bool
) -> None:
    table = Message(truth, covers)
    result = with_dialogs(table, probe).play()
    assert (result.result, result.known) == (expected, "seen")
    assert table.answered == 1


def test_outcome_message_and_mine_like_cover_lost() -> None:
    table = Disguised("*.....*\n.......", lambda board: None, first=3)  # two guesses
    result = with_dialogs(table).play()
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 0)
    assert table.answered == 1


def test_outcome_mine_like_cover_certain_move_counted() -> None:
    class MisreadZero(Disguised):
        def look(self) -> Reading:  # a 1 is read as a 0, so its neighbours look safe
            return Reading.sure(super().look().board.with_states({2: "0"}))

    result = with_dialogs(MisreadZero("...*.*..", lambda board: None)).play()
    assert (result.result, result.known, result.wrong_certain) == ("lost", "inferred", 1)


class Refused(Message):
    """A message that opens before the first look, or between a look and an act with some moves made."""

    def __init__(self, truth: str, at: int, made: int = 0) -> None:
        super().__init__(truth, lambda board: None)
        self._at, self._made = at, made

    @property
    def is_covered(self) -> bool:
        return len(self.acts) >= self._at and not self.answered

    def act(self, moves: Sequence[Move], certain: bool) -> None:
        is_first = len(self.acts) == self._at - 1
        super().act(moves[: self._made] if is_first else moves, certain)
        if is_first:
            error = BoardUnplayable("the board is covered by 'Message'")
            error.made = self._made
            raise error


@pytest.mark.parametrize(("at", "made"), [(0, 0), (1, 0), (1, 1), (2, 0)])
def test_outcome_message_before_act_answered(at: int, made: int) -> None:
    table = Refused("..*...*.\n........\n*......*\n...*....", at, made)
    assert with_dialogs(table).play().result == "won"
    assert table.answered == 1


def test_outcome_message_before_act_stays_stops() -> None:
    with pytest.raises(BoardUnplayable, match="covered by 'Message'"):
        with_dialogs(Refused(WON, 1), answers=False).play()


def test_outcome_unanswered_message_is_unknown() -> None:
    table = Message(LOST, lambda board: None)
    with pytest.raises(BoardUnplayable, match="covered by 'Message'"):
        with_dialogs(table, answers=False).play()
