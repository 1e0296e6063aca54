"""Built-in strategies, one plugin per file."""
