-- The founding paper's equation 24 with all three noises, Gaussian, Poissonian and dichotomous, against the intensity
-- of the Gaussian one: by heun at three steps, and by method exact, which has no step with Gaussian noise either. Steps
-- err at the kinks of V = 1 - |x|; the walk lands on the line, and takes less time.
local bm = require "bmsim"

local motor = bm.overdamped {
  potential = bm.potential.piecewise_linear {},
  noise = { bm.noise.gaussian { D = 0.1 }, bm.noise.poisson { D = 1, a = 2.5 },
            bm.noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 } },
}
local points = bm.args.points or 9

local function run(options)
  return bm.run {
    model = motor, sweep = { "gaussian.D", bm.logspace(0.01, 1, points) }, check_step = false,
    paths = bm.args.paths or bm.args.full and 1048576 or 4096, time = bm.args.time or bm.args.full and 200 or 50,
    method = options.method, spp = options.spp,
  }
end

local all = run { method = "exact" }
all:add("exact", bm.theory.curve(motor, all, bm.theory.master).velocity)
all:add("z", function(p) return (p.velocity - p.exact) / p.velocity_err end)
local seconds, names = { walk = all.info.seconds }, { "velocity" }
for _, spp in ipairs { 2, 8, 32 } do
  local r = run { method = "heun", spp = spp }
  local name = ("steps_%d"):format(spp)
  all:add(name, r:column "velocity"):add(name .. "_err", r:column "velocity_err")
  seconds[name] = r.info.seconds
  table.insert(names, name)
end

all:print { "gaussian.D", "velocity", "velocity_err", "exact", "z", "steps_2", "steps_8", "steps_32" }
if bm.args.output then all:write(bm.args.output) end
if bm.args.plot then
  all:plot { x = "gaussian.D", y = names, log = "x", file = bm.args.plot, ylabel = "⟨{/:Italic v}⟩",
             titles = { "no steps", "dt = τ/2", "dt = τ/8", "dt = τ/32" }, xlabel = "{/:Italic D}_G",
             theory = bm.theory.curve(motor, { "gaussian.D", bm.logspace(0.01, 1, 40) }, bm.theory.master) }
end
print(("seconds: %.2f without steps; %.2f, %.2f and %.2f with them"):format(seconds.walk, seconds.steps_2,
      seconds.steps_8, seconds.steps_32))
local largest = 0
for p in all:rows() do largest = math.max(largest, math.abs(p.z)) end
print(("largest deviation: %.2f standard errors"):format(largest))
