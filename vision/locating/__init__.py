"""A picture -> where boards are, and how sure that is.

`finding` puts it together: flat areas of one size (`boxes`) are seeds, which grow along the lines that show
(`growing`, `strips`, `evidence`, `grid`). `verifying` is the check whether a board still lies where it was.
"""

from vision.locating.finding import Sighting, locate, locate_all
from vision.locating.verifying import verify

__all__ = ["Sighting", "locate", "locate_all", "verify"]
