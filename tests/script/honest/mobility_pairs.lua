-- The mobility with a small df: copies of a path that come together again say nothing, and a force that rounding would
-- take away is seen in double precision.
local bm = require "bmsim"
local function mobility(model, df)
  local r = bm.run { model = model, time = 20, paths = 1000, observe = bm.observe.mobility { df = df } }
  return r:column "mobility"[1], r:column "mobility_err"[1], r.info.precision
end
local noise = bm.noise.gaussian { D = 1 }
local sine = bm.overdamped { potential = bm.potential.sine {}, noise = noise }
local exact = 0.6239 -- 1/I0(1)^2: S. Lifson, J. L. Jackson, J. Chem. Phys. 36, 2410 (1962)
for _, df in ipairs { 0.1, 1e-2, 1e-4, 1e-8 } do
  local value, err = mobility(sine, df)
  assert(math.abs(value - exact) < 4 * err, ("df = %g: %g +- %g"):format(df, value, err))
  assert(df < 0.1 or err < 0.03, ("df = %g: err %g"):format(df, err))
end
for _, df in ipairs { 0.1, 1e-4, 1e-9 } do
  local value, _, precision = mobility(bm.overdamped { noise = noise }, df)
  assert(math.abs(value - 1) < 1e-5, ("df = %g: %.9g"):format(df, value))
  assert(precision == (df < 0.01 and "double" or "single"), precision)
end
