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

fail() {
    printf 'windows: %s\n' "$*" >&2
    exit 8
}

# --- session --------------------------------------------------------------------------------------------

session() { # run a command with an X screen and a Wine server of its own; one session at a time
    if [ "${SAPPER_WINE_SESSION-}" = "$home" ]; then
        "$@"
        return
    fi
    export SAPPER_WINE_SESSION=$home
    exec 9>"$home/lock"
    flock 9
    local number=$home/display
    rm -f "$number"
    Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$number" >/dev/null 2>&1 9>&- &
    trap "wineserver -k; kill $! 2>/dev/null; wait $! 2>/dev/null || true" EXIT
    until [ -s "$number" ]; do sleep 0.05; done
    DISPLAY=:$(cat "$number")
    export DISPLAY
    mkdir -p "$WINEPREFIX"
    wineserver -k 2>/dev/null || true
    # Wine and its desktop run for the whole session, so they do not inherit, and keep open, the pipe of a program
    wineserver -p 9>&-
    wine explorer /desktop=Default,1280x900 </dev/null >/dev/null 2>&1 9>&- &
    wine cmd /c exit </dev/null >/dev/null 2>&1 9>&- || true
    "$@"
}

wine_() { # Wine runs Windows Python only with a pipe, not a file, as stdout; programs may keep it open
    wine "$@" </dev/null 9>&- 2>&1 | cat
}

# --- build ----------------------------------------------------------------------------------------------

install_packages() {
    local wanted=(wine wine64 xvfb unzip gcc-mingw-w64-x86-64)
    if command -v wine Xvfb unzip $mingw-gcc >/dev/null && wine --version >/dev/null 2>&1; then
        return
    fi
    local install="apt-get install --yes --no-install-recommends ${wanted[*]}"
    [ "$(id -u)" = 0 ] || fail "packages are missing: sudo $install"
    DEBIAN_FRONTEND=noninteractive $install >&2 || fail "packages are missing: $install"
}

python_311() { # a Python 3.11 of this machine, for the standard library and the headers
    local each
    for each in .venv/bin/python python3.11 /usr/bin/python3.11; do
        if "$each" -c 'import sys; assert sys.version_info[:2] == (3, 11)' 2>/dev/null; then
            echo "$each"
            return
        fi
    done
    fail "Python 3.11 is missing: apt-get install python3.11 libpython3.11-dev"
}

path_of() { "$(python_311)" -c "import sysconfig; print(sysconfig.get_path('$1'))"; }

exports_of() { # names of the functions and variables of a DLL
    $mingw-objdump -p "$1" | sed -n 's/^\t\[ *[0-9]*\] \(+base\[ *[0-9]*\] *[0-9a-f]* \)\{0,1\}\([A-Za-z_]\w*\)$/\2/p'
}

unpack() { # every wheel and source archive
    local names=$home/archives
    rm -rf "$python"
    mkdir -p "$names" "$python/DLLs" "$python/Lib/site-packages"
    # source archives contain pure Python only; `--no-deps`: the file lists all packages
    .venv/bin/python -m pip --disable-pip-version-check download -qq --require-hashes --no-deps \
        --no-build-isolation --platform win_amd64 --python-version 3.11 --only-binary :all: \
        --no-binary MouseInfo,PyAutoGUI,PyGetWindow,PyRect,PyScreeze,pytweening \
        --dest "$names" --requirement $from/requirements.txt
    cp -r "$(path_of stdlib)"/. "$python/Lib" 2>/dev/null || true
    rm -rf "$python/Lib"/{site-packages,dist-packages,lib-dynload,test,config-*,__pycache__}
    mkdir "$python/Lib/site-packages"
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
    cp -r "$(path_of include)" "$home/include"
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

make_prefix() { # with a Wine desktop: a window that covers the screen
    wine_ wineboot --init >/dev/null
    wine_ reg add 'HKCU\Software\Wine\Explorer' /v Desktop /d Default /f >/dev/null
    wine_ reg add 'HKCU\Software\Wine\Explorer\Desktops' /v Default /d 1280x900 /f >/dev/null
}

build() {
    mkdir -p "$home"
    local stamp
    stamp=$(cat $from/* "$0" | sha256sum)
    if [ "$(cat "$home/stamp" 2>/dev/null)" != "$stamp" ]; then
        install_packages
        [ -x .venv/bin/python ] || fail "Python packages are missing: make check"
        unpack
        compile_python
        rm -f strategies/kernels/*.pyd
        [ -f "$WINEPREFIX/system.reg" ] || session make_prefix
    fi
    compile_kernels
    echo "$stamp" >"$home/stamp"
}

# --- run ------------------------------------------------------------------------------------------------

check_built() { [ -f "$home/stamp" ] || fail "the environment is missing: tools/windows.sh build"; }

run() { wine_ "$python/python.exe" "$@"; }

pytest() { # the second option: a file whose import fails does not hide the others
    run -m pytest -q -p no:cacheprovider --continue-on-collection-errors --timeout 900 \
        -o addopts='--strict-markers --import-mode=importlib -rfE' "$@"
}

quick() { # within two minutes on an idle machine
    pytest tests/windows/test_windows_processes.py tests/recording/test_fixture_recordings.py \
        tests/games/test_board.py "tests/windows/test_live_winemine.py::$ONE_GAME"
}

whole() {
    local failed=0 each
    for each in 'read fixtures/screens/kmines/mid_game.png' 'explain fixtures/screens/kmines/mid_game.png' \
        'bench --games 20 --level beginner' 'doctor'; do
        echo "== sapper $each"
        # shellcheck disable=SC2086 # words
        run -m bot $each || failed=1
    done
    for each in tests/windows tests/recording/test_fixture_recordings.py tests/games tests/strategies tests/vision; do
        echo "== $each"
        pytest -m 'not campaign and (not live or not slow)' $each || failed=1
    done
    return $failed
}

ONE_GAME=test_winemine_first_game_clicks_only_board

main() {
    case ${1-} in
    build) build ;;
    run) shift; check_built; session run "$@" ;;
    screen) shift; check_built; session "$@" ;;
    test) check_built; if [ "${2-}" = quick ]; then session quick; else session whole; fi ;;
    *) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
    esac
    exit
}

main "$@"  # Bash has read the whole script by now: a change while it runs does no harm
