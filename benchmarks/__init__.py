"""Benchmarks: `benchmarks/README.md` lists the scripts, the questions they answer and their tables."""
