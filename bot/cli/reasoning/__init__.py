"""Commands that reason on boards and games: explain, bench, generate, clue."""
