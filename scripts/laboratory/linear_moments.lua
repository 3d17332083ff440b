-- First and second moments of linear stochastic systems: a reference for random_models.lua that is exact. The moments
-- obey a linear equation, whose solution is the exponential of a matrix. The state may jump at constant rates and at
-- fixed intervals, and forces may depend on a noise with states.
local abs, max, min, floor = math.abs, math.max, math.min, math.floor

local function zeros(n)
  local M = {}
  for i = 1, n do
    M[i] = {}
    for j = 1, n do M[i][j] = 0 end
  end
  return M
end
local function product(A, B)
  local n, C = #A, zeros(#A)
  for i = 1, n do
    local row, out = A[i], C[i]
    for k = 1, n do
      local a, other = row[k], B[k]
      if a ~= 0 then for j = 1, n do out[j] = out[j] + a * other[j] end end
    end
  end
  return C
end

-- exp(M t), by scaling, Taylor's series and squaring.
local function exponential(M, t)
  local n, norm, halvings = #M, 0, 0
  for i = 1, n do
    local sum = 0
    for j = 1, n do sum = sum + abs(M[i][j] * t) end
    norm = max(norm, sum)
  end
  while norm > 0.25 do norm, halvings = norm / 2, halvings + 1 end
  local factor = t / 2 ^ halvings
  local scaled, sum, term = zeros(n), zeros(n), zeros(n)
  for i = 1, n do
    sum[i][i], term[i][i] = 1, 1
    for j = 1, n do scaled[i][j] = M[i][j] * factor end
  end
  for order = 1, 11 do
    term = product(term, scaled)
    for i = 1, n do
      for j = 1, n do
        term[i][j] = term[i][j] / order
        sum[i][j] = sum[i][j] + term[i][j]
      end
    end
  end
  for _ = 1, halvings do sum = product(sum, sum) end
  return sum
end

-- Polynomials of degree 2 at most as coefficients of 1, x_i and x_i x_j, by key: 0, i, and i*100 + j with i <= j.
local function key_of(i, j) return i == 0 and j or j == 0 and i or min(i, j) * 100 + max(i, j) end
local function times(a, b, into, factor)  -- of degree 1 both
  for i, ai in pairs(a) do
    for j, bj in pairs(b) do
      local key = key_of(i, j)
      into[key] = (into[key] or 0) + factor * ai * bj
    end
  end
end

