#!/bin/sh
# Makes this machine ready: Debian packages (only missing ones), then .venv with pinned Python packages.
#
#   tools/setup.sh check   what lint, types and fast tests need
#   tools/setup.sh play    what playing xdemineur needs
#   tools/setup.sh test    all five programs, for the live tests
#   tools/setup.sh faults  the same, and a GNOME desktop
#
# Asks nothing. A second run finds everything in place, changes nothing and needs no network.
# Exit 8: the machine lacks something that could not be installed; the one command for it is printed.
# PYTHON=/path/to/python chooses the Python (3.11 or newer, with venv and tkinter).
set -eu

cd "$(dirname "$0")/.."
purpose=${1:-check}
venv=.venv
here=$(pwd -P)
no_python="setup: no Python 3.11 or newer with venv and tkinter was found; name one: make PYTHON=/path/to/python"
has_person=no
[ -t 0 ] && [ -z "${CI:-}" ] && has_person=yes

say() { printf '%s\n' "$*" >&2; }

fail() { # exit code, message
    code=$1
    shift
    say "$*"
    exit "$code"
}

# --- what is missing -----------------------------------------------------------------------------------

have_program() { # in /usr/games too, which is not on every PATH
    PATH=$PATH:/usr/games:/usr/local/games command -v "$1" >/dev/null 2>&1
}

have_library() {
    for file in /usr/lib/*/"$1" /lib/*/"$1" /usr/lib/"$1" /usr/lib64/"$1" /usr/local/lib/"$1"; do
        [ -e "$file" ] && return 0
    done
    return 1
}

is_good_python() { # tkinter: pyautogui refuses to be imported without it
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

list_missing() { # sets `missing` to the Debian packages that this machine lacks for the purpose
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
    need_program sway sway  # a Wayland desktop; its settings of keys come with xkb-data
    need_program grim grim
    need_library qt5/plugins/platforms/libqwayland-generic.so qtwayland5  # kmines on it
    need_program fc-list fontconfig
    need_font Inconsolata fonts-inconsolata  # no desktop's default: what gnome-mines looks like stays as it was
}

# What the tests can do without: they then skip what it is for.
install_wanted() {
    case $purpose in test | faults) ;; *) return 0 ;; esac
    [ "$(uname -s)" = Linux ] || return 0
    have_program chromium || want "the tests that open a report in a browser" chromium
    [ "$purpose" = faults ] || return 0
    [ -f /usr/share/dbus-1/services/org.freedesktop.impl.portal.desktop.gnome.service ] && have_program mutter &&
        have_program wireplumber || want "the games on a GNOME desktop" mutter xdg-desktop-portal-gnome pipewire \
        wireplumber gstreamer1.0-pipewire gstreamer1.0-plugins-base
}

want() { # what for, and the packages
    purpose_of=$1
    shift
    if command -v apt-get >/dev/null 2>&1; then
        say "setup: this machine lacks $*; installing"
        apt_get install --no-install-recommends "$@" && return 0
        apt_get update && apt_get install --no-install-recommends "$@" && return 0
    fi
    say "setup: no $* could be installed; $purpose_of are skipped"
}

# --- Debian packages -----------------------------------------------------------------------------------

as_root() { # runs a command as root; fails where this is not possible
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        if sudo -n true 2>/dev/null; then
            sudo -n "$@"
        elif [ "$has_person" = yes ]; then
            sudo "$@" # the password is sudo's own question, on the person's own terminal
        else
            return 1
        fi
    else
        return 1
    fi
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" >&2 </dev/null
}

install_missing() {
    list_missing
    [ -n "$missing" ] || return 0
    command -v apt-get >/dev/null 2>&1 ||
        fail 8 "setup: no apt-get here; install what Debian calls$missing with this system's own tool, then run this again"
    command="apt-get update && apt-get install --no-install-recommends -y$missing"
    say "setup: this machine lacks$missing; installing"
    # shellcheck disable=SC2086  # a list of words
    if ! { apt_get update && apt_get install --no-install-recommends $missing; }; then
        fail 8 "setup: could not install$missing; as root, run:  $command"
    fi
    list_missing
    case $missing in *python3*) fail 8 "$no_python" ;; esac
    [ -z "$missing" ] || fail 8 "setup: still lacking$missing after: $command"
}

# --- Python --------------------------------------------------------------------------------------------

has_venv() { is_good_python "$venv/bin/python"; }

fingerprint() { # what the installed packages depend on: the pins, the metadata, the place, the Python
    "$venv/bin/python" -c 'import sys; print(sys.version, sys.base_prefix)' # first: cmp stops at a difference
    echo "$here"
    cat pyproject.toml requirements/constraints.txt tools/setup.sh
}

is_installed() {
    has_venv && [ -f "$venv/sapper-stamp" ] && fingerprint | cmp -s - "$venv/sapper-stamp"
}

install_python_packages() {
    is_installed && return 0
    if ! has_venv || ! grep -qsxF "$here" "$venv/sapper-stamp"; then
        python=$(find_python) || fail 8 "$no_python"
        say "setup: making $venv with $python"
        rm -rf "$venv"
        "$python" -m venv "$venv"
    fi
    rm -f "$venv/sapper-stamp"
    say "setup: installing the pinned Python packages (a minute or two, once)"
    pip="$venv/bin/python -m pip --disable-pip-version-check install --quiet -c requirements/constraints.txt"
    # The pinned setuptools comes first: sdists, and Sapper itself, are then built with it and nothing newer.
    # PYTHONWARNINGS: setuptools would warn that the folders of a checkout can be imported; that is what they are for.
    if ! { $pip pip setuptools wheel && PYTHONWARNINGS=ignore $pip --no-build-isolation -e '.[dev]'; }; then
        fail 8 "setup: the Python packages could not be installed (see above); check the network, then run this again"
    fi
    fingerprint >"$venv/sapper-stamp"
}

case $purpose in
check | play | test | faults) ;;
*) fail 2 "usage: tools/setup.sh check|play|test|faults" ;;
esac
install_missing
install_wanted
install_python_packages
