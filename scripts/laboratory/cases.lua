-- The classes of models that orders.lua measures: potential and noise, a mean whose exact value is known, the steps.
-- `time` is a duration, `count` a number of steps, of every path; white: there is Gaussian noise, so that laws of
-- increments differ.
local bm = require "bmsim"
local theory, noise, potential = bm.theory, bm.noise, bm.potential

local overdamped = { "euler", "heun", "platen", "paper" }
local with_exact = { "euler", "heun", "platen", "paper", "exact" }
local underdamped = { "euler", "heun", "platen", "aboba" }

-- ---- what is measured: read(result, point) gives a value and its standard error ----

local function column(name, title)
  return { what = name, title = title,
           read = function(r, i) return r:column(name)[i], r:column(name .. "_err")[i] end }
end
local velocity, velocity_squared = column("velocity", "⟨v⟩"), column("velocity_squared", "⟨v²⟩")

-- The fraction of paths in the first of `bins` equal parts of [-L/2, L/2].
local function share(bins, L)
  local function of(r, i, name) return r:array(name).values[i][1] * L / bins end
  return { what = bm.observe.density { bins = bins, count = 50 },
           title = "the fraction in the first of " .. bins .. " parts of the period",
           read = function(r, i) return of(r, i, "density"), of(r, i, "density_err") end }
end
-- Boltzmann's, for V(u) with u in periods.
local function boltzmann_share(bins, V, T)
  local part, whole, n = 0, 0, 4000 * bins
  for i = 1, n do
    local p = math.exp(-V((i - 0.5) / n - 0.5) / T)
    whole = whole + p
    if i <= n / bins then part = part + p end
  end
  return part / whole
end

local function mean(time)
  local function of(r, i, name) return r:array(name).values[i][1] end
  return { what = bm.observe.moments { times = { time } }, title = "⟨x⟩",
           read = function(r, i) return of(r, i, "x_cumulant_1"), of(r, i, "x_cumulant_1_err") end }
end
local function variance(time)
  local function of(r, i, name) return r:array(name).values[i][1] end
  return { what = bm.observe.moments { times = { time } }, title = "the variance of x",
           read = function(r, i) return of(r, i, "x_cumulant_2"), of(r, i, "x_cumulant_2_err") end }
end

-- ---- classes ----

-- A mean over a window of many relaxation times, of as many steps at every h.
local function stationary(name, title, model, white, steps, observe, exact, methods, paths)
  return { name = name, title = title, model = model, white = white, steps = steps, observe = observe, exact = exact,
           methods = methods or overdamped, count = 8000, paths = paths or 98304, transient = 0.1 }
end
local function transport(name, title, parts, white, steps, exact_of, methods, paths)
  local model = bm.overdamped(parts)
  local v = exact_of { model = model }
  return stationary(name, title, model, white, steps, velocity, v, methods, paths)
end
local function inertial(name, title, parts, white, steps, exact, paths)
  parts.mass, parts.gamma = 1, 1
  return stationary(name, title, bm.underdamped(parts), white, steps, velocity_squared, exact, underdamped,
    paths or 49152)
end
-- The variance in a spring, k = 1, at one time, from a normal law of the right variance.
local function trapped(name, title, noises, white, exact, paths)
  return { name = name, title = title,
           model = bm.overdamped { potential = potential.harmonic { k = 1 }, noise = noises },
           white = white, steps = { 0.8, 0.4, 0.2, 0.1 }, observe = variance(10), exact = exact, methods = overdamped,
           time = 10, paths = paths or 3145728, transient = 0, initial = { x = { mean = 0, sd = math.sqrt(exact) } } }
end

-- The mean of x at one time, between a wall at 0 that is sticky, of length l, and one at 1 that reflects: a sum over
-- the modes cos(k (1 - x)) with tan k = -l k, and the law at rest.
local function sticky_mean(D, l, x0, t)
  local sum = 0.5 / (1 + l)
  for n = 1, 200 do
    local low, high = (n - 0.5) * math.pi, n * math.pi
    for _ = 1, 60 do
      local k = (low + high) / 2
      if math.tan(k) + l * k < 0 then low = k else high = k end
    end
    local k = (low + high) / 2
    local norm = 0.5 + math.sin(2 * k) / (4 * k) + l * math.cos(k) ^ 2
    sum = sum + (1 - math.cos(k)) / k ^ 2 * math.cos(k * (1 - x0)) / norm * math.exp(-D * k ^ 2 * t)
  end
  return sum
end

local sine, spring, ramp = potential.sine {}, potential.harmonic { k = 1 }, potential.piecewise_linear {}
local kicks, flips = noise.poisson { D = 1, a = 2.5 }, noise.dichotomous { Fa = 3, Fb = 1.6, tau = 0.2 }
local rare, slow = noise.poisson { D = 1, a = 1 }, noise.dichotomous { Fa = 1, Fb = 1, tau = 0.5 }
local heat, cold, bath = noise.gaussian { D = 0.5 }, noise.gaussian { D = 0.1 }, noise.gaussian { T = 0.5 }
local function sin(u) return math.sin(2 * math.pi * u) end
local function roof(u) return 1 - 2 * math.abs(u) end

