"""A Wayland desktop for tests: headless sway as an ordinary user; it leaves no files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from said import Said, run_process
from waiting import wait_for

from strategies.isolation.supervisor import SupervisedProcess

CONFIG = """
xwayland disable
output HEADLESS-1 resolution 1280x900 position 0 0 scale {scale} background #405060 solid_color
for_window [title=".*"] floating enable, border none
{more}
"""


@dataclass(frozen=True)
class Sway:
    """A running sway: environment variables for its programs, and the folder of its sockets."""

    folder: Path
    variables: Mapping[str, str]

    def do(self, command: str) -> None:
        """Run a command of the configuration language."""
        done = self.run("swaymsg", command)
        assert done.code == 0, done

    def picture(self) -> Path:
        """Capture the whole desktop with grim; return the file."""
        path = self.folder / "grim.png"
        done = self.run("grim", str(path))
        assert done.code == 0, done
        return path

    def run(self, *command: str) -> Said:
        """Run a program on this desktop."""
        return run_process(*command, env=self.variables)


@contextmanager
def sway(scale: float = 1, more: str = "") -> Iterator[Sway]:
    """Run sway with one screen of 1280x900 pixels and floating windows; root starts it as user nobody."""
    for program, package in (("sway", "sway"), ("grim", "grim")):
        assert shutil.which(program), f"{program} is missing: tools/setup.sh test installs {package}"
    with tempfile.TemporaryDirectory(prefix="sapper-sway-") as name:
        folder = Path(name)
        (folder / "config").write_text(CONFIG.format(scale=scale, more=more))
        user: list[str] = []
        if os.geteuid() == 0:
            import pwd  # not on Windows, which imports this file

            nobody = pwd.getpwnam("nobody")
            user = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        own = {key: text for key, text in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        own |= {"XDG_RUNTIME_DIR": name}
        environment = own | {
            "WLR_BACKENDS": "headless",
            "WLR_RENDERER": "pixman",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "HOME": name,
        }
        with closing(
            SupervisedProcess([*user, "sway", "-c", str(folder / "config")], environment, folder / "log")
        ) as kept:
            variables = own | {
                "XDG_SESSION_TYPE": "wayland",
                "WAYLAND_DISPLAY": socket_in(folder, "wayland-?", kept).name,
                "SWAYSOCK": str(socket_in(folder, "sway-ipc.*.sock", kept)),
            }
            yield Sway(folder, variables)


def socket_in(folder: Path, pattern: str, kept: SupervisedProcess) -> Path:
    """Wait for a socket of the desktop."""

    def is_there() -> bool:
        assert kept.poll() is None, (folder / "log").read_text(errors="replace")[-500:]
        return any(folder.glob(pattern))

    wait_for(is_there)
    return next(folder.glob(pattern))
