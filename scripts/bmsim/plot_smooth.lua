-- A line of theory between the points of a sweep: what r:add or r:compare was given is evaluated at more values of the
-- parameter that is swept. nil where that cannot be done or is not the same theory: the column is no function, the
-- function reads what was measured, or it gives other values at the points.
local axes = require "bmsim.plot_axes"
local point = require "bmsim.point"

local places = 300   -- parts of a line
local patience = 1   -- seconds for one line

-- The one swept parameter in which these rows differ; nil where there are more, which are linked by bm.zip.
local function varying(source, rows)
  local found
  for _, axis in ipairs(source.sweep) do
    for _, name in ipairs(axis.names) do
      local column, differs = source.column(name), false
      for _, row in ipairs(rows) do differs = differs or column[row] ~= column[rows[1]] end
      if differs and found then return nil end
      found = differs and name or found
    end
  end
  return found
end

-- The values of `name` at the rows and `parts` - 1 more between each two of them, by ratio where all are > 0; and where
-- the rows are among them.
local function finer(column, rows, parts)
  local values, at = {}, {}
  local positive = column[rows[1]] > 0
  for i, row in ipairs(rows) do
    local before = i > 1 and column[rows[i - 1]]
    for k = 1, before and before < column[row] and parts - 1 or 0 do
      local u = k / parts
      values[#values + 1] = positive and before * (column[row] / before) ^ u or before + (column[row] - before) * u
    end
    values[#values + 1], at[i] = column[row], #values + 1
  end
  return values, at
end

local unknown = {} -- raised by a function of theory that reads what is only known at the points

-- What is known at these values: name -> column.
local function reader(source, run, count)
  local made, reading = {}, {}
  local column
  local function view(i)
    return point.new("point " .. i, {}, source.components, function(name)
      return (column(name) or error(unknown, 0))[i]
    end)
  end
  function column(name)
    if made[name] ~= nil then return made[name] or nil end
    local values, law = run.column(name), source.law(name)
    if law and law.at and not reading[name] then
      reading[name], values = true, {}
      for i = 1, count do values[i] = law.at(view(i)) end
      reading[name] = nil
    elseif law and law.columns then
      values = law.columns(run.pointer, count)
    end
    made[name] = values or false
    return values
  end
  return column
end

local function same(a, b) return a == b or a ~= a and b ~= b or math.abs(a - b) <= 1e-9 * math.abs(b) end

-- The column, or that of several quantities, which has the values of `name` at the rows.
local function matching(source, name, rows, at, found)
  for _, values in ipairs(type(found[1]) == "table" and found or { found }) do
    local own, all = source.column(name), true
    for i, row in ipairs(rows) do all = all and type(values[at[i]]) == "number" and same(values[at[i]], own[row]) end
    if all then return values end
  end
end

-- The rows that the x axis shows.
local function shown(source, chosen, all)
  local xs, rows = source.column(chosen.x[1]), {}
  for _, row in ipairs(all) do
    if axes.shows(chosen.axes.x, xs[row]) then rows[#rows + 1] = row end
  end
  return rows
end

local function try(source, chosen, name, all)
  local x, rows = chosen.x[1], shown(source, chosen, all)
  local law, swept = source.law(name), #rows > 1 and varying(source, rows)
  if not (law and swept) then return nil end
  local column = source.column(swept)
  table.sort(rows, function(a, b) return column[a] < column[b] end)
  local parts = math.ceil(places / (#rows - 1))
  parts = math.min(parts, math.floor(patience / (law.seconds * (#rows - 1) + 1e-9)))
  if parts < 2 then return nil end
  local values, at = finer(column, rows, parts)
  local run = source.elsewhere(swept, values, rows[1])
  local read = reader(source, run, #values)
  local xs, found = x == swept and values or read(x), read(name)
  local ys = xs and found and matching(source, name, rows, at, found)
  if not ys or not matching(source, x, rows, at, xs) then return nil end
  local curve = { x = {}, y = {}, line = true }
  for i, u in ipairs(xs) do
    if axes.shows(chosen.axes.x, u) and axes.shows(chosen.axes.y, ys[i]) then
      curve.x[#curve.x + 1], curve.y[#curve.y + 1] = u, ys[i]
    end
  end
  return curve
end

--- The curve of column `name` over chosen.x at these rows of the source.
return function(source, chosen, name, rows)
  if not source.law then return nil end
  local ok, curve = pcall(try, source, chosen, name, rows)
  if not ok and type(curve) == "table" and curve.status then error(curve, 0) end -- Ctrl-C
  return ok and curve or nil
end
