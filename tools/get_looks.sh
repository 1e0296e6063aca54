#!/bin/sh
# Install the third-party programs of benchmarks/looks into a folder (default: .looks).
#
#   tools/get_looks.sh [FOLDER]
#
# Each program has its own virtual environment, and a command in FOLDER/bin. The script needs npm for
# react-minesweeper, and apt-get for fonts, which are unpacked but not installed. Install these Debian packages
# first: xbomb kmines gnome-mines sgt-puzzles racket chromium wine (with --no-install-recommends).
set -eu
folder=${1:-$(dirname "$0")/../.looks}
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd -P)

fetch() { # name of the look, command in the package, packages
    name=$1 command=$2
    shift 2
    if [ ! -x "$folder/$name/bin/$command" ]; then
        python3 -m venv "$folder/$name"
        "$folder/$name/bin/pip" --disable-pip-version-check install --quiet "$@"
    fi
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$folder/$name/bin/$command" >"$folder/bin/look-$name"
    chmod +x "$folder/bin/look-$name"
}

fetch pymines pymines PyMines==1.2.3 pygame==2.6.1
fetch mvc minesweeper minesweeper-mvc==1.1.0 pygame==2.6.1
fetch sprites minesweeper pygame-minesweeper==1.0.11 pygame==2.6.1
fetch minesweeper-python python minesweeper-python==0.0.4 numpy

# DangerUXB imports a module with a lower-case file name, so it runs in its folder.
fetch dangeruxb python DangerUXB==1.0
cat >"$folder/bin/look-dangeruxb" <<END
#!/bin/sh
cd "$folder"/dangeruxb/lib/python3*/site-packages/DangerUXB && exec "$folder/dangeruxb/bin/python" DangerUXB.py
END

# minesweeper 0.1.4 was written for Python 2 and needs xrange.
fetch pypi-minesweeper ms-gui.py minesweeper==0.1.4 PyQt5==5.15.11 numpy
cat >"$folder/bin/look-pypi-minesweeper" <<END
#!/bin/sh
exec "$folder/pypi-minesweeper/bin/python" -c '
import builtins, runpy, sys
builtins.xrange = range
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
' "$folder/pypi-minesweeper/bin/ms-gui.py" "\$@"
END
chmod +x "$folder/bin/look-pypi-minesweeper"

# react-minesweeper: the packages that benchmarks/looks/react-minesweeper.html loads.
if [ ! -f "$folder/react/react-minesweeper/package.json" ]; then
    packed=$(mktemp -d)
    for package in react-minesweeper@1.0.2 react@16.6.3 react-dom@16.6.3 prop-types@15.8.1; do
        (cd "$packed" && npm pack --silent "$package" >/dev/null)
        mkdir -p "$folder/react/${package%@*}"
        tar -xzf "$packed/${package%@*}"-*.tgz -C "$folder/react/${package%@*}" --strip-components=1
        rm "$packed/${package%@*}"-*.tgz
    done
    rmdir "$packed"
fi

# Monospace fonts, not installed: looks select one in their own font configuration.
if [ ! -d "$folder/fonts" ]; then
    packed=$(mktemp -d)
    (cd "$packed" && apt-get download fonts-noto-mono fonts-liberation fonts-freefont-ttf fonts-hack fonts-inconsolata)
    for package in "$packed"/*.deb; do dpkg -x "$package" "$packed/files"; done
    mkdir "$folder/fonts"
    find "$packed/files/usr/share/fonts" -iname '*mono*.[ot]tf' -o -iname 'hack*.[ot]tf' -o -iname 'inconsolata*.[ot]tf' |
        while read -r font; do cp "$font" "$folder/fonts/"; done
    rm -r "$packed"
fi

# winemine stores its settings in a Wine prefix.
if command -v wine >/dev/null 2>&1; then
    if [ ! -f "$folder/wine/system.reg" ]; then
        echo "creating the Wine prefix (a minute, once)"
        WINEPREFIX=$folder/wine WINEDLLOVERRIDES=mscoree,mshtml= WINEDEBUG=-all wineboot --init >/dev/null 2>&1
        WINEPREFIX=$folder/wine wineserver --wait
    fi
    cat >"$folder/bin/look-winemine" <<END
#!/bin/sh
export WINEPREFIX="$folder/wine" WINEDEBUG=-all
wine winemine
wineserver --wait
END
    chmod +x "$folder/bin/look-winemine"
else
    echo "wine is missing, so winemine is unavailable: apt-get install wine"
fi
