-- Structure of V that no sampling at fixed places sees: the default step resolves it, and numbers are right. Wells,
-- barriers and steps whose width is a small part of their range.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end
local function boltzmann(V, T, where, from, to)  -- by parts that are short where V is narrow
  local sum, inside = 0, 0
  local function add(a, b, n)
    for i = 1, n do
      local x = a + (b - a) * (i - 0.5) / n
      local weight = math.exp(-V(x) / T) * (b - a) / n
      sum, inside = sum + weight, inside + (where(x) and weight or 0)
    end
  end
  add(-6, from, 4000) add(from, to, 40000) add(to, 6, 4000)
  return inside / sum
end

-- A narrow well in a parabola, with inertia and without.
local V_text = "x^2/2 - A*exp(-((x-0.8123)/w)^2)"
local function check_law(what, make, noise, A, w, half, options, part)
  local function V(x) return x ^ 2 / 2 - A * math.exp(-((x - 0.8123) / w) ^ 2) end
  local exact = boltzmann(V, 0.5, function(x) return math.abs(x - 0.8123) < half end, 0.75, 0.87)
  local r = bm.run { model = make { potential = bm.potential.formula { V_text, A = A, w = w },
                                    noise = gaussian(noise), gamma = noise.T and 10 },
                     initial = { x = 0.8 }, time = options[1], paths = options[2], transient = 0.2, check_step = false,
                     observe = bm.observe.average { p = ("if(abs(x-0.8123)<%g,1,0)"):format(half) } }
  check(what, r, "p", exact, part)
end
check_law("well", bm.underdamped, { T = 0.5 }, 2.5, 0.004, 0.012, { 300, 64 }, 0.1)
check_law("well without inertia", bm.overdamped, { D = 0.5 }, 1.5, 0.005, 0.012, { 8, 64 }, 0.15)

-- The step: no longer than what the structure asks for, and not far shorter. Runs of some hundred steps.
local function step(model, time)
  local r = bm.run { model = model, time = time, paths = 16, check_step = false, observe = bm.observe.velocity {} }
  return r:column("dt")[1]
end
local function resolves(what, model, scale)
  local dt = step(model, 40 * scale)
  assert(dt < 0.2 * scale and dt > 0.002 * scale, ("%s: dt = %g, where %g resolves it"):format(what, dt, 0.1 * scale))
end
local function formula(text, given)
  given[1] = text
  return bm.overdamped { potential = bm.potential.formula(given), noise = gaussian { D = 0.5 } }
end
for _, one in ipairs { { 4, 0.002 }, { -4, 0.001 }, { 2, 1e-4 }, { 4, 1e-5 } } do
  local A, w = unpack(one)
  resolves(("A = %g, w = %g"):format(A, w), formula(V_text, { A = A, w = w }), w ^ 2 / 2 / math.abs(A))
end
-- What is shallow against the temperature asks for no shorter step.
assert(step(formula(V_text, { A = 1e-4, w = 0.002 }), 10) > 0.09)
for _, w in ipairs { 1e-3, 1e-4 } do
  resolves("tanh", formula("x^2/2 + 2*tanh((x+1.2345)/w)", { w = w }), w ^ 2 / 1.54)
  resolves("period", formula("0.1*cos(2*pi*x/L) - 2*exp(-(sin(pi*(x-0.618)/L)/w)^2)", { w = w, L = 1 }),
           w ^ 2 / (4 * math.pi ^ 2))
end
