"""Header of a table of learned parameters: how, when and from which data it was made."""

from __future__ import annotations

import subprocess
from pathlib import Path


def header(step: str, data: str) -> dict[str, str | None]:
    """The header that `vision.params.write_table` stores: the command, the commit, the data, the split."""
    git = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(git, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return {
        "made_by": f"python -m training {step}",
        "commit": done.stdout.strip() or None,
        "data": data,
        "fitted_on": "training families",
    }
