-- Exact transport of overdamped particles in smooth periodic potentials, for bm.theory.
local errors = require "bmsim.errors"

local periodic = {}

local function number(subject, fields, name, default, positive)
  local value = fields[name]
  if value == nil then value = default end
  if value == nil then errors.raise("%s: %s is missing", subject, name) end
  errors.check_number(subject .. ": " .. name, value)
  if positive and value <= 0 then errors.raise("%s: %s must be > 0, got %g", subject, name, value) end
  return value
end

-- Gauss-Legendre rule of four points on [0, 1].
local node = { 0.069431844202973712, 0.330009478207571868, 0.669990521792428132, 0.930568155797026288 }
local weight = { 0.173927422568726929, 0.326072577431273071, 0.326072577431273071, 0.173927422568726929 }

--- Gaussian noise of intensity D, the smooth potential V(x) of period L, the force F: velocity and effective diffusion.
--- Stratonovich 1958; Reimann et al., Phys. Rev. Lett. 87, 010602 (2001):
---   I+-(x) = (1/D) int_0^L dz exp{[+-V(x) -+ V(x -+ z) - F z]/D},
---   v = L [1 - exp(-F L/D)] / int_0^L I+ dx,   D_eff = D L^2 int_0^L I+^2 I- dx / (int_0^L I+ dx)^3.
function periodic.stratonovich(fields)
  local subject = "theory.stratonovich"
  errors.check_fields(subject, fields, { "V", "F", "D", "L" })
  local V = fields.V
  if type(V) ~= "function" then errors.raise("%s: V must be a function of x, got %s", subject, type(V)) end
  local D, L = number(subject, fields, "D", nil, true), number(subject, fields, "L", 1, true)
  local F = number(subject, fields, "F", 0)
  local points, panels = 128, 64 -- in x the integrands are periodic, so that equal weights converge exponentially
  local first, third = 0, 0
  for i = 0, points - 1 do
    local x = L * i / points
    local top, plus, minus = V(x), 0, 0
    for panel = 0, panels - 1 do
      for j = 1, 4 do
        local z = L * (panel + node[j]) / panels
        plus = plus + weight[j] * math.exp((top - V(x - z) - F * z) / D)
        minus = minus + weight[j] * math.exp((V(x + z) - top - F * z) / D)
      end
    end
    plus, minus = plus * L / (panels * D), minus * L / (panels * D)
    first = first + plus * L / points
    third = third + plus * plus * minus * L / points
  end
  return L * (1 - math.exp(-F * L / D)) / first, D * L ^ 2 * third / first ^ 3
end

-- The solution of a system of linear equations, rows { coefficients..., right side }: elimination with pivots.
local function solve(rows)
  local n = #rows
  for c = 1, n do
    local pivot = c
    for r = c + 1, n do
      if math.abs(rows[r][c]) > math.abs(rows[pivot][c]) then pivot = r end
    end
    rows[c], rows[pivot] = rows[pivot], rows[c]
    local from = rows[c]
    for r = c + 1, n do
      local to = rows[r]
      local ratio = to[c] / from[c]
      if ratio ~= 0 then
        for k = c, n + 1 do to[k] = to[k] - ratio * from[k] end
      end
    end
  end
  local solution = {}
  for r = n, 1, -1 do
    local rest = rows[r][n + 1]
    for k = r + 1, n do rest = rest - rows[r][k] * solution[k] end
    solution[r] = rest / rows[r][r]
  end
  return solution
end

local function waves(subject, name, list)
  if list == nil then return {} end
  if type(list) ~= "table" then errors.raise("%s: %s must be a list of numbers, got %s", subject, name, type(list)) end
  errors.check_list(subject .. ": " .. name, list)
  for i, value in ipairs(list) do errors.check_number(("%s: %s[%d]"):format(subject, name, i), value) end
  return list
end

local function check_states(subject, states)
  if type(states) ~= "table" then errors.raise("%s: states must be a list, got %s", subject, type(states)) end
  errors.check_list(subject .. ": states", states)
  local sum = 0
  for i, state in ipairs(states) do
    errors.check_fields(("%s: state %d"):format(subject, i), state, { "probability", "force", "potential" })
    sum = sum + number(("%s: state %d"):format(subject, i), state, "probability")
  end
  if math.abs(sum - 1) > 1e-9 then errors.raise("%s: probabilities must add up to 1, got %g", subject, sum) end
end

