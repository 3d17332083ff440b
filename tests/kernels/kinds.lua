-- A small run of every kind of kernel. Prints all its numbers with all digits.
local bm = require "bmsim"

local function numbers_of(value)
  if type(value) == "number" then return { ("%.17g"):format(value) } end
  local all = {}
  for _, part in ipairs(value) do
    for _, number in ipairs(numbers_of(part)) do all[#all + 1] = number end
  end
  return all
end
local function run(name, options)
  options.check_step, options.paths = false, options.paths or 300
  local r = bm.run(options)
  for _, column in ipairs(r:columns()) do print(name, column, unpack(numbers_of(r:column(column)))) end
  for _, array in ipairs(r:arrays()) do
    local numbers = numbers_of(r:array(array).values)
    for first = 1, #numbers, 100 do
      print(name, array, first, unpack(numbers, first, math.min(first + 99, #numbers)))
    end
  end
end

local observe = bm.observe
local sine, saw = bm.potential.sine {}, bm.potential.piecewise_linear {}
local heat, kicks = bm.noise.gaussian { D = 0.3 }, bm.noise.poisson { D = 1, a = 2.5 }
local heated = bm.overdamped { potential = sine, noise = heat }
local short = { time = 2, dt = 0.01 }
local function with(options)
  for name, value in pairs(short) do options[name] = options[name] or value end
  return options
end

run("heun", with { model = bm.overdamped { potential = sine, noise = { heat, kicks } },
  observe = { "velocity", observe.density { bins = 20 }, observe.moments { count = 10 }, observe.current {} } })
run("laws", with { model = bm.overdamped { potential = sine, noise = {
  bm.noise.dichotomous {}, bm.noise.ornstein_uhlenbeck {}, bm.noise.levy {} }, drive = bm.drive.cosine {} } })
run("platen", with { model = heated, method = "platen" })
run("paper", with { model = bm.overdamped { potential = sine, noise = { heat, kicks } }, method = "paper" })
run("exact", { model = bm.overdamped { potential = saw, noise = kicks }, periods = 20 })
run("walk", { model = bm.overdamped { potential = saw, noise = { kicks, heat } }, periods = 20, method = "exact" })
run("adaptive", with { model = heated, dt = 0.02, method = "adaptive" })
run("aboba", with { model = bm.underdamped { potential = sine, noise = bm.noise.gaussian { T = 0.1 },
  drive = bm.drive.cosine {} }, observe = { "velocity", "velocity_squared", observe.work {} } })
run("walls", with { model = bm.overdamped { noise = heat, force = 1, walls = { x = { "reflect", from = 0, to = 1 } } },
  initial = { x = 0.5 }, observe = observe.density { range = { 0, 1 }, bins = 10 } })
run("exits", with { model = bm.overdamped { noise = heat, walls = { x = { "absorb", from = 0, to = 1 } } },
  initial = { x = 0.5 }, observe = observe.exits {} })
run("passage", with { model = heated,
  observe = { observe.first_passage { from = 0, to = 1 }, observe.residence { from = -0.2, to = 0.2 } } })
run("zeros", with { model = bm.overdamped { potential = bm.potential.harmonic {}, noise = heat, force = 1,
  events = { f = { when = "x - 0.8", direction = "up", set = { x = "0" } } } } })
run("rates", with { model = bm.overdamped { potential = sine, noise = heat,
  events = { f = { rate = "1 + x^2", set = { x = "0" } } } } })
run("fields", with { model = bm.system { variables = { "th" }, period = { th = "2*pi" },
  fields = { c = "cos(th)", s = "sin(th)" }, equations = { th = "2*(s*cos(th) - c*sin(th))" }, noise = { th = heat } },
  paths = 2400, replicas = 12 })
run("system", with { model = bm.system { variables = { "x", "y" }, equations = { x = "-x + y", y = "-y - x^3" },
  noise = { x = bm.noise.gaussian { name = "a", D = 1 }, y = bm.noise.gaussian { name = "b", D = 0.2 } } },
  observe = { observe.average { q = "x*y" },
    observe.density { of = { "x", "y" }, range = { x = { -3, 3 }, y = { -3, 3 } }, bins = 8 } } })
run("amplitude", with { model = bm.overdamped { potential = sine, noise = bm.noise.gaussian { D = 0.3,
  amplitude = "1 + 0.5*cos(2*pi*x)" }, interpretation = "ito" } })
run("lyapunov", with { model = heated, observe = "lyapunov" })
run("paths", with { model = heated, observe = { observe.paths { count = 20 } } })
-- Sums over recordings: powers, products, histograms, formulas of recorded numbers.
run("recorded", with { model = bm.underdamped { potential = sine, noise = bm.noise.gaussian { T = 0.4 } },
  observe = { observe.moments { count = 5 }, observe.correlation { lags = 4, step = 0.03 },
    observe.spectrum { samples = 8, segments = 2 }, observe.fractional_moment { q = 0.5 },
    observe.time_averaged_msd { count = 9 },
    observe.velocity_density { range = { -3, 3 }, bins = 8 }, observe.joint_density { range = { -3, 3 }, bins = 4 },
    observe.displacement_density { range = { -3, 3 }, bins = 8 }, observe.turning_points { threshold = 0.3 } } })
run("formulas of recordings", with { model = bm.system { variables = { "x", "y" },
  equations = { x = "-x + y", y = "-y - x^3" }, noise = { x = heat } },
  observe = { observe.moments { count = 5, of = "x*y", name = "xy" },
    observe.density { of = "sin(x) + y^2", name = "s", range = { -2, 4 }, bins = 8 } } })
