#!/bin/bash
# Windows programs on Linux: Wine, a Windows CPython, and the Windows packages of Sapper, in build/windows.
#
#   tools/windows.sh build        assemble the environment; a second run only compiles what changed
#   tools/windows.sh run WORDS    run Windows Python with these words, for example: run -m bot read board.png
#   tools/windows.sh screen WORDS run a command of this machine with a private X screen and Wine desktop
#   tools/windows.sh test [quick] run the tests; `quick`: the part that `make test` includes
#
# The Debian packages are wine, wine64, xvfb, unzip and gcc-mingw-w64-x86-64. CPython 3.11 comes from the panda3d
# wheel, its standard library from a Python 3.11 of this machine. The wheels are unchanged; their hashes are in
# tools/windows/requirements.txt. Exit code 8: a requirement is missing; the script prints the command for it.
set -euo pipefail

cd "$(dirname "$0")/.."
from=tools/windows
home=$PWD/build/windows
python=$home/python
mingw=x86_64-w64-mingw32

export WINEPREFIX=$home/prefix WINEARCH=win64 WINEDEBUG=${WINEDEBUG:--all}
export WINEDLLOVERRIDES='mscoree,mshtml=;winedbg.exe='  # no offer to download Mono and Gecko, no debugger

doing=starting  # what failed, if this script ends with an error
xvfb=  # its process number

fail() {
    doing=
    printf 'windows: %s\n' "$*" >&2
    exit 8
}

step() { # say what comes next
    doing=$1
    printf 'windows: %s\n' "$1" >&2
}

clean_up() {
    local code=$?
    trap - EXIT
    [ $code = 0 ] || [ -z "$doing" ] || printf 'windows: failed (exit code %s): %s\n' $code "$doing" >&2
    [ -z "$xvfb" ] || wineserver -k 2>/dev/null || true
    # shellcheck disable=SC2046 # process numbers
    kill $(jobs -p) $xvfb 2>/dev/null || true
    exit $code
}

# --- session --------------------------------------------------------------------------------------------

# Without a terminal of its own, a program that is waited for in this way ends with this script.
bounded() { # seconds, command: end the command after this time, with exit code 124
    timeout --kill-after 10 "$@" </dev/null 9>&- &
    wait $!
}

quietly() { bounded "$@" >"$home/log" 2>&1 || fail "$doing failed, see $home/log"; }

USE_DESKTOP='import ctypes, time
ctypes.windll.user32.GetDesktopWindow()
print("used", flush=True)
time.sleep(1e6)'

lock() { # one build or session at a time
    [ "${SAPPER_WINE_SESSION-}" != "$home" ] || return 0  # inside a session
    mkdir -p "$home"
    exec 9>"$home/lock"
    flock --timeout 600 9 || fail "another build or session holds build/windows: wait until it ends"
}

session() { # run a command with an X screen and a Wine server of its own
    if [ "${SAPPER_WINE_SESSION-}" != "$home" ]; then
        export SAPPER_WINE_SESSION=$home
        start_session
    fi
    doing=  # the command reports its own errors
    "$@"
}

start_session() {
    doing="starting Xvfb"
    local number=$home/display
    rm -f "$number" "$home/desktop"
    Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$number" >"$home/log" 2>&1 9>&- &
    xvfb=$!
    bounded 30 bash -c 'until [ -s "$1" ]; do sleep 0.05; done' - "$number" || fail "no X screen, see $home/log"
    DISPLAY=:$(cat "$number")
    export DISPLAY
    [ -f "$WINEPREFIX/ready" ] || rm -rf "$WINEPREFIX"  # incomplete
    mkdir -p "$WINEPREFIX"
    wineserver -k 2>/dev/null || true
    # Wine and its desktop run for the whole session, so they do not inherit, and keep open, the pipe of a program.
    # The desktop starts after the prefix is complete: otherwise Wine's own first start waits for it.
    wineserver -p 9>&-
    [ -f "$WINEPREFIX/ready" ] || make_prefix
    doing="starting Wine"
    wine explorer /desktop=Default,1280x900 </dev/null >/dev/null 2>&1 9>&- &
    quietly 120 wine cmd /c exit
    [ -f "$python/python.exe" ] || return 0
    # Wine closes a desktop that nobody has used for a second; the next program would start it, and wait for it.
    wine "$python/python.exe" -c "$USE_DESKTOP" </dev/null 2>/dev/null 9>&- | cat >"$home/desktop" &
    bounded 60 bash -c 'until [ -s "$1" ]; do sleep 0.05; done' - "$home/desktop" || fail "Wine's desktop does not start"
}

