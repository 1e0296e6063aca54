"""`sapper doctor`: check the requirements for live play; only --try moves the pointer."""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.common_options import as_json, backend, echo, print_json
from bot.programs.program import Program, find_executable
from games.errors import InvalidFile, MissingRequirement
from strategies.isolation.sandbox import denials

if TYPE_CHECKING:
    from bot.desktop.backends import Kind


@click.command("doctor", epilog="Example: sapper doctor --try")
@click.option(
    "--try", "tries", is_flag=True, help="Test screen capture and mouse: shows a pattern, moves the mouse."
)
@backend
@as_json
def command(tries: bool, backend: Kind | None, as_json: bool) -> int:
    """Check the requirements for live play and print the commands that install what is missing.

    The exit code is 8 if a necessary requirement is missing. With --try, Sapper shows a small pattern on each
    screen, finds it in a captured image, and moves the mouse to it.
    """
    requirements: list[Requirement] = []
    for each in itertools.chain(examine(), try_desktop(backend) if tries else ()):
        requirements.append(each)
        if as_json:
            print_json(
                {
                    "what": each.what,
                    "there": each.is_there,
                    "needed": each.is_needed,
                    "detail": each.detail,
                    "command": each.command,
                }
            )
        else:
            mark = "ok     " if each.is_there else "MISSING" if each.is_needed else "absent "
            remedy = f"  ->  {each.command}" if each.command and not each.is_there else ""
            echo(f"{mark} {each.what}: {each.detail}{remedy}")
    names = ", ".join(each.what for each in missing(requirements))
    if names:
        raise MissingRequirement(f"live play requires {names}: see the lines above")
    return 0


# Package names of other distributions, where they differ from Debian's.
OTHER_NAMES: Mapping[str, Mapping[str, str]] = {
    "dnf": {"xvfb": "xorg-x11-server-Xvfb", "python3-tk": "python3-tkinter", "libgl1": "mesa-libGL"},
    "pacman": {"xvfb": "xorg-server-xvfb", "python3-tk": "tk", "libgl1": "libglvnd", "dbus-daemon": "dbus"},
    "zypper": {"xvfb": "xorg-x11-server-Xvfb", "libgl1": "Mesa-libGL1", "dbus-daemon": "dbus-1-daemon"},
}
OTHER_DESKTOPS: Mapping[str, str] = {
    "win32": "Windows: Sapper can see and click other programs (tested under Wine only)",
    "darwin": "macOS: Sapper has no backend for it, so it cannot check windows before a click",
}
EXTRA = "pip install pywayland jeepney"
INSTALL: Mapping[str, str] = {
    "apt-get": "apt-get install",
    "dnf": "dnf install",
    "pacman": "pacman -S",
    "zypper": "zypper install",
}


@dataclass(frozen=True)
class Requirement:
    """A requirement for live play and the command that installs it ("" if none exists or is needed).

    `is_needed` is False for optional requirements, such as a known program or a window manager.
    """

    what: str
    is_there: bool
    is_needed: bool
    detail: str
    command: str = ""


def examine(environment: Mapping[str, str] | None = None) -> list[Requirement]:
    """Check all requirements; the necessary ones come first."""
    environment = os.environ if environment is None else environment
    return sorted(_examine(environment), key=lambda each: not each.is_needed)


def missing(requirements: Sequence[Requirement]) -> list[Requirement]:
    """The necessary requirements that are not met."""
    return [each for each in requirements if each.is_needed and not each.is_there]


def _examine(environment: Mapping[str, str]) -> Iterator[Requirement]:
    if sys.platform == "linux":
        display = environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY", "")
        yield Requirement(
            "a display", bool(display), False, display or "none: Sapper plays on a virtual screen instead"
        )
        yield _command("Xvfb", "xvfb", "virtual screens (--virtual)", is_needed=not display)
        yield _desktop(environment)
        yield _command("openbox", "openbox", "a window manager for virtual screens")
        yield _command(
            "dbus-run-session", "dbus-daemon", "a private session bus, which gnome-mines and kmines require"
        )
    else:
        yield Requirement("a display", True, True, OTHER_DESKTOPS.get(sys.platform, sys.platform))
    if sys.platform == "darwin":
        yield Requirement(
            "permissions",
            True,
            False,
            "allow Screen Recording and Accessibility for the terminal in System Settings",
        )
    has_tk = all(importlib.util.find_spec(module) for module in ("tkinter", "_tkinter"))
    detail = "pyautogui requires it on Linux"
    yield _package("tkinter", has_tk, sys.platform == "linux", detail, "python3-tk")
    yield _isolation()
    yield _opencv()
    yield _kernels()
    for name in Program.own_names():
        try:
            program = Program.load(name)
        except InvalidFile as error:
            yield Requirement(name, False, False, str(error), "correct the file")
        else:
            is_there = find_executable(program.command[0]) is not None
            yield _package(name, is_there, False, f"your own program file, {program.words['folder']}", "")
    if sys.platform == "linux":
        for program in map(Program.load, Program.names()):
            is_there = find_executable(program.command[0]) is not None
            yield _package(
                program.name, is_there, False, "a Minesweeper that Sapper can start", program.package
            )


