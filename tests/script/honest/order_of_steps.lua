-- Errors of the step that are of first order at worst. The check of the step must know how fast they fall: else it sees
-- errors that are not there, or misses some that are.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian

-- The step that a warning of an error of the step names, the shortest if there are several; nil without one.
local function advised(r)
  local dt
  for _, text in ipairs(r.info.warnings) do
    local named = tonumber(text:match "makes an error of .* dt = ([%d.e+-]+) would")
    if named and not (dt and dt < named) then dt = named end
  end
  return dt
end

-- A drive that presses paths to walls. Up to about twice D/F^2 a step makes an error of a few thousandths of it. Longer
-- ones make far larger ones, which say nothing of it.
local D, F = 0.3, 10
local box = bm.overdamped { noise = gaussian { D = D }, drive = bm.drive.cosine { amplitude = F, omega = 3 },
                            walls = { x = { "reflect", from = -1, to = 1 } } }
local function squares(dt, paths)
  return bm.run { model = box, dt = dt, paths = paths, time = 20, transient = 0.3, initial = { x = 0.2 },
                  observe = bm.observe.average { x2 = "x^2" }, check_transient = false }
end
local exact = squares(5e-4, 512):column "x2"[1]
local r = squares(0.005, 2048)
assert(math.abs(r:column "x2"[1] - exact) < 0.005, ("x2 = %g, exact %g"):format(r:column "x2"[1], exact))
assert(#r.info.warnings == 0, "a false alarm: " .. tostring(r.info.warnings[1]))
local of_it, seen = r:column "x2_step_seen_err"[1], r:column "x2_step_seen"[1]
assert(math.abs(r:column "x2"[1] - seen - exact) < 4 * of_it + 0.003, ("%g +- %g seen"):format(seen, of_it))
assert(of_it > r:column "x2_err"[1] / 2, "the error is said to be known better than the value")
r = squares(0.02, 2048)
assert(math.abs(r:column "x2"[1] - exact) > 0.01, "a long step makes no error")
assert(advised(r) and advised(r) < 0.01, "a long step is said to be right")

-- Steady forces press paths to a wall. A step of 1.5 D/f^2 makes x too large, by many standard errors; steps four times
-- as long make it too small.
local pressed = bm.overdamped { force = F, noise = gaussian { D = D },
                                walls = { x = { "reflect", from = -1, to = 1 } } }
r = bm.run { model = pressed, dt = 1.5 * D / F ^ 2, time = 3, paths = 4096, initial = { x = 0.9 }, transient = 0.3,
             observe = bm.observe.average { x = "x" }, check_transient = false }
local off = r:column "x"[1] - (1 - D / F)
seen = r:column "x_step_seen"[1]
assert(off > 5 * r:column "x_err"[1] and seen > off / 4 and seen < 4 * off, ("off by %g, %g seen"):format(off, seen))

-- A kink in an amplitude makes an error of an order between the first and the second. V is switched on and off.
local motor = bm.overdamped {
  potential = bm.potential.formula { "1.69*sin(2*pi*x/L)", L = 1 }, force = -2.35, interpretation = "anti_ito",
  noise = { gaussian { D = 2.35, amplitude = bm.formula { "1 + 0.597*abs(sin(pi*x))" } },
            bm.noise.dichotomous { Fa = 1, Fb = 0, mu_a = 0.892, mu_b = 7.75, modulate = "potential" } },
}
local function cosines(dt, paths)
  local run = bm.run { model = motor, dt = dt, paths = paths, time = 2, transient = 0.3, initial = { x = 0 },
                       observe = bm.observe.average { c = "cos(2*pi*x)" }, check_transient = false }
  return run, run:column "c"[1], run:column "c_err"[1]
end
local _, right, right_err = cosines(nil, 8192)
local long, value = cosines(0.00287, 4096)
local dt = advised(long)
assert(math.abs(value - right) > 5 * right_err, "a long step makes no error")
assert(dt and dt < 0.0015, "an error at a kink of an amplitude is not seen")
local _, cured, cured_err = cosines(dt, 4096)
assert(math.abs(cured - right) < 4 * math.sqrt(cured_err ^ 2 + right_err ^ 2), ("%g, not %g"):format(cured, right))

-- A given step that is long for a kink of V makes an error of first order there, though noise takes paths further in it
-- than forces do. Boltzmann's law is exact.
local V0, heat, near = 0.277, 0.0741, 0.15
local inside, all = 0, 0
for i = 1, 20000 do
  local x = -0.5 + (i - 0.5) / 20000
  local p = math.exp(-V0 * math.abs(math.sin(math.pi * x)) / heat)
  all, inside = all + p, inside + (math.abs(x) < near and p or 0)
end
local kinked = bm.overdamped { potential = bm.potential.formula { ("%g*abs(sin(pi*x/L))"):format(V0), L = 1 },
                               noise = gaussian { D = heat } }
r = bm.run { model = kinked, dt = 0.044, paths = 4096, time = 60, transient = 0.3, initial = { x = 0 },
             observe = bm.observe.average { near = ("cos(2*pi*x) > %.17g"):format(math.cos(2 * math.pi * near)) },
             check_transient = false }
off, seen = r:column "near"[1] - inside / all, r:column "near_step_seen"[1]
assert(math.abs(off) > 0.01 and seen / off > 0.5 and seen / off < 2.5, ("off by %g, %g seen"):format(off, seen))
assert(#r.info.warnings > 0, "an error at a kink of V is not seen")

-- A given step, six times the default one, that makes <z^2> wrong by a fifth, which is eight standard errors.
local stiff = bm.system { variables = { "z" }, equations = { z = "-32.5*z - 1.1" },
                          noise = { z = gaussian { D = 1e-3 } },
                          events = { reset = { rate = "0.754", set = { z = "0.633" } } } }
r = bm.run { model = stiff, dt = 0.0184, paths = 2048, time = 1.7, transient = 0.3, initial = { z = 0 },
             observe = bm.observe.average { zz = "z^2" }, check_transient = false }
assert(r:column "step_warning"[1] == 1, r.info.step_check)