make_prefix() { # with a Wine desktop: a window that covers the screen
    step "creating the Wine prefix (half a minute)"
    quietly 300 wineboot --init
    quietly 60 wine reg add 'HKCU\Software\Wine\Explorer' /v Desktop /d Default /f
    quietly 60 wine reg add 'HKCU\Software\Wine\Explorer\Desktops' /v Default /d 1280x900 /f
    : >"$WINEPREFIX/ready"
}

# --- build ----------------------------------------------------------------------------------------------

have_packages() {
    local each
    for each in wine wineserver Xvfb unzip $mingw-gcc; do command -v $each >/dev/null || return 1; done
    wine --version >/dev/null 2>&1
}

install_packages() {
    local wanted=(wine wine64 xvfb unzip gcc-mingw-w64-x86-64)
    have_packages && return
    step "installing the Debian packages"
    local install="apt-get install --yes --no-install-recommends ${wanted[*]}"
    [ "$(id -u)" = 0 ] || fail "packages are missing: sudo $install"
    { DEBIAN_FRONTEND=noninteractive bounded 900 $install || { bounded 300 apt-get update && bounded 900 $install; }; } >&2 ||
        fail "packages are missing: apt-get update && $install"
    have_packages || fail "packages are still missing after: $install"
}

find_python() { # sets `stdlib` and `include`: the folders of a Python 3.11 of this machine
    local each
    for each in .venv/bin/python python3.11 /usr/bin/python3.11; do
        stdlib=$("$each" -c 'import sys, sysconfig; assert sys.version_info[:2] == (3, 11)
print(sysconfig.get_path("stdlib"))' 2>/dev/null) || continue
        include=$("$each" -c 'import sysconfig; print(sysconfig.get_path("include"))')
        [ ! -f "$include/Python.h" ] || return 0
    done
    fail "Python 3.11 with its headers is missing: apt-get install python3.11 libpython3.11-dev"
}

exports_of() { # names of the functions and variables of a DLL
    $mingw-objdump -p "$1" | sed -n 's/^\t\[ *[0-9]*\] \(+base\[ *[0-9]*\] *[0-9a-f]* \)\{0,1\}\([A-Za-z_]\w*\)$/\2/p'
}

download() { # every wheel and source archive; pip caches them
    local packages=$home/archives
    rm -rf "$packages"
    # source archives contain pure Python only; `--no-deps`: the file lists all packages
    bounded 1200 .venv/bin/python -m pip --disable-pip-version-check download -qq --require-hashes --no-deps \
        --no-build-isolation --platform win_amd64 --python-version 3.11 --only-binary :all: \
        --no-binary MouseInfo,PyAutoGUI,PyGetWindow,PyRect,PyScreeze,pytweening \
        --dest "$packages" --requirement $from/requirements.txt
}

unpack() {
    local names=$home/archives
    rm -rf "$python"
    mkdir -p "$python/DLLs" "$python/Lib/site-packages"
    cp -r "$stdlib"/. "$python/Lib" 2>/dev/null || true  # some files may be unreadable
    rm -rf "$python/Lib"/{site-packages,dist-packages,lib-dynload,test,config-*,__pycache__}
    mkdir "$python/Lib/site-packages"
    # the DLL may be a later 3.11, which calls this as a class method
    sed -i '/@classmethod/{n;b};s/^    def invalidate_caches(cls)/    @classmethod\n&/' "$python/Lib/importlib/metadata/__init__.py"
    local each package
    for each in "$names"/*.whl; do
        case $each in
        */panda3d-*) unzip -q -j -o "$each" 'deploy_libs/*' -d "$python" ;;
        *) unzip -q -o "$each" -d "$python/Lib/site-packages" ;;
        esac
    done
    mv "$python"/*.pyd "$python/DLLs"
    for each in "$names"/*.tar.gz; do
        mkdir -p "$home/source"
        tar -xzf "$each" -C "$home/source" --strip-components 1
        for package in "$home"/source/{,src/}*/__init__.py; do
            [ ! -f "$package" ] || cp -r "$(dirname "$package")" "$python/Lib/site-packages"
        done
        rm -rf "$home/source"
    done
}

