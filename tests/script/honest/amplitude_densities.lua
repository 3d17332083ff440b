-- Densities beside a jump of an amplitude, after Ito: bins within the noise of a step are wrong by what is said, and
-- the step that is named cures that.
local bm = require "bmsim"

-- The density in the bins on both sides of the jump, with the warnings. Exact: in proportion to 1/b^2.
local function density(b, bins, dt)
  local r = bm.run {
    model = bm.overdamped {
      interpretation = "ito", walls = { x = { "reflect", from = -1, to = 1 } },
      noise = bm.noise.gaussian { D = 0.5, amplitude = bm.formula { "if(x > 0, b, 1)", b = b } },
    },
    time = 20, paths = 500, dt = dt, observe = bm.observe.density { range = { -1, 1 }, bins = bins } }
  local p, err = r:array("density").values[1], r:array("density_err").values[1]
  local all, k = 1 + 1 / b ^ 2, bins / 2
  return { { p[k], err[k], 1 / all }, { p[k + 1], err[k + 1], 1 / b ^ 2 / all } },
         table.concat(r.info.warnings or {}, "\n")
end
local said = "error of density within its noise where an amplitude jumps: about (%S+) of (%S+), .*; dt = (%S+) would do"

for b, bins in pairs { [0.5] = 40, [0.7] = 25 * 2 } do
  local sides, text = density(b, bins)
  local about, of = text:match(said)
  assert(about, ("b = %g: nothing is said: %s"):format(b, text))
  about, of = tonumber(about), tonumber(of)
  local side = math.abs(sides[1][1] - of) < math.abs(sides[2][1] - of) and sides[1] or sides[2]
  local off = side[1] - side[3]
  assert(math.abs(off) > 5 * side[2], "the error is not seen in this run")
  assert(math.abs(about - off) < 3 * side[2] + 0.2 * math.abs(off), ("b = %g: %g is said, %g"):format(b, about, off))
end

local _, text = density(0.5, 8)
local _, _, dt = text:match(said)
local sides, cured = density(0.5, 8, tonumber(dt))
assert(not cured:find "where an amplitude jumps", cured)
for _, side in ipairs(sides) do
  assert(math.abs(side[1] - side[3]) < 4 * side[2], ("cured: %g +- %g, not %g"):format(unpack(side)))
end

-- Bins that are wide against the noise of a step, and a small jump: nothing to say.
_, text = density(0.95, 4)
assert(not text:find "where an amplitude jumps", text)
