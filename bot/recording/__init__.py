"""Recordings of games: written (`recording`), played again (`replay`), compared with what is read today."""
