# Sourced by the runners: an empty directory to work in, removed at the end, and no settings of whoever runs the tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work" "$work".*' EXIT
export HOME="$work.home" XDG_CONFIG_HOME="$work.home/config" XDG_DATA_HOME="$work.home/data"
unset BMSIM_PLUGIN_PATH
cd "$work"
