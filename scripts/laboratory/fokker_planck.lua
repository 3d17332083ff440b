-- The Fokker-Planck equation of one variable with states, resets and kicks, on a grid of unequal cells: a reference for
-- random_models.lua that makes no steps of paths. Fluxes by Scharfetter and Gummel, IEEE Trans. Electron Devices 16, 64
-- (1969); time by TR-BDF2, which is stable for any step; states, resets and kicks split off (Strang). All errors are of
-- second order in cells and steps, so that two grids give an extrapolated value, and three its error.
local ffi = require "ffi"
local exp, abs, max, min, floor, sqrt = math.exp, math.abs, math.max, math.min, math.floor, math.sqrt

local function numbers(n) return ffi.new("double[?]", n) end

-- Edges of n cells between two places, the closer to one another the nearer they are to a feature { x =, width = }.
local function edges_of(from, to, features, n)
  local samples = 20000
  local function weight(x)
    local sum = 1 / (to - from)
    for _, one in ipairs(features) do
      local reach = 4 * one.width
      sum = sum + 0.5 / reach / (1 + ((x - one.x) / reach) ^ 2)
    end
    return sum
  end
  -- Places that are as close to one another as the features ask for.
  local places = {}
  for i = 0, samples do places[#places + 1] = from + (to - from) * i / samples end
  for _, one in ipairs(features) do
    for i = -4000, 4000 do
      local x = one.x + one.width * 0.05 * i * (1 + abs(i) / 400)
      if x > from and x < to then places[#places + 1] = x end
    end
  end
  table.sort(places)
  local sum = { [0] = 0 }
  for i = 2, #places do
    sum[i - 1] = sum[i - 2] + (places[i] - places[i - 1]) * weight((places[i] + places[i - 1]) / 2)
  end
  local edges, k, total = numbers(n + 1), 1, sum[#places - 1]
  edges[0], edges[n] = from, to
  for i = 1, n - 1 do
    local wanted = total * i / n
    while sum[k] < wanted do k = k + 1 end
    edges[i] = places[k] + (places[k + 1] - places[k]) * (wanted - sum[k - 1]) / (sum[k] - sum[k - 1])
  end
  return edges
end

local function bernoulli(z)
  if abs(z) < 1e-4 then return 1 - z / 2 + z * z / 12 end
  if z > 500 then return 0 end
  return z / (exp(z) - 1)
end

-- One grid. model: see solve().
local function evolve(model, n, most_steps)
  local periodic, absorbing = model.period ~= nil, model.absorbing or {}
  local from, to = model.from, model.to
  local edge = edges_of(from, to, model.features or {}, n)
  local x, width = numbers(n), numbers(n)
  for i = 0, n - 1 do x[i], width[i] = (edge[i] + edge[i + 1]) / 2, edge[i + 1] - edge[i] end
  -- Interface i lies between the cells i - 1 and i; n is 0 of the next period.
  local gap = numbers(n + 1)
  for i = 1, n - 1 do gap[i] = x[i] - x[i - 1] end
  gap[0] = periodic and x[0] + model.period - x[n - 1] or x[0] - edge[0]
  gap[n] = periodic and gap[0] or edge[n] - x[n - 1]
  local function b(place) return model.amplitude and model.amplitude(place) or 1 end
  local D, k = model.D, ({ ito = 2, stratonovich = 1, anti_ito = 0 })[model.interpretation or "stratonovich"]
  local conduct, slope, push, power = numbers(n + 1), numbers(n + 1), numbers(n + 1), numbers(n)
  for i = 0, n - 1 do power[i] = b(x[i]) ^ k end
  for i = 0, n do
    local left = i > 0 and x[i - 1] or (periodic and x[n - 1] - model.period or edge[0])
    local right = i < n and x[i] or (periodic and x[0] + model.period or edge[n])
    if i == n and periodic then left = x[n - 1] end
    local h = right - left
    local middle = edge[i]
    local b2 = b(middle) ^ 2
    conduct[i] = D * b2 / b(middle) ^ k / h
    -- mean of the force between both places over D b^2, times their distance
    local parts, ones = 8, 0
    for j = 0, parts - 1 do
      local place = left + h * (j + 0.5) / parts
      local over = 1 / (D * b(place) ^ 2)
      ones = ones + over
    end
    slope[i] = -(model.V(right) - model.V(left)) * ones / parts
    push[i] = ones * h / parts
  end
  local states = model.states or { { force = 0, factor = 1, share = 1 } }
  local S = #states
  local follow = model.displacement and 2 or 0   -- moments of the displacement that are followed
  local P, held, rhs = {}, {}, {}
  for s = 1, S do
    P[s], held[s], rhs[s] = {}, {}, {}
    for q = 0, follow do P[s][q], held[s][q], rhs[s][q] = numbers(n), numbers(n), numbers(n) end
  end
  local function put(list, place, mass)  -- on two cells, with the same mean
    local i = 0
    while i < n - 2 and x[i + 1] < place do i = i + 1 end
    local part = max(0, min(1, (place - x[i]) / (x[i + 1] - x[i])))
    list[i], list[i + 1] = list[i] + mass * (1 - part), list[i + 1] + mass * part
  end
  for s = 1, S do
    if model.start then put(P[s][0], model.start, states[s].share)
    else
      for i = 0, n - 1 do P[s][0][i] = states[s].share * width[i] / (to - from) end
    end
  end
  -- Rates from cell i upwards and downwards.
  local up, down = numbers(n), numbers(n)
  local function set_rates(state, force)
    for i = 0, n do
      local z = slope[i] * state.factor + push[i] * (force + state.force + (model.force or 0))
      local low, high = (i + n - 1) % n, i % n
      local inner = i > 0 and i < n
      local rising, falling = conduct[i] * bernoulli(-z), conduct[i] * bernoulli(z)
      if inner or periodic then
        if i < n then down[high] = falling * power[high] / width[high] end
        if i > 0 or periodic then up[low] = rising * power[low] / width[low] end
      else
        if i == 0 then down[0] = absorbing.below and falling * power[0] / width[0] or 0 end
        if i == n then up[n - 1] = absorbing.above and rising * power[n - 1] / width[n - 1] or 0 end
      end
    end
  end
  local function apply(from_list, list, factor)  -- list += factor * A from_list
    for i = 0, n - 1 do
      local below, above = i - 1, i + 1
      local gain = 0
      if below >= 0 then
        gain = up[below] * from_list[below]
      elseif periodic then
        gain = up[n - 1] * from_list[n - 1]
      end
      if above < n then
        gain = gain + down[above] * from_list[above]
      elseif periodic then
        gain = gain + down[0] * from_list[0]
      end
      list[i] = list[i] + factor * (gain - (up[i] + down[i]) * from_list[i])
    end
  end
  local function shift(from_list, list, factor, squared)  -- list += factor * sum of rates * distance(^2)
    for i = 0, n - 1 do
      local below, above = (i + n - 1) % n, (i + 1) % n
      local h_below, h_above = gap[i], -gap[i + 1]
      if squared then h_below, h_above = h_below * h_below, h_above * h_above end
      list[i] = list[i] + factor * (up[below] * from_list[below] * h_below + down[above] * from_list[above] * h_above)
    end
  end
  -- Solves (1 - a A) y = y in place.
  local diagonal, lower, upper, column = numbers(n), numbers(n), numbers(n), numbers(n)
  local corner_low, corner_high, gamma_ = 0, 0, 0
  local function eliminate(y)
    for i = 1, n - 1 do y[i] = y[i] - lower[i] * y[i - 1] end
    y[n - 1] = y[n - 1] / diagonal[n - 1]
    for i = n - 2, 0, -1 do y[i] = (y[i] - upper[i] * y[i + 1]) / diagonal[i] end
  end
  local function factorise(a)
    for i = 0, n - 1 do
      diagonal[i] = 1 + a * (up[i] + down[i])
      lower[i] = i > 0 and -a * up[i - 1] or 0
      upper[i] = i < n - 1 and -a * down[i + 1] or 0
    end
    if periodic then  -- Sherman and Morrison
      corner_high, corner_low = -a * up[n - 1], -a * down[0]  -- row 0, column n - 1; row n - 1, column 0
      gamma_ = -diagonal[0]
      diagonal[0] = diagonal[0] - gamma_
      diagonal[n - 1] = diagonal[n - 1] - corner_low * corner_high / gamma_
    end
    for i = 1, n - 1 do
      lower[i] = lower[i] / diagonal[i - 1]
      diagonal[i] = diagonal[i] - lower[i] * upper[i - 1]
    end
    if periodic then
      for i = 0, n - 1 do column[i] = 0 end
      column[0], column[n - 1] = gamma_, corner_low
      eliminate(column)
    end
  end
  local function solve(y)
    eliminate(y)
    if not periodic then return end
    local part = corner_high / gamma_
    local factor = (y[0] + part * y[n - 1]) / (1 + column[0] + part * column[n - 1])
    for i = 0, n - 1 do y[i] = y[i] - factor * column[i] end
  end

  local gamma = 2 - sqrt(2)
  local one, zero = 1 / (gamma * (2 - gamma)), (1 - gamma) ^ 2 / (gamma * (2 - gamma))
  local function diffuse(s, dt, force, changed)
    local a = gamma * dt / 2
    if changed then
      set_rates(states[s], force)
      factorise(a)
    end
    local y, old, r = P[s], held[s], rhs[s]
    for q = 0, follow do
      for i = 0, n - 1 do old[q][i], r[q][i] = y[q][i], y[q][i] end
      apply(old[q], r[q], a)
    end
    if follow > 0 then
      shift(old[0], r[1], a)
      shift(old[1], r[2], 2 * a)
      shift(old[0], r[2], a, true)
    end
    for stage = 1, 2 do
      if stage == 2 then
        for q = 0, follow do for i = 0, n - 1 do r[q][i] = one * y[q][i] - zero * old[q][i] end end
      end
      for q = 0, follow do for i = 0, n - 1 do y[q][i] = r[q][i] end end
      solve(y[0])
      if follow > 0 then
        shift(y[0], y[1], a)
        solve(y[1])
        shift(y[1], y[2], 2 * a)
        shift(y[0], y[2], a, true)
        solve(y[2])
      end
    end
  end
  local function switch(dt)
    if S == 1 then return end
    local left = exp(-model.switching * dt)
    for q = 0, follow do
      for i = 0, n - 1 do
        local sum = 0
        for s = 1, S do sum = sum + P[s][q][i] end
        for s = 1, S do P[s][q][i] = left * P[s][q][i] + (1 - left) * states[s].share * sum end
      end
    end
  end
  local function reset(dt)
    if not model.reset then return end
    for s = 1, S do
      local lost, list = 0, P[s][0]
      for i = 0, n - 1 do
        local left = exp(-model.reset.rate(x[i]) * dt)
        lost, list[i] = lost + list[i] * (1 - left), list[i] * left
      end
      put(list, model.reset.to, lost)
    end
  end
  local kicked = numbers(n)
  local function convolve(list)  -- kicked = what exponential kicks upwards make of the list
    local zeta, carried = model.kicks.zeta, 0  -- carried: density on the way, at the lower edge of a cell
    for round = 1, periodic and 3 or 1 do
      for i = 0, n - 1 do
        local p, h = list[i] / width[i], width[i]
        local left = exp(-h / zeta)
        kicked[i] = p * h + (carried - p) * zeta * (1 - left)
        carried = p + (carried - p) * left
      end
      if round == 1 and periodic then  -- what is carried over the end of the period
        carried = carried / (1 - exp(-(to - from) / zeta))
      end
    end
    if not periodic then kicked[n - 1] = kicked[n - 1] + carried * zeta end  -- the grid ends where nothing comes
  end
  local function kick(dt)
    if not model.kicks then return end
    local a = model.kicks.rate * dt
    for s = 1, S do
      local list, old = P[s][0], held[s][0]
      convolve(list)
      for i = 0, n - 1 do old[i] = kicked[i] - list[i] end         -- (K - 1) p
      convolve(old)
      for i = 0, n - 1 do list[i] = list[i] + a * old[i] + a * a / 2 * (kicked[i] - old[i]) end
    end
  end

  -- Times: short steps after the start and beside edges, pulses and events.
  local stops = {}
  for _, t in ipairs(model.times) do stops[#stops + 1] = t end
  for _, t in ipairs(model.edges or {}) do if t > 0 and t < model.time then stops[#stops + 1] = t end end
  if model.every then for i = 1, floor(model.time / model.every + 1e-9) do stops[#stops + 1] = i * model.every end end
  table.sort(stops)
  local coarsest = model.time / most_steps
  for _, longest in ipairs { model.longest or coarsest, model.kicks and 0.1 / model.kicks.rate or coarsest } do
    coarsest = min(coarsest, longest * 500 / most_steps)
  end
  local least = coarsest * 1e-4
  local out = { at = {} }
  local t, step = 0, least
  local means = {}
  for g = 1, #(model.averages or {}) do
    means[g] = numbers(n)
    for i = 0, n - 1 do
      local sum = 0
      for j = 0, 7 do sum = sum + model.averages[g](edge[i] + width[i] * (j + 0.5) / 8) end
      means[g][i] = sum / 8
    end
  end
  local function note(time)
    local now = { mass = 0, y = 0, y2 = 0, x = 0, x2 = 0 }
    for g = 1, #means do now[g] = 0 end
    for s = 1, S do
      local list = P[s][0]
      for i = 0, n - 1 do
        local p = list[i]
        now.mass, now.x = now.mass + p, now.x + p * x[i]
        now.x2 = now.x2 + p * (x[i] * x[i] + width[i] * width[i] / 12)
        for g = 1, #means do now[g] = now[g] + p * means[g][i] end
        if follow > 0 then now.y, now.y2 = now.y + P[s][1][i], now.y2 + P[s][2][i] end
      end
    end
    now.t = time
    return now
  end
  local last, changed_for, sums, next_stop = note(0), {}, {}, 1
  for g = 1, #means do sums[g] = 0 end
  out.at[1] = last
  while t < model.time * (1 - 1e-12) do
    while next_stop <= #stops and stops[next_stop] <= t * (1 + 1e-13) do next_stop = next_stop + 1 end
    local stop = stops[next_stop] or model.time
    local dt = min(step, stop - t)
    if stop - t - dt < 0.2 * dt then dt = stop - t end
    local force, constant = 0, true
    if model.drive then
      constant = false
      for j = 0, 7 do force = force + model.drive(t + dt * (j + 0.5) / 8) / 8 end
    end
    reset(dt / 2)
    kick(dt / 2)
    switch(dt / 2)
    for s = 1, S do
      local changed = not constant or S > 1 or changed_for.dt ~= dt
      diffuse(s, dt, force, changed)
    end
    changed_for.dt = dt
    switch(dt / 2)
    kick(dt / 2)
    reset(dt / 2)
    local before = t
    t = t + dt
    if abs(t - stop) < 1e-12 * model.time then t = stop end
    local now = note(t)
    for g = 1, #means do
      if before >= model.window * (1 - 1e-12) then sums[g] = sums[g] + (last[g] + now[g]) / 2 * dt end
    end
    last = now
    step = min(coarsest, step * 1.1)
    if t == stop then
      out.at[#out.at + 1] = now
      if model.every and abs(t / model.every - floor(t / model.every + 0.5)) < 1e-9 then
        for s = 1, S do
          local all = 0
          for i = 0, n - 1 do all, P[s][0][i] = all + P[s][0][i], 0 end
          put(P[s][0], model.reset_to, all)
        end
        last, step = note(t), least
      else
        step = min(step, coarsest / 10)
      end
    end
  end
  out.averages = {}
  for g = 1, #means do out.averages[g] = sums[g] / (model.time - model.window) end
  return out
end

local accuracy = 4e-3

-- Values of a model at given times and over a window. model:
--   from, to, period      the grid; a period, or walls at both ends, which `absorbing` = { below =, above = } opens
--   V, amplitude           of x; D, interpretation; force, a constant
--   drive(t), edges       a force of t; times at which it, or something else, changes at once; longest: step for it
--   states, switching     { force =, factor = (of V), share = }, redrawn at this rate
--   reset, every, kicks   { rate(x), to }; an interval, with reset_to; { rate, zeta }, exponential upward kicks
--   start                 the place, or nil: uniform; features: { x =, width = } where the grid is fine
--   time, window, times   the duration, the beginning of the window, further times
--   averages              functions of x over the window; displacement = true: mean and variance of the displacement
-- Returns { value, err } by name: average_1, ...; at the times x_i, x2_i, mass_i, mean and variance of displacements.
local function solve(model, cells, steps, refinements)
  local function values(n, m)
    local result, named = evolve(model, n, m), {}
    for g, value in ipairs(result.averages) do named["average_" .. g] = value end
    for i, wanted in ipairs(model.times) do
      for _, now in ipairs(result.at) do
        if abs(now.t - wanted) < 1e-9 * model.time then
          named["x_" .. i], named["x2_" .. i], named["mass_" .. i] = now.x, now.x2, now.mass
          named["y_" .. i], named["var_" .. i] = now.y, now.y2 - now.y ^ 2
        end
      end
    end
    return named
  end
  -- Grids are refined until two extrapolated values agree.
  local before, fine = nil, values(cells, steps)
  for _ = 1, refinements do
    cells, steps = 2 * cells, 2 * steps
    local coarse, both, enough = fine, {}, before ~= nil
    fine = values(cells, steps)
    for name, value in pairs(fine) do
      local extrapolated = value + (value - coarse[name]) / 3
      local err = before and abs(extrapolated - before[name].value) or abs(value - coarse[name])
      both[name] = { value = extrapolated, err = err }
      if err > accuracy * max(abs(extrapolated), 0.1) then enough = false end
    end
    before = both
    if enough then break end
  end
  return before
end

return { solve = solve }
