"""The next game on a program that nobody described: `restarting` tries `ways`, and checks what each does.

`desk` is the window between two games, `buttons` what looks like one in a picture.
"""
