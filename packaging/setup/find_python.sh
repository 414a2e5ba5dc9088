#!/bin/sh
# Print the path of a Python that can run Genizah: the newest of 3.13 and 3.12 on PATH, in pyenv's
# folders or known to uv, with what a virtual environment needs. Downloads nothing.
#
# usage: find_python.sh [VERSION...]     PYTHON=/path/to/python takes that one or says why not.

set -u
[ $# -gt 0 ] || set -- 3.13 3.12
wanted=$(echo "$*" | sed 's/ / or /g')

# Must run on any Python, to say of an old one that it is old. Prints the interpreter below a
# virtual environment, because the environment may be the one that is about to be replaced.
probe='
import sys
name = "%d.%d" % sys.version_info[:2]
if name not in sys.argv[1:]:
    sys.exit("it is Python " + name)
import sysconfig
if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
    sys.exit("it is no ordinary CPython " + name)
for module in ("venv", "ensurepip", "ssl", "zlib", "ctypes"):
    try:
        __import__(module)
    except ImportError:
        hint = ""
        if module in ("venv", "ensurepip"):
            hint = " (Debian and Ubuntu: apt-get install python%s-venv)" % name
        sys.exit("it is Python %s without %s%s" % (name, module, hint))
print(getattr(sys, "_base_executable", None) or sys.executable)
'

try() { # PATH VERSION...: print the interpreter and succeed, or print why not to stderr
    candidate=$1
    shift
    "$candidate" -E -s -c "$probe" "$@"
}

on_path() { # NAME: every executable of that name, not only the first: a pyenv shim may hide one
    old_ifs=$IFS
    IFS=:
    for folder in $PATH; do
        [ -x "$folder/$1" ] && echo "$folder/$1"
    done
    IFS=$old_ifs
}

in_pyenv() { # VERSION
    for root in "${PYENV_ROOT:-}" "${HOME:-}/.pyenv" "$(pyenv root 2>/dev/null)"; do
        [ -n "$root" ] || continue
        for path in "$root/versions/$1".*/bin/python "$root/versions/$1"/bin/python; do
            [ -x "$path" ] && echo "$path"
        done
    done
}

candidates() { # VERSION: one path a line
    on_path "python$1"
    in_pyenv "$1"
    UV_PYTHON_DOWNLOADS=never uv python find "$1" 2>/dev/null
    on_path python3
    on_path python
}

if [ -n "${PYTHON:-}" ]; then
    if reason=$(try "$PYTHON" "$@" 2>&1); then
        echo "$reason"
        exit 0
    fi
    echo "PYTHON=$PYTHON cannot be used: $(echo "$reason" | tail -n 1)." \
        "Genizah needs Python $wanted." >&2
    exit 1
fi

lacking=
for version in "$@"; do
    # A folder's name may hold a space, never a line break.
    old_ifs=$IFS
    IFS='
'
    for path in $(candidates "$version"); do
        IFS=$old_ifs
        if reason=$(try "$path" "$version" 2>&1); then
            echo "$reason"
            exit 0
        fi
        case $reason in
            *without*) lacking=${lacking:-"$path cannot be used: $reason"} ;;
        esac
    done
    IFS=$old_ifs
done

if [ -n "$lacking" ]; then
    echo "Genizah needs Python $wanted, and $lacking." >&2
    exit 1
fi
echo "Genizah needs Python $wanted and found none on PATH, in pyenv or in uv: install one with" \
    "your system's packages, \`pyenv install $1\` or \`uv python install $1\`, or name it:" \
    "PYTHON=/path/to/python make test." >&2
exit 1
