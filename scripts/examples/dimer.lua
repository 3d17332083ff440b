-- Two particles held by a spring, k (y - x - l)^2/2, in a ratchet that a square wave of height A rocks slowly: the
-- current [v(A) + v(-A)]/2 against the length l. A stiff dimer is one particle with half the noise in the potential
-- [V(s - l/2) + V(s + l/2)]/2, whose harmonics are those of V times cos(pi l) and cos(2 pi l). Where either is zero it
-- is symmetric, without current: at l = 1/2, and at 1/4 and 3/4, where the current changes its sign. The current of a
-- soft dimer hardly depends on l. The curve is Stratonovich's v in U(s)/2, U = -D ln int exp[-(V(s - r/2) + V(s + r/2)
-- + k (r - l)^2/2)/D] dr being the free energy of the centre s, exact to the first order in 1/k. On two particles in a
-- ratchet: S. Klumpp, A. Mielke, C. Wald, Phys. Rev. E 63, 031914 (2001).
local bm = require "bmsim"
local V0, b, D, A, stiff = 1 / (2 * math.pi), 0.25, 0.03, 0.7, 100

local function run(force, seed)
  return bm.run {
    model = bm.system {
      variables = { "x", "y" },
      potential = { x = bm.potential.ratchet { V0 = V0, b = b, name = "left" },
                    y = bm.potential.ratchet { V0 = V0, b = b, name = "right" },
                    bm.potential.formula { "k/2*(y - x - l)^2", k = stiff, l = 0, name = "spring" } },
      noise = { x = bm.noise.gaussian { D = D, name = "bath_x" }, y = bm.noise.gaussian { D = D, name = "bath_y" } },
      force = { x = force, y = force },
    },
    sweep = { { "spring.k", { 1, 10, stiff } },
              { "spring.l", bm.linspace(0, 1, bm.args.points or bm.args.full and 41 or 21) } },
    paths = bm.args.paths or bm.args.full and 16384 or 512, seed = seed, initial = { x = 0, y = 0 },
    time = 60, transient = 0.2, dt = bm.args.full and 0.0005 or 0.001,
  }
end

local function exact(l)
  local U, nodes = {}, 64
  local function V(x) return V0 * (math.sin(2 * math.pi * x) + b * math.sin(4 * math.pi * x)) end
  for i = 1, nodes do
    local s, sum = (i - 1) / nodes, 0
    for deviations = -5, 5, 0.1 do -- of the spring
      local r = l + deviations * math.sqrt(D / stiff)
      sum = sum + math.exp(-(V(s - r / 2) + V(s + r / 2)) / D - deviations ^ 2 / 2)
    end
    U[i] = -D * math.log(sum)
  end
  local half = bm.potential.table { V = U, V0 = 0.5 }
  local function v(F) return (bm.theory.stratonovich { potential = half, D = D / 2, force = F }) end
  return (v(A) + v(-A)) / 2
end

local r, back = run(A, 1), run(-A, 2)
r:add("back", back:column "velocity_x"):add("back_err", back:column "velocity_x_err")
r:add("current", function(p) return (p.velocity_x + p.back) / 2 end)
r:add("current_err", function(p) return math.sqrt(p.velocity_x_err ^ 2 + p.back_err ^ 2) / 2 end)
r:add("stiff", function(p) return exact(p.spring.l) end)
r:print { "spring.k", "spring.l", "current", "current_err", "stiff" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "spring.l", y = "current", group = "spring.k", xlabel = "{/:Italic l}", file = bm.args.plot,
           theory = function(p, l) return p.spring.k == stiff and exact(l) or 0 / 0 end }
end

local largest = 0
for p in r:rows() do
  if p.spring.k == stiff then largest = math.max(largest, math.abs(p.current - p.stiff) / p.current_err) end
end
print(("largest deviation of the stiff dimer: %.2f standard errors"):format(largest))
