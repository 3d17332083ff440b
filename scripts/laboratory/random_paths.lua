-- Paths of the scripts' own, a reference for models that no grid can solve. White noise by Heun's scheme in
-- Stratonovich's sense, with the drift that makes it Ito's or anti-Ito's; coloured noise is a variable of its own;
-- flips, kicks and events come at their exact times, at which steps end. Paths are made at two levels, h and h/2, with
-- the same noise, so that the difference tells the error of the step: M. B. Giles, Oper. Res. 56, 607 (2008).
local ffi = require "ffi"
local pi, abs, sin, cos, tan, atan, sqrt, log, floor, min, max = math.pi, math.abs, math.sin, math.cos, math.tan,
                                                               math.atan, math.sqrt, math.log, math.floor, math.min,
                                                               math.max
local random = math.random

-- Normal numbers: G. Marsaglia, T. A. Bray, SIAM Rev. 6, 260 (1964).
local spare
local function normal()
  if spare then
    local kept = spare
    spare = nil
    return kept
  end
  local u, v, s
  repeat
    u, v = 2 * random() - 1, 2 * random() - 1
    s = u * u + v * v
  until s > 0 and s < 1
  local factor = sqrt(-2 * log(s) / s)
  spare = v * factor
  return u * factor
end

local function exponential() return -log(1 - random()) end

-- Stable numbers of scale 1, alpha not 1: J. M. Chambers, C. L. Mallows, B. W. Stuck, J. Am. Stat. Assoc. 71, 340
-- (1976).
local function stable(alpha, beta)
  local b = beta * tan(pi * alpha / 2)
  local shift, factor = atan(b) / alpha, (1 + b * b) ^ (1 / (2 * alpha))
  local power = (1 - alpha) / alpha
  return function()
    local v, w = pi * (random() - 0.5), exponential()
    return factor * sin(alpha * (v + shift)) / cos(v) ^ (1 / alpha) * (cos(v - alpha * (v + shift)) / w) ^ power
  end
end

-- A place after its reflections at two walls, either of which may be infinite.
local function mirror(x, from, to)
  if x >= from and x <= to then return x end
  if to - from < math.huge then
    local off = (x - from) % (2 * (to - from))
    return from + min(off, 2 * (to - from) - off)
  end
  return x < from and 2 * from - x or 2 * to - x
end

local heading = [[
local given = ...
local sin, cos, tanh, exp, abs, sqrt = math.sin, math.cos, math.tanh, math.exp, math.abs, math.sqrt
local min, max, pi, huge = math.min, math.max, math.pi, math.huge
]]

