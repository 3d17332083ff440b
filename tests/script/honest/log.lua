-- V = log(x) has no value for x <= 0, where particles begin, and where they come to from any other place.
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.formula { "log(x)" }, noise = bm.noise.gaussian { D = 1 } }
for _, x in ipairs { 0, 1 } do
  local ok, message = pcall(bm.run, { model = model, initial = { x = x }, dt = 0.001, time = 1, paths = 64 })
  assert(not ok, "a potential that is not finite was run")
  assert(message:find("V must be finite", 1, true) and message:find("at x = 0", 1, true), message)
end
