"""A plugin, checked and made a strategy: a module, a class, an object, or a file that is run for it.

Which strategies there are, and in which order they are tried.

Built-ins are plugins like any other. Others come from installed packages (entry points of the group
`sapper.strategies`) and from single files named by path; they run in processes of their own (`isolated`)
unless they are trusted.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import MappingProxyType, ModuleType

import pluggy

from games.errors import InvalidFile, UsageError
from games.names import did_you_mean
from strategies import hookspecs
from strategies.isolation.client import can_isolate
from strategies.isolation.protocol import ResourceLimits
from strategies.isolation.proxy import IsolatedPlugin, PluginError
from strategies.options import declared_options, format_options, parse_spec, resolve_options
from strategies.strategy import Strategy, error_location, format_error, hook_location

HOOKS = ("deduce", "guess", *hookspecs.HOOKS)
UNSET: Mapping[str, str] = MappingProxyType({})  # options as declared


def read_source(path: Path) -> bytes:
    """What is in a strategy's file. Raises InvalidFile when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        why = error.strerror
        raise InvalidFile(f"{path}: the strategy cannot be read ({why}): check the path") from error


def source_digest(source: bytes) -> str:
    """What stands for the version of a file: twelve hexadecimal digits of its checksum."""
    return hashlib.sha256(source).hexdigest()[:12]


def load_file(path: Path, source: bytes, options: Mapping[str, str]) -> Strategy:
    """Run a strategy's file. Its name is its NAME, or that of the file. Raises InvalidFile when it fails."""
    digest = source_digest(source)
    spec = importlib.util.spec_from_file_location(f"sapper_strategy_{digest}", path)
    if spec is None or spec.loader is None:
        raise InvalidFile(f"{path}: a strategy's file ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as import does: dataclasses and pickle look there
    try:
        # loading code that the person named is the very point
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
    name: str, plugin: object, origin: str, version: str, written: Mapping[str, str] = UNSET
) -> Strategy:
    """Register a plugin in a fresh manager of its own, so that it can be asked alone.

    `written` are options as a person gave them. Raises InvalidFile where it is no strategy of this contract.
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
        raise InvalidFile(f"{origin}: {format_error(error)}: take only the arguments of the hooks") from error
    callers = {caller.name for caller in manager.get_hookcallers(plugin) or ()}
    options = declared_options(plugin if hasattr(plugin, "OPTIONS") else whole, origin)
    name = name if origin == "built-in" else str(getattr(plugin, "NAME", getattr(whole, "NAME", name)))
    chosen = resolve_options(options, written, name)
    return Strategy(
        f"{name}{format_options(options, chosen)}",
        plugin,
        origin,
        version,
        "deduce" in callers,
        "guess" in callers,
        manager.hook,
        (inspect.getdoc(plugin) or "").split("\n", 1)[0],
        places={hook: hook_location(plugin, hook) for hook in callers},
        options=options,
        chosen=chosen,
        notes=tuple(dict.fromkeys(str(each.message) for each in noted)) if origin != "built-in" else (),
    )


def _check_contract(wanted: object, origin: str) -> None:
    """Refuse a plugin that was written for another contract. Raises InvalidFile."""
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
            f"{origin}: it keeps contract {wanted}, and this Sapper {hookspecs.CONTRACT}: take {newer}"
        )


def _hooks_in(plugin: object, origin: str) -> object:
    """The object that has the hooks: the plugin itself, an instance of it, or of the one class inside it."""
    found: list[object] = []
    if _has_hooks(plugin):
        found = [plugin]
    elif isinstance(plugin, ModuleType):
        own = [v for v in vars(plugin).values() if getattr(v, "__module__", None) == plugin.__name__]
        found = [value for value in own if _has_hooks(value)]
    if not found:
        raise InvalidFile(f"{origin}: no strategy in it: mark a function 'deduce' or 'guess' with @hookimpl")
    if len(found) > 1:
        raise InvalidFile(f"{origin}: {len(found)} strategies in it: keep one in a file")
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


BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
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
        "lowest-risk": "strategies.builtin.lowest_risk",
        "lowest-risk-progress": "strategies.builtin.lowest_risk_progress",
        "quick": "strategies.builtin.quick",
        "best": "strategies.builtin.best",
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
    names: Sequence[str] | None = None, trust: bool = False, limits: ResourceLimits | None = None
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


def load_strategy(source: object, trust: bool = True, limits: ResourceLimits | None = None) -> Strategy:
    """This one strategy and nothing beside it: by name, by file, or the plugin itself.

    A plugin is a module, a class or an object that has the hooks; it is used as it is. What is named is
    loaded into this process, as its author tests it, unless it is not to be trusted. Its options may be set
    behind the name, `mine.py:depth=3`. Raises what `load_strategies` raises.
    """
    found = load_plugin(source, trust, limits)
    if found.has_observer and not (found.has_deduce or found.has_guess):
        raise InvalidFile(f"{found.origin}: {found.name} only observes: name it with --observer")
    return found


def load_observer(source: object, trust: bool = False, limits: ResourceLimits | None = None) -> Strategy:
    """The same of somebody who hears of games. Raises what `load_strategies` raises."""
    found = load_plugin(source, trust, limits)
    if not found.has_observer and not found.fault:
        hooks = ", ".join(hookspecs.HOOKS)
        raise InvalidFile(
            f"{found.origin}: {found.name} observes nothing: mark one of {hooks} with @hookimpl"
        )
    return found


def load_plugin(source: object, trust: bool = True, limits: ResourceLimits | None = None) -> Strategy:
    """A strategy or an observer, whichever it is. Raises what `load_strategies` raises."""
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str | Path):
        return _load(str(source), trust or not can_isolate(), limits or ResourceLimits())
    name = str(getattr(source, "__name__", type(source).__name__)).rpartition(".")[2]
    return register_plugin(name.replace("_", "-"), source, name, "")


def available_strategies() -> tuple[tuple[str, str], ...]:
    """(name, origin) of every strategy that can be used by name, and of every observer behind them."""
    ours = (*BUILT_IN, *OBSERVERS)
    installed = [(point.name, _origin(point)) for point in _entry_points() if point.name not in ours]
    return (*((name, "built-in") for name in ours), *installed)


def _load(text: str, trust: bool, limits: ResourceLimits) -> Strategy:
    """Find one strategy by name or path, with its options behind a colon."""
    name, options = parse_spec(text)
    built_in = BUILT_IN.get(name) or OBSERVERS.get(name)
    if built_in:
        return register_plugin(name, importlib.import_module(built_in), "built-in", _own_version(), options)
    if name.endswith(".py") or "/" in name or "\\" in name:
        path = Path(name)
        source = read_source(path)
        if trust:
            return load_file(path, source, options)
        return _apart(text, path.stem.replace("_", "-"), name, source_digest(source), limits)
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
                    f"strategy {name}: {_origin(point)} cannot be loaded: {format_error(error)}: "
                    "install it again, or leave it out"
                ) from error
            return register_plugin(name, plugin, _origin(point), version, options)
    known = [known for known, _ in available_strategies()]
    raise UsageError(
        f"'{name}' is no known strategy{did_you_mean(name, known)}: "
        f"use one of {', '.join(known)}, or a file such as ./mine.py"
    )


def _apart(source: str, name: str, origin: str, version: str, limits: ResourceLimits) -> Strategy:
    """Load a strategy into a process of its own."""
    try:
        plugin = IsolatedPlugin(source, limits)
    except PluginError as error:
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
