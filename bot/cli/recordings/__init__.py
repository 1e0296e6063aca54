"""Commands about games that were recorded: replay, report, review."""
