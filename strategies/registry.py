"""Loading of strategies and observers: built-in, installed, or from a file.

Built-in strategies are plugins like any other. Others come from installed packages (entry points of the group
`sapper.strategies`) and from single files named by path; unless trusted, they run in processes of their own
(`strategies.isolation`).
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Literal

import pluggy

from games.errors import InvalidFile, UsageError
from games.external import LARGEST_TEXT_FILE, entry_points, read_external
from games.names import did_you_mean
from strategies import hookspecs
from strategies.isolation.client import can_isolate
from strategies.isolation.protocol import ResourceLimits
from strategies.isolation.proxy import IsolatedPlugin, PluginError
from strategies.options import declared_options, format_options, parse_spec, resolve_options
from strategies.strategy import Strategy, error_location, format_error, hook_location

HOOKS = ("deduce", "guess", *hookspecs.HOOKS)
PluginKind = Literal["strategy", "observer"]


def read_source(path: Path) -> bytes:
    """Read a strategy's file. Raises InvalidFile."""
    try:
        return read_external(path, LARGEST_TEXT_FILE)
    except OSError as error:
        why = error.strerror
        raise InvalidFile(f"{path}: the strategy cannot be read ({why}): check the path") from error


def source_digest(source: bytes) -> str:
    """The version of a file: twelve hexadecimal digits of its SHA-256."""
    return hashlib.sha256(source).hexdigest()[:12]


