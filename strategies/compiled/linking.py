"""Has numba compile each function once, and make machine code once, of everything that is called together.

By itself it compiles a function again for each whole number that stands in a call of it, and makes machine
code of each function as soon as its types are known, with all that it calls: of the innermost functions a
dozen times. Only the outermost are ever run. What an operator makes of its types it finds out each time,
by trying a dozen templates: a fifth of the whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import codegen, types
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

Library: Any = codegen.JITCodeLibrary
Function: Any = Dispatcher
Operator: Any = types.BaseFunction
any_number: Any = types.unliteral
Flags: Any = ConfigStack
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
    has_ways = hasattr(Function, "get_call_template") and hasattr(Operator, "get_call_type")
    if not (has_ways and all(hasattr(Library, name) for name in INSIDE)):
        yield
        return
    usual, set_env = inside._library_class, inside.set_env  # noqa: SLF001
    by_its_types, by_trying = Function.get_call_template, Operator.get_call_type

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
    Function.get_call_template, Operator.get_call_type = for_any_number, remembering(by_trying)
    try:
        yield
    finally:
        inside._library_class, inside.set_env = usual, set_env  # noqa: SLF001
        Function.get_call_template, Operator.get_call_type = by_its_types, by_trying


def remembering(by_trying: Any) -> Any:
    """How an operator finds what it makes of its types, but for types that it was asked about before.

    The flags with which a function is compiled are part of the question. What has no answer is asked again.
    """
    answers: dict[Any, Any] = {}
    names: dict[int, tuple[Any, str]] = {}  # the flags are held, so that no others get their number

    def type_of_call(operator: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        flags = Flags.top_or_none()
        if id(flags) not in names:
            names[id(flags)] = (flags, flags.summary() if flags else "")
        question = operator, args, tuple(kws.items()), names[id(flags)][1]
        if question in answers:
            answer, way = answers[question]
            operator._impl_keys[answer.args] = way  # noqa: SLF001
            return answer
        answer = by_trying(operator, context, args, kws)
        answers[question] = answer, operator.get_impl_key(answer)
        return answer

    return type_of_call
