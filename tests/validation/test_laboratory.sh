#!/usr/bin/env bash
# test_laboratory.sh PROGRAM: every table of the laboratory is made, with few paths; the fit finds an order that is
# known, leaves out a step that spoils it, and sees noise and what is no power.
set -eu
bmsim=$1
here=$(cd "$(dirname "$0")" && pwd)/../../scripts/laboratory
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
unset BMSIM_PLUGIN_PATH

cat >fit.lua <<END
package.path = "$here/?.lua;" .. package.path
local fit, report = require "fit", require "report"
local function points(bias, err)
  local all = {}
  for i, h in ipairs { 0.4, 0.2, 0.1, 0.05 } do all[i] = { h = h, bias = bias(h, i), error = err } end
  return all
end
local function near(a, b) assert(math.abs(a - b) < 1e-6 * math.abs(b), a .. " is not " .. b) end
local f = fit.order(points(function(h) return -3 * h ^ 2 end, 1e-4))
near(f.order, 2) near(f.constant, -3) assert(f.power and f.dof == 2 and f.from == 0.4 and f.chi2 < 1e-6)
-- of order and constant by the normal equations: error of p is 1/sqrt of the weighted spread of log h
local w, mean, spread = {}, 0, 0
local total = 0
for i, h in ipairs { 0.4, 0.2, 0.1, 0.05 } do
  w[i] = (3 * h ^ 2 / 1e-4) ^ 2
  total, mean = total + w[i], mean + w[i] * math.log(h)
end
for i, h in ipairs { 0.4, 0.2, 0.1, 0.05 } do spread = spread + w[i] * (math.log(h) - mean / total) ^ 2 end
near(f.error, spread ^ -0.5)
f = fit.order(points(function(h, i) return h * (i == 1 and 2 or 1) end, 1e-4))
near(f.order, 1) near(f.constant, 1) assert(f.power and f.dof == 1 and f.from == 0.2)
assert(fit.order(points(function(h) return h ^ 2 end, 0.05)) == nil)
assert(not fit.order(points(function(_, i) return i % 2 == 0 and 1 or -1 end, 0.01)).power)
assert(report.brief(-0.01234, 0.0045) == "−0.0123(45)" and report.brief(1.5, 12) == "2(12)"
  and report.brief(-0.001, 0.2) == "0.00(20)")
assert(report.percent(0.99, 0.001, 1) == "−1.00(10) %")
END
"$bmsim" fit.lua

# Of models drawn at random: the references agree with one another, paths with exact moments.
cat >references.lua <<END
package.path = "$here/?.lua;" .. package.path
local paths, moments = require "random_paths", require "linear_moments"
math.randomseed(1)
for interpretation = 0, 2 do
  local average = moments.solve {
    n = 3, drift = { { [1] = -1, [2] = 0.5, [3] = 1 }, { [0] = 0.5, [1] = -0.3, [2] = -2 }, { [3] = -2 } },
    noises = { { D = 0.3, on = { { [0] = 0.5, [1] = 0.4 }, { [1] = 0.3 } } }, { D = 0.5, on = { [3] = { [0] = 1 } } } },
    interpretation = interpretation, kicks = { { rate = 2, square = 0.18, on = { [2] = 1 } } },
    jumps = { { rate = 0.5, set = { { [1] = 0.5 } } }, { every = 0.7, set = { [2] = { [0] = 1 } } } },
    states = { { share = 0.25, force = { -1 } }, { share = 0.75, force = { 2 } } }, leave = { { [2] = 3 }, { 1 } },
    start = { 1, -1, 0 }, second = { [3] = 0.25 }, time = 4, window = 1,
  }
  local found = paths.means({
    variables = { "x", "y", "z", "f" }, correction = interpretation - 1, time = 4, window = 1,
    start = { x = 1, y = -1, z = function() return 0.5 * paths.normal() end,
              f = function() return math.random() < 0.25 and -1 or 2 end },
    drift = { x = "-x + 0.5*y + z + f", y = "-0.3*x - 2*y + 0.5 - 0.6", z = "-2*z" },
    noises = { { D = 0.3, on = { x = "0.5 + 0.4*x", y = "0.3*x" }, multiplicative = true },
               { D = 0.5, on = { z = "1" } } },
    jumps = { { rate = 0.5, set = { x = "x/2" } }, { every = 0.7, set = { y = "1" } },
              { rate = 2, set = { y = "y + 0.3*E" } },
              { rate = 3, accept = "f < 0 and 2 or -1", set = { f = "2" } },
              { rate = 1, accept = "f > 0 and 2 or -1", set = { f = "-1" } } },
    averages = { "x", "y", "x*x", "x*y", "y*y", "x*z" },
  }, 0.04, 4e5)
  local exact = { average(1, 0), average(2, 0), average(1, 1), average(1, 2), average(2, 2), average(1, 3) }
  for g, one in ipairs(found) do
    local part = math.abs(one.value - exact[g])
    assert(part < 4 * one.err, interpretation .. ": " .. one.value .. " +- " .. one.err .. " is not " .. exact[g])
    assert(one.err < 0.04 * one.scale)
  end
end
END
"$bmsim" references.lua

"$bmsim" --quiet --dry-run "$here/orders.lua" >orders 2>stderr || { cat stderr >&2; exit 1; }
"$bmsim" --quiet --dry-run "$here/steps.lua" >steps 2>stderr || { cat stderr >&2; exit 1; }
for script in adaptive checkpoint costs defaults empty_units exits extrapolation mean_field rates transient; do
  "$bmsim" --quiet --dry-run "$here/$script.lua" >$script 2>stderr || { cat stderr >&2; exit 1; }
done
"$bmsim" --quiet --dry-run -D devices=cpu "$here/scaling.lua" >scaling 2>stderr || { cat stderr >&2; exit 1; }
[ "$(grep -c '^<!-- table: ' orders)" -ge 18 ] && [ "$(grep -c '^<!-- table: ' steps)" -ge 4 ]
"$bmsim" --quiet -D paths=0.0001 -D only=harmonic_poisson "$here/orders.lua" >orders 2>stderr ||
  { cat stderr >&2; exit 1; }
grep -qE '^\| `heun` \|  \| [−0-9.]+\([0-9]+\) \|' orders || { cat orders >&2; exit 1; }

# These end with status 1 where a number is wrong: a part of each.
small() {
  "$bmsim" --quiet "${@:2}" "$here/$1.lua" >$1 2>stderr || { cat $1 stderr >&2; exit 1; }
  cat $1
}
small defaults -D "only=sine, Gaussian" -D paths=256 | grep '^| sine, Gaussian | V0 ' > /dev/null
small extrapolation -D "only=sine, D 1" -D paths=1024 | grep '^5 of \|^4 of \|^3 of ' > /dev/null
small checks -D "only=sine, D 1" -D seeds=4 | grep 'and no warning: 0 of ' > /dev/null
small points -D points=300 | grep '^300 points, 300 compared' > /dev/null
small sets -D points=300 | grep '^| step chosen, four parameters |' > /dev/null
small memory -D "only=free" -D seeds=4 -D paths=256 | grep '; above 4: 0 of ' > /dev/null
