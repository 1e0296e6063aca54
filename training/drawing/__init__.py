"""Drawn boards: `themes` draw every state of a cell, `boards` a whole board, `camera` takes its picture.

`choosing` puts one together: fills and edges (`surfaces`, `textures`), letters (`lettering`, `fonts`),
signs (`signs`, `icons`), and what is no cell of a game (`others`).
"""
