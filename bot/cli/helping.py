"""The --help of commands that take strategies: it also lists the options of those named beside it."""

from __future__ import annotations

from pathlib import Path

import click

from bot.cli.options import in_folders

NAMED = "plugins named beside --help"


class TakesStrategies(click.Command):
    """`sapper play --strategy mine.py --help` ends with what may be set, as in `mine.py:option=value`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what is named for the help, which is printed before anything else is looked at."""
        if set(args) & set(self.get_help_option_names(ctx)):
            given, _, _ = self.make_parser(ctx).parse_args(list(args))
            named = (*given.get("strategies", ()), *given.get("observers", ()))
            ctx.meta[NAMED] = [
                in_folders(name, [Path(f) for f in given.get("folders", ())]) for name in named
            ]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own, then each plugin's. Raises Usage, InvalidFile where one cannot be loaded."""
        super().format_options(ctx, formatter)
        for name in ctx.meta.get(NAMED, ()):
            from strategies.registry import load_plugin

            plugin = load_plugin(name, trust=False)
            set_so = [
                f":{option.name}={option.written(plugin.chosen[option.name])}" for option in plugin.options
            ]
            about = [f"{option.about} ({option.kind})" for option in plugin.options]
            with formatter.section(f"Options of {name}"):
                formatter.write_dl(list(zip(set_so, about, strict=True)) or [("none", "")])
