# A plugin directory that is not there is an error wherever it is named; the configuration file may name one.
expect_status() {
  local wanted=$1 status=0
  shift
  "$@" > stdout 2> stderr || status=$?
  [ "$status" = "$wanted" ] || { cat stderr >&2; fail "exit status $status, expected $wanted"; }
}
expect_status 1 "$bmsim" --plugin-path nowhere plugin list
expect_text stderr "--plugin-path: no such file or directory: nowhere"
expect_status 1 env BMSIM_PLUGIN_PATH=nowhere "$bmsim" plugin list
expect_text stderr "BMSIM_PLUGIN_PATH: no such file or directory: nowhere"
mkdir -p "$XDG_CONFIG_HOME/bmsim" plugins
config="$XDG_CONFIG_HOME/bmsim/config.yaml"
echo "plugin_path: [ $PWD/plugins ]" > "$config"
expect_status 0 "$bmsim" plugin list
echo "plugin_path: [ $PWD/nowhere ]" > "$config"
expect_status 1 "$bmsim" plugin list
expect_text stderr "config.yaml: no such file or directory: $PWD/nowhere"
echo "plugin_paths: x" > "$config"
expect_status 1 "$bmsim" plugin list
expect_text stderr "unknown key 'plugin_paths'; known: plugin_path"
rm "$config"
