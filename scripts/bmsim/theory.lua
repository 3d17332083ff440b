-- Exact currents in the paper's potential, V = 1 - |x| on [-1, 1] with period 2, without Gaussian noise; and those in
-- smooth periodic potentials, of bmsim.periodic.
local ffi = require "ffi"
local errors = require "bmsim.errors"
local periodic = require "bmsim.periodic"

ffi.cdef "double expm1(double);"

local theory = {}

-- (e^u - e^w) / ((e^u - 1)(e^w - 1)) for u > w > 0, in a form where nothing overflows or cancels.
local function current(u, w)
  return math.exp(-w) * -ffi.C.expm1(w - u) / (ffi.C.expm1(-u) * ffi.C.expm1(-w))
end

local function check_above(subject, fields, name, bound)
  local value = fields[name]
  if value == nil then errors.raise("%s: %s is missing", subject, name) end
  errors.check_number(subject .. ": " .. name, value)
  if value <= bound then errors.raise("%s: %s must be > %g, got %g", subject, name, bound, value) end
  return value
end

--- Compensated Poissonian noise of intensity D and drift -a, a > 1: v = (A+ - A-) / (2 D (A+ - 1)(A- - 1)) with
--- A+- = exp[a / (D (a -+ 1))]. Luczka, Bartussek, Haenggi, Europhys. Lett. 31, 431 (1995).
function theory.poisson_velocity(fields)
  local subject = "theory.poisson_velocity"
  errors.check_fields(subject, fields, { "D", "a" })
  local D, a = check_above(subject, fields, "D", 0), check_above(subject, fields, "a", 1)
  return current(a / (D * (a - 1)), a / (D * (a + 1))) / (2 * D)
end

--- Dichotomous noise of zero mean between -Fa and Fb, both > 1, with correlation time tau:
--- v = -(B+ - B-) / (2 Fa Fb tau (B+ - 1)(B- - 1)) with B+- = exp{1 / [(Fa +- 1)(Fb -+ 1) tau]}. Kula, Czernik, Luczka,
--- Phys. Lett. A 214, 14 (1996), with the sign that belongs to these states.
function theory.dichotomous_velocity(fields)
  local subject = "theory.dichotomous_velocity"
  errors.check_fields(subject, fields, { "Fa", "Fb", "tau" })
  local Fa, Fb = check_above(subject, fields, "Fa", 1), check_above(subject, fields, "Fb", 1)
  local tau = check_above(subject, fields, "tau", 0)
  local plus, minus = 1 / ((Fa + 1) * (Fb - 1) * tau), 1 / ((Fa - 1) * (Fb + 1) * tau)
  if plus < minus then return current(minus, plus) / (2 * Fa * Fb * tau) end
  return -current(plus, minus) / (2 * Fa * Fb * tau)
end

theory.stratonovich = periodic.stratonovich
theory.stationary_velocity = periodic.stationary_velocity

return errors.strict("bm.theory", theory)
