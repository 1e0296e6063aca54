"""Recordings of games: what they hold (`meta`), written and read, played again (`replay`) and compared."""