def load_file(path: Path, source: bytes, options: Mapping[str, str]) -> Strategy:
    """Execute a strategy's file; the name is its NAME or the file name. Raises InvalidFile if it fails."""
    digest = source_digest(source)
    spec = importlib.util.spec_from_file_location(f"sapper_strategy_{digest}", path)
    if spec is None or spec.loader is None:
        raise InvalidFile(f"{path}: not a strategy file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as import does; dataclasses and pickle require it
    try:
        # executes a file that the user named
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    except SyntaxError as error:
        raise InvalidFile(f"{path}, line {error.lineno}: {error.msg}: correct the file") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = error_location(str(path), error) or str(path)
        raise InvalidFile(f"{where}: {format_error(error)}: correct the file") from error
    return register_plugin(path.stem.replace("_", "-"), module, str(path), digest, options)


def register_plugin(
    name: str, plugin: object, origin: str, version: str, written: Mapping[str, str] | None = None
) -> Strategy:
    """Register a plugin in its own plugin manager, so that it can be called separately.

    `written` are options as text. Raises InvalidFile if the plugin does not fulfil the contract.
    """
    whole, plugin = plugin, _hooks_in(plugin, origin)
    _check_contract(getattr(plugin, "CONTRACT", getattr(whole, "CONTRACT", None)), origin)
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    try:
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            manager.register(plugin, name)
        manager.check_pending()
    except (pluggy.PluginValidationError, ValueError) as error:
        raise InvalidFile(f"{origin}: {format_error(error)}: use only the arguments of the hooks") from error
    callers = {caller.name for caller in manager.get_hookcallers(plugin) or ()}
    options = declared_options(plugin if hasattr(plugin, "OPTIONS") else whole, origin)
    name = name if origin == "built-in" else str(getattr(plugin, "NAME", getattr(whole, "NAME", name)))
    chosen = resolve_options(options, written or {}, name)
    return Strategy(
        f"{name}{format_options(options, chosen)}",
        plugin,
        origin,
        version,
        manager.hook,
        (inspect.getdoc(plugin) or "").split("\n", 1)[0],
        places={hook: hook_location(plugin, hook) for hook in callers},
        options=options,
        chosen=chosen,
        notes=tuple(dict.fromkeys(str(each.message) for each in noted)) if origin != "built-in" else (),
    )


def _check_contract(wanted: object, origin: str) -> None:
    """Raise InvalidFile if the plugin was written for an incompatible contract."""
    if wanted is None:
        return
    match = re.fullmatch(r"(\d+)\.(\d+)", str(wanted))
    if not match:
        raise InvalidFile(f"{origin}: CONTRACT is {wanted!r}: write it as {hookspecs.CONTRACT!r}")
    ours = tuple(map(int, hookspecs.CONTRACT.split(".")))
    theirs = int(match[1]), int(match[2])
    if theirs[0] != ours[0] or theirs[1] > ours[1]:
        newer = "a newer Sapper" if theirs > ours else "an older Sapper, or change it"
        raise InvalidFile(
            f"{origin}: it requires contract {wanted}, but this Sapper has {hookspecs.CONTRACT}: use {newer}"
        )


def _hooks_in(plugin: object, origin: str) -> object:
    """The object with the hooks: the plugin, an instance of it, or of the only class with hooks inside it."""
    found: list[object] = []
    if _has_hooks(plugin):
        found = [plugin]
    elif isinstance(plugin, ModuleType):
        own = [v for v in vars(plugin).values() if getattr(v, "__module__", None) == plugin.__name__]
        found = [value for value in own if _has_hooks(value)]
    if not found:
        raise InvalidFile(
            f"{origin}: contains no strategy: mark a function 'deduce' or 'guess' with @hookimpl"
        )
    if len(found) > 1:
        raise InvalidFile(f"{origin}: contains {len(found)} strategies: keep one per file")
    if not inspect.isclass(found[0]):
        return found[0]
    try:
        return found[0]()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise InvalidFile(f"{origin}: {found[0].__name__}() failed: {format_error(error)}") from error


def _has_hooks(thing: object) -> bool:
    hooks = (getattr(thing, name, None) for name in HOOKS)
    return any(hasattr(hook, f"{hookspecs.PROJECT}_impl") for hook in hooks)


BUILT_IN: Mapping[str, str] = {
    "single-cell": "strategies.builtin.single_cell",
    "set-rules": "strategies.builtin.set_rules",
    "linear": "strategies.builtin.linear",
    "mine-count": "strategies.builtin.mine_count",
    "packing": "strategies.builtin.packing",
    "backtracking": "strategies.builtin.backtracking",
    "supposing": "strategies.builtin.legality",
    "models": "strategies.builtin.models",
    "witnesses": "strategies.builtin.witnesses",
    "prover9": "strategies.builtin.prover9",
    "lowest-risk": "strategies.builtin.guesses:lowest_risk",
    "lowest-risk-progress": "strategies.builtin.guesses:lowest_risk_progress",
    "quick": "strategies.builtin.guesses:quick",
    "best": "strategies.builtin.guesses:best",
}
# Names of Deduction functions, for strategies with the same method.
ALIASES: Mapping[str, str] = {
    "first-order": "single-cell",
    "first-order-deduct": "single-cell",
    "recursion": "supposing",
    "recursion-deduct": "supposing",
    "update-deduct": "supposing",
}
# Cheapest first (docs/results/strength.md has the figures). Other built-in strategies are used only by name.
DEFAULT_ORDER = ("single-cell", "set-rules", "linear", "mine-count", "packing", "backtracking", "best")
OBSERVERS: Mapping[str, str] = {"tally": "strategies.builtin.tally"}
LAST_GUESS = "lowest-risk"  # always has a guess, so every game ends


def is_built_in(name: str) -> bool:
    """Whether this is a built-in strategy or observer, options included (`best:steps=5`)."""
    return name.partition(":")[0] in {*BUILT_IN, *OBSERVERS}


def load_strategies(
    names: Sequence[str] | None = None, trust: bool = False, limits: ResourceLimits | None = None
) -> tuple[Strategy, ...]:
    """Load strategies by name or file, in this order; the default order if `names` is empty.

    The result can play whole games: if none of them deduces, the deducing strategies of the default order are
    prepended; if none guesses, `lowest-risk` is appended. Unless trusted, strategies that are not built in
    run in processes of their own within `limits`. Raises UsageError for an unknown name, InvalidFile for a
    file or package that is missing, damaged, or has no hook.
    """
    wanted = list(dict.fromkeys(names or DEFAULT_ORDER))
    loaded = [load_strategy(name, trust, limits) for name in wanted]
    check_names(loaded)
    if not any(strategy.has_deduce for strategy in loaded):
        default = map(load_strategy, DEFAULT_ORDER)
        loaded = [*(strategy for strategy in default if strategy.has_deduce), *loaded]
    if not any(strategy.has_guess for strategy in loaded):
        loaded.append(load_strategy(LAST_GUESS))
    return tuple(loaded)


def check_names(loaded: Sequence[Strategy]) -> None:
    """Raise UsageError if two of these strategies have the same name, so that results tell them apart."""
    origins: dict[str, str] = {}
    for strategy in loaded:
        other = origins.setdefault(strategy.name, strategy.origin)
        if other != strategy.origin:
            raise UsageError(
                f"two strategies are called {strategy.name}: {other} and {strategy.origin}: rename one (NAME)"
            )


def load_strategy(source: object, trust: bool = True, limits: ResourceLimits | None = None) -> Strategy:
    """Load one strategy, by name or file, or from a plugin object.

    A plugin object is a module, class or object with hooks. By default the strategy is loaded into this
    process, as for its author's tests. Options may be set behind the name, `mine.py:depth=3`. Raises the same
    errors as `load_strategies`.
    """
    found = load_plugin(source, trust, limits)
    if found.has_observer and not (found.has_deduce or found.has_guess):
        found.close()
        raise InvalidFile(f"{found.origin}: {found.name} is only an observer: use it with --observer")
    return found


def load_observer(source: object, trust: bool = False, limits: ResourceLimits | None = None) -> Strategy:
    """Load one observer. Raises the same errors as `load_strategies`."""
    found = load_plugin(source, trust, limits, "observer")
    if not found.has_observer and not found.fault:
        found.close()
        hooks = ", ".join(hookspecs.HOOKS)
        raise InvalidFile(
            f"{found.origin}: {found.name} is not an observer: mark one of {hooks} with @hookimpl"
        )
    return found


def load_plugin(
    source: object, trust: bool = True, limits: ResourceLimits | None = None, kind: PluginKind = "strategy"
) -> Strategy:
    """Load a strategy or an observer; `kind` is for messages. Raises the same errors as `load_strategies`."""
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str | Path):
        found = _load(str(source), trust or not can_isolate(), limits or ResourceLimits(), kind)
        if found.origin != "built-in" and is_built_in(found.name):
            found.close()
            raise UsageError(
                f"{found.origin}: its name {found.name} is that of a built-in strategy: choose another (NAME)"
            )
        return found
    name = str(getattr(source, "__name__", type(source).__name__)).rpartition(".")[2]
    return register_plugin(name.replace("_", "-"), source, name, "")


