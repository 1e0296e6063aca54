"""Icons from npm packages (Iconify JSON), rendered into a cache, with the states that they can represent."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.splits import ICONS, SPLITS, families
from training.storage import CACHE, write_arrays

SIDE = 64  # pixels of a rendered icon
OTHERS = 140  # icons without a game meaning, per set
KINDS = {
    "flag": r"((black|white|red|chequered|checkered|triangular|flying|golf|pirate|corner|sport|goal)-)?"
    r"flag(s|-\d|-on-post|-(fill|variant|solid|bold|duotone|triangle|pennant|banner|objective|alt|outline|filled)"
    r"|-(line|light|outlined|rounded|sharp|flat|variant-outline|1-filled|2-fill|2-line|2-rounded|2-outline))?",
    "mine": r"bomb(-\w+)?|(land|naval|sea)-?mine|mine|unlit-bomb|time-bomb|mine-(solid|fill|line)|bombs"
    r"|skull",
    "boom": r"collision|explosion(-\w+)?|boom|burst|mine-explosion|bright-explosion|explosive-materials|fire"
    r"|flame",
    "cross": r"cross-mark|close|x|times|xmark|close-thick|close-fill|close-bold|x-bold|multiply",
    "question": r"question(-mark|-lg|-fill|-bold|-line)?|red-question-mark|white-question-mark"
    r"|exclamation-question|help-outline|help-circle|question-circle|question-mark-(round|rounded|sharp|outline)",
}
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
FORMS = "box|circle|square|small|fill|bold|outlined?|solid|line|key|hexagon|rounded|light|duotone|one"
KINDS |= {
    str(k): rf"((number|digit)-({k}|{word})|((keycap|numeric|counter|looks|circle-number)-)?{k})(-({FORMS}))*"
    for k, word in enumerate(WORDS, 1)
}
DIGITS = frozenset("12345678")
STRANGE = re.compile(
    r"mailbox|calcul|hatch|crossed|hole|-off|hand|man-|woman|united|nations|country|circle-flags"
)
LOOKALIKES = re.compile(
    r"flag|bomb|mine|explo|question|help|number|numeric|digit|circle-\d|-\d|^\d|one|two|three|four|five|six|seven"
    r"|eight|hexagon|square|boom|burst|skull|pennant|banner|beer|coin|cross|close|times|cancel|xmark|multiply|^x$"
    r"|asterisk|sun|virus|star|fire|flame"
)


@dataclass(frozen=True, eq=False)
class Icon:
    """A picture (SIDE, SIDE, 4), uint8 BGR and opacity; `is_ink` icons have one colour."""

    kind: str
    picture: NDArray[np.uint8]
    is_ink: bool


def fetch_icons() -> None:
    """Download the missing icon sets."""
    folder = CACHE / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    for name in (name for split in SPLITS for name in families(ICONS, split)):
        if not list(folder.glob(f"iconify-json-{name}-[0-9]*.tgz")):
            command = ["npm", "pack", f"@iconify-json/{name}"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)


def render_icons() -> None:
    """Render the downloaded icons into CACHE/icons/SET.npz unless they exist."""
    for name in (name for split in SPLITS for name in families(ICONS, split)):
        goal = CACHE / "icons" / f"{name}.npz"
        if goal.exists():
            continue
        (packed,) = (CACHE / "npm").glob(f"iconify-json-{name}-[0-9]*.tgz")
        with tarfile.open(packed) as tar:
            member = tar.extractfile("package/icons.json")
            assert member is not None
            stored = json.load(member)
        rows = ((icon.kind, icon.picture, icon.is_ink) for icon in _render_set(stored))
        write_arrays(goal, dict(zip(("kinds", "pictures", "ink"), zip(*rows, strict=True), strict=True)))


def load_icons(split: str) -> list[Icon]:
    """The icons of a split."""
    found: list[Icon] = []
    for name in families(ICONS, split):
        with np.load(CACHE / "icons" / f"{name}.npz") as stored:
            rows = zip(stored["kinds"], stored["pictures"], stored["ink"], strict=True)
            found += usable_icons([Icon(str(kind), picture, bool(ink)) for kind, picture, ink in rows])
    return found


def usable_icons(icons: list[Icon]) -> list[Icon]:
    """The icons of a set; without digits if the set lacks one, because `counter-2` then is no digit."""
    has_digits = {icon.kind for icon in icons} >= DIGITS
    return [icon for icon in icons if has_digits or icon.kind not in DIGITS]


def _render_set(stored: dict[str, Any]) -> list[Icon]:
    names = sorted(stored["icons"])
    drawn = []
    for kind, pattern in KINDS.items():
        chosen = [name for name in names if re.fullmatch(pattern, name) and not STRANGE.search(name)]
        drawn += [icon for name in chosen[:24] if (icon := _render(stored, name, kind))]
    rest = [name for name in names if not LOOKALIKES.search(name)]
    step = max(1, len(rest) // OTHERS)
    drawn += [icon for name in rest[::step][:OTHERS] if (icon := _render(stored, name, "other"))]
    return drawn


def _render(stored: dict[str, Any], name: str, kind: str) -> Icon | None:
    import resvg_py

    icon = stored["icons"][name]
    usual = {"left": 0, "top": 0, "width": 16, "height": 16} | stored
    box = " ".join(str(icon.get(side, usual[side])) for side in ("left", "top", "width", "height"))
    body = icon["body"].replace("currentColor", "#000")
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{SIDE}" height="{SIDE}" viewBox="{box}">{body}</svg>'
    )
    try:
        png = bytes(resvg_py.svg_to_bytes(svg_string=text))
    except (ValueError, RuntimeError):
        return None
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.shape != (SIDE, SIDE, 4) or picture[..., 3].max() < 100:
        return None
    return Icon(kind, np.asarray(picture, np.uint8), "currentColor" in icon["body"])
