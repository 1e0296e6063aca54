"""What a desktop gave to remember that a person has agreed: a token for each kind of sharing, in one file."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

FILE = "consent.json"


def state_folder() -> Path:
    """The folder for what lasts between runs and is worth nothing elsewhere."""
    import platformdirs

    return platformdirs.user_state_path("sapper")


@dataclass(frozen=True)
class Tokens:
    """The tokens that are kept in a folder. A file that cannot be read or written only costs a dialog."""

    folder: Path

    def get(self, kind: str) -> str | None:
        """The token for this kind of sharing, None for none."""
        token = self._all().get(kind)
        return token if isinstance(token, str) else None

    def keep(self, kind: str, token: str | None) -> None:
        """Keep this one from now on, or none: each can be used once."""
        known = {name: each for name, each in self._all().items() if name != kind}
        if token:
            known[kind] = token
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            part = self.folder / f"{FILE}.part"
            part.touch(mode=0o600)
            part.write_text(json.dumps(known) + "\n")
            part.replace(self.folder / FILE)

    def _all(self) -> dict[str, object]:
        try:
            data = json.loads((self.folder / FILE).read_text())
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}
