"""`sapper analyse`: a page in the browser that analyses boards and screenshots."""

from __future__ import annotations

import webbrowser
from functools import partial

import click

from bot.analyse.analysis import BoardAnalyser
from bot.analyse.server import AnalysisServer
from bot.cli.common_options import StrategyCommand, chosen_coordinates, echo, strategy
from bot.cli.inputs import parse_board_or_image, read_board
from games.errors import UsageError
from games.minesweeper import Board
from strategies import load_strategies

EMPTY = (9, 9, 10)  # rows, columns, mines of the first board without BOARD


@click.command("analyse", cls=StrategyCommand, epilog="Example: sapper analyse screenshot.png")
@click.argument("board", required=False)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; 0 is any free port."
)
@click.option("--no-browser", is_flag=True, help="Print the address of the page without opening it.")
@strategy
def command(board: str | None, port: int, no_browser: bool, strategies: tuple[str, ...], trust: bool) -> int:
    """Analyse boards on a page in the browser.

    Draw a board there, or drop a screenshot or a board file. The page shows certain cells with their proofs,
    risks and the best guess. BOARD is a text file, a screenshot, or - for text on standard input. The page
    answers only this computer, until you press Ctrl+C.
    """
    shown = read_board(board) if board else Board.fresh(*EMPTY)
    analyser = BoardAnalyser(load_strategies(strategies or None, trust))
    try:
        read = partial(parse_board_or_image, "the board")
        server = AnalysisServer(analyser, read, shown, port, chosen_coordinates())
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used ({error.strerror}): name another with --port"
        ) from error
    with server:
        echo(f"analysis page: {server.address} (Ctrl+C ends it)")
        if not no_browser:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
