-- Particles with inertia, drawn at random, and their reference: paths with steps of a tenth.
local bm = require "bmsim"
local draw = require "random_terms"
local normal = require("random_paths").normal

local pi, exp, cos, sqrt, floor = math.pi, math.exp, math.cos, math.sqrt, math.floor
local uniform, brief, between, chance, pick = draw.uniform, draw.brief, draw.between, draw.chance, draw.pick

return function()
  local V0 = between(0.2, 3)
  local T, m, gamma = brief(V0 * between(0.1, 2)), between(0.2, 5), between(0.1, 5)
  local periodic = chance(0.4)
  local terms, duration = { pick(periodic and draw.periodic or draw.confined)(V0) }, brief(uniform(8, 20))
  local start, window = brief(uniform(-0.5, 0.5)), 0.4
  if chance(0.3) then
    terms[2] = draw.narrow(periodic, 2 * T, 2)
    local feature = terms[2].features[1]
    local longest = 1e4 * 0.3 * feature.width * sqrt(m / 4 / T)
    if longest < duration then duration, start = brief(longest), brief(feature.x + uniform(-4, 4) * feature.width) end
  end
  local V = draw.join(terms)
  local what = { ("inertia %g %g, T %g, V %s"):format(m, gamma, T, V.text) }
  local fields = { mass = m, gamma = gamma, noise = bm.noise.gaussian { T = T },
                   potential = draw.potential_of(V.text, periodic) }
  local force, drive = 0, nil
  if periodic then
    force = brief(V0 * uniform(-4, 4))
    fields.force = force
    what[#what + 1] = ("force %g"):format(force)
  end
  if chance(0.3) then
    drive = draw.drive(V0 * 2, duration)
    fields.drive = drive.part
    what[#what + 1] = "drive " .. drive.name
  end
  local formulas = periodic and { g1 = "cos(2*pi*x)", g2 = "v" } or { g1 = "x", g2 = "x^2" }
  local function reference(dt)
    local h = dt / 10  -- the scheme is of second order
    local steps, N = math.ceil(duration / h), 1000
    h = duration / steps
    local from = floor(window * steps)
    local sums = { {}, {}, {} }
    local decay = exp(-gamma * h / m)
    local spread = sqrt(T / m * (1 - decay * decay))
    local slope, f = V.slope, drive and drive.f
    for j = 1, N do
      local x, v = start, sqrt(T / m) * normal()
      local a, b, c = 0, 0, 0
      for i = 1, steps do  -- B. Leimkuhler, C. Matthews, Appl. Math. Res. Express 2013, 34: BAOAB
        local pull = force
        if f then pull = pull + f((i - 0.5) * h) end
        v = v + h / 2 / m * (pull - slope(x))
        x = x + h / 2 * v
        v = v * decay + spread * normal()
        x = x + h / 2 * v
        v = v + h / 2 / m * (pull - slope(x))
        if i > from then
          if periodic then a, b = a + cos(2 * pi * x), b + v else a, b = a + x, b + x * x end
          c = c + v * v
        end
      end
      local n = steps - from
      sums[1][j], sums[2][j], sums[3][j] = a / n, b / n, c / n
    end
    local values = {}
    for g = 1, 3 do
      local mean, square = 0, 0
      for _, value in ipairs(sums[g]) do mean = mean + value / N end
      for _, value in ipairs(sums[g]) do square = square + (value - mean) ^ 2 end
      values[g] = { value = mean, err = sqrt(square / N / (N - 1)) }
    end
    return values
  end
  return {
    what = table.concat(what, ", "), kind = "paths",
    run = { model = bm.underdamped(fields), time = duration, transient = window, initial = { x = start },
            observe = { bm.observe.average(formulas), "velocity_squared" } },
    compared = { { name = "g1", is = function(values) return values[1] end, scale = 0.3 },
                 { name = "g2", is = function(values) return values[2] end,
                   scale = 0.3 * (periodic and sqrt(T / m) or 1) },
                 { name = "velocity_squared", is = function(values) return values[3] end } },
    reference = reference,
  }
end
