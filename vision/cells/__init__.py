"""What one cell shows, from its picture alone: a small trained model."""

from __future__ import annotations

from vision.cells.model import CLASSES, CellModel

__all__ = ["CLASSES", "CellModel"]