-- Mean values of a linear model:
--   n                     variables, x_1 to x_n
--   drift                 by variable, a polynomial of degree 1: { [0] = constant, [j] = factor of x_j }
--   noises                { D =, on = { [i] = a polynomial of degree 1 } }, white, each independent of the others
--   interpretation        0 Ito, 1 Stratonovich, 2 anti-Ito
--   kicks                 { rate =, square = <z^2>, on = { [i] = factor } } of mean zero
--   jumps                 { rate = or every =, set = { [i] = a polynomial of degree 1 } }
--   states                { { share =, force = { [i] = F } }, ... }, with leave[s][r] the rates from s to r
--   start, second         x_i at t = 0, and <x_i^2> at t = 0 where that is not the square
--   time, window          the end and the beginning of the window
-- Returns average(i, j), the mean of x_i x_j over the window, and last(i, j), that at the end; j = 0: of x_i.
local function solve(model)
  local n = model.n
  local index, keys = {}, {}
  local function number(key)
    keys[#keys + 1] = key
    index[key] = #keys
  end
  number(0)
  for i = 1, n do number(i) end
  for i = 1, n do for j = i, n do number(i * 100 + j) end end
  local m = #keys
  local states = model.states or { { share = 1, force = {} } }
  local S = #states
  local size = m * S
  local function linear_of(i) return { [i] = 1 } end

  local M = zeros(2 * size)
  local function put(s, r, key, polynomial, factor)  -- d/dt <key, s> += factor <polynomial, r>
    for other, value in pairs(polynomial) do
      local row = M[(s - 1) * m + index[key]]
      local place = (r - 1) * m + index[other]
      row[place] = row[place] + factor * value
    end
  end
  -- What a jump makes of a monomial.
  local function after(jump, key)
    local i, j = floor(key / 100), key % 100
    if i == 0 then return jump.set[j] or { [key] = 1 } end
    local result = {}
    times(jump.set[i] or linear_of(i), jump.set[j] or linear_of(j), result, 1)
    return result
  end
  for s, state in ipairs(states) do
    local drift = {}
    for i = 1, n do
      drift[i] = {}
      for j, value in pairs(model.drift[i] or {}) do drift[i][j] = value end
      drift[i][0] = (drift[i][0] or 0) + (state.force[i] or 0)
    end
    for _, noise in ipairs(model.noises) do
      for i, b in pairs(noise.on) do
        for l, slope in pairs(b) do
          if l > 0 and noise.on[l] then
            for j, value in pairs(noise.on[l]) do
              drift[i][j] = (drift[i][j] or 0) + model.interpretation * noise.D * slope * value
            end
          end
        end
      end
    end
    for i = 1, n do
      put(s, s, i, drift[i], 1)
      for j = i, n do
        local change = {}
        times(drift[i], linear_of(j), change, 1)
        times(drift[j], linear_of(i), change, 1)
        for _, noise in ipairs(model.noises) do
          if noise.on[i] and noise.on[j] then times(noise.on[i], noise.on[j], change, 2 * noise.D) end
        end
        for _, kick in ipairs(model.kicks or {}) do
          if kick.on[i] and kick.on[j] then
            change[0] = (change[0] or 0) + kick.rate * kick.square * kick.on[i] * kick.on[j]
          end
        end
        put(s, s, i * 100 + j, change, 1)
      end
    end
    for _, jump in ipairs(model.jumps or {}) do
      if jump.rate then
        for _, key in ipairs(keys) do
          if key > 0 then
            put(s, s, key, after(jump, key), jump.rate)
            put(s, s, key, { [key] = 1 }, -jump.rate)
          end
        end
      end
    end
    for r = 1, S do
      local rate = r ~= s and model.leave[s][r] or 0
      for _, key in ipairs(keys) do
        put(r, s, key, { [key] = 1 }, rate)
        put(s, s, key, { [key] = 1 }, -rate)
      end
    end
  end
  for i = 1, size do M[size + i][i] = 1 end  -- the integrals

  local u = {}
  for s, state in ipairs(states) do
    for k, key in ipairs(keys) do
      local i, j = floor(key / 100), key % 100
      local value = key == 0 and 1 or (model.start[i] or 1) * model.start[j]
      if i > 0 and i == j and model.second and model.second[i] then value = model.second[i] end
      u[(s - 1) * m + k], u[size + (s - 1) * m + k] = state.share * value, 0
    end
  end
  local stops = { { t = model.window }, { t = model.time } }
  for _, jump in ipairs(model.jumps or {}) do
    if jump.every then
      for i = 1, floor(model.time / jump.every + 1e-9) do stops[#stops + 1] = { t = i * jump.every, jump = jump } end
    end
  end
  table.sort(stops, function(a, b) return a.t < b.t end)
  local known, t = {}, 0
  for _, stop in ipairs(stops) do
    local length = stop.t - t
    if length > 1e-12 then
      local name = ("%.9g"):format(length)
      known[name] = known[name] or exponential(M, length)
      local old = u
      u = {}
      for i = 1, 2 * size do
        u[i] = 0
        for j = 1, 2 * size do u[i] = u[i] + known[name][i][j] * old[j] end
      end
      t = stop.t
    end
    if stop.jump then
      local old = { unpack(u) }
      for s = 1, S do
        for k, key in ipairs(keys) do
          local sum = 0
          for other, value in pairs(after(stop.jump, key)) do sum = sum + value * old[(s - 1) * m + index[other]] end
          if key > 0 then u[(s - 1) * m + k] = sum end
        end
      end
    elseif stop.t == model.window then
      for i = 1, size do u[size + i] = 0 end
    end
  end
  local function total(from, i, j)
    local sum = 0
    for s = 0, S - 1 do sum = sum + u[from + s * m + index[key_of(i, j)]] end
    return sum
  end
  return function(i, j) return total(size, i, j) / (model.time - model.window) end,
         function(i, j) return total(0, i, j) end
end

return { solve = solve }
