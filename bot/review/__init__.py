"""Review of played games from recordings, videos, screenshots and replay files: every move is judged.

`sources` converts all files to recordings, `played_moves` derives the moves between two boards,
`reviewed_game` the whole game, `assessment` judges it, `metrics` describes it, and `pages` writes the result.
"""
