-- Information ratchet: a controller looks at a particle every tau, and has the potential on until the next look if the
-- force would push to the right, else off. Information alone makes a current, which grows the more often the controller
-- looks. In a symmetric potential switching without information makes none. F. J. Cao, L. Dinis, J. M. R. Parrondo,
-- Phys. Rev. Lett. 93, 040603 (2004).
local bm = require "bmsim"

local function ratchet(event)
  return bm.system {
    variables = { "x", "on" }, period = { x = "1" },
    define = { force = "2*pi*V0*sin(2*pi*x)" }, -- V = V0 cos(2 pi x)
    equations = { x = "on*force" },
    noise = { x = bm.noise.gaussian { D = 1 } },
    parameters = { V0 = 1 },
    events = { look = event },
  }
end
local options = {
  sweep = { "look.tau", bm.logspace(0.002, 2, bm.args.points or bm.args.full and 25 or 9) },
  initial = { x = { from = 0, to = 1 }, on = 0 }, time = bm.args.time or 40, dt = bm.args.full and 0.0005 or 0.002,
  paths = bm.args.paths or bm.args.full and 262144 or 4096, observe = "velocity",
}
options.model = ratchet(bm.event.look { every = 0.1, set = { on = "if(force > 0, 1, 0)" } })
local seeing = bm.run(options)
options.model = ratchet(bm.event.look { every = 0.1, set = { on = "if(U < 0.5, 1, 0)" } })
local blind = bm.run(options)

seeing:add("blind", blind:column "velocity_x"):add("blind_err", blind:column "velocity_x_err")
seeing:print { "look.tau", "velocity_x", "velocity_x_err", "blind", "blind_err" }
if bm.args.output then seeing:write(bm.args.output) end
if bm.args.plot then
  seeing:plot { x = "look.tau", y = "velocity_x", log = "x", xlabel = "interval between two looks",
                ylabel = "mean velocity", file = bm.args.plot }
end
local largest = 0
for p in seeing:rows() do largest = math.max(largest, math.abs(p.blind) / p.blind_err) end
print(("largest deviation: %.2f standard errors"):format(largest))
