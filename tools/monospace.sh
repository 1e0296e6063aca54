#!/bin/sh
# Makes a font the desktop's monospace font, for programs that are started with FONTCONFIG_FILE set to the file written.
#
#   tools/monospace.sh FAMILY FILE
#
# The system's fonts stay, and those that tools/get_looks.sh unpacked are there too. Exit 8: no such font.
set -eu
family=$1 file=$2
fonts=$(cd "$(dirname "$0")/.." && pwd -P)/.looks/fonts

mkdir -p "$(dirname "$file")"
file=$(cd "$(dirname "$file")" && pwd -P)/$(basename "$file") # a relative one would be sought in /etc/fonts
cat >"$file" <<END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <dir>$fonts</dir>
  <match target="pattern">
    <test name="family"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>$family</string></edit>
  </match>
</fontconfig>
END
found=$(FONTCONFIG_FILE=$file fc-match --format='%{family[0]}' monospace)
if [ "$found" != "$family" ]; then
    echo "monospace: there is no font '$family' ($found would be taken): install it, or run tools/get_looks.sh" >&2
    exit 8
fi
