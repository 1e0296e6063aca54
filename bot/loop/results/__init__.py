"""What a game came to: `books` counts its moves, `ending` and `referee` say how it ended, `outcome` sums up."""
