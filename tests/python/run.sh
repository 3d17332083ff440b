#!/bin/bash
# run.sh BUILD test_NAME.py | notebook FILE | pip: a test of the Python package; status 77 where Python or what the test
# needs is not installed. Debian's python3 is meant, for which apt installs packages, not another on PATH.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tree=$(dirname "$(dirname "$here")")
export BMSIM_PREFIX=$1 PYTHONPATH=$tree/scripts/python PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=/tmp PYTHONWARNINGS=ignore
python=/usr/bin/python3

# needs MODULE...
needs() {
  local module
  for module in "$@"; do
    "$python" -c "import $module" 2> /dev/null || { echo "not installed for $python: $module"; exit 77; }
  done
}

needs numpy xarray netCDF4 matplotlib
case $2 in
  notebook)
    needs nbclient ipykernel
    exec "$python" "$here/notebook.py" "$3"
    ;;
  pip)
    needs venv pip
    place=$(mktemp -d)
    trap 'rm -rf "$place"' EXIT
    unset PYTHONPATH
    set -e
    mkdir -p "$place/tree/scripts" "$place/empty"
    cp "$tree/CMakeLists.txt" "$place/tree" # which has the version
    cp -r "$tree/scripts/python" "$place/tree/scripts"
    "$python" -m venv --system-site-packages "$place/venv"
    "$place/venv/bin/pip" install --quiet --no-index "$place/tree/scripts/python"
    cd "$place/empty"
    version=$("$BMSIM_PREFIX/bin/bmsim" --version)
    "$place/venv/bin/python" - "$version" << 'PY'
import importlib.metadata, sys
import bmsim as bm
assert "venv" in bm.__file__, bm.__file__
assert importlib.metadata.version("bmsim") == bm.version and bm.version in sys.argv[1], (bm.version, sys.argv[1])
bm.settings(device="cpu")
assert bm.run(bm.overdamped(noise=bm.noise.gaussian(D=1)), paths=16, time=1).velocity.shape == ()
PY
    BMSIM_PREFIX=/nowhere "$place/venv/bin/python" -c 'import bmsim' 2> said && exit 1
    grep -q "ImportError: bmsim: BMSIM_PREFIX says /nowhere, where bmsim is not" said || { cat said; exit 1; }
    if env -u BMSIM_PREFIX PATH=/usr/bin:/bin "$place/venv/bin/python" -c 'import bmsim' 2> said; then exit 1; fi
    grep -q "ImportError: bmsim: the program is not found: set BMSIM_PREFIX" said || { cat said; exit 1; }
    ;;
  *) exec "$python" "$here/$2" ;;
esac
