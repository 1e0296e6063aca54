"""What can be said to a person about a board: what is certain and why, and what is risky."""