-- What the stationary equation is made of: see stationary_velocity.
local function system_of(subject, fields)
  errors.check_fields(subject, fields, { "a", "b", "L", "F", "D", "alpha", "scale", "nu", "states", "modes" })
  local system = { a = waves(subject, "a", fields.a), b = waves(subject, "b", fields.b) }
  system.q = 2 * math.pi / number(subject, fields, "L", 1, true)
  system.D, system.scale = number(subject, fields, "D", 0), number(subject, fields, "scale", 0)
  system.alpha, system.F = number(subject, fields, "alpha", 2), number(subject, fields, "F", 0)
  system.modes, system.states = number(subject, fields, "modes", 32, true), fields.states or { { probability = 1 } }
  if system.modes % 1 ~= 0 then errors.raise("%s: modes must be a whole number, got %g", subject, system.modes) end
  if system.alpha <= 1 then errors.raise("%s: alpha must be > 1, got %g", subject, system.alpha) end
  if system.D <= 0 and system.scale <= 0 then errors.raise("%s: D or scale must be > 0", subject) end
  check_states(subject, system.states)
  system.nu = number(subject, fields, "nu", #system.states == 1 and 0 or nil)
  return system
end

-- Coefficient of exp(i n q x) in the force of a state, real and imaginary part.
local function force(system, state, n)
  if n == 0 then return system.F + (state.force or 0), 0 end
  local m = math.abs(n)
  local half = m * system.q * (state.potential or 1) / 2
  return -half * (system.b[m] or 0), (n > 0 and -half or half) * (system.a[m] or 0)
end

-- Adds c p to the two real equations of `row`, p being the coefficient of exp(i n q x) in the density of state s.
local function add(system, rows, row, s, n, re, im)
  local re_row, im_row, count = rows[row], rows[row + 1], #rows
  if math.abs(n) > system.modes then return end
  if n == 0 then
    local known = system.states[s].probability
    re_row[count + 1], im_row[count + 1] = re_row[count + 1] - re * known, im_row[count + 1] - im * known
    return
  end
  local sign, column = n > 0 and 1 or -1, 2 * ((math.abs(n) - 1) * #system.states + s) - 1
  re_row[column], re_row[column + 1] = re_row[column] + re, re_row[column + 1] - sign * im
  im_row[column], im_row[column + 1] = im_row[column] + im, im_row[column + 1] + sign * re
end

local function densities(system)
  local states, rows, harmonics = system.states, {}, math.max(#system.a, #system.b)
  local count = 2 * system.modes * #states
  for i = 1, count do
    rows[i] = {}
    for j = 1, count + 1 do rows[i][j] = 0 end
  end
  for k = 1, system.modes do
    local wave = k * system.q
    local decay = system.D * wave ^ 2 + system.scale ^ system.alpha * wave ^ system.alpha
    for s, state in ipairs(states) do
      local row = 2 * ((k - 1) * #states + s) - 1
      for j = -harmonics, harmonics do
        local re, im = force(system, state, j)
        add(system, rows, row, s, k - j, wave * im, -wave * re) -- -i wave f_j
      end
      add(system, rows, row, s, k, -decay - system.nu, 0)
      for r = 1, #states do add(system, rows, row, r, k, system.nu * state.probability, 0) end
    end
  end
  return solve(rows)
end

--- Velocity of dx/dt = -w V'(x) + F + G + white noise, V = sum_n a[n] cos(2 pi n x/L) + b[n] sin(2 pi n x/L), from the
--- stationary master equation of the states { probability =, force = G or 0, potential = w or 1 }, at rate nu drawn
--- anew (the dichotomous noise: nu = mu_a + mu_b):
---   0 = -d/dx [(-w V' + F + G) p] + D p'' - scale^alpha |d/dx|^alpha p + nu (probability sum p - p).
--- Gaussian noise has D, symmetric Levy noise alpha > 1 and scale. The densities have `modes` harmonics, 32 by default;
--- an error where those are too few.
function periodic.stationary_velocity(fields)
  local subject = "theory.stationary_velocity"
  local system = system_of(subject, fields)
  local solution, v, last = densities(system), 0, 0
  for s, state in ipairs(system.states) do
    v = v + state.probability * force(system, state, 0)
    for n = 1, math.min(math.max(#system.a, #system.b), system.modes) do
      local at = 2 * ((n - 1) * #system.states + s) - 1
      local re, im = force(system, state, n)
      v = v + 2 * (re * solution[at] + im * solution[at + 1])
    end
  end
  for i = #solution - 2 * #system.states + 1, #solution do last = math.max(last, math.abs(solution[i])) end
  if not (last < 1e-6) then
    errors.raise("%s: modes must be more than %g: the density's last harmonic is %.2g", subject, system.modes, last)
  end
  return v
end

return periodic
