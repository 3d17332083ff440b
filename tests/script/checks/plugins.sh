# Every plugin of the install is listed.
"$bmsim" plugin list > stdout || fail "exit status $?"
for plugin in noise.{dichotomous,gaussian,levy,ornstein_uhlenbeck,poisson,three_state} \
  potential.{double_well,fourier,free,harmonic,piecewise_linear,ratchet,sine,table,formula} \
  drive.{biharmonic,cosine,pulse,square,formula}; do
  expect_text stdout "$plugin "
done

# A description has the equation, the parameters and the reference.
"$bmsim" plugin describe poisson > stdout || fail "exit status $?"
for text in noise.poisson lambda zeta compensated Luczka; do expect_text stdout "$text"; done
"$bmsim" plugin describe noise.poisson | cmp - stdout || fail "the short and the full name differ"
# What scripts write as a formula, both kinds or one.
"$bmsim" plugin describe formula > stdout || fail "exit status $?"
for text in potential.formula drive.formula "V0*sin(2*pi*x/L)"; do expect_text stdout "$text"; done
"$bmsim" plugin describe drive.formula > stdout || fail "exit status $?"
! grep -q potential.formula stdout || fail "the potential is described, too"
# A library that is not loaded, by its file.
"$bmsim" plugin describe "$PROBES/good/tabulated.so" > stdout || fail "exit status $?"
for text in noise.tabulated "law is one of slow, fast"; do expect_text stdout "$text"; done

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
