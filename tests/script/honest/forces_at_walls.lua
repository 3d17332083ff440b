-- Forces that are not the same on both sides of a wall, at the default step.
local bm = require "bmsim"
local gaussian = bm.noise.gaussian
local function check(what, r, name, exact, part)
  local value, err = r:column(name)[1], r:column(name .. "_err")[1]
  assert(math.abs(value - exact) < part * exact + 4 * err and err < part * exact,
         ("%s: %.5g(%.2g), exact %.5g"):format(what, value, err, exact))
end

-- Forces that jump at a wall itself: paths only know the side on which they are. Both ways round, as equations and as
-- kinks of V; the mean distance from the wall is D/f.
local function at_wall(what, model, pressing, options)
  options.model, options.paths, options.initial = model, 2048, { x = 0.5 / pressing }
  options.observe = bm.observe.average { x = "x" }
  local found = bm.run(options)
  assert(#found.info.warnings == 0, what .. ": " .. table.concat(found.info.warnings, "; "))
  check(what, found, "x", 0.5 / pressing, 0.02)
end
local above = { x = { "reflect", from = 0 } }
for _, text in ipairs { "-if(x > 0, f, g)", "-if(x >= 0, f, g)" } do
  for _, sides in ipairs { { 30, 1 }, { 1, 30 }, { 1, -30 } } do
    local pressing, other = unpack(sides)
    at_wall(text, bm.system { variables = { "x" }, equations = { x = text }, parameters = { f = pressing, g = other },
                              noise = { x = gaussian { D = 0.5 } }, walls = above }, pressing,
            { time = 20 / pressing, check_transient = false, dt = pressing == 1 and 0.005 or nil })
  end
end
at_wall("V", bm.overdamped { potential = bm.potential.formula { "if(x > 0, f*x, x)", f = 30 },
                             noise = gaussian { D = 0.5 }, walls = above }, 30, { time = 1 })

-- With inertia a path is behind the wall until its step ends: what a force is there does not matter.
local function bounce(what, force, wall, distance, options)
  local model = bm.system {
    variables = { "y", "x" }, inertia = { x = true, y = options.method == nil or nil },
    noise = { x = gaussian { T = 0.5 } },
    equations = { x = force, y = "-y" }, walls = { x = wall },
  }
  options.model, options.time, options.transient, options.paths = model, 20, 0.4, 1024
  options.observe = bm.observe.average { d = distance, v2 = "v_x^2" }
  local found = bm.run(options)
  assert(#found.info.warnings == 0, what .. ": " .. table.concat(found.info.warnings, "; "))
  check(what, found, "d", 0.05, 0.02)
  check(what, found, "v2", 0.5, 0.02)
end
bounce("|1 - x|", "10*sign(1 - x)", { "reflect", from = -1, to = 1 }, "1 - x", { initial = { x = 0.95 } })
bounce("heun", "-if(x > 0, 10, 1)", { "reflect", from = 0 }, "x", { initial = { x = 0.05 }, method = "heun" })
bounce("undefined", "-if(x > 0, 10, sqrt(x))", { "reflect", from = 0 }, "x", { initial = { x = 0.05 } })
