"""A picture -> where boards are, and how sure that is.

`finding` puts it together. What may be a board is guessed generously: flat areas of one size (`boxes`), areas
that repeat (`repeats`). For each guess `fitting` tries places of the lines on the edges that show (`edges`,
`grid`), and `extent` how far the board goes, as a trained network says of cut-outs (`cutouts`, `judging`).
How likely the whole is exactly a board is weighed (`weighing`, `weights`). `verifying`: does it still lie
there?
"""

from vision.locating.finding import locate, locate_all
from vision.locating.flat import Sighting
from vision.locating.verifying import verify

__all__ = ["Sighting", "locate", "locate_all", "verify"]
