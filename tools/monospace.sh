#!/bin/sh
# Write a font configuration with another monospace font; programs use it if FONTCONFIG_FILE names the file.
#
#   tools/monospace.sh FAMILY FILE
#
# It includes the system fonts and the fonts of tools/get_looks.sh. Exit code 8: the font does not exist.
set -eu
family=$1 file=$2
fonts=$(cd "$(dirname "$0")/.." && pwd -P)/.looks/fonts

mkdir -p "$(dirname "$file")"
file=$(cd "$(dirname "$file")" && pwd -P)/$(basename "$file") # fontconfig resolves relative names in /etc/fonts
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
    echo "monospace: no font '$family' (fontconfig would use $found): install it, or run tools/get_looks.sh" >&2
    exit 8
fi