def _isolation() -> Requirement:
    """Check what this system denies to the processes of strategies."""
    denied = denials()
    reachable = ", ".join(what for what, is_denied in denied.items() if not is_denied)
    detail = f"no access to {', '.join(denied)}"
    if reachable:
        detail = f"this system does not restrict {reachable}: use only strategies that you trust"
    return Requirement("isolated strategies", not reachable, False, detail)


def _command(command: str, package: str, purpose: str, is_needed: bool = False) -> Requirement:
    return _package(command, shutil.which(command) is not None, is_needed, purpose, package)


def _package(what: str, is_there: bool, is_needed: bool, detail: str, package: str) -> Requirement:
    command = install_command(package) if package and not is_there else ""
    return Requirement(what, is_there, is_needed, detail, command)


def _opencv() -> Requirement:
    """Import OpenCV in a new process, because a missing system library may end the process."""
    probe = subprocess.run(
        [sys.executable, "-c", "import cv2"], capture_output=True, text=True, check=False, timeout=60
    )
    if probe.returncode == 0:
        return Requirement("OpenCV", True, True, "reads the pictures")
    last = (probe.stderr.strip().splitlines() or ["no message"])[-1]
    command = install_command("libgl1") if ".so" in last else "pip install opencv-python"
    return Requirement("OpenCV", False, True, last, command)


def _kernels() -> Requirement:
    """Check for the extension; without it, Sapper plays the same in plain Python."""
    from strategies.kernels import is_compiled

    if is_compiled():
        return Requirement("compiled kernels", True, False, "count layouts and choose guesses")
    command = "" if shutil.which("cc") else install_command("gcc")
    detail = "a guess takes a tenth of a second longer: install a C compiler and reinstall Sapper"
    return Requirement("compiled kernels", False, False, detail, command)


def _desktop(environment: Mapping[str, str]) -> Requirement:
    """Check whether this desktop allows capturing and clicking other programs."""
    what = "a desktop to play on"
    if not environment.get("WAYLAND_DISPLAY"):
        if environment.get("DISPLAY"):
            return Requirement(what, True, False, "X11: Sapper can see and click other programs")
        return Requirement(what, False, False, "none: Sapper plays on a virtual screen instead")
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
        command = EXTRA if "pywayland jeepney" in str(lack) else ""
        return Requirement(what, False, False, f"Wayland: {lack}", command)
    if not is_shown:
        known = "screen sharing with your consent: it reports no windows, so Sapper checks the image"
    elif environment.get("SWAYSOCK"):
        known = "sway: it reports windows and stop keys"
    else:
        known = "not sway: it reports no windows or stop keys, so stop Sapper with the mouse"
    return Requirement(what, True, False, f"Wayland, {known}; Wayland never reports the pointer position")


def try_desktop(wanted: Kind | None = None) -> Iterator[Requirement]:
    """Compare pointer positions and captured images on each screen.

    Raises MissingRequirement if the desktop does not support it, Interrupted if the user moves the mouse.
    """
    from bot.desktop.backends import open_desktop
    from bot.desktop.self_test import check_screens

    with open_desktop(kind=wanted) as desktop:
        if desktop.backend.open_stage is None:
            raise MissingRequirement(
                "--try does not work on this desktop, because programs cannot choose a position: "
                "use `sapper play --dry-run` to test reading"
            )
        with desktop.backend.open_stage() as stage, desktop.open_grabber() as grabber:
            for tried in check_screens(stage, desktop.controls, grabber):
                left, top, width, height = tried.screen.box
                size = f"{width}x{height} points at ({left}, {top}), {tried.screen.scale:g} pixels per point"
                detail = "; ".join(tried.faults) or f"{tried.places} places: images and pointer are correct"
                yield Requirement(f"screen {tried.screen.name}", not tried.faults, True, f"{size}: {detail}")


def install_command(package: str) -> str:
    """The command that installs this Debian package with the package manager of this machine."""
    if sys.platform == "win32" and package == "gcc":
        return "install the Build Tools for Visual Studio, with C++"
    if sys.platform == "win32" or (sys.platform == "darwin" and package == "python3-tk"):
        return "install Python from python.org, which includes it"
    if sys.platform == "darwin":
        return f"brew search {package}"
    installer = next((name for name in INSTALL if shutil.which(name)), "apt-get")
    is_root = (hasattr(os, "geteuid") and os.geteuid() == 0) or not Path("/usr/bin/sudo").exists()
    name = OTHER_NAMES.get(installer, {}).get(package, package)
    return f"{'' if is_root else 'sudo '}{INSTALL[installer]} {name}"
