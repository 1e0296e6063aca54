#!/bin/sh
# Fetches the programs of other people that benchmarks/looks names, into a folder of their own (.looks unless told).
#
#   tools/get_looks.sh [FOLDER]
#
# Each has a virtual environment of its own (two of them use the same names); FOLDER/bin has a command for each.
# xbomb, kmines, gnome-mines, sgt-puzzles and chromium are Debian packages: apt-get install them.
set -eu
folder=${1:-$(dirname "$0")/../.looks}
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd -P)

fetch() { # name of the look's command, command in the package, packages
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