def available_strategies() -> tuple[tuple[str, str], ...]:
    """(name, origin) of every built-in strategy, built-in observer and installed plugin."""
    ours = (*BUILT_IN, *OBSERVERS)
    points = entry_points(hookspecs.ENTRY_POINTS)
    installed = [(point.name, _origin(point)) for point in points if point.name not in ours]
    return (*((name, "built-in") for name in ours), *installed)


def _load(text: str, trust: bool, limits: ResourceLimits, kind: PluginKind) -> Strategy:
    name, options = parse_spec(text)
    built_in = BUILT_IN.get(name) or OBSERVERS.get(name)
    if built_in:
        return register_plugin(name, pkgutil.resolve_name(built_in), "built-in", _own_version(), options)
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name)
        source = read_source(path)
        if trust:
            return load_file(path, source, options)
        return _isolate(text, path.stem.replace("_", "-"), name, source_digest(source), limits)
    points = [point for point in entry_points(hookspecs.ENTRY_POINTS) if point.name == name]
    if len(points) > 1:
        raise UsageError(
            f"two packages declare a strategy {name} ({', '.join(map(_origin, points))}): uninstall one"
        )
    for point in points:
        version = point.dist.version if point.dist else ""
        if not trust:
            return _isolate(text, name, _origin(point), version, limits)
        try:
            plugin = point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise InvalidFile(
                f"strategy {name}: {_origin(point)} cannot be loaded: {format_error(error)}: "
                "reinstall it, or do not use it"
            ) from error
        return register_plugin(name, plugin, _origin(point), version, options)
    alias = ALIASES.get(name.replace("_", "-"))
    if alias:
        return _load(alias + text[len(name) :], trust, limits, kind)
    others = BUILT_IN if kind == "observer" else OBSERVERS
    known = [known for known, _ in available_strategies() if known not in others]
    raise UsageError(
        f"'{name}' is not a known {kind}{did_you_mean(name, known)}: "
        f"use one of {', '.join(known)}, or a file such as ./mine.py"
    )


def _isolate(source: str, name: str, origin: str, version: str, limits: ResourceLimits) -> Strategy:
    try:
        plugin = IsolatedPlugin(source, limits)
    except PluginError as error:
        fault = f"it was not loaded: {error}"
        nothing = pluggy.PluginManager(hookspecs.PROJECT).hook
        return Strategy(name, None, origin, version, nothing, fault=fault)
    return Strategy(
        plugin.name, plugin, origin, version, plugin, plugin.about,
        places=plugin.places, options=plugin.options, chosen=plugin.chosen, notes=plugin.notes,
    )  # fmt: skip


def _origin(point: metadata.EntryPoint) -> str:
    return f"entry point of {point.dist.name if point.dist else point.value}"


def _own_version() -> str:
    try:
        return metadata.version(hookspecs.PROJECT)
    except metadata.PackageNotFoundError:
        return "not installed"
