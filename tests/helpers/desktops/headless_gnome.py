"""A GNOME desktop for tests: headless mutter, PipeWire, and the real portals; it leaves no files.

Its own bus only knows the services of the portals, so it starts no other program.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from headless_sway import socket_in

from strategies.isolation.supervisor import SupervisedProcess

PROGRAMS = {"mutter": "mutter", "pipewire": "pipewire", "wireplumber": "wireplumber"}  # and their packages
SERVICES = Path("/usr/share/dbus-1/services")
WANTED = (
    "org.freedesktop.portal.Desktop",
    "org.freedesktop.impl.portal.desktop.gnome",
    "org.freedesktop.impl.portal.PermissionStore",
)
BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""
START = """
dbus-daemon --config-file="$XDG_RUNTIME_DIR/bus.conf" --nofork &
pipewire &
while [ ! -S "$XDG_RUNTIME_DIR/pipewire-0" ] || [ ! -S "$XDG_RUNTIME_DIR/bus" ]; do sleep 0.05; done
wireplumber &
exec mutter --headless --wayland --no-x11 --wayland-display wayland-7 --virtual-monitor {width}x{height}
"""


@dataclass(frozen=True)
class Gnome:
    """A running desktop: environment variables for its programs, and the folder of its sockets and home."""

    folder: Path
    variables: Mapping[str, str]

    def start(self, *command: str) -> SupervisedProcess:
        """Start a program on this desktop; the caller closes it."""
        return SupervisedProcess(command, self.variables, self.folder / f"{Path(command[0]).name}.log")

    def sapper(self, *words: str) -> subprocess.Popen[str]:
        """Start Sapper on this desktop."""
        return subprocess.Popen(
            [sys.executable, "-m", "bot", *words],
            env={**self.variables, "HOME": str(Path.home())},  # with the compiled kernels
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def lacks() -> list[str]:
    """The missing Debian packages."""
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program) is None]
    if not (SERVICES / f"{WANTED[1]}.service").exists():
        missing.append("xdg-desktop-portal-gnome")
    return missing


@contextmanager
def gnome(width: int = 1280, height: int = 900) -> Iterator[Gnome]:
    """Run a GNOME desktop with one screen of this size."""
    with tempfile.TemporaryDirectory(prefix="sapper-gnome-") as name:
        folder = Path(name)
        (folder / "services").mkdir()
        for wanted in WANTED:
            shutil.copy(SERVICES / f"{wanted}.service", folder / "services")
        (folder / "bus.conf").write_text(BUS.format(folder=folder))
        variables = {key: text for key, text in os.environ.items() if key not in ("DISPLAY", "SWAYSOCK")}
        variables |= {
            "XDG_RUNTIME_DIR": name,
            "XDG_SESSION_TYPE": "wayland",
            "XDG_CURRENT_DESKTOP": "GNOME",
            "WAYLAND_DISPLAY": "wayland-7",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus",
            "GSETTINGS_BACKEND": "memory",
            "GSK_RENDERER": "cairo",
            "GDK_BACKEND": "wayland",
            "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none",
            "HOME": name,
            "XDG_STATE_HOME": str(folder / "state"),
            "PATH": f"{os.environ['PATH']}:/usr/games",
        }
        command = ["sh", "-c", START.format(width=width, height=height)]
        with closing(SupervisedProcess(command, variables, folder / "log")) as kept:
            socket_in(folder, "wayland-7", kept)
            yield Gnome(folder, variables)
