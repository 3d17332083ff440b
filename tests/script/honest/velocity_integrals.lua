-- Integrals over velocities, and of them over positions, at the default step and at a longer one. Means per time in
-- equilibrium follow from <v^2> = T/m and from partial integration, as of x o dv = d(x v) - v^2 dt.
local bm = require "bmsim"
local time, transient = 50, 0.2
local function check(what, options, exact, part)
  local integrals = {}
  for name, one in pairs(exact) do integrals[name] = one[1] end
  options.time, options.transient, options.paths = time, transient, options.paths or 3000
  options.observe = bm.observe.integral(integrals)
  local r = bm.run(options)
  for name, one in pairs(exact) do
    local right = one[2] * time * (1 - transient)
    local value, err = r:column(name)[1], r:column(name .. "_err")[1]
    assert(math.abs(value - right) < (part or 0.01) * math.abs(right) + 4 * err and err < 0.015 * math.abs(right),
           ("%s, %s: %.5g(%.2g), exact %.5g"):format(what, name, value, err, right))
  end
end

local gaussian = bm.noise.gaussian
local trapped = bm.underdamped { potential = bm.potential.harmonic {}, noise = gaussian { T = 1 } }
local of_powers = { s = { "v^2", 1 }, y = { { x = "v" }, 1 }, w = { { v = "x" }, -1 }, z = { { v = "x^3" }, -3 },
                    u = { { x = "x^2*v" }, 1 }, q = { { v = "x*v^2" }, -1 }, both = { { x = "v", v = "-x" }, 2 } }
check("trap", { model = trapped }, of_powers)
check("trap, dt = 0.2", { model = trapped, dt = 0.2 }, of_powers, 0.025)
check("m = 0.5, gamma = 2, k = 3, T = 2", {
  model = bm.underdamped { mass = 0.5, gamma = 2, potential = bm.potential.harmonic { k = 3 },
                           noise = gaussian { T = 2 } } },
  { s = { "v^2", 4 }, y = { { x = "v" }, 4 }, w = { { v = "x" }, -4 }, z = { { v = "x^3" }, -8 },
    u = { { x = "x^2*v" }, 8 / 3 }, q = { { v = "x*v^2" }, -16 }, both = { { x = "v", v = "-x" }, 8 } })
check("trap, heun", { model = trapped, method = "heun", dt = 0.08 }, of_powers)
check("trap, x over v alone", { model = trapped }, { w = of_powers.w })
local of_time = { w = { { v = "2*x*cos(2*t)^2" }, -1 }, y = { { x = "2*v*sin(2*t)^2" }, 1 } }
check("a formula of t, heun", { model = trapped, method = "heun", dt = 0.08 }, of_time)

-- flips of a force divide steps: its work adds a^2 r/(r^2 + r + 1) to <v^2>, r being twice the rate of flips
check("flips", { model = bm.underdamped { potential = bm.potential.harmonic {},
                                          noise = { gaussian { T = 1 },
                                                    bm.noise.dichotomous { Fa = 1, Fb = 1, mu_a = 1, mu_b = 1 } } } },
      { y = { { x = "v" }, 1 + 2 / 7 }, w = { { v = "x" }, -1 - 2 / 7 }, s = { "v^2", 1 + 2 / 7 } })

local mixed = bm.system {
  variables = { "x", "y", "z" }, equations = { x = "-x - 2*(x - y)", y = "-y - 2*(y - x)", z = "-z" },
  inertia = { x = true, y = true },
  noise = { x = gaussian { T = 1 }, y = gaussian { T = 1, name = "other" }, z = gaussian { D = 1, name = "third" } },
}
check("springs, and a variable without inertia", { model = mixed },
      { a = { { x = "v_x + v_y" }, 1 }, b = { { v_x = "x + y" }, -1 },
        c = { { x = "v_x*z^2" }, 1 }, d = { { v_x = "x*z^2" }, -1 } })

-- second order: coarse steps of the same noise tell the error
local r = bm.run { model = trapped, time = time, transient = transient, paths = 2048, dt = 0.4, step_error = true,
                   observe = bm.observe.integral { y = { x = "v" }, w = { v = "x" } } }
for name, right in pairs { y = 40, w = -40 } do
  local value, err = r:column(name .. "_extrapolated")[1], r:column(name .. "_extrapolated_err")[1]
  assert(math.abs(value - right) < 4 * err + 0.3 and err < 1.5, ("%s: %.5g(%.2g)"):format(name, value, err))
  assert(math.abs(r:column(name .. "_step")[1]) < 3, name .. "_step")
end
