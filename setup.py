"""Build the kernels as an extension if a C compiler is available. Everything else is in pyproject.toml."""

import os
import sys

from setuptools import Extension, setup

MODULES = (
    "memory", "arrays", "classes", "layouts", "components",
    "fifty_fifty", "lookahead", "layout_list", "endgame", "choice",
)  # fmt: skip
# every platform computes the same: no fused multiply-add; 64-bit integers wrap around
FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off", "-fwrapv"]
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # types are in the .pxd files
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "nonecheck": False,
    "cdivision": True,
    "cpow": True,
    "auto_pickle": False,
}


def extensions():
    """The extension modules."""
    from Cython.Build import cythonize

    folder = "strategies/kernels"
    modules = [
        Extension(
            f"strategies.kernels.{name}",
            [f"{folder}/{name}.{'pyx' if name == 'memory' else 'py'}"],
            extra_compile_args=FLAGS,
        )
        for name in MODULES
    ]
    modules = cythonize(modules, compiler_directives=DIRECTIVES, build_dir="build", quiet=True)
    for module in modules:
        module.optional = True  # without a compiler, the kernels run as plain Python; `cythonize` drops this
    return modules


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count()}})
