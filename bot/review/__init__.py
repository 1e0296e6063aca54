"""Review of a played game: a recording, video, screenshots or replay file; every move is judged.

`sources` converts every kind of file into a recording, `reviewed_game` derives the moves between two
boards, `assessment` judges them, `metrics` describes the game, and `pages` writes the result.
"""
