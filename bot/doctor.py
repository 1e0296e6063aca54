"""What this machine lacks for live play, and the command that gets it. It looks only; it changes nothing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.programs.description import Program
from bot.programs.running import find_program

# The same thing under the names of other package collections, where they differ from Debian's.
ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "dnf": {"xvfb": "xorg-x11-server-Xvfb", "python3-tk": "python3-tkinter", "libgl1": "mesa-libGL"},
    "pacman": {"xvfb": "xorg-server-xvfb", "python3-tk": "tk", "libgl1": "libglvnd", "dbus-daemon": "dbus"},
    "zypper": {"xvfb": "xorg-x11-server-Xvfb", "libgl1": "Mesa-libGL1", "dbus-daemon": "dbus-1-daemon"},
}
INSTALL: Mapping[str, str] = {
    "apt-get": "apt-get install",
    "dnf": "dnf install",
    "pacman": "pacman -S",
    "zypper": "zypper install",
}


@dataclass(frozen=True)
class Finding:
    """One thing that live play may want.

    `is_needed` is False for what only some plays want (a known program, a window manager). `command` gets it,
    "" when it is there or when no command does.
    """

    what: str
    is_there: bool
    is_needed: bool
    detail: str
    command: str = ""


def examine(environment: Mapping[str, str] | None = None) -> list[Finding]:
    """Everything that live play may want, what is needed first."""
    environment = os.environ if environment is None else environment
    return sorted(_look(environment), key=lambda finding: not finding.is_needed)


def lacks(findings: list[Finding]) -> list[Finding]:
    """What is needed and not there."""
    return [finding for finding in findings if finding.is_needed and not finding.is_there]


def _look(environment: Mapping[str, str]) -> Iterator[Finding]:
    if sys.platform == "linux":
        display = environment.get("DISPLAY", "")
        yield Finding(
            "a display", bool(display), False, display or "none: sapper plays on a virtual screen of its own"
        )
        yield _command("Xvfb", "xvfb", "virtual screens (--virtual)", is_needed=not display)
        yield _wayland(environment)
        yield _command("openbox", "openbox", "a window manager for virtual screens")
        yield _command(
            "dbus-run-session", "dbus-daemon", "a private session bus: gnome-mines and kmines want one"
        )
    else:
        yield Finding("a display", True, True, f"the screen of {sys.platform}")
    if sys.platform == "darwin":
        yield Finding(
            "permissions",
            True,
            False,
            "allow Screen Recording and Accessibility for the terminal in System Settings",
        )
    yield _module("tkinter", "python3-tk", "pyautogui stops without it on Linux", sys.platform == "linux")
    yield _picture_library()
    if sys.platform == "linux":
        for name in Program.names():
            yield _program(Program.load(name))


def _command(command: str, package: str, purpose: str, is_needed: bool = False) -> Finding:
    there = shutil.which(command) is not None
    return Finding(command, there, is_needed, purpose, "" if there else how_to_get(package))


def _module(module: str, package: str, purpose: str, is_needed: bool) -> Finding:
    there = importlib.util.find_spec(module) is not None and importlib.util.find_spec("_tkinter") is not None
    return Finding(module, there, is_needed, purpose, "" if there else how_to_get(package))


def _picture_library() -> Finding:
    """Import OpenCV in a process of its own: a missing system library shows only there."""
    probe = subprocess.run(
        [sys.executable, "-c", "import cv2"], capture_output=True, text=True, check=False, timeout=60
    )
    if probe.returncode == 0:
        return Finding("OpenCV", True, True, "reads the pictures")
    last = (probe.stderr.strip().splitlines() or ["no message"])[-1]
    command = how_to_get("libgl1") if ".so" in last else "pip install opencv-python"
    return Finding("OpenCV", False, True, last, command)


def _wayland(environment: Mapping[str, str]) -> Finding:
    wayland = environment.get("XDG_SESSION_TYPE") == "wayland" or bool(environment.get("WAYLAND_DISPLAY"))
    detail = (
        "this is a Wayland session, which lets no program see or click others: use --virtual, or log in to "
        "an X11 session"
        if wayland
        else "not Wayland: other programs can be seen and clicked"
    )
    return Finding("an X11 session", not wayland, False, detail)


def _program(program: Program) -> Finding:
    there = find_program(program.command[0]) is not None
    command = "" if there or not program.package else how_to_get(program.package)
    return Finding(program.name, there, False, "a Minesweeper that sapper can start", command)


def how_to_get(package: str) -> str:
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
