"""What is believed of a board over a game: what acts teach, what passes by itself."""
