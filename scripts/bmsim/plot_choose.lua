-- From columns of a result to the curves and maps of plot_gnuplot.lua. `source` is a result as plot.lua shows it.
local axes = require "bmsim.plot_axes"
local colours = require "bmsim.plot_colours"
local errors = require "bmsim.errors"
local labels = require "bmsim.plot_labels"
local options = require "bmsim.plot_options"
local smooth = require "bmsim.plot_smooth"

local choose = {}

local most_groups = 32
local fine = 300 -- parts of a line of theory

-- What a script adds has a name and no symbol.
local function symbol_of(source, name)
  local write = source.property(name, "role") == "added" and labels.words or labels.symbol
  return write(source.property(name, "symbol"))
end

--- What the axis is labelled with that shows these columns.
function choose.label(source, names, with_unit)
  local seen, parts, unit = {}, {}, nil
  for _, name in ipairs(names) do
    local symbol, own = symbol_of(source, name), source.property(name, "unit")
    if not seen[symbol] then parts[#parts + 1], seen[symbol] = symbol, true end
    unit = (unit == nil or unit == own) and own or ""
  end
  return labels.axis(table.concat(parts, ", "), with_unit and unit or "")
end

--- The rows of the result that are drawn, and the points at all rows.
function choose.rows(source, where)
  local rows, points = {}, {}
  for p in source.rows() do
    points[#points + 1] = p
    if where == nil or where(p) then rows[#rows + 1] = #points end
  end
  return rows, points
end

--- Rows by the values of the group's columns, in the order in which they come: { title =, rows... }.
function choose.groups(source, rows, names)
  local groups, by_key = {}, {}
  for _, row in ipairs(rows) do
    local parts = {}
    for c, name in ipairs(names) do
      parts[c] = symbol_of(source, name) .. " = " .. labels.number(source.column(name)[row])
    end
    local key = table.concat(parts, ", ")
    if not by_key[key] then
      by_key[key] = { title = #names > 0 and key or nil }
      groups[#groups + 1] = by_key[key]
      if #groups > most_groups then
        errors.raise("plot: group '%s' must have at most %d values", table.concat(names, "', '"), most_groups)
      end
    end
    table.insert(by_key[key], row)
  end
  return groups
end

-- One column over another, of these rows, with its errors where there are any. What was measured against what was
-- measured keeps the order of the sweep; else x rises.
local function points(source, chosen, name, rows)
  local x, errs, shown, any = chosen.x[1], source.optional_column(name .. "_err"), {}, false
  local xs, ys = source.column(x), source.column(name)
  for _, row in ipairs(rows) do
    if axes.shows(chosen.axes.x, xs[row]) and axes.shows(chosen.axes.y, ys[row]) then shown[#shown + 1] = row end
  end
  if source.property(x, "role") ~= "observable" then
    table.sort(shown, function(a, b) return xs[a] < xs[b] or xs[a] == xs[b] and a < b end)
  end
  local curve = { x = {}, y = {}, low = {}, high = {}, line = true }
  for i, row in ipairs(shown) do
    local err = errs and errs[row] == errs[row] and errs[row] or 0
    any = any or err > 0
    curve.x[i], curve.y[i], curve.low[i], curve.high[i] = xs[row], ys[row], ys[row] - err, ys[row] + err
    if curve.x[i] == curve.x[i - 1] then curve.line = false end -- no line through them has a meaning
  end
  if not any then curve.low, curve.high = nil, nil end
  return curve
end

local function check_drawn(source, curves, chosen)
  for _, name in ipairs(chosen.theory) do source.column(name) end
  for _, name in ipairs(chosen.y) do source.column(name) end
  if #curves > 0 or source.dry then return end
  errors.raise("plot: no point has numbers in '%s' and '%s' that the axes can show", chosen.x[1],
    table.concat(chosen.y, "', '"))
end

-- The theory that goes with y number i: its own one where there are as many, all where there is one y.
local function theory_of(chosen, i)
  return #chosen.y == 1 and chosen.theory or { chosen.theory[i] }
end

--- chosen.law(p, x, ...) as a line over the range of these x.
function choose.line(chosen, p, xs, more)
  local axis, curve, low, high = chosen.axes.x, { x = {}, y = {}, line = true, dash = 1 }, math.huge, -math.huge
  for _, x in ipairs(xs) do low, high = math.min(low, x), math.max(high, x) end
  for i = 0, low <= high and fine or -1 do
    local x = axis.log and low * (high / low) ^ (i / fine) or low + (high - low) * i / fine
    local y = chosen.law(p, x, unpack(more or {}))
    if type(y) ~= "number" then errors.raise("plot: theory must give a number, got %s", type(y)) end
    if axes.shows(chosen.axes.y, y) then curve.x[#curve.x + 1], curve.y[#curve.y + 1] = x, y end
  end
  return curve
end

-- Lines of theory over the rows of this group, for y number s.
local function theory_curves(source, chosen, s, group, all)
  local curves, columns = {}, chosen.theory_columns
  if chosen.law then
    return { choose.line(chosen, all[group[1]], points(source, chosen, chosen.y[s], group).x) }
  end
  for dash, name in ipairs(theory_of(chosen, s)) do
    local curve = chosen.smooth and not source.dry and smooth(source, chosen, name, group) or
      points(source, chosen, name, group)
    curve.low, curve.high, curve.dash = nil, nil, dash
    curves[dash] = curve
  end
  if columns and columns[chosen.y[s]] then
    local curve = { x = {}, y = {}, dash = 1 }
    for i, x in ipairs(columns[chosen.x[1]]) do
      local y, mine = columns[chosen.y[s]][i], true
      for _, name in ipairs(chosen.group) do
        mine = mine and (not columns[name] or columns[name][i] == source.column(name)[group[1]])
      end
      if mine and axes.shows(chosen.axes.x, x) and axes.shows(chosen.axes.y, y) then
        curve.x[#curve.x + 1], curve.y[#curve.y + 1] = x, y
      end
    end
    curves[1] = curve
  end
  return curves
end

-- One entry for each theory, in grey where it stands for several colours.
local function theory_key(source, chosen, count, lines)
  local key, titles = {}, chosen.theory_titles
  if chosen.theory_columns or chosen.law then
    local colour = #lines == 1 and lines[1].colour or "#555555"
    return { { title = titles[1] or "theory", dash = 1, colour = colour } }
  end
  for dash, name in ipairs(theory_of(chosen, 1)) do
    local title = titles[dash] or #chosen.y == 1 and symbol_of(source, name) or "theory"
    key[dash] = { title = title, dash = dash, colour = count == 1 and colours.of(1, 1) or "#555555" }
  end
  return key
end

local function has_theory(chosen) return #chosen.theory > 0 or chosen.theory_columns or chosen.law end

local function title_of(source, chosen, s, group)
  local name = chosen.y[s]
  if #chosen.y == 1 then return group.title or chosen.titles[1] or has_theory(chosen) and source.called or nil end
  return (chosen.titles[s] or symbol_of(source, name)) .. (group.title and ",  " .. group.title or "")
end

--- Curves: one for each group and y, over those of theory.
function choose.curves(source, chosen)
  local rows, all = choose.rows(source, chosen.where)
  local groups = choose.groups(source, rows, chosen.group)
  local count, theory, data, i = #groups * #chosen.y, {}, {}, 0
  local lines = chosen.lines
  if lines == nil then lines = not has_theory(chosen) end
  for _, group in ipairs(groups) do
    for s, name in ipairs(chosen.y) do
      i = i + 1
      for _, curve in ipairs(theory_curves(source, chosen, s, group, all)) do
        curve.line, curve.colour = true, colours.of(i, count)
        if #curve.x > 0 then theory[#theory + 1] = curve end
      end
      local curve = points(source, chosen, name, group)
      curve.colour, curve.marker, curve.line = colours.of(i, count), colours.marker(i), lines and curve.line
      curve.title = title_of(source, chosen, s, group)
      if #curve.x > 0 then data[#data + 1] = curve end
    end
  end
  check_drawn(source, data, chosen)
  local key = theory_key(source, chosen, count, theory)
  for _, curve in ipairs(data) do theory[#theory + 1] = curve end
  return { curves = theory, key = key }
end

-- The values of a column at these rows in rising order, and the number of each among them.
local function centres(source, name, rows, axis)
  local column, numbers, list = source.column(name), {}, {}
  for _, row in ipairs(rows) do
    local value = column[row]
    if axes.shows(axis, value) then
      if not numbers[value] then list[#list + 1], numbers[value] = value, true end
    elseif not source.dry then
      errors.raise("plot: '%s' must be %s everywhere, got %g", name, axis.log and "> 0" or "finite", value)
    end
  end
  table.sort(list)
  for i, value in ipairs(list) do numbers[value] = i end
  return list, numbers
end

-- z[row][column], NaN where there is no point.
local function fill(source, chosen, rows, map, x_of, y_of)
  local x, y, z = chosen.x[1], chosen.y[1], source.column(chosen.z[1])
  local xs, ys, taken, cells = source.column(x), source.column(y), {}, {}
  for j = 1, #map.y do
    cells[j] = {}
    for i = 1, #map.x do cells[j][i] = 0 / 0 end
  end
  for _, row in ipairs(rows) do
    local i, j = x_of[xs[row]], y_of[ys[row]]
    local cell = j * #map.x + i
    if taken[cell] then
      errors.raise("plot: points %d and %d must differ in '%s' or '%s'; choose by where = function(p) return ... end",
        taken[cell], row, x, y)
    end
    taken[cell], cells[j][i] = row, z[row]
  end
  return cells
end

--- A map of z over x and y.
function choose.map(source, chosen)
  local rows, map = choose.rows(source, chosen.where), {}
  local x_of, y_of
  source.column(chosen.z[1])
  map.x, x_of = centres(source, chosen.x[1], rows, chosen.axes.x)
  map.y, y_of = centres(source, chosen.y[1], rows, chosen.axes.y)
  if source.dry then return {} end
  map.z = fill(source, chosen, rows, map, x_of, y_of)
  return choose.coloured(map, chosen, chosen.z[1])
end

-- Values in rising order, as one those that differ by less than 1/1000 of the range: { { from =, sum =, count = },
-- ... }; nil where there are more than `most`.
local function clusters_of(values, most)
  local sorted, list = {}, {}
  for i, value in ipairs(values) do sorted[i] = value end
  table.sort(sorted)
  local apart = 1e-3 * (sorted[#sorted] - sorted[1])
  for _, value in ipairs(sorted) do
    local last = list[#list]
    if last and value - last.from <= apart then
      last.sum, last.count = last.sum + value, last.count + 1
    else
      if #list == most then return nil end
      list[#list + 1] = { from = value, sum = value, count = 1 }
    end
  end
  return list, apart
end

-- The values of the cells, if they are a few ones that come again and again, in rising order, and how much they may
-- differ. asked: values of less than one cell in a hundred do not count, if they are not more than one in ten in all.
local function levels_of(values, asked)
  local list, apart = clusters_of(values, asked and #values or 8)
  local fewest, levels, left = asked and math.max(2, 0.01 * #values) or 3, {}, #values
  for _, one in ipairs(list or {}) do
    if one.count >= fewest then
      local mean = one.sum / one.count
      local whole = math.floor(mean + 0.5)
      levels[#levels + 1] = math.abs(mean - whole) < 0.1 * apart and whole or mean
      left = left - one.count
    end
  end
  if asked then return #levels <= 12 and left <= 0.1 * #values and levels or nil, apart end
  return list and left == 0 and #levels > 1 and #values >= 10 * #levels and levels or nil, apart
end

--- The picture of a map: what its colours are, by the values of its cells, which are of `name`.
function choose.coloured(map, chosen, name)
  local axis, low, high, values = chosen.axes.z, math.huge, -math.huge, {}
  for _, line in ipairs(map.z) do
    for _, value in ipairs(line) do
      if axes.shows(axis, value) then
        low, high = math.min(low, value), math.max(high, value)
        values[#values + 1] = value
      end
    end
  end
  if low > high then errors.raise("plot: no point has a number in '%s' that the colours can show", name) end
  map.palette, map.symmetric = options.choose_palette(chosen.palette, axis, low, high)
  if chosen.discrete or chosen.discrete == nil and not axis.from and not axis.log then
    map.levels, map.apart = levels_of(values, chosen.discrete)
    if not map.levels and chosen.discrete then
      errors.raise("plot: discrete colours are for at most 12 values that come again and again, '%s' has others", name)
    end
  end
  return { map = map }
end

return choose