compile_python() { # python.exe, and python3.dll, whose functions are those of python311.dll
    $mingw-gcc -O2 -municode -o "$python/python.exe" $from/python.c
    $mingw-gcc -O2 -shared -o "$python/bcryptprimitives.dll" $from/bcryptprimitives.c -ladvapi32
    local names
    names=$(exports_of "$python/python311.dll" | grep -E '^_?Py')
    { echo "LIBRARY python3.dll"; echo EXPORTS; sed 's/.*/  "&" = python311.&/' <<<"$names"; } >"$home/python3.def"
    $mingw-gcc -shared -nostdlib -o "$python/python3.dll" "$home/python3.def" -Wl,--entry=0
    { echo "LIBRARY python311.dll"; echo EXPORTS; sed 's/.*/  "&"/' <<<"$names"; } >"$home/python311.def"
    $mingw-dlltool --def "$home/python311.def" --output-lib "$home/libpython311.a"
    rm -rf "$home/include"
    cp -r "$include" "$home/include"
    cp $from/pyconfig.h "$home/include/pyconfig.h"
}

compile_kernels() { # from the C files that Cython writes for every system
    local each name
    .venv/bin/python setup.py --quiet --version >/dev/null
    for each in build/strategies/kernels/*.c; do
        name=strategies/kernels/$(basename "$each" .c).cp311-win_amd64.pyd
        [ "$name" -nt "$each" ] || $mingw-gcc -shared -O3 -g0 -ffp-contract=off -fwrapv -I "$home/include" \
            -Wno-attributes -o "$name" "$each" "$home/libpython311.a"
    done
}

build() {
    local stamp stdlib include
    stamp=$(cat $from/* $from.sh | sha256sum)
    if [ "$(cat "$home/stamp" 2>/dev/null)" != "$stamp" ]; then
        rm -f "$home/stamp"
        install_packages
        [ -x .venv/bin/python ] || fail "Python packages are missing: make check"
        find_python
        step "downloading the Windows packages (130 MB)"
        download || fail "the download failed (see above): check the network, then run this again"
        step "unpacking the Windows packages"
        unpack
        step "compiling Python's launcher"
        compile_python
        rm -f strategies/kernels/*.pyd
        session run -c 'import sys; sys.exit(sys.platform != "win32")'
    fi
    step "compiling the kernels"
    compile_kernels
    echo "$stamp" >"$home/stamp"
}

# --- run ------------------------------------------------------------------------------------------------

check_built() { [ -f "$home/stamp" ] || fail "the environment is missing: tools/windows.sh build"; }

run() { # Wine runs Windows Python only with a pipe, not a file, as stdout; programs may keep it open
    bounded "${limit:-0}" bash -o pipefail -c 'wine "$@" 2>&1 | cat' - "$python/python.exe" "$@"
}

pytest() { # name of the part, seconds, words; a file whose import fails does not hide the others
    local part=$1 limit=$2
    shift 2
    run -m pytest -q -p no:cacheprovider --continue-on-collection-errors --timeout 600 \
        -o addopts='--strict-markers --import-mode=importlib -rfE' -o junit_family=xunit1 \
        --junitxml "build/windows/results/$part.xml" "$@"
}

quick() { # within two minutes on an idle machine
    pytest quick 400 tests/windows/test_windows_processes.py tests/games/test_board.py \
        "tests/windows/test_live_winemine.py::$ONE_GAME" tests/recording/test_fixture_recordings.py \
        -k "not recording_replays or $ONE_RECORDING"
}

whole() {
    local failed=0 each
    rm -rf "$home/results"
    mkdir -p "$home/results"
    while read -r each; do
        echo "== sapper $each"
        # shellcheck disable=SC2086 # words
        limit=300 run -m bot $each || failed=1
    done <<'END'
read fixtures/screens/kmines/mid_game.png
explain fixtures/screens/kmines/mid_game.png
bench --games 20 --level beginner
doctor
END
    for each in windows recording games strategies vision; do
        echo "== tests/$each"
        pytest "$each" 2400 -m 'not campaign and (not live or not slow)' "tests/$each" || failed=1
    done
    .venv/bin/python -m tools.windows_table "$home/results"
    return $failed
}

ONE_GAME=test_winemine_first_game_clicks_only_board
ONE_RECORDING=xdemineur-001

main() {
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    case ${1-} in
    build) lock; build ;;
    run) shift; check_built; lock; session run "$@" ;;
    screen) shift; check_built; lock; session "$@" ;;
    test) check_built; lock; if [ "${2-}" = quick ]; then session quick; else session whole; fi ;;
    *) doing=; sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
    esac
    exit
}

main "$@"  # Bash has read the whole script by now: a change while it runs does no harm
