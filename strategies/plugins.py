"""A plugin, checked and made a strategy: a module, a class, an object, or a file that is run for it."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, ModuleType

import pluggy

from games.errors import InvalidFile
from strategies import hookspecs, observing
from strategies.options import chosen_of, declared_in, setting_of
from strategies.places import last_line_in, one_line, place_of
from strategies.strategy import Strategy

HOOKS = ("deduce", "guess", *observing.HOOKS)
UNSET: Mapping[str, str] = MappingProxyType({})  # options as declared


def source_of(path: Path) -> bytes:
    """What is in a strategy's file. Raises InvalidFile when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        why = error.strerror
        raise InvalidFile(f"{path}: the strategy cannot be read ({why}): check the path") from error


def digest_of(source: bytes) -> str:
    """What stands for the version of a file: twelve hexadecimal digits of its checksum."""
    return hashlib.sha256(source).hexdigest()[:12]


def strategy_in(path: Path, source: bytes, options: Mapping[str, str]) -> Strategy:
    """Run a strategy's file. Its name is its NAME, or that of the file. Raises InvalidFile when it fails."""
    digest = digest_of(source)
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
        where = last_line_in(str(path), error) or str(path)
        raise InvalidFile(f"{where}: {one_line(error)}: correct the file") from error
    return strategy_of(path.stem.replace("_", "-"), module, str(path), digest, options)


def strategy_of(
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
        raise InvalidFile(f"{origin}: {one_line(error)}: take only the arguments of the hooks") from error
    callers = {caller.name for caller in manager.get_hookcallers(plugin) or ()}
    options = declared_in(plugin if hasattr(plugin, "OPTIONS") else whole, origin)
    name = name if origin == "built-in" else str(getattr(plugin, "NAME", getattr(whole, "NAME", name)))
    chosen = chosen_of(options, written, name)
    return Strategy(
        f"{name}{setting_of(options, chosen)}",
        plugin,
        origin,
        version,
        "deduce" in callers,
        "guess" in callers,
        manager.hook,
        (inspect.getdoc(plugin) or "").split("\n", 1)[0],
        places={hook: place_of(plugin, hook) for hook in callers},
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
        raise InvalidFile(f"{origin}: {found[0].__name__}() failed: {one_line(error)}") from error


def _has_hooks(thing: object) -> bool:
    hooks = (getattr(thing, name, None) for name in HOOKS)
    return any(hasattr(hook, f"{hookspecs.PROJECT}_impl") for hook in hooks)
