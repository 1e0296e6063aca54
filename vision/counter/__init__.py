"""What a program shows beside its board: its mine counter.

`lines` finds letters and figures, `figures` (a small trained network) reads them, `counting` says which of
them is the mine total.
"""

from vision.counter.counting import Counter, CounterReader, Sighting, Tally
from vision.counter.figures import FigureModel

__all__ = ["Counter", "CounterReader", "FigureModel", "Sighting", "Tally"]
