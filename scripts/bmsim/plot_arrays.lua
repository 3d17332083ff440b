-- From an array of a result, such as the density, to the pictures of plot_gnuplot.lua: curves over a coordinate or over
-- another array, dots over a column, maps. `source` is a result as plot.lua shows it.
local axes = require "bmsim.plot_axes"
local choose = require "bmsim.plot_choose"
local colours = require "bmsim.plot_colours"
local errors = require "bmsim.errors"
local labels = require "bmsim.plot_labels"
local map = require "bmsim.plot_array_map"
local shown = require "bmsim.plot_shown"

local arrays = {}

local most_curves = 32

-- Columns that tell the rows apart.
local function differing(source, rows)
  local names = {}
  for _, name in ipairs(source.columns()) do
    local column, differs = source.column(name), false
    if source.property(name, "role") == "parameter" then
      for _, row in ipairs(rows) do differs = differs or column[row] ~= column[rows[1]] end
    end
    if differs then names[#names + 1] = name end
  end
  return names
end

-- The dimensions other than that of x and paths, which have no names of their own.
local function named_dimensions(array, along)
  local list = {}
  for d, dim in ipairs(array.dims) do
    if d ~= along and dim.name ~= "path" then list[#list + 1] = d end
  end
  return list
end

-- One curve: from value k on, `stride` apart.
local function read_curve(chosen, x, y, errs, row, k, stride, count)
  local curve, any, last = { x = {}, y = {}, low = {}, high = {} }, false, nil
  local half = chosen.fold and chosen.fold / 2
  for j = 0, count - 1 do
    local i = k + j * stride
    local u, v = x.at(row, i), y.at(row, i)
    if axes.shows(chosen.axes.x, u) and axes.shows(chosen.axes.y, v) then
      local n, err = #curve.x + 1, errs and errs.at(row, i) or 0
      local jumps = half and last and (x.folded and math.abs(u - curve.x[last]) > half or
        y.folded and math.abs(v - curve.y[last]) > half)
      if jumps then -- a line that leaves on one side comes back on the other
        curve.x[n], curve.y[n], curve.low[n], curve.high[n] = 0 / 0, 0 / 0, 0 / 0, 0 / 0
        n = n + 1
      end
      err, last = err == err and err or 0, n
      any = any or err > 0
      curve.x[n], curve.y[n], curve.low[n], curve.high[n] = u, v, v - err, v + err
    end
  end
  if not any then curve.low, curve.high = nil, nil end
  return curve
end

-- The lanes of an array along a coordinate, a curve each: every one has the other coordinates' values.
local function lanes(array, along, visit)
  for k = 1, shown.size(array) do
    local at, stride = shown.place(array, along, k)
    if at == 0 then
      local parts, values = {}, {}
      for _, d in ipairs(named_dimensions(array, along)) do
        local dim = array.dims[d]
        values[#values + 1] = dim.values[shown.place(array, d, k) + 1]
        parts[#parts + 1] = labels.symbol(dim.label) .. " = " .. labels.number(values[#values])
      end
      visit(k, stride, table.concat(parts, ", "), values)
    end
  end
end

-- All curves with what tells them apart, in order: { curve =, theory =, key = }, and the number of keys.
local function read_all(source, chosen, array, x, y, groups, points)
  local along, errs = x.dim or #array.dims, y.name .. "_err"
  errs = source.array(errs) and shown.named(source, array, "y", errs)
  local all, keys, count = {}, {}, 0
  for _, group in ipairs(groups) do
    for _, row in ipairs(group) do
      lanes(array, along, function(k, stride, lane, values)
        local curve = read_curve(chosen, x, y, errs, row, k, stride, array.shape[along])
        if #curve.x == 0 then return end
        local key = (group.title or "") .. (group.title and lane ~= "" and ",  " or "") .. lane
        if not keys[key] then count, keys[key] = count + 1, count + 1 end
        if count > most_curves then
          errors.raise("plot: at most %d curves have names of their own; choose by where = function(p) return ... end",
            most_curves)
        end
        all[#all + 1] = { curve = curve, key = key, number = keys[key],
                          theory = chosen.law and choose.line(chosen, points[row], curve.x, values) }
      end)
    end
  end
  return all, count
end

local function style(curve, number, lines)
  local long = #curve.x > 40
  curve.line = lines
  if not lines or not long then curve.marker = colours.marker(number) end
  if curve.low and lines and long then curve.band = true end
end

-- Curves over a coordinate or another array, each point's in a colour of its own; of one point each path's.
local function curves(source, chosen, array, x, y, rows, points)
  local names = chosen.fields.group and chosen.group or differing(source, rows)
  local all, count = read_all(source, chosen, array, x, y, choose.groups(source, rows, names), points)
  local lines, titled = chosen.lines, {}
  if lines == nil then
    local along = array.dims[x.dim or #array.dims]
    lines = not chosen.law and along.name ~= "drive_period"
  end
  local drawn, single = {}, count == 1 and #all > 1
  for i, one in ipairs(all) do
    local number, of = single and i or one.number, single and #all or count
    if one.theory then
      one.theory.colour = colours.of(number, of)
      drawn[#drawn + 1] = one.theory
    end
  end
  for i, one in ipairs(all) do
    local number, of = single and i or one.number, single and #all or count
    style(one.curve, number, lines)
    one.curve.colour = colours.of(number, of)
    if chosen.law and count == 1 and one.key == "" then one.key = chosen.titles[1] or source.called end
    if one.key ~= "" and not titled[one.key] then one.curve.title, titled[one.key] = one.key, true end
    drawn[#drawn + 1] = one.curve
  end
  local key = chosen.law and { { title = chosen.theory_titles[1] or "theory", dash = 1,
                                 colour = #all == 1 and colours.of(1, 1) or "#555555" } }
  return { curves = drawn, key = key }
end

-- Dots over a column: all values of a point above each other.
local function dots(source, chosen, array, x, y, rows)
  local groups, drawn = choose.groups(source, rows, chosen.group), {}
  for g, group in ipairs(groups) do
    local curve = { x = {}, y = {}, line = false, dots = true, colour = colours.of(g, #groups), title = group.title }
    for _, row in ipairs(group) do
      for k = 1, shown.size(array) do
        local u, v = x.at(row, k), y.at(row, k)
        if axes.shows(chosen.axes.x, u) and axes.shows(chosen.axes.y, v) then
          curve.x[#curve.x + 1], curve.y[#curve.y + 1] = u, v
        end
      end
    end
    curve.marker = colours.marker(g)
    if #curve.x > 0 then drawn[#drawn + 1] = curve end
  end
  return { curves = drawn }
end

-- What the axes show that were not said: the coordinates of the array in their order, of which paths are none.
local function default_axes(source, array, x, y)
  local free = {}
  for d, dim in ipairs(array.dims) do
    if dim.name ~= "path" then free[#free + 1] = d end
  end
  if x == nil and y ~= nil then return shown.coordinate(source, array, free[#free]), y end
  if x == nil and #free == 2 then
    return shown.coordinate(source, array, free[1]), shown.coordinate(source, array, free[2])
  end
  return x or shown.coordinate(source, array, free[#free] or #array.dims), y
end

local only_curves = { "group", "theory", "theory_titles", "lines", "legend", "titles" }
local only_maps = { "zlabel", "zrange", "discrete" }

local function check_fields(chosen, is_map)
  for _, name in ipairs(is_map and only_curves or only_maps) do
    if chosen.fields[name] ~= nil then
      errors.raise("plot: %s has no %s", is_map and "a map" or "an array that is no map, without y,", name)
    end
  end
end

--- A picture of chosen.array, with the labels of its axes.
function arrays.choose(source, chosen)
  local array = source.array(chosen.array)
  if not array then
    errors.raise("plot: unknown array '%s'%s", chosen.array, errors.suggest(chosen.array, source.arrays()))
  end
  local function asked(letter)
    local name = chosen[letter][1]
    return name and shown.folded(chosen, shown.named(source, array, letter, name))
  end
  local x, y, z = asked "x", asked "y", shown.folded(chosen, shown.values(array))
  if y and y.kind == "array" then -- a curve of y over the array
    if x then errors.raise("plot: with y another array, x is '%s', got '%s'", array.name, x.name) end
    x, y, z = z, nil, y
  else
    x, y = default_axes(source, array, x, y)
  end
  local rows, points = choose.rows(source, chosen.where)
  check_fields(chosen, y ~= nil)
  if source.dry then return { labels = {} } end
  local made
  if y then
    made = map(chosen, array, x, y, z, rows)
  else
    made = (x.kind == "column" and dots or curves)(source, chosen, array, x, z, rows, points)
    if #made.curves == 0 then errors.raise("plot: no point has numbers in '%s' that the axes can show", array.name) end
  end
  local function label(axis) return shown.label(source, chosen, axis) end
  made.labels = { x = label(x), y = label(y or z), z = label(z) }
  return made
end

return arrays
