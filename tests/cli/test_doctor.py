"""The doctor names what is missing and the command that gets it."""

from __future__ import annotations

import shutil

import pytest

import strategies.kernels
from bot.cli import doctor
from bot.cli.doctor import Requirement, examine, install_command, missing
from bot.programs.program import Program


def examined(**variables: str) -> dict[str, Requirement]:
    return {found.what: found for found in examine(variables)}


def test_doctor_examines_every_known_program() -> None:
    found = examined(DISPLAY=":0")
    assert {*Program.names(), "Xvfb", "tkinter", "OpenCV", "openbox"} <= found.keys()
    assert not found["Xvfb"].is_needed  # there is a display


def test_doctor_missing_requirement_has_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "find_executable", lambda name: None)
    found = examined()
    assert (found["Xvfb"].is_there, found["Xvfb"].is_needed) == (False, True)
    assert found["Xvfb"].command.endswith("apt-get install xvfb")
    assert found["sgt-mines"].command.endswith("apt-get install sgt-puzzles")
    assert "Xvfb" in {each.what for each in missing(list(found.values()))}


@pytest.mark.parametrize("is_compiled", [True, False])
def test_doctor_kernels_optional(is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies.kernels, "is_compiled", lambda: is_compiled)
    kernels = examined(DISPLAY=":0")["compiled kernels"]
    assert (kernels.is_there, kernels.is_needed) == (is_compiled, False)


WAYLAND = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": "/nonexistent"}


@pytest.mark.parametrize(
    ("variables", "is_there", "words"),
    [
        ({"DISPLAY": ":0"}, True, "X11"),
        ({}, False, "virtual screen"),
        ({"DISPLAY": ":0"} | WAYLAND, False, "Wayland"),
    ],
)
def test_doctor_reports_desktop(variables: dict[str, str], is_there: bool, words: str) -> None:
    desktop = examined(**variables)["a desktop to play on"]
    assert desktop.is_there == is_there
    assert words in desktop.detail


@pytest.mark.parametrize(
    ("installer", "command"),
    [
        ("apt-get", "apt-get install python3-tk"),
        ("dnf", "dnf install python3-tkinter"),
        ("pacman", "pacman -S tk"),
    ],
)
def test_doctor_command_fits_machine(installer: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == installer else None)
    assert install_command("python3-tk").removeprefix("sudo ") == command
