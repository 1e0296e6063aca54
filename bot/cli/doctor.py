"""`sapper doctor`: list what live play needs, what is missing, and the commands that install it.

It changes nothing. Only `try_desktop` does more than look: it moves the pointer.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import as_json, backend, print_json
from bot.programs.program import Program, find_executable
from games.errors import MissingRequirement

if TYPE_CHECKING:
    from bot.desktop.backends import Kind


@click.command("doctor", epilog="Example: sapper doctor --try")
@click.option("--try", "tries", is_flag=True, help="Move the mouse and take pictures, to see that both work.")
@backend
@as_json
def command(tries: bool, backend: Kind | None, as_json: bool) -> int:
    """Say what this machine lacks for live play, and the command that gets it.

    Exit code 8 when something is missing that live play cannot do without. With --try a small pattern is
    shown for a moment on each screen, found in a picture, and pointed at with the mouse.
    """
    findings: list[Requirement] = []
    for finding in itertools.chain(examine(), try_desktop(backend) if tries else ()):
        findings.append(finding)
        if as_json:
            print_json(
                {
                    "what": finding.what,
                    "there": finding.is_there,
                    "needed": finding.is_needed,
                    "detail": finding.detail,
                    "command": finding.command,
                }
            )
        else:
            mark = "ok     " if finding.is_there else "MISSING" if finding.is_needed else "absent "
            get = "" if finding.is_there or not finding.command else f"  ->  {finding.command}"
            click.echo(f"{mark} {finding.what}: {finding.detail}{get}")
    lacking = missing(findings)
    if lacking:
        names = ", ".join(finding.what for finding in lacking)
        raise MissingRequirement(f"live play lacks {names}: the lines above say how to get it")
    return 0


# The same thing under the names of other package collections, where they differ from Debian's.
ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "dnf": {"xvfb": "xorg-x11-server-Xvfb", "python3-tk": "python3-tkinter", "libgl1": "mesa-libGL"},
    "pacman": {"xvfb": "xorg-server-xvfb", "python3-tk": "tk", "libgl1": "libglvnd", "dbus-daemon": "dbus"},
    "zypper": {"xvfb": "xorg-x11-server-Xvfb", "libgl1": "Mesa-libGL1", "dbus-daemon": "dbus-1-daemon"},
}
EXTRA = "pip install 'sapper[wayland]'"
INSTALL: Mapping[str, str] = {
    "apt-get": "apt-get install",
    "dnf": "dnf install",
    "pacman": "pacman -S",
    "zypper": "zypper install",
}


@dataclass(frozen=True)
class Requirement:
    """One thing that live play may want.

    `is_needed` is False for what only some plays want (a known program, a window manager). `command` gets it,
    "" when it is there or when no command does.
    """

    what: str
    is_there: bool
    is_needed: bool
    detail: str
    command: str = ""


def examine(environment: Mapping[str, str] | None = None) -> list[Requirement]:
    """Everything that live play may want, what is needed first."""
    environment = os.environ if environment is None else environment
    return sorted(_look(environment), key=lambda finding: not finding.is_needed)


def missing(findings: list[Requirement]) -> list[Requirement]:
    """What is needed and not there."""
    return [finding for finding in findings if finding.is_needed and not finding.is_there]


def _look(environment: Mapping[str, str]) -> Iterator[Requirement]:
    if sys.platform == "linux":
        display = environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY", "")
        yield Requirement(
            "a display", bool(display), False, display or "none: sapper plays on a virtual screen of its own"
        )
        yield _command("Xvfb", "xvfb", "virtual screens (--virtual)", is_needed=not display)
        yield _desktop(environment)
        yield _command("openbox", "openbox", "a window manager for virtual screens")
        yield _command(
            "dbus-run-session", "dbus-daemon", "a private session bus: gnome-mines and kmines want one"
        )
    else:
        yield Requirement("a display", True, True, f"the screen of {sys.platform}")
    if sys.platform == "darwin":
        yield Requirement(
            "permissions",
            True,
            False,
            "allow Screen Recording and Accessibility for the terminal in System Settings",
        )
    yield _module("tkinter", "python3-tk", "pyautogui stops without it on Linux", sys.platform == "linux")
    yield _picture_library()
    yield _kernels()
    if sys.platform == "linux":
        for name in Program.names():
            yield _program(Program.load(name))


def _command(command: str, package: str, purpose: str, is_needed: bool = False) -> Requirement:
    there = shutil.which(command) is not None
    return Requirement(command, there, is_needed, purpose, "" if there else install_command(package))


def _module(module: str, package: str, purpose: str, is_needed: bool) -> Requirement:
    there = importlib.util.find_spec(module) is not None and importlib.util.find_spec("_tkinter") is not None
    return Requirement(module, there, is_needed, purpose, "" if there else install_command(package))


def _picture_library() -> Requirement:
    """Import OpenCV in a process of its own: a missing system library shows only there."""
    probe = subprocess.run(
        [sys.executable, "-c", "import cv2"], capture_output=True, text=True, check=False, timeout=60
    )
    if probe.returncode == 0:
        return Requirement("OpenCV", True, True, "reads the pictures")
    last = (probe.stderr.strip().splitlines() or ["no message"])[-1]
    command = install_command("libgl1") if ".so" in last else "pip install opencv-python"
    return Requirement("OpenCV", False, True, last, command)


def _kernels() -> Requirement:
    """Without the extension, Sapper plays the same in plain Python."""
    from strategies.kernels import is_compiled

    if is_compiled():
        return Requirement("compiled kernels", True, False, "count layouts and choose guesses")
    command = "" if shutil.which("cc") else install_command("gcc")
    detail = "a guess takes a tenth of a second longer: install a C compiler, then Sapper again"
    return Requirement("compiled kernels", False, False, detail, command)


def _desktop(environment: Mapping[str, str]) -> Requirement:
    """Whether other programs can be seen and clicked on this desktop."""
    what = "a desktop to play on"
    if not environment.get("WAYLAND_DISPLAY"):
        if environment.get("DISPLAY"):
            return Requirement(what, True, False, "X11: other programs can be seen and clicked")
        return Requirement(what, False, False, "none: sapper plays on a virtual screen of its own")
    from bot.desktop.wayland.backend import supports_screencopy
    from bot.desktop.wayland.connection import WaylandConnection

    socket = Path(environment.get("XDG_RUNTIME_DIR", "/run"), environment["WAYLAND_DISPLAY"])
    try:
        with WaylandConnection(str(socket)) as connection:
            is_shown = supports_screencopy(connection)
        if not is_shown:
            from bot.desktop.portals.backend import check_portals

            check_portals()
    except MissingRequirement as lack:
        command = EXTRA if "sapper[wayland]" in str(lack) else ""
        return Requirement(what, False, False, f"Wayland: {lack}", command)
    if not is_shown:
        known = "it shares its screen when it is asked to: windows are not known, so the picture is the guard"
    elif environment.get("SWAYSOCK"):
        known = "sway: windows and stop keys are known"
    else:
        known = "not sway: windows and stop keys are not known, so stop with the mouse"
    return Requirement(what, True, False, f"Wayland, {known}; where the pointer is, no Wayland desktop says")


def try_desktop(wanted: Kind | None = None) -> Iterator[Requirement]:
    """Move the pointer and take pictures: whether each point of each screen is where it should be.

    Raises MachineLacks where there is no desktop to try, Interrupted when a person takes the mouse meanwhile.
    """
    from bot.desktop.backends import open_desktop
    from bot.desktop.self_test import check_screens as try_screens

    with open_desktop(kind=wanted) as desktop:
        if desktop.backend.open_stage is None:
            raise MissingRequirement(
                "this desktop cannot be tried out: no program can show a pattern at a place there; "
                "`sapper play --dry-run` shows whether a board is read"
            )
        with desktop.backend.open_stage() as stage, desktop.open_grabber() as grabber:
            for tried in try_screens(stage, desktop.hands, grabber):
                left, top, width, height = tried.screen.box
                size = f"{width}x{height} points at ({left}, {top}), {tried.screen.scale:g} pixels to a point"
                detail = "; ".join(tried.faults) or f"{tried.places} places: pictures and pointer are right"
                yield Requirement(f"screen {tried.screen.name}", not tried.faults, True, f"{size}: {detail}")


def _program(program: Program) -> Requirement:
    there = find_executable(program.command[0]) is not None
    command = "" if there or not program.package else install_command(program.package)
    return Requirement(program.name, there, False, "a Minesweeper that sapper can start", command)


def install_command(package: str) -> str:
    """The command that installs a package, named as Debian names it, with what this machine installs with."""
    if sys.platform == "darwin":
        return (
            "install Python from python.org, which has it"
            if package == "python3-tk"
            else "brew search " + package
        )
    if sys.platform == "win32":
        return "install Python from python.org, which has it"
    installer = next((name for name in INSTALL if shutil.which(name)), "apt-get")
    root = "" if _is_root() else "sudo "
    return f"{root}{INSTALL[installer]} {ELSEWHERE.get(installer, {}).get(package, package)}"


def _is_root() -> bool:
    return (hasattr(os, "geteuid") and os.geteuid() == 0) or not Path("/usr/bin/sudo").exists()
