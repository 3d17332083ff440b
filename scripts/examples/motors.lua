-- Two motors on one track, held one period apart by a spring: each is a particle in the ratchet, pushed to and fro by a
-- dichotomous force of its own, +-F with the correlation time tau. Their velocity against the strength k of the spring.
-- Alone (k = 0) a motor is a correlation ratchet. A stiff pair (k -> infinity) is one particle that feels the mean of
-- two noises, [f_1(t) + f_2(t)]/2, and thermal noise of D/2. At low temperature it is slower than one motor, since the
-- forces often cancel, and at high temperature faster. A soft spring hinders both. The limits are exact, from the
-- stationary master equation. M. O. Magnasco, Phys. Rev. Lett. 71, 1477 (1993); I. Derenyi, T. Vicsek, Proc. Natl.
-- Acad. Sci. USA 93, 6775 (1996).
local bm = require "bmsim"
local F, tau = 1, 1

local function track(name) return bm.potential.ratchet { V0 = 1 / (2 * math.pi), b = 0.25, name = name } end
local function force(name, height) return bm.noise.dichotomous { Fa = height, Fb = height, tau = tau, name = name } end
local function limit(D, motors)
  local noise = { bm.noise.gaussian { D = D / motors } }
  for i = 1, motors do noise[i + 1] = force("motor_" .. i, F / motors) end
  return (bm.theory.master { model = bm.overdamped { potential = track "one", noise = noise } })
end

local strengths = bm.logspace(0.1, 100, bm.args.points or bm.args.full and 13 or 7)
table.insert(strengths, 1, 0)
local r = bm.run {
  model = bm.system {
    variables = { "x", "y" },
    potential = { x = track "track_x", y = track "track_y",
                  bm.potential.formula { "k/2*(y - x - 1)^2", k = 1, name = "spring" } },
    noise = { x = { force("motor_x", F), bm.noise.gaussian { name = "bath" } },
              y = { force("motor_y", F),
                    bm.noise.gaussian { D = function(p) return p.bath.D end, name = "bath_y" } } },
  },
  sweep = { { "bath.D", { 0.05, 0.1, 0.2 } }, { "spring.k", strengths } },
  paths = bm.args.paths or bm.args.full and 65536 or 4096, time = bm.args.time or 100,
  dt = bm.args.full and 0.001 or 0.002,
}
r:add("alone", function(p) return limit(p.bath.D, 1) end)
r:add("stiff", function(p) return limit(p.bath.D, 2) end)
r:print { "bath.D", "spring.k", "velocity_x", "velocity_x_err", "alone", "stiff" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "spring.k", y = "velocity_x", group = "bath.D", theory = { "alone", "stiff" }, log = "x",
           theory_titles = { "one motor alone", "stiff pair" },
           xlabel = "{/:Italic k}", ylabel = "⟨{/:Italic v}⟩", file = bm.args.plot }
end

local largest = 0
for p in r:rows() do
  if p.spring.k == 0 then largest = math.max(largest, math.abs(p.velocity_x - p.alone) / p.velocity_x_err) end
end
print(("largest deviation of a motor alone: %.2f standard errors"):format(largest))