local fine = { 0.008, 0.004, 0.002, 0.001 }
local smooth, rough = { 0.016, 0.008, 0.004, 0.002 }, { 0.032, 0.016, 0.008, 0.004 }
local kinked, swing = { 0.04, 0.02, 0.01, 0.005 }, { 0.4, 0.2, 0.1, 0.05 }

local _, _, rolling = theory.inertial { model = bm.underdamped { potential = sine, noise = bath, force = 1 } }
-- <v^2> under a noise of variance s2 and correlation time t, m = gamma = k = 1: d<vy>/dt = d<v^2>/dt = 0.
local function coloured(s2, t) return s2 / (t + 1 + 1 / t) end

return {
  stationary("sine_share", "V = sin 2πx, Gaussian noise D = 0.5", bm.overdamped { potential = sine, noise = heat },
    true,
    fine, share(2, 1), boltzmann_share(2, sin, 0.5)),
  transport("sine_gaussian", "V = sin 2πx, F = 2, Gaussian noise D = 0.5",
    { potential = sine, noise = heat, force = 2 }, true, smooth, theory.stratonovich),
  transport("sine_running", "V = sin 2πx, F = 2π, Gaussian noise D = 0.5",
    { potential = sine, noise = heat, force = 2 * math.pi }, true, smooth, theory.stratonovich),
  transport("sine_poisson", "V = sin 2πx, Poissonian noise D = 1, a = 2.5 and Gaussian noise D = 0.1",
    { potential = sine, noise = { kicks, cold } }, true, rough, theory.master, overdamped, 49152),
  transport("sine_dichotomous", "V = sin 2πx, F = 5, dichotomous noise 3, 1.6, τ = 0.2 and Gaussian noise D = 0.1",
    { potential = sine, noise = { flips, cold }, force = 5 }, true, rough, theory.master, overdamped, 24576),
  trapped("harmonic_gaussian", "V = x²/2, Gaussian noise D = 0.5", heat, true, 0.5),
  trapped("harmonic_poisson", "V = x²/2, Poissonian noise D = 1, a = 1", rare, false, 1),
  trapped("harmonic_dichotomous", "V = x²/2, dichotomous noise ±1, τ = 1/2", slow, false, 1 / 3),
  trapped("harmonic_both", "V = x²/2, Poissonian noise D = 1, a = 1 and Gaussian noise D = 0.5", { rare, heat }, true,
    1.5, 1572864),
  stationary("kinks_share", "V = 1 − |x|, L = 2, Gaussian noise D = 0.5",
    bm.overdamped { potential = ramp, noise = heat }, true, kinked, share(4, 2), boltzmann_share(4, roof, 0.5)),
  transport("kinks_gaussian", "V = 1 − |x|, L = 2, F = 0.5, Gaussian noise D = 0.5",
    { potential = ramp, noise = heat, force = 0.5 }, true, kinked, theory.stratonovich),
  transport("kinks_poisson", "V = 1 − |x|, L = 2, Poissonian noise D = 1, a = 2.5",
    { potential = ramp, noise = kicks }, false, kinked, theory.poisson_velocity, with_exact),
  transport("kinks_dichotomous", "V = 1 − |x|, L = 2, dichotomous noise 3, 1.6, τ = 0.2",
    { potential = ramp, noise = flips }, false, { 0.08, 0.04, 0.02, 0.01 }, theory.dichotomous_velocity, with_exact),
  transport("kinks_both", "V = 1 − |x|, L = 2, Poissonian noise D = 1, a = 2.5 and Gaussian noise D = 0.1",
    { potential = ramp, noise = { kicks, cold } }, true, kinked, theory.master, overdamped, 24576),
  inertial("inertial_sine", "V = sin 2πx, m = γ = 1, F = 1, Gaussian noise T = 0.5",
    { potential = sine, noise = bath, force = 1 }, true, { 0.08, 0.04, 0.02, 0.01 }, rolling),
  inertial("inertial_harmonic", "V = x²/2, m = γ = 1, Gaussian noise T = 0.5",
    { potential = spring, noise = bath }, true, swing, 0.5),
  inertial("inertial_kinks", "V = 1 − |x|, L = 2, m = γ = 1, Gaussian noise T = 0.5",
    { potential = ramp, noise = bath }, true, swing, 0.5),
  inertial("inertial_poisson", "V = x²/2, m = γ = 1, Poissonian noise D = 1, a = 1",
    { potential = spring, noise = rare }, false, swing, 1),
  inertial("inertial_dichotomous", "V = x²/2, m = γ = 1, dichotomous noise ±1, τ = 1/2",
    { potential = spring, noise = slow }, false, swing, coloured(1, 0.5)),
  { name = "sticky",
    title = "a sticky wall at 0, length 0.5, and a wall at 1, Gaussian noise D = 0.5, x = 0.3 at t = 0, t = 0.5",
    model = bm.overdamped { noise = heat,
      walls = { x = { { "sticky", from = 0, length = 0.5 }, { "reflect", to = 1 } } } },
    white = true, steps = { 0.02, 0.01, 0.005, 0.0025 }, observe = mean(0.5), exact = sticky_mean(0.5, 0.5, 0.3, 0.5),
    methods = { "heun" }, time = 0.5, paths = 3145728, transient = 0, initial = { x = 0.3 } },
}
