"""Review of played games from recordings, videos, screenshots and replay files: every move is judged.

`sources` converts all files to recordings, `reviewed_game` derives the moves between two boards, `assessment`
judges them, `metrics` describes the game, and `pages` writes the result.
"""
