"""Recordings of games: write, read, replay and compare them."""
