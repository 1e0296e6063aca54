"""The desktop: its windows, its mouse and keyboard (`hands`), virtual screens, processes that are kept."""
