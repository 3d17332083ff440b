# print shows what the library makes: models by their equations, components, observables, columns, results.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local function shows(value, ...)
  local text = tostring(value)
  for line in text:gmatch "[^\n]+" do
    if #line > 120 then error("wide: " .. line, 2) end
  end
  text = text:gsub("\n    ( *[^ ])", " %1") -- lines that go on
  for _, part in ipairs { ... } do
    if not text:find(part, 1, true) then error(("'%s' is not in\n%s"):format(part, text), 2) end
  end
  if text:find "table: 0x" or text:find "function: 0x" then error("an address in\n" .. text, 2) end
end

-- Components: what was given, what holds without, and what no longer does.
local noise = bm.noise.gaussian { D = 0.3 }
shows(noise, "noise gaussian: <xi(t) xi(s)> = 2 D delta(t - s); D = 0.3")
assert(not tostring(noise):find "T =", "D is given, so T has no default")
shows(bm.potential.sine { V0 = 2, name = "wave" }, "potential sine, called wave: V(x) = V0 sin(2 pi x / L + phi)",
  "V0 = 2; by default L = 1, phase (phi) = 0")
shows(bm.potential.formula { "a*x^2", a = 3 }, "V(x) = a*x^2; a = 3")
shows(bm.potential.ring { of = { "x", "y" } }, "potential ring of x, y: ")
shows(bm.noise.poisson { D = 1, a = function(p) return p.force + 1 end }, "D = 1, a = a function")
shows(bm.potential.table { V = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 } }, "V = {0, 1, 2, 3, 4, 5, ..., 9: 10 values}")
shows(bm.formula { "a*x", a = 2 }, "formula a*x; a = 2")
shows(bm.noise, "poisson", "white Poissonian shot noise")
shows(bm.observe, "velocity_density         p(v) over a range", "non_gaussianity")
shows(bm.observe.density { bins = 10, range = { -1, 1 } }, "observable density: p(x mod L)",
  "bins = 10, range = {-1, 1}")

-- Models: an equation for each variable, with the names of what acts on it.
local cosine = bm.drive.cosine { name = "rock" }
local m = bm.overdamped { potential = bm.potential.sine {}, noise = noise, drive = cosine, force = 0.5 }
shows(m, "an overdamped model:\n  dx/dt = -V'(x) + force + gaussian(t) + rock(t)\n", "drive cosine, called rock: ",
  "\n  force = 0.5")
shows(bm.underdamped { noise = noise, gamma = 0.5 }, "mass dv/dt = -gamma v + force + gaussian(t), dx/dt = v",
  "gamma = 0.5, mass = 1")
shows(bm.overdamped { potential = bm.potential.sine {}, drive = bm.drive.square { modulate = "potential" } },
  "dx/dt = -V'(x) (1 + square(t)) + force\n", "; multiplies the potential")
shows(bm.overdamped { noise = bm.noise.gaussian { amplitude = bm.formula { "1 + a*x^2", a = 0.1 } },
  events = { back = bm.event.reset { rate = 2, x = 0 } }, walls = { x = { "reflect", from = -1 } } },
  "dx/dt = force + (1 + a*x^2) gaussian(t)", "amplitude 1 + a*x^2, a = 0.1",
  "interpretation of noise with an amplitude: stratonovich",
  "event back: at the rate r sets x = to_x; back.r = 2, back.to_x = 0", "walls of x reflect: from = -1")
local equations = { x = "v0*cos(theta)", y = "v0*sin(theta)" }
local swimmer = bm.system {
  variables = { "x", "y", "theta" }, equations = equations, parameters = { v0 = 2 }, inertia = { y = true },
  potential = { bm.potential.formula { "k*x^2/2", k = 1 } }, noise = { theta = noise }, period = { theta = "2*pi" },
}
equations.x = "0"
shows(swimmer, "a system of x, y, theta:\n  dx/dt = v0*cos(theta) - dV/dx\n",
  "\n  mass_y dv_y/dt = -gamma_y v_y + v0*sin(theta), dy/dt = v_y\n", "\n  dtheta/dt = gaussian(t)\n",
  "period of theta = 2*pi", "V(x, y, theta) = k*x^2/2; k = 1", "gamma_y = 1, mass_y = 1, v0 = 2")

-- Results: all of a short table, the head of a long one.
local function run(points)
  return bm.run { model = m, dt = 0.001, time = 0.1, paths = 64, check_step = false,
    observe = { "velocity", "density" }, sweep = { { "force", bm.linspace(0, 1, points) } } }
end
local short, long = run(3), run(30)
shows(short, "3 points of an overdamped model, 64 paths each, 100 steps of dt = 0.001; method heun, ",
  "\narray density, p(x), in 1/length: by position (100)")
shows(long, "30 points of an overdamped model", "\n... and 20 rows more: r:print() prints all")
local function lines(r) return select(2, tostring(r):gsub("\n", "\n")) end
assert(lines(long) - lines(short) == 8, "10 rows and a line in place of 3 rows")
for i = 1, 40 do short:add("wide_column_" .. i, { 1, 2, 3 }) end
shows(short, "columns that are not shown: wide_column_", "others")

for p in long:rows() do
  shows(p, ": force = ", ", velocity = ", ", velocity_err = ")
  assert(tostring(p):find("force = " .. ("%.6g"):format(p.force), 1, true), tostring(p))
end

local v = long:column "velocity"
shows(v, "velocity, in length/time: ", "...", ": 30 values")
assert(#v == 30 and v[30] == v[#v] and select("#", unpack(v)) == 30)
local keys = 0
for key in pairs(v) do keys = keys + (type(key) == "number" and 1 or 100) end
assert(keys == 30, "a column is a plain array")
shows(long:columns(), "force, velocity, velocity_err")
shows(long:arrays(), "density, density_err")
shows(long:array "density", "density, p(x), in 1/length: by position (100)", "position: -0.495,",
  "values of 30 points, the first: ")
shows(long:column "dt", "dt, in time: 0.001")
local info = tostring(long.info)
assert(info:find "method +heun" and info:find "warnings +none", info)

-- Every observable of the core has a definition, and none other has.
for name, options in pairs(require("bmsim.words").observables.options) do
  local _, said = pcall(bm.run, { model = m, time = 1, paths = 64, observe = bm.observe[name] { no_such = 1 } })
  local known = said:match "unknown option 'no_such'; known: (.*)" -- others must be given something
  assert(not known or known == (#options > 0 and table.concat(options, ", ") or "none"), said)
end
local ok, message = pcall(bm.run, { model = m, time = 1, paths = 64, observe = "nothing_like_it" })
local known = message:match "known: ([%w_, ]+)"
assert(not ok and known == table.concat(require("bmsim.words").observables.names, ", "), message)
LUA
"$bmsim" script.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
