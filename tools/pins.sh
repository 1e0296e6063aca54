#!/bin/sh
# Update requirements/constraints.txt with the newest versions that pyproject.toml allows (names and versions only).
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.venv/bin/python -m venv "$work/venv"
pip="$work/venv/bin/python -m pip --disable-pip-version-check"
$pip install --quiet --upgrade pip setuptools wheel
$pip install --quiet --no-build-isolation -e '.[dev]'
{
    sed -n '/^#/p' requirements/constraints.txt
    $pip freeze --all --exclude-editable | grep -E '^[A-Za-z0-9._-]+==[^ ]+$'
} >"$work/constraints.txt"
mv "$work/constraints.txt" requirements/constraints.txt
