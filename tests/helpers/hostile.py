"""What tests of one subject share."""

from __future__ import annotations

from pathlib import Path

HEAD = "import os, sys, time, threading, signal\nfrom strategies import *\n\n\n"


def written(folder: Path, hook: str, lines: str) -> str:
    argument = "knowledge" if hook == "deduce" else "position"
    file = folder / "hostile.py"
    file.write_text(f"{HEAD}@hookimpl\ndef {hook}({argument}):\n    {lines}\n", encoding="utf-8")
    return str(file)
