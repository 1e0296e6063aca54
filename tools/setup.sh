#!/bin/sh
# Set up this machine: install missing Debian packages, then create .venv with pinned Python packages.
#
#   tools/setup.sh check   for lint, types and fast tests
#   tools/setup.sh play    for playing xdemineur
#   tools/setup.sh test    with all five programs for the live tests
#   tools/setup.sh faults  the same with a GNOME desktop
#
# The script runs without prompts. A second run changes nothing and needs no network.
# Exit code 8: a requirement is missing and could not be installed; the script prints the command for it.
# PYTHON=/path/to/python selects the Python (3.11 or newer, with venv and tkinter).
set -eu

cd "$(dirname "$0")/.."
purpose=${1:-check}
venv=.venv
here=$(pwd -P)
no_python="setup: no Python 3.11 or newer with venv and tkinter found: use make PYTHON=/path/to/python"
is_interactive=no
[ -t 0 ] && [ -z "${CI:-}" ] && is_interactive=yes

say() { printf '%s\n' "$*" >&2; }

fail() { # exit code, message
    code=$1
    shift
    say "$*"
    exit "$code"
}

# --- missing packages -----------------------------------------------------------------------------------

have_program() { # also in /usr/games, which is not always in PATH
    PATH=$PATH:/usr/games:/usr/local/games command -v "$1" >/dev/null 2>&1
}

have_library() {
    for file in /usr/lib/*/"$1" /lib/*/"$1" /usr/lib/"$1" /usr/lib64/"$1" /usr/local/lib/"$1"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

is_good_python() { # pyautogui requires tkinter
    "$1" -c 'import sys
assert sys.version_info >= (3, 11)
import ensurepip, tkinter, venv' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-python3 /usr/bin/python3 python3.13 python3.12 python3.11}; do
        if is_good_python "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

need_font() { [ -n "$(fc-list "$1" 2>/dev/null)" ] || missing="$missing $2"; }
need_program() { have_program "$1" || missing="$missing $2"; }
need_library() { have_library "$1" || missing="$missing $2"; }

list_missing() { # sets `missing` to the missing Debian packages for the purpose
    missing=
    if ! has_venv && [ -z "$(find_python)" ]; then
        missing=" python3 python3-venv python3-tk"
    fi
    [ "$(uname -s)" = Linux ] || return 0
    need_library libGL.so.1 libgl1           # cv2
    need_library libgthread-2.0.so.0 libglib2.0-0  # cv2
    [ "$purpose" = check ] && return 0
    need_program Xvfb xvfb
    need_program xdemineur xdemineur
    [ "$purpose" = play ] && return 0
    need_program openbox openbox
    need_program dbus-run-session dbus-daemon  # kmines
    need_program sgt-mines sgt-puzzles
    need_program gnome-mines gnome-mines
    need_program kmines kmines
    need_program ace-minesweeper ace-of-penguins
    need_program sway sway  # a Wayland desktop; depends on xkb-data
    need_program grim grim
    need_library qt5/plugins/platforms/libqwayland-generic.so qtwayland5  # kmines on sway
    need_program fc-list fontconfig
    need_font Inconsolata fonts-inconsolata  # not a default font, so gnome-mines keeps its usual appearance
}

has_compiler() { # with the headers of the C library and of Python
    if has_venv; then python=$venv/bin/python; else python=$(find_python) || return 1; fi
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    printf '#include <stdio.h>\n#include <Python.h>\n' | cc -E -I"$include" - >/dev/null 2>&1
}

# Optional packages: without a compiler, guesses take longer; without the others, some tests are skipped.
install_wanted() {
    has_compiler || want "compiled kernels" gcc libc6-dev python3-dev
    case $purpose in test | faults) ;; *) return 0 ;; esac
    [ "$(uname -s)" = Linux ] || return 0
    have_program chromium || want "browser tests" chromium
    [ "$purpose" = faults ] || return 0
    [ -f /usr/share/dbus-1/services/org.freedesktop.impl.portal.desktop.gnome.service ] && have_program mutter &&
        have_program wireplumber || want "games on a GNOME desktop" mutter xdg-desktop-portal-gnome pipewire \
        wireplumber gstreamer1.0-pipewire gstreamer1.0-plugins-base
}

