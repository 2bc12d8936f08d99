#!/usr/bin/env bash
# Sets up everything that Graftwork needs, once: Python packages into .venv, SWI-Prolog through apt.
# Called by make; safe to run again. Set PYTHON to choose an interpreter.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '%s\n' "$*" >&2; }
is_311() { "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' >/dev/null 2>&1; }
on_debian() { command -v apt-get >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else say "This step needs root: run it as root, or install sudo:"; say "    $*"; exit 1
    fi
}

apt_install() {
    say "installing with apt: $*"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

python=""
for candidate in "${PYTHON:-}" python3.11 python3; do
    if [ -n "$candidate" ] && is_311 "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    say "Python 3.11 was not found (PyBullet has no wheels for later versions)."
    say "Debian 12: apt-get install python3 python3-venv. Elsewhere: install Python 3.11 and run: make PYTHON=/path/to/python3.11 demo"
    exit 1
fi

if ! command -v swipl >/dev/null 2>&1; then
    if on_debian; then apt_install swi-prolog-nox
    else say "SWI-Prolog was not found. Install it so that 'swipl' is on the PATH (Fedora: dnf install pl; macOS: brew install swi-prolog), then run make again."; exit 1
    fi
fi

if ! "$python" -c 'import ensurepip' >/dev/null 2>&1; then
    if on_debian; then apt_install python3-venv
    else say "Python's venv module is incomplete: install the package that brings 'ensurepip' for $python, then run make again."; exit 1
    fi
fi

[ -x .venv/bin/python ] || "$python" -m venv .venv
# The locks are complete, so dependencies are not resolved again: nothing unpinned comes along.
pip() { .venv/bin/python -m pip --disable-pip-version-check "$@"; }
pip_install() { pip install --quiet --no-deps "$@" 2> >(grep -v '^WARNING: Location' >&2); }

torch=torch
if pip index versions torch 2>/dev/null | grep -q '2\.13\.0+cpu'; then torch=torch-cpu; fi
say "installing the pinned Python packages into .venv (some minutes)"
pip_install --require-hashes -r "locks/$torch.lock"
pip_install --require-hashes -r locks/requirements.lock
pip_install --no-build-isolation --editable .
touch .venv/ready
say "ready"
