"""Minesweeper: boards, moves, the constraints that a board states, and hidden fields to play on."""
