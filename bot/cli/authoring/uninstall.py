"""`sapper uninstall`, which stands beside `sapper install`."""

from bot.cli.authoring.install import remove as command

__all__ = ["command"]
