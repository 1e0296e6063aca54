"""Build the kernels as an extension if a C compiler is available. Everything else is in pyproject.toml.

Cython reads the C types of a module from a `.pxd` file. `declarations` writes it from the annotations.
"""

import ast
import os
import sys
from pathlib import Path

from setuptools import Extension, setup

PACKAGE = "strategies.kernels"
FOLDER = Path("strategies", "kernels")
MODULES = sorted({path.stem for path in FOLDER.glob("*.py")} - {"__init__", "memory", "settings"})
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

C_TYPES = {
    "None": "int", "bool": "bint", "int": "long long", "float": "double",
    "Ints": "ints_t", "Floats": "floats_t", "Octets": "octets_t",
}  # fmt: skip
LOCAL_TYPES = {"bint": "cython.bint", "long long": "cython.longlong", "double": "cython.double"}
# the results by which C functions announce an exception
FAILURES = {"int": " except -1", "bint": " except -1", "long long": " except? -1", "double": " except? -1"}


def parsed(module):
    """The syntax tree of a module."""
    return ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))


def constants(module):
    """The C type of each constant of a module."""
    for node in parsed(module).body:
        if isinstance(node, ast.Assign):
            is_float = any(isinstance(getattr(part, "value", None), float) for part in ast.walk(node.value))
            for name in ast.walk(node.targets[0]):
                if isinstance(name, ast.Name):
                    yield name.id, "double" if is_float else "long long"


def c_type(annotation, classes):
    """The C type of an annotation: of C_TYPES, one of `classes`, a list, a tuple of C types, or an object."""
    name = ast.unparse(annotation)
    if name.startswith("list["):
        return "list"
    if name.startswith("tuple["):
        return f"({', '.join(c_type(item, classes) for item in annotation.slice.elts)})"
    if name.endswith(" | None") and annotation.left.id not in C_TYPES:
        return c_type(annotation.left, classes)
    return C_TYPES.get(name, name if name in classes else "object")


def declarations(module, public):
    """The `.pxd` file of a module. Python code can use the names in `public`."""
    yield "cimport cython"
    yield "from libc cimport math"
    yield f"from {PACKAGE}.memory cimport Memory, floats_t, ints_t, octets_t"
    classes = {"Memory"}
    known = dict(constants(module))
    for node in parsed(module).body:
        if isinstance(node, ast.ImportFrom) and node.module == f"{PACKAGE}.settings":
            imported = {alias.name for alias in node.names}
            known |= {name: kind for name, kind in constants("settings") if name in imported}
        elif isinstance(node, ast.ImportFrom) and node.module.startswith(PACKAGE):
            classes |= {alias.name for alias in node.names}
            yield f"from {node.module} cimport {', '.join(alias.name for alias in node.names)}"
        elif isinstance(node, ast.ClassDef):
            classes.add(node.name)
            yield f"cdef class {node.name}({', '.join(base.id for base in node.bases)}):"
            for field in node.body[1:]:
                kind = c_type(field.annotation, classes)
                access = "readonly " if node.name in public and not kind.endswith("_t") else ""
                yield f"    cdef {access}{kind} {field.target.id}"
        elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
            yield from declared_function(node, classes, node.name in public)
    yield from (f"cdef {kind} {name}" for name, kind in known.items())


def declared_function(function, classes, is_public):
    """The declaration of a function and of its annotated variables."""
    for node in ast.walk(function):
        if isinstance(node, ast.AnnAssign):
            kind = c_type(node.annotation, classes)
            yield f"@cython.locals({node.target.id}={LOCAL_TYPES.get(kind, kind)})"
    arguments = ", ".join(f"{c_type(each.annotation, classes)} {each.arg}" for each in function.args.args)
    kind = c_type(function.returns, classes)
    failure = " except NULL" if kind.endswith("_t") else FAILURES.get(kind, "")
    yield f"{'cpdef' if is_public else 'cdef'} {kind} {function.name}({arguments}){failure}"


def extensions():
    """The extension modules."""
    from Cython.Build import cythonize

    imports = (node for node in parsed("__init__").body if isinstance(node, ast.ImportFrom))
    public = {alias.name for node in imports for alias in node.names}
    for module in MODULES:
        text = "\n".join(declarations(module, public)) + "\n"
        path = FOLDER / f"{module}.pxd"
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # Cython compares times
            path.write_text(text, encoding="utf-8")
    modules = [
        Extension(f"{PACKAGE}.{path.stem}", [str(path)], extra_compile_args=FLAGS)
        for path in (FOLDER / "memory.pyx", *(FOLDER / f"{module}.py" for module in MODULES))
    ]
    modules = cythonize(modules, compiler_directives=DIRECTIVES, build_dir="build", quiet=True)
    for module in modules:
        module.optional = True  # without a compiler, the kernels run as plain Python; `cythonize` drops this
    return modules


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count()}})
