-- Weak order from biases b at steps h, each with a standard error: least squares of b = c h^p, weighted by the errors.
-- Biases that are not above their errors have little weight. Coarse steps are left out where other powers of h
-- contribute.
local fit = {}

-- chi^2 and c at order p.
local function at(points, p)
  local top, bottom, square = 0, 0, 0
  for _, q in ipairs(points) do
    local w, f = q.error ^ -2, q.h ^ p
    top, bottom, square = top + w * q.bias * f, bottom + w * f * f, square + w * q.bias ^ 2
  end
  return square - top * top / bottom, top / bottom
end

-- The p of the least chi^2 in [0, 8], by ever finer grids.
local function best(points)
  local low, high = 0, 8
  for _ = 1, 12 do
    local step, least, place = (high - low) / 40, math.huge, low
    for i = 0, 40 do
      local chi2 = at(points, low + i * step)
      if chi2 < least then least, place = chi2, low + i * step end
    end
    low, high = math.max(0, place - step), math.min(8, place + step)
  end
  return (low + high) / 2
end

-- c of bias = c h^n at a given n, and its standard error.
local function constant(points, n)
  local bottom = 0
  for _, q in ipairs(points) do bottom = bottom + (q.h ^ n / q.error) ^ 2 end
  local _, c = at(points, n)
  return c, bottom ^ -0.5
end

-- 1/2, 1, 2, 3 or 4, whichever is nearest to p.
local function whole(p)
  if p < 0.75 then return 0.5 end
  return math.max(1, math.min(4, math.floor(p + 0.5)))
end

-- bias = const h^order, from the step `from` on: { order, error, whole, constant, constant_error, chi2, dof, from },
-- the constant being that of the whole (or half) order that is nearest.
local function once(points)
  local p = best(points)
  local chi2, c = at(points, p)
  local cc, cp, pp = 0, 0, 0 -- the normal matrix of c and p
  for _, q in ipairs(points) do
    local w, f = q.error ^ -2, q.h ^ p
    local slope = c * f * math.log(q.h)
    cc, cp, pp = cc + w * f * f, cp + w * f * slope, pp + w * slope * slope
  end
  local determinant = cc * pp - cp * cp
  local n = whole(p)
  local whole_c, whole_error = constant(points, n)
  return { order = p, error = math.sqrt(cc / determinant), whole = n, constant = whole_c, constant_error = whole_error,
           chi2 = chi2, dof = #points - 2, from = points[1].h }
end

-- Of points with h, bias and error, from the coarsest step to the finest. nil where fewer than two biases are above 4
-- standard errors: below noise. While chi^2 is above what chance exceeds once in a thousand fits, the coarsest step is
-- left out, as long as two of the others are clear. `power` says whether a power of h is left to speak of.
function fit.order(points)
  local limits, rest = { [0] = math.huge, 10.8, 13.8, 16.3 }, {}
  for i, q in ipairs(points) do rest[i] = q end
  local function clear(from)
    local count = 0
    for i = from, #rest do count = count + (math.abs(rest[i].bias) > 4 * rest[i].error and 1 or 0) end
    return count
  end
  if clear(1) < 2 then return nil end
  local found = once(rest)
  while found.chi2 > limits[found.dof] and clear(2) >= 2 do
    table.remove(rest, 1)
    found = once(rest)
  end
  found.power = found.chi2 <= limits[found.dof] and found.order > 2 * found.error and found.order < 7
  return found
end

return fit
