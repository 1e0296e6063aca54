"""Compiled once: machine code is made of what Python calls, with all that this calls."""

from __future__ import annotations

import subprocess
import sys

import pytest

# a process of its own: what was compiled there cannot be called otherwise
CODE = """
import sys
import numba
from numba.core.registry import cpu_target
from strategies.compiled import linking

inside = cpu_target.target_context.codegen()
made, add = [], inside._add_module
inside._add_module = lambda module: made.append(module.name) or add(module)
linking.INSIDE += tuple(sys.argv[1:])


@numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
def inner(x):
    return 3 * x


@numba.njit(no_cfunc_wrapper=True)
def outer(x):
    return inner(x) + inner(5) - 14


with linking.linked_late(("outer",)):
    print(outer(4), *sorted({"inner", "outer"} & {*made}))
print(len(inner.overloads), inside._library_class is type(inside)._library_class)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lacks", "said"),
    [((), ["13 outer", "1 True"]), (("something_that_numba_lacks",), ["13 inner outer", "2 True"])],
)
def test_linking_compiles_only_what_python_calls(lacks: tuple[str, ...], said: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, *lacks], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == said, done.stderr
