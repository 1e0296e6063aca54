"""What a game came to: `books` counts its moves, `ending` and `referee` how it ended, `outcome` all of it."""
