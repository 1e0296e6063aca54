"""A played game reviewed: from a recording, a video, screenshots or a replay file to a verdict on every move.

`sources` bring every kind of file into the form of a recording; `game` and `moves` say what was done between
two boards, `judging` what that was worth, `figures` what the game came to; `reviewing` puts it together.
"""
