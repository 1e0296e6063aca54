"""Known Minesweeper programs: descriptions (`program`, TOML files in `known/`) and processes (`runner`)."""
