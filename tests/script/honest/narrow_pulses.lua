-- Pulses of a drive that are narrower than the default step: their impulse is exact, and steps are short where it
-- matters when in a step they come.
local bm = require "bmsim"
local gaussian, pulse = bm.noise.gaussian, bm.drive.pulse
local root = math.sqrt(2 * math.pi)
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(#r.info.warnings == 0, what .. ": " .. (r.info.warnings[1] or ""))
  assert(math.abs(value - exact) < part * math.abs(exact) + 4 * err and err < 0.02 * math.abs(exact),
         ("%s, %s: %.5g(%.2g), exact %.5g"):format(what, name, value, err, exact))
end

-- A free particle, and one in a trap whose mean is that of the drive.
for _, w in ipairs { 0.01, 1e-3, 1e-4, 1e-6 } do
  for _, phase in ipairs { 0, 1.234 } do
    local drive = pulse { amplitude = 1 / w, width = w, period = 1, shape = "gaussian", phase = phase }
    local r = bm.run { model = bm.overdamped { noise = gaussian { D = 0.01 }, drive = drive }, periods = 10, paths = 64,
                       observe = "velocity" }
    check("free " .. w, r, "velocity", root, 1e-3)
  end
end
local swinging = bm.underdamped { potential = bm.potential.harmonic {}, noise = gaussian { T = 0.01 },
                                  drive = pulse { shape = "gaussian", width = 0.003, period = 10,
                                                  amplitude = 2 / (0.003 * root) } }
check("swinging", bm.run { model = swinging, periods = 12, transient = 1 / 6, paths = 512,
                           observe = bm.observe.average { q = "x" } }, "q", 0.2, 0.01)

-- Powers of x after kicks of 1: x = a exp(-t), a = 1/(1 - exp(-P)). Those of a velocity are the same.
local P = 3
local a = 1 / (1 - math.exp(-P))
local function moment(n) return a ^ n * (1 - math.exp(-n * P)) / (n * P) end
for _, w in ipairs { 0.004, 1e-3 } do
  for what, drive in pairs {
    box = pulse { width = w, amplitude = 1 / w, period = P }, bell = pulse { width = w, amplitude = 1 / (w * root),
                                                                           period = P, shape = "gaussian", phase = 2 },
    square = bm.drive.square { amplitude = 0.5 / w, duty = w / P, omega = 2 * math.pi / P, },
  } do
    local force = what == "square" and 0.5 / w or 0
    local run = { periods = 24, transient = 1 / 4, paths = 16, check_transient = false }
    run.model = bm.overdamped { potential = bm.potential.harmonic {}, noise = gaussian { D = 1e-6 }, drive = drive,
                                force = force }
    run.observe = bm.observe.average { x2 = "x^2", x3 = "x^3" }
    local r = bm.run(run)
    check(what .. w, r, "x2", moment(2), 0.01)
    check(what .. w, r, "x3", moment(3), 0.02)
    run.model = bm.underdamped { noise = gaussian { T = 1e-6 }, drive = drive, force = force }
    run.observe = "velocity_squared"
    check("velocity, " .. what .. w, bm.run(run), "velocity_squared", moment(2), 0.01)
  end
end

-- Kicks over a sine: as with steps that resolve the pulse. A given step that is too long is warned of.
local function kicked(w, dt)
  return bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 0.3 }, force = 0.5,
                                          drive = pulse { amplitude = 0.7 / (w * root), width = w, period = 0.5,
                                                          shape = "gaussian", phase = 1 } },
                  periods = 10, paths = 1024, dt = dt, observe = "velocity" }
end
local short, default = kicked(2e-4, 1e-4), kicked(2e-4)
local v, err = short:column "velocity"[1], short:column "velocity_err"[1]
check("kicked", default, "velocity", v, 0.01 + 4 * err / v)
local r = bm.run { model = swinging, time = 10, dt = 0.1, paths = 16, observe = bm.observe.average { q = "x" } }
assert(r.info.warnings[1]:find("the width of a pulse is 0.003; dt = 0.01 would do", 1, true), r.info.warnings[1])

-- A stroboscope shows one phase: the default step divides the period, and a given one that does not is warned of.
local driven = bm.overdamped { potential = bm.potential.sine {}, noise = gaussian { D = 1e-3 },
                               drive = bm.drive.cosine { omega = 8.37 } }
local strobe = { model = driven, periods = 3, paths = 8, observe = bm.observe.stroboscope { periods = 2, paths = 4 } }
local steps = 2 * math.pi / 8.37 / bm.run(strobe):column "dt"[1]
assert(math.abs(steps - math.floor(steps + 0.5)) < 1e-6, steps)
strobe.dt = 0.0031
r = bm.run(strobe)
assert(r.info.warnings[1]:find("stroboscope .* give spp = 243"), r.info.warnings[1])
