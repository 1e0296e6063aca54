"""Playing: the game loop, input, desktops, programs, recordings, user interfaces, the command line."""
