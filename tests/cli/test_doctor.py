"""The doctor names what is missing and the command that gets it."""

from __future__ import annotations

import shutil

import pytest

import strategies.kernels
from bot.cli import doctor
from bot.cli.doctor import examine, install_command, missing
from bot.programs.program import Program


def test_doctor_examines_every_known_program() -> None:
    names = {finding.what for finding in examine({"DISPLAY": ":0"})}
    assert set(Program.names()) <= names
    assert {"Xvfb", "tkinter", "OpenCV", "openbox"} <= names


def test_doctor_missing_requirement_has_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "find_executable", lambda name: None)
    findings = {finding.what: finding for finding in examine({})}
    assert not findings["Xvfb"].is_there
    assert findings["Xvfb"].is_needed
    assert findings["Xvfb"].command.endswith("apt-get install xvfb")
    assert findings["sgt-mines"].command.endswith("apt-get install sgt-puzzles")
    assert "Xvfb" in {finding.what for finding in missing(list(findings.values()))}


@pytest.mark.parametrize("is_compiled", [True, False])
def test_doctor_kernels_optional(is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies.kernels, "is_compiled", lambda: is_compiled)
    findings = {finding.what: finding for finding in examine({"DISPLAY": ":0"})}
    assert findings["compiled kernels"].is_there == is_compiled
    assert not findings["compiled kernels"].is_needed


def test_doctor_display_makes_xvfb_optional() -> None:
    findings = {finding.what: finding for finding in examine({"DISPLAY": ":0"})}
    assert not findings["Xvfb"].is_needed


@pytest.mark.parametrize(
    ("variables", "is_there", "words"),
    [
        ({"DISPLAY": ":0"}, True, "X11"),
        ({}, False, "virtual screen"),
        (
            {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": "/nonexistent"},
            False,
            "Wayland",
        ),
    ],
)
def test_doctor_reports_desktop(variables: dict[str, str], is_there: bool, words: str) -> None:
    findings = {finding.what: finding for finding in examine(variables)}
    assert findings["a desktop to play on"].is_there == is_there
    assert words in findings["a desktop to play on"].detail


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
