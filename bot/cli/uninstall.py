"""`sapper uninstall`, which stands beside `sapper install`."""

from bot.cli.install import remove as command

__all__ = ["command"]
