"""Where games are from. Each kind of source brings its games into the form of a recording.

`of` says what a file or folder is: a recording, a `video`, a folder of `pictures`, one of the community's
`replays`.
"""

from bot.review.sources.kinds import Source, SourceOptions, of

__all__ = ["Source", "SourceOptions", "of"]