-- The program of a path, as a text: path(first, steps, lengths, marks, values, noise, sums, squares). first: where the
-- variables begin. A mark is the number of the jump that follows a step, or 0; values are three random numbers U, E, N
-- and a number to accept the jump by.
local function program(model)
  local lines = { heading }
  local function line(text, ...) lines[#lines + 1] = select("#", ...) > 0 and text:format(...) or text end
  local names = model.variables
  local all = table.concat(names, ", ")
  local function list(before, after)
    local parts = {}
    for i, name in ipairs(names) do parts[i] = before .. name .. (after or "") end
    return table.concat(parts, ", ")
  end
  local function in_walls(name, text)
    local wall = model.walls and model.walls[name]
    if not wall then return text end
    local function edge(x) return abs(x) == math.huge and (x > 0 and "huge" or "-huge") or ("%.17g"):format(x) end
    return ("mirror(%s, %s, %s)"):format(text, edge(wall[1]), edge(wall[2]))
  end
  for name in pairs(model.functions or {}) do line("local %s = given.functions.%s", name, name) end
  line "local mirror = given.mirror"
  for k, noise in ipairs(model.noises) do
    for name, text in pairs(noise.on) do line("local function b%d_%s(t, %s) return %s end", k, name, all, text) end
  end
  -- drift and noise of a stage, into the locals prefix_x and, for noise k on x, prefixk_x
  local function stage(prefix)
    for _, name in ipairs(names) do line("    local %s%s = %s", prefix, name, model.drift[name] or "0") end
    for k, noise in ipairs(model.noises) do
      for name in pairs(noise.on) do line("    local %s%d_%s = b%d_%s(t, %s)", prefix, k, name, k, name, all) end
      if model.correction ~= 0 and noise.multiplicative then  -- D times the derivative of b along b
        local function along(sign)
          local parts = {}
          for i, name in ipairs(names) do
            parts[i] = noise.on[name] and ("%s %s 1e-4*%s%d_%s"):format(name, sign, prefix, k, name) or name
          end
          return table.concat(parts, ", ")
        end
        for name in pairs(noise.on) do
          line("    %s%s = %s%s + %.17g*(b%d_%s(t, %s) - b%d_%s(t, %s))", prefix, name, prefix, name,
               model.correction * noise.D / 2e-4, k, name, along "+", k, name, along "-")
        end
      end
    end
  end
  local function moved(name, factor, first, second)  -- x + h F + b dW, of one stage or of the mean of two
    local function mean(rest) return second and ("(%s%s + %s%s)"):format(first, rest, second, rest) or first .. rest end
    local text = ("%s%s + h*%s*%s"):format(second and "old_" or "", name, factor, mean(name))
    for k, noise in ipairs(model.noises) do
      if noise.on[name] then text = text .. (" + w%d*%s*%s"):format(k, factor, mean(k .. "_" .. name)) end
    end
    return in_walls(name, text)
  end
  line "return function(first, steps, lengths, marks, values, noise, sums, squares)"
  for i, name in ipairs(names) do line("  local %s = first[%d]", name, i) end
  local averages = model.averages
  for g = 1, #averages do line("  local sum%d, square%d, g%d = 0, 0, 0", g, g, g) end
  line("  local t_end, K, window = 0, %d, %.17g", #model.noises, model.window * (1 - 1e-9))
  line "  for i = 0, steps - 1 do"
  line "    local h = lengths[i]"
  line "    local t, begins = t_end + h/2, t_end"
  line "    t_end = t_end + h"
  for k = 1, #model.noises do line("    local w%d = noise[i*K + %d]", k, k - 1) end
  stage "f_"
  line("    local %s = %s", list "old_", all)
  local ends = {}
  for i, name in ipairs(names) do ends[i] = moved(name, "1", "f_") end
  line("    %s = %s", all, table.concat(ends, ", "))
  stage "s_"
  for i, name in ipairs(names) do ends[i] = moved(name, "0.5", "f_", "s_") end
  line("    %s = %s", all, table.concat(ends, ", "))
  line "    if begins >= window then"
  for g, text in ipairs(averages) do
    line("      local new%d = %s", g, text)
    line("      sum%d, square%d = sum%d + h/2*(g%d + new%d), square%d + h*new%d*new%d", g, g, g, g, g, g, g, g)
    line("      g%d = new%d", g, g)
  end
  line "    end"
  line "    if marks[i] > 0 then"
  line "      local t, mark = t_end, marks[i]"
  line "      local U, E, N, accepted = values[4*i], values[4*i + 1], values[4*i + 2], values[4*i + 3]"
  for j, jump in ipairs(model.jumps or {}) do
    line("      if mark == %d and accepted < (%s) then", j, jump.accept or "2")
    local targets, texts = {}, {}
    for name, text in pairs(jump.set) do
      targets[#targets + 1] = name
      texts[#texts + 1] = in_walls(name, text)
    end
    line("        %s = %s", table.concat(targets, ", "), table.concat(texts, ", "))
    line "      end"
  end
  line "    end"
  line "    if marks[i] > 0 or t_end < window + h then"  -- the state with which the next step begins
  for g, text in ipairs(averages) do line("      g%d = %s", g, text) end
  line "    end"
  line "  end"
  for g = 1, #averages do
    line("  sums[%d], squares[%d] = sum%d/%.17g, square%d/%.17g", g, g, g, model.time - model.window, g,
         model.time - model.window)
  end
  line "end"
  return table.concat(lines, "\n")
end

-- Means over the window of a model. model:
--   variables, start      names; by name a number or a function
--   drift                  by name: texts in Lua of the variables and t; functions: what else they may call, by name
--   noises                 { D = or alpha =, beta =, scale =, on = { x = amplitude }, multiplicative = true }
--   correction             -1 Ito, 0 Stratonovich, 1 anti-Ito
--   jumps                  { rate = or every =, accept = a probability, set = { x = a text of the state, U, E and N } }
--   walls                  by name { from, to }, which reflect
--   edges                  times at which the drift changes at once
--   averages               texts; time, window: the end and beginning of the window
-- h: the step of the coarser level; budget: steps in all. Returns a list of { value, err, scale }, where scale is the
-- root of the mean square.
local function means(model, h, budget)
  local path = assert(loadstring(program(model), "path"))({ functions = model.functions, mirror = mirror })
  local K, G = #model.noises, #model.averages
  -- Places where steps must end, the same for all paths.
  local fixed = { model.window, model.time }
  for _, t in ipairs(model.edges or {}) do if t > 0 and t < model.time then fixed[#fixed + 1] = t end end
  local base = {}
  local regular = math.ceil(model.time / h)
  for i = 1, regular do base[i] = { t = model.time * i / regular, mark = 0 } end
  for _, t in ipairs(fixed) do base[#base + 1] = { t = t, mark = 0 } end
  for j, jump in ipairs(model.jumps or {}) do
    if jump.every then
      for i = 1, floor(model.time / jump.every + 1e-9) do base[#base + 1] = { t = i * jump.every, mark = j } end
    end
  end
  table.sort(base, function(a, b) return a.t < b.t end)
  local times, kinds = ffi.new("double[?]", #base), ffi.new("int[?]", #base)
  for i, one in ipairs(base) do times[i - 1], kinds[i - 1] = one.t, one.mark end
  local room = #base + 1000
  for _, jump in ipairs(model.jumps or {}) do
    if jump.rate then room = room + floor(jump.rate * model.time + 12 * sqrt(jump.rate * model.time) + 50) end
  end
  local lengths, marks, values = ffi.new("double[?]", room), ffi.new("int[?]", room), ffi.new("double[?]", 4 * room)
  local fine_lengths, fine_marks = ffi.new("double[?]", 2 * room), ffi.new("int[?]", 2 * room)
  local fine_values = ffi.new("double[?]", 8 * room)
  local noise, fine_noise = ffi.new("double[?]", K * room + 1), ffi.new("double[?]", 2 * K * room + 1)
  local draws, spreads = {}, {}
  for k, one in ipairs(model.noises) do
    draws[k] = one.D and normal or stable(one.alpha, one.beta)
    spreads[k] = one.D and function(time) return sqrt(2 * one.D * time) end
                 or function(time) return one.scale * time ^ (1 / one.alpha) end
  end
  local jumps, next_of, first = model.jumps or {}, {}, {}
  -- The grid of a path, and its noise at one level or two. Returns the number of steps.
  local function prepare(both)
    for i, name in ipairs(model.variables) do
      local value = model.start[name]
      first[i] = type(value) == "function" and value() or value
    end
    for j, jump in ipairs(jumps) do
      next_of[j] = jump.rate and jump.rate > 0 and exponential() / jump.rate or math.huge
    end
    local n, i, t = 0, 0, 0
    while i < #base do
      local ends, mark = times[i], kinds[i]
      local which = 0
      for j = 1, #jumps do if next_of[j] < ends then ends, mark, which = next_of[j], j, j end end
      if which > 0 then next_of[which] = ends + exponential() / jumps[which].rate else i = i + 1 end
      if (ends > t or mark > 0) and n < room then
        lengths[n], marks[n] = ends - t, mark
        if mark > 0 then
          values[4 * n], values[4 * n + 1], values[4 * n + 2] = random(), exponential(), normal()
          values[4 * n + 3] = random()
        end
        n, t = n + 1, ends
      end
    end
    for k = 1, K do
      local draw, spread = draws[k], spreads[k]
      for m = 0, n - 1 do
        if both then
          local factor = spread(lengths[m] / 2)
          local early, late = factor * draw(), factor * draw()
          noise[m * K + k - 1] = early + late
          fine_noise[2 * m * K + k - 1], fine_noise[(2 * m + 1) * K + k - 1] = early, late
        else
          noise[m * K + k - 1] = spread(lengths[m]) * draw()
        end
      end
    end
    if both then
      for m = 0, n - 1 do
        fine_lengths[2 * m], fine_lengths[2 * m + 1] = lengths[m] / 2, lengths[m] / 2
        fine_marks[2 * m], fine_marks[2 * m + 1] = 0, marks[m]
        for v = 0, 3 do fine_values[4 * (2 * m + 1) + v] = values[4 * m + v] end
      end
    end
    return n
  end
  local sums, squares, fine_sums, fine_squares = {}, {}, {}, {}
  local function statistics()
    local all = { n = 0 }
    for g = 1, G do all[g] = { sum = 0, square = 0, size = 0 } end
    return all
  end
  local function add(to, of)
    to.n = to.n + 1
    for g = 1, G do to[g].sum, to[g].square = to[g].sum + of(g), to[g].square + of(g) ^ 2 end
  end
  local function mean(of, g) return of[g].sum / of.n end
  local function variance(of, g) return max(0, of[g].square / of.n - mean(of, g) ^ 2) * of.n / (of.n - 1) end
  local coarse, difference = statistics(), statistics()
  local function one_coarse()
    path(first, prepare(false), lengths, marks, values, noise, sums, squares)
    add(coarse, function(g) return sums[g] end)
    for g = 1, G do coarse[g].size = coarse[g].size + squares[g] end
  end
  local function one_pair()
    local n = prepare(true)
    path(first, n, lengths, marks, values, noise, sums, squares)
    path(first, 2 * n, fine_lengths, fine_marks, fine_values, fine_noise, fine_sums, fine_squares)
    add(difference, function(g) return fine_sums[g] - sums[g] end)
  end
  -- A pilot says how many paths go best to the difference; a pair costs as much as three paths.
  local affordable = max(100, floor(budget / regular))
  for _ = 1, max(30, floor(affordable / 30)) do
    one_coarse()
    one_pair()
  end
  local ratio = 0.1
  for g = 1, G do
    local wanted = sqrt(25 / 9 * variance(difference, g) / 3 / max(variance(coarse, g), 1e-30))
    ratio = max(ratio, min(1, wanted))
  end
  local pairs_wanted = floor(affordable * ratio / (1 + 3 * ratio))
  while difference.n < pairs_wanted do one_pair() end
  while coarse.n < pairs_wanted / ratio do one_coarse() end
  -- The error of h/2 is its difference from h where the order is 1, a third of that where it is 2: two thirds of the
  -- difference leave at most a third of it.
  local result = {}
  for g = 1, G do
    local bias = mean(difference, g)
    result[g] = {
      value = mean(coarse, g) + 5 / 3 * bias,
      err = sqrt(variance(coarse, g) / coarse.n + 25 / 9 * variance(difference, g) / difference.n + (bias / 2) ^ 2),
      scale = sqrt(coarse[g].size / coarse.n),
    }
  end
  return result
end

return { normal = normal, exponential = exponential, means = means }
