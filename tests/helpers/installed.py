"""Plugins of packages that are not installed."""

from __future__ import annotations

from importlib import metadata

import pytest


class InstalledPlugin:
    """An entry point of an installed package; loading it raises the plugin if that is an exception."""

    value, dist = "package.module", None

    def __init__(self, name: str, plugin: object) -> None:
        self.name, self._plugin = name, plugin

    def load(self) -> object:
        if isinstance(self._plugin, Exception):
            raise self._plugin
        return self._plugin


def pretend_installed(monkeypatch: pytest.MonkeyPatch, group: str, **plugins: object) -> None:
    """Pretend that packages declare these entry points, and no others."""
    points = {group: [InstalledPlugin(*each) for each in plugins.items()]}
    monkeypatch.setattr(metadata, "entry_points", lambda group: points.get(group, []))
