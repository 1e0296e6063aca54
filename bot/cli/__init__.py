"""The command line: the one place where the rooms are wired together."""
