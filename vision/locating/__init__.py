"""A picture -> where boards are, and how sure that is.

`finding` puts it together. Boards with flat cells: flat areas of one size (`boxes`) are seeds, which
grow along the lines that show (`flat`, `growing`, `strips`, `evidence`, `grid`). Any others: areas that
repeat (`repeats`) get pitch and phase (`fitting`) and extent (`extent`) as a trained network says
(`cutouts`, `judging`); how likely they are boards is weighed (`weighing`, `weights`). `gaps` moves lines to
the middle of wide gaps. `verifying`: does it still lie there?
"""

from vision.locating.finding import locate, locate_all
from vision.locating.flat import Sighting
from vision.locating.verifying import verify

__all__ = ["Sighting", "locate", "locate_all", "verify"]
