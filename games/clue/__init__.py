"""The card game Clue (Cluedo): cards, game logs and their constraints; no file access."""
