"""Has numba compile each function once, and make machine code once, of everything that is called together.

By itself it compiles a function again for each whole number that stands in a call of it, and makes machine
code of each function as soon as its types are known, with all that it calls: of the innermost functions a
dozen times. Only the outermost are ever run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import codegen, types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

Library: Any = codegen.JITCodeLibrary
Function: Any = Dispatcher
any_number: Any = types.unliteral
# what is done otherwise here, by numba's own names for it
INSIDE = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")


class LateLibrary(Library):  # type: ignore[misc]
    """A function and all that it calls: machine code of an entry, of others what can be linked with it."""

    entries: Collection[str] = ()

    @property
    def is_entry(self) -> bool:
        """Whether Python calls it."""
        return self.name in self.entries

    def get_pointer_to_function(self, name: str) -> int:
        """Where its machine code is; 0 where there is none."""
        self._ensure_finalized()
        return int(super().get_pointer_to_function(name)) if self.is_entry else 0

    def serialize_using_object_code(self) -> Any:
        """What is kept of it."""
        return super().serialize_using_object_code() if self.is_entry else self.serialize_using_bitcode()

    def _optimize_final_module(self) -> None:
        if self.is_entry:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.is_entry:
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


@contextmanager
def linked_late(entries: Collection[str]) -> Iterator[None]:
    """While this is open, numba makes machine code of the functions with these names only.

    No other function that it compiles meanwhile can be called from Python, in this process. A numba that is
    not the same inside goes about it as usual.
    """
    inside: Any = cpu_target.target_context.codegen()
    if not (all(hasattr(Library, name) for name in INSIDE) and hasattr(Function, "get_call_template")):
        yield
        return
    usual, set_env = inside._library_class, inside.set_env  # noqa: SLF001
    by_its_types = Function.get_call_template

    def for_any_number(function: object, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return by_its_types(
            function,
            tuple(any_number(each) for each in args),
            {name: any_number(each) for name, each in kws.items()},
        )

    def set_where_there_is_code(name: str, environment: object) -> None:
        if inside._engine.get_global_value_address(name):  # noqa: SLF001
            set_env(name, environment)

    inside._library_class = type("OwnLibrary", (LateLibrary,), {"entries": entries})  # noqa: SLF001
    inside.set_env = set_where_there_is_code
    Function.get_call_template = for_any_number
    try:
        yield
    finally:
        inside._library_class, inside.set_env = usual, set_env  # noqa: SLF001
        Function.get_call_template = by_its_types
