-- Results, columns and arrays in plain text: a sentence, and the head of the table.
local show = require "bmsim.show"

local show_result = {}

local all_rows, head = 20, 10 -- up to so many rows are shown; of more rows so many
local width = 120             -- of the table

-- "0.01", or "0.001 to 0.01" of a column.
local function span(values, points)
  local least, most = values[0], values[0]
  for i = 1, points - 1 do least, most = math.min(least, values[i]), math.max(most, values[i]) end
  if least == most then return show.value(least) end
  return ("%s to %s"):format(show.value(least), show.value(most))
end

local function duration(seconds)
  if seconds < 90 then return ("%.2g s"):format(seconds) end
  local hour, day = 3600, 86400
  if seconds < 1.5 * hour then return ("%.0f min"):format(seconds / 60) end
  return seconds < 3 * day and ("%.1f h"):format(seconds / hour) or ("%.1f days"):format(seconds / day)
end

-- "velocity, velocity_err and 3 others" of what is left out of a table.
local function names_text(names)
  if #names <= 6 then return table.concat(names, ", ") end
  return ("%s and %d others"):format(table.concat(names, ", ", 1, 5), #names - 5)
end

--- "40 points of an overdamped model, 64 paths each, ...". find: a function that gives a column, or nil.
function show_result.sentence(fields, how, find)
  local info, points = fields.info, fields.points
  local text = ("%s of %s, %s%s"):format(show.count(points, "point"), how.model or "a model",
    show.count(info.paths, "path"), points > 1 and " each" or "")
  text = text .. (", %s"):format(show.count(info.steps_per_path, "step"))
  local dt = find "dt"
  if dt and info.method ~= "exact" then text = text .. " of dt = " .. span(dt, points) end
  text = text .. ("; method %s, %s precision, on %s"):format(info.method, info.precision, info.device)
  if how.dry then return show.wrapped(text .. "; a dry run: nothing was computed", "    ") end
  text = show.wrapped(text .. ", " .. duration(info.seconds), "    ")
  if info.complete == false then text = text .. "\ninterrupted: points that are not finished are nan" end
  if type(info.warnings) == "table" and #info.warnings > 0 then
    text = ("%s\n%s: see r.info.warnings"):format(text, show.count(#info.warnings, "warning"))
  end
  return text
end

-- Cells of a column from its name down, and their width.
local function column_cells(name, values, rows)
  local cells, widest = { name }, #name
  for i = 1, rows do
    cells[i + 1] = ("%.6g"):format(values[i - 1] + 0) -- -0 is 0
    widest = math.max(widest, #cells[i + 1])
  end
  return cells, widest
end

--- Columns as the lines of an aligned table, `rows` of them. column: a function of the name. Names of columns beyond
--- `widest` characters are returned as well.
function show_result.table(names, column, rows, widest)
  local cells, widths, lines, total, left_out = {}, {}, {}, 0, {}
  for _, name in ipairs(names) do
    local list, wide = column_cells(name, column(name), rows)
    if widest and #cells > 0 and total + 2 + wide > widest then
      left_out[#left_out + 1] = name
    elseif #left_out > 0 then
      left_out[#left_out + 1] = name
    else
      total = total + 2 + wide
      cells[#cells + 1], widths[#widths + 1] = list, wide
    end
  end
  for row = 1, rows + 1 do
    local line = {}
    for c = 1, #cells do line[c] = (" "):rep(widths[c] - #cells[c][row]) .. cells[c][row] end
    lines[row] = table.concat(line, "  ")
  end
  return table.concat(lines, "\n"), left_out
end

--- What print shows of a result. arrays: their texts, as show_result.array makes them.
function show_result.text(fields, how, names, column, find, arrays)
  local rows = fields.points <= all_rows and fields.points or head
  local lines, left_out = show_result.table(names, column, rows, width)
  local parts = { show_result.sentence(fields, how, find), lines }
  if rows < fields.points then
    parts[#parts + 1] = ("... and %d rows more: r:print() prints all"):format(fields.points - rows)
  end
  if #left_out > 0 then parts[#parts + 1] = "columns that are not shown: " .. names_text(left_out) end
  for _, array in ipairs(arrays) do parts[#parts + 1] = "array " .. array end
  return table.concat(parts, "\n")
end

--- "density, p(x), unit 1/length: x/L (50)".
function show_result.array(name, label, unit, dims)
  local axes = {}
  for i, dim in ipairs(dims) do axes[i] = ("%s (%d)"):format(dim.name, dim.length) end
  return ("%s%s%s: by %s"):format(name, label ~= "" and label ~= name and ", " .. label or "",
    unit ~= "" and ", in " .. unit or "", #axes > 0 and table.concat(axes, ", ") or "point")
end

-- ---- arrays of numbers and names that a result gives ----

local told = setmetatable({}, { __mode = "k" }) -- column -> its name and unit

local Column = {}
show.as(Column, function(self)
  local mine = told[self]
  return ("%s%s: %s"):format(mine.name, mine.unit ~= "" and ", in " .. mine.unit or "", show.list(self))
end)

--- Lets print show name and unit of a column, which stays a plain array of numbers.
function show_result.column(values, name, unit)
  told[values] = { name = name, unit = unit }
  return setmetatable(values, Column)
end

local Names = {}
show.as(Names, function(self) return #self > 0 and table.concat(self, ", ") or "none" end)
function show_result.names(list) return setmetatable(list, Names) end

local Array = {}
show.as(Array, function(self)
  local dims, lines = {}, {}
  for i, dim in ipairs(self.dims) do
    dims[i] = { name = dim.name, length = #dim.values }
    lines[i] = ("%s%s: %s"):format(dim.name, dim.unit ~= "" and ", in " .. dim.unit or "", show.list(dim.values))
  end
  table.insert(lines, 1, show_result.array(self.name, self.label, self.unit, dims))
  lines[#lines + 1] = ("values of %s%s: %s"):format(show.count(#self.values, "point"),
    #self.values > 1 and ", the first" or "", show.list(self.values[1]))
  return table.concat(lines, "\n  ")
end)
function show_result.array_of(made) return setmetatable(made, Array) end

local Info = {}
show.as(Info, function(self)
  local names, lines = {}, {}
  for name in pairs(self) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = self[name]
    if type(value) == "table" then value = #value > 0 and table.concat(value, "; ") or "none" end
    lines[#lines + 1] = ("%-22s %s"):format(name, show.value(value))
  end
  return table.concat(lines, "\n")
end)
function show_result.info(info) return setmetatable(info, Info) end

return show_result
