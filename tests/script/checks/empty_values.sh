# An empty value, as of a variable of a shell that is not set, is no value.
echo 'error "not run"' > script.lua
refused() {
  local text=$1
  shift
  status=0
  "$bmsim" "$@" > stdout 2> stderr < script.lua || status=$?
  [ "$status" = 2 ] || { cat stderr >&2; fail "$*: exit status $status"; }
  expect_text stderr "$text"
}
for option in --seed --checkpoint --checkpoint-every --part --device --threads --precision --keep-source --plugin-path \
  --params; do
  refused "bmsim: $option must not be empty: give a value, or leave it out" --quiet $option "" script.lua
done
refused "bmsim: -D must be KEY=VALUE, got ''" -D "" script.lua
refused "bmsim: -o must not be empty" export --csv -o "" file.nc
refused "bmsim: the script's name must not be empty; '-' is standard input" ""
