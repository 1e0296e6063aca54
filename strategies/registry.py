"""Which strategies there are, and in which order they are tried.

Built-ins are plugins like any other. Others come from installed packages (entry points of the group
`sapper.strategies`) and from single files named by path; they run in processes of their own (`isolated`)
unless they are trusted.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

import pluggy

from games.errors import InvalidFile, Usage
from games.suggesting import did_you_mean
from strategies import hookspecs, observing
from strategies.isolated import Limits, Misbehaved, Plugin, can_isolate
from strategies.options import split_spec
from strategies.places import one_line
from strategies.plugins import digest_of, source_of, strategy_in, strategy_of
from strategies.strategy import Strategy

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "single-cell": "strategies.builtin.single_cell",
        "set-rules": "strategies.builtin.set_rules",
        "linear": "strategies.builtin.linear",
        "mine-count": "strategies.builtin.mine_count",
        "packing": "strategies.builtin.packing",
        "backtracking": "strategies.builtin.backtracking",
        "supposing": "strategies.builtin.supposing",
        "models": "strategies.builtin.models",
        "witnesses": "strategies.builtin.witnesses",
        "prover9": "strategies.builtin.prover9",
        "lowest-risk": "strategies.builtin.guesses.lowest_risk",
        "lowest-risk-progress": "strategies.builtin.guesses.lowest_risk_progress",
        "quick": "strategies.builtin.guesses.quick",
        "best": "strategies.builtin.guesses.best",
    }
)
# Cheapest first (docs/reasoning.md has the figures). A built-in that is not in it is used only by name.
DEFAULT_ORDER = (
    "single-cell",
    "set-rules",
    "linear",
    "mine-count",
    "packing",
    "backtracking",
    "best",
)
OBSERVERS: Mapping[str, str] = MappingProxyType({"tally": "strategies.builtin.tally"})
LAST_GUESS = "lowest-risk"  # answers always, so every game comes to an end


def load_strategies(
    names: Sequence[str] | None = None, trust: bool = False, limits: Limits | None = None
) -> tuple[Strategy, ...]:
    """The strategies of these names or files in exactly this order; the default order for None or nothing.

    Whole games can be played with them: when none of them deduces, those of the default order that do are put
    in front; when none guesses, `lowest-risk` is put behind. What is not built in runs in a process of its
    own, within these limits, unless it is trusted. Raises Usage for an unknown name, InvalidFile for a file
    or package that is missing, damaged, or holds no hook.
    """
    wanted = list(dict.fromkeys(names or DEFAULT_ORDER))
    loaded = [load_strategy(name, trust, limits) for name in wanted]
    if not any(strategy.has_deduce for strategy in loaded):
        default = map(load_strategy, DEFAULT_ORDER)
        loaded = [*(strategy for strategy in default if strategy.has_deduce), *loaded]
    if not any(strategy.has_guess for strategy in loaded):
        loaded.append(load_strategy(LAST_GUESS))
    return tuple(loaded)


def load_strategy(source: object, trust: bool = True, limits: Limits | None = None) -> Strategy:
    """This one strategy and nothing beside it: by name, by file, or the plugin itself.

    A plugin is a module, a class or an object that has the hooks; it is used as it is. What is named is
    loaded into this process, as its author tests it, unless it is not to be trusted. Its options may be set
    behind the name, `mine.py:depth=3`. Raises what `load_strategies` raises.
    """
    found = load_plugin(source, trust, limits)
    if found.has_observer and not (found.has_deduce or found.has_guess):
        raise InvalidFile(f"{found.origin}: {found.name} only observes: name it with --observer")
    return found


def load_observer(source: object, trust: bool = False, limits: Limits | None = None) -> Strategy:
    """The same of somebody who hears of games. Raises what `load_strategies` raises."""
    found = load_plugin(source, trust, limits)
    if not found.has_observer and not found.fault:
        hooks = ", ".join(observing.HOOKS)
        raise InvalidFile(
            f"{found.origin}: {found.name} observes nothing: mark one of {hooks} with @hookimpl"
        )
    return found


def load_plugin(source: object, trust: bool = True, limits: Limits | None = None) -> Strategy:
    """A strategy or an observer, whichever it is. Raises what `load_strategies` raises."""
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str | Path):
        return _load(str(source), trust or not can_isolate(), limits or Limits())
    name = str(getattr(source, "__name__", type(source).__name__)).rpartition(".")[2]
    return strategy_of(name.replace("_", "-"), source, name, "")


def available() -> tuple[tuple[str, str], ...]:
    """(name, origin) of every strategy that can be used by name, and of every observer behind them."""
    ours = (*BUILT_IN, *OBSERVERS)
    installed = [(point.name, _origin(point)) for point in _entry_points() if point.name not in ours]
    return (*((name, "built-in") for name in ours), *installed)


def _load(text: str, trust: bool, limits: Limits) -> Strategy:
    """Find one strategy by name or path, with its options behind a colon."""
    name, options = split_spec(text)
    built_in = BUILT_IN.get(name) or OBSERVERS.get(name)
    if built_in:
        return strategy_of(name, importlib.import_module(built_in), "built-in", _own_version(), options)
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name)
        source = source_of(path)
        if trust:
            return strategy_in(path, source, options)
        return _apart(text, path.stem.replace("_", "-"), name, digest_of(source), limits)
    for point in _entry_points():
        if point.name == name:
            version = point.dist.version if point.dist else ""
            if not trust:
                return _apart(text, name, _origin(point), version, limits)
            try:
                plugin = point.load()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise InvalidFile(
                    f"strategy {name}: {_origin(point)} cannot be loaded: {one_line(error)}: "
                    "install it again, or leave it out"
                ) from error
            return strategy_of(name, plugin, _origin(point), version, options)
    known = [known for known, _ in available()]
    raise Usage(
        f"'{name}' is no known strategy{did_you_mean(name, known)}: "
        f"use one of {', '.join(known)}, or a file such as ./mine.py"
    )


def _apart(source: str, name: str, origin: str, version: str, limits: Limits) -> Strategy:
    """Load a strategy into a process of its own."""
    try:
        plugin = Plugin(source, limits)
    except Misbehaved as error:
        fault = f"it was not loaded: {error}"
        nothing = pluggy.PluginManager(hookspecs.PROJECT).hook
        return Strategy(name, None, origin, version, False, False, nothing, fault=fault)
    places = plugin.places
    return Strategy(
        plugin.name, plugin, origin, version, "deduce" in places, "guess" in places, plugin, plugin.about,
        places=places, options=plugin.options, chosen=plugin.chosen, notes=plugin.notes,
    )  # fmt: skip


def _entry_points() -> list[metadata.EntryPoint]:
    return sorted(metadata.entry_points(group=hookspecs.ENTRY_POINTS), key=lambda point: point.name)


def _origin(point: metadata.EntryPoint) -> str:
    return f"entry point of {point.dist.name if point.dist else point.value}"


def _own_version() -> str:
    try:
        return metadata.version(hookspecs.PROJECT)
    except metadata.PackageNotFoundError:
        return "not installed"