want() { # purpose, packages
    purpose_of=$1
    shift
    if command -v apt-get >/dev/null 2>&1; then
        say "setup: missing $*; installing"
        apt_get install --no-install-recommends "$@" && return 0
        apt_get update && apt_get install --no-install-recommends "$@" && return 0
    fi
    say "setup: could not install $*; continuing without $purpose_of"
}

# --- Debian packages -----------------------------------------------------------------------------------

as_root() { # runs a command as root; fails if this is impossible
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        if sudo -n true 2>/dev/null; then
            sudo -n "$@"
        elif [ "$is_interactive" = yes ]; then
            sudo "$@" # sudo asks for the password on the terminal
        else
            return 1
        fi
    else
        return 1
    fi
}

apt_get() { # waits up to five minutes for another package manager
    errors=$(mktemp)
    waited=0
    until as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y "$@" >&2 </dev/null 2>"$errors"; do
        if ! grep -q -e 'Could not get lock' -e 'Unable to lock' -e 'Unable to acquire' "$errors" || [ $waited -ge 300 ]; then
            cat "$errors" >&2
            rm -f "$errors"
            return 1
        fi
        [ $waited -gt 0 ] || say "setup: another package manager is running; waiting for it, up to five minutes"
        sleep 5
        waited=$((waited + 5))
    done
    cat "$errors" >&2
    rm -f "$errors"
}

install_missing() {
    list_missing
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null 2>&1 ||
        fail 8 "setup: apt-get is missing: install the equivalents of the Debian packages$missing, then run this again"
    command="apt-get update && apt-get install --no-install-recommends -y$missing"
    say "setup: missing$missing; installing"
    # shellcheck disable=SC2086  # a list of words
    if ! { apt_get update && apt_get install --no-install-recommends $missing; }; then
        fail 8 "setup: could not install$missing: run as root:  $command"
    fi
    list_missing
    case $missing in *python3*) fail 8 "$no_python" ;; esac
    [ -z "$missing" ] || fail 8 "setup: still missing$missing after: $command"
}

# --- Python --------------------------------------------------------------------------------------------

has_venv() { is_good_python "$venv/bin/python"; }

fingerprint() { # inputs of the installation: Python, folder, metadata, pins, kernels, compiler
    "$venv/bin/python" -c 'import sys; print(sys.version, sys.base_prefix)' # first, because cmp stops at a difference
    echo "$here"
    cat pyproject.toml setup.py requirements/constraints.txt tools/setup.sh strategies/kernels/*.p*
    if has_compiler; then echo "with a compiler"; fi
}

is_installed() {
    has_venv && [ -f "$venv/sapper-stamp" ] && fingerprint | cmp -s - "$venv/sapper-stamp"
}

install_python_packages() {
    is_installed && return 0
    if ! has_venv || ! grep -qsxF "$here" "$venv/sapper-stamp"; then
        python=$(find_python) || fail 8 "$no_python"
        say "setup: creating $venv with $python"
        rm -rf "$venv"
        "$python" -m venv "$venv"
    fi
    rm -f "$venv/sapper-stamp"
    say "setup: installing the pinned Python packages (a minute or two, once)"
    pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet -c requirements/constraints.txt"
    # Install the pinned build tools first, so that pip builds sdists and Sapper with them.
    # PYTHONWARNINGS hides a warning of setuptools about importable folders in the checkout.
    if ! { $pip pip setuptools wheel cython && PYTHONWARNINGS=ignore $pip --no-build-isolation -e '.[dev]'; }; then
        fail 8 "setup: could not install the Python packages (see above): check the network, then run this again"
    fi
    "$venv/bin/python" -c 'import sys; from strategies.kernels import is_compiled; sys.exit(not is_compiled())' ||
        say "setup: the kernels were not compiled: guesses take longer"
    fingerprint >"$venv/sapper-stamp"
}

case $purpose in
check | play | test | faults) ;;
*) fail 2 "usage: tools/setup.sh check|play|test|faults" ;;
esac
install_missing
install_wanted
install_python_packages
