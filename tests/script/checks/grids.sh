# linspace and logspace contain both ends exactly; the first axis of a sweep is the slowest.
cat > script.lua <<'LUA'
local bm = require "bmsim"
for n = 2, 50 do
  local a, b = bm.logspace(0.1, 10, n), bm.linspace(0.1, 0.7, n)
  assert(#a == n and a[1] == 0.1 and a[n] == 10 and #b == n and b[1] == 0.1 and b[n] == 0.7)
end
assert(#bm.logspace(2, 3, 1) == 1)
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = function(p) return p.force / 10 end } },
  sweep = { { "force", { 1, 2 } }, bm.zip { { "dt", { 0.1, 0.2, 0.3 } }, { "time", { 1, 2, 3 } } } },
  paths = 16,
}
local expected = {
  force = { 1, 1, 1, 2, 2, 2 }, dt = { 0.1, 0.2, 0.3, 0.1, 0.2, 0.3 }, ["gaussian.D"] = { .1, .1, .1, .2, .2, .2 },
}
for name, values in pairs(expected) do
  for i, value in ipairs(values) do assert(r:column(name)[i] == value, name .. " " .. i) end
end
LUA
"$bmsim" script.lua || fail "exit status $?"
