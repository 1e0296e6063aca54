"""Restrict the process of a strategy with Landlock and seccomp, where the Linux kernel provides them.

Both need no privileges, cannot be undone, and apply to all later children. Landlock (Linux 5.13) denies
files and, in newer versions, TCP, signals and abstract sockets; it also denies access to the memory of all
processes outside. The seccomp filter denies new sockets, because Landlock does not restrict connections to
the sockets of a desktop session. See landlock(7), seccomp(2), and landlock.rst and seccomp_filter.rst in the
kernel's Documentation/userspace-api.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import games
import strategies
from games.external import parse_json, read_external_text

# linux/landlock.h: the system calls have these numbers on all architectures
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
CREATE_RULESET_VERSION, RULE_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
FIRST_RIGHTS = (1 << 13) - 1  # version 1: all rights up to LANDLOCK_ACCESS_FS_MAKE_SYM
LATER_RIGHTS = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # version: refer, truncate, ioctl_dev
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | LATER_RIGHTS[3]  # those that apply to a file
TCP, TCP_VERSION = 3, 4  # bind and connect
SCOPES, SCOPES_VERSION = 3, 6  # abstract sockets and signals
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
# machine -> AUDIT_ARCH of linux/audit.h, number of socket(2), first number of another system call table
MACHINES: Mapping[str, tuple[int, int, int]] = {
    "x86_64": (0xC000003E, 41, 0x40000000),
    "aarch64": (0xC00000B7, 198, 0xFFFFFFFF),
}
IO_URING_SETUP = 425  # io_uring can create sockets without socket(2)

SYSTEM_FOLDERS = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/nix/store", "/gnu/store", "/sys/devices/system/cpu",
)  # fmt: skip
SYSTEM_FILES = (  # of the C library and of numerical libraries
    "/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
    "/proc/cpuinfo", "/proc/meminfo", "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip


def landlock_version() -> int:
    """The version of Landlock that the kernel provides (its ABI); 0 for none."""
    if sys.platform != "linux":
        return 0
    try:
        return _call("syscall", CREATE_RULESET, None, 0, CREATE_RULESET_VERSION)
    except OSError:
        return 0


def can_deny_sockets() -> bool:
    """Whether the kernel filters system calls, and their numbers are known for this machine."""
    is_known = sys.platform == "linux" and platform.machine() in MACHINES and sys.maxsize > 1 << 32
    try:
        return is_known and bool(_call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, None, 0, 0))
    except OSError as error:
        return error.errno == errno.EFAULT  # a kernel with filters misses the address of the filter


def denials() -> dict[str, bool]:
    """What `restrict` can deny, and whether it does on this machine."""
    version, has_filter = landlock_version(), can_deny_sockets()
    return {
        "other files": version > 0,
        "memory of other processes": version > 0,
        "signals to them": version >= SCOPES_VERSION,
        "TCP": has_filter or version >= TCP_VERSION,
        "other sockets": has_filter,
    }


def restrict(readable: Iterable[Path], writable: Path) -> None:
    """Deny everything outside that the kernel can deny, except to read and to write in these folders.

    `readable` may contain files. Missing ones are ignored. Raises OSError if the kernel refuses.
    """
    if sys.platform != "linux":
        return
    version = landlock_version()
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if version:
        _restrict_files(version, readable, writable)
    if can_deny_sockets():
        _deny_sockets()


def _restrict_files(version: int, readable: Iterable[Path], writable: Path) -> None:
    rights = FIRST_RIGHTS | sum(right for since, right in LATER_RIGHTS.items() if version >= since)
    words = [rights]
    if version >= TCP_VERSION:
        words.append(TCP)
    if version >= SCOPES_VERSION:
        words.append(SCOPES)
    attributes = struct.pack(f"{len(words)}Q", *words)
    ruleset = _call("syscall", CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
        _allow(ruleset, Path(os.devnull), rights)
        _allow(ruleset, writable, rights)
        _call("syscall", RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    """Allow these rights for a file, or for a folder and everything in it."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not path.is_dir():
            rights &= FILE_RIGHTS
        _call("syscall", ADD_RULE, ruleset, RULE_PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def _deny_sockets() -> None:
    """Install a filter: no sockets, no io_uring, no system calls of another architecture."""
    machine, socket, others = MACHINES[platform.machine()]
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, JMP|JEQ|K, JMP|JGE|K, RET|K
    allow, deny = 0x7FFF0000, 0x00050000 | errno.EACCES  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO
    program = (
        (load, 0, 0, 4),  # seccomp_data.arch
        (equal, 0, 5, machine),
        (load, 0, 0, 0),  # seccomp_data.nr
        (equal, 3, 0, socket),
        (equal, 2, 0, IO_URING_SETUP),
        (at_least, 1, 0, others),
        (answer, 0, 0, allow),
        (answer, 0, 0, deny),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    header = struct.pack("@HP", len(program), ctypes.addressof(code))
    _call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0)


def _call(function: str, *arguments: object) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = int(getattr(ctypes.CDLL(None, use_errno=True), function)(*words))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def readable_paths(source: str, folder: Path, path: Sequence[str]) -> list[Path]:
    """What a strategy needs to read: Sapper, Python, packages, the system's libraries, and its own folder.

    `source` is the file or name of the strategy, `folder` the current folder, `path` the import path. Folders
    that contain the home folder are left out: a strategy directly in it can read only its own file.
    """
    imports = [folder / each for each in path]
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sysconfig.get_path("stdlib")}
    libraries = filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep))
    found = [*imports, *_editable_projects(imports), *map(Path, (*prefixes, *libraries, *SYSTEM_FOLDERS))]
    found += (Path(file).parent for file in (strategies.__file__, games.__file__))  # imported on use
    files = [Path(each) for each in SYSTEM_FILES]
    if source.endswith(".py") or "/" in source:
        files.append(folder / source)
        found.append((folder / source).parent)
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - Path.home() fails without a home folder
    return [*(each for each in found if not home.is_relative_to(each.resolve())), *files]


def _editable_projects(path: Iterable[Path]) -> Iterator[Path]:
    """The projects of packages that were installed with `pip install --editable` (PEP 610)."""
    for file in (file for folder in path for file in folder.glob("*.dist-info/direct_url.json")):
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            origin = parse_json(read_external_text(file))
            if origin.get("dir_info", {}).get("editable"):
                yield Path(unquote(urlsplit(origin["url"]).path))
