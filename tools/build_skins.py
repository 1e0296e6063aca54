"""Learn the built-in skins from the labelled screenshots: `python tools/build_skins.py [SCREENS] [SKINS]`.

Every folder of SCREENS becomes one skin, named after it. The same screenshots always give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from games.errors import SapperError
from vision.labels import labelled_pictures, load_labelled
from vision.skins import learn
from vision.skins import SUFFIX

HOUSE = Path(__file__).resolve().parents[1]


def build(screens: Path, skins: Path) -> int:
    """Write one skin for each folder of labelled screenshots; returns how many."""
    skins.mkdir(parents=True, exist_ok=True)
    written = 0
    for folder in sorted(p for p in screens.iterdir() if p.is_dir()):
        pictures = labelled_pictures(folder)
        if not pictures:
            continue
        skin = learn(folder.name, [load_labelled(picture) for picture in pictures])
        path = skins / (folder.name + SUFFIX)
        skin.save(path)
        written += 1
        sizes = ", ".join(sorted({f"{width}x{height}" for height, width in skin.sizes}))
        print(f"{path.name}: {len(skin.tiles)} tiles, states {skin.states}, sizes {sizes}", file=sys.stderr)
    return written


def main(arguments: list[str]) -> int:
    """Build the skins; returns the exit code."""
    screens = Path(arguments[0]) if arguments else HOUSE / "fixtures" / "screens"
    skins = Path(arguments[1]) if len(arguments) > 1 else HOUSE / "vision" / "skins"
    try:
        return 0 if build(screens, skins) else 7
    except SapperError as error:
        print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
