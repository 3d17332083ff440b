# Names and texts from elsewhere do not reach a terminal as what it would obey.
red=$'\033[31m'
cat > script.lua <<'LUA'
local bm = require "bmsim"
local _ = bm.args.known
LUA
says() {
  local text=$1
  shift
  "$bmsim" "$@" > said 2>&1 || true
  expect_text said "$text"
  ! grep -q $'\033' said || { cat -v said >&2; fail "$*: an escape sequence"; }
}
says "show: cannot read '\\x1b[31m.nc': no such file" show "$red.nc"
says "show: cannot read 'a\\x0ab.nc': no such file" show $'a\nb.nc'
says "bmsim: cannot open script '\\x1b[31m'" "$red"
says "bmsim: unknown option '--\\x1b[31m'" "--$red"
says "--params: no such file: \\x1b[31m" --params "$red" script.lua
says "--plugin-path: no such file or directory: \\x1b[31m" --plugin-path "$red" script.lua
says "no line of the script has read '\\x1b[31m'" -D "$red=1" script.lua
says "unknown plugin '\\x1b[31m'" plugin describe "$red"
says "descriptor: PROBLEM: ./\\x1b[31m: cannot be loaded" plugin check "./$red"
