-- Growth of linear oscillations does not scatter, so that no error bar shows what the step adds to it: the default step
-- resolves the rotation.
local bm = require "bmsim"
local function check(growth, w, most)
  local model = bm.system { variables = { "x", "y" }, parameters = { a = growth, w = w },
                            equations = { x = "a*x + w*y", y = "-w*x + a*y" } }
  local r = bm.run { model = model, time = 6, paths = 32, observe = "lyapunov" }
  local rate = r:column "lyapunov"[1]
  assert(math.abs(rate - growth) < (most or 0.003) * math.abs(growth),
         ("w = %g: %.6g, exact %g"):format(w, rate, growth))
end
for _, w in ipairs { 10, 100, 1000 } do
  check(1, w)
  check(-1, w)
end
-- And growth without a rotation, or with one that is slower.
for _, w in ipairs { 0, 0.5 } do
  check(1, w, 0.001)
  check(-2, w, 0.001)
end
