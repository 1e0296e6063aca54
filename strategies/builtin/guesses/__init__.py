"""The built-in strategies that guess, one file each; each ends in a question to `strategies.guessing`."""
