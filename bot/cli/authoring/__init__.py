"""Commands for authors: strategies (and tracing), new-strategy, validate, install, uninstall."""
