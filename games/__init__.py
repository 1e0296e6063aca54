"""What a game *is*: boards, clues, constraints, variants. No pixels, no tactics, no input or output."""
