"""Review of a played game: a recording, a video, screenshots or a replay file, with a judgement of every
move.

`sources` converts every kind of file into a recording, `reviewed_game` derives the moves between two
boards, `assessment` judges them, `metrics` describes the game, and `pages` writes the result.
"""
