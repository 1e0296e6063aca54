"""What a terminal shows: boards as text in colour (`drawing`), `progress`, a game while it is `playing`."""
