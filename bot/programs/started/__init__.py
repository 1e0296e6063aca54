"""A program that was started: `running` puts together its `process` and its windows (`own_windows`)."""

from bot.programs.started.running import RunningProgram

__all__ = ["RunningProgram"]
