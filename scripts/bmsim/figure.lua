-- bm.figure { { r, x =, y = }, { r, array = }, file = "figure.pdf" }: plots of one or several results as the panels
-- (a), (b), ... of one picture. Each has the fields of r:plot; nested lists are rows.
local errors = require "bmsim.errors"
local explored = require "bmsim.explore_panels"
local files = require "bmsim.plot_file"
local host = require "bmsim.host"
local plot = require "bmsim.plot"
local sheet = require "bmsim.plot_sheet"
local source_of = require "bmsim.plot_source"

local known = { "file", "columns", "width", "height", "font", "letters", "units" }
local one_column, two_columns = 8.6, 17.8 -- of a journal's page, in cm
local most_panels = 26

local function number(fields, name, low, high, words)
  local value = fields[name]
  if value == nil then return nil end
  errors.check_number("figure: " .. name, value)
  if value < low or value > high then errors.raise("figure: %s must be %s, got %g", name, words, value) end
  return value
end

-- Whether it begins with what is drawn; a row of panels begins with a panel.
local function is_panel(value)
  local first = errors.type(value) == "table" and value[1]
  return first and (errors.type(first) ~= "table" or rawget(first, 1) == nil)
end

-- Lists of panels, one for each row.
local function rows_of(panels, columns)
  local rows, count = {}, 0
  if #panels == 0 then errors.raise "figure: there are no panels, as in { r, x = \"force\", y = \"velocity\" }" end
  for i, one in ipairs(panels) do
    if errors.type(one) ~= "table" then
      errors.raise("figure: entry %d must be a panel, { r, x =, y = }, or a row of them, got %s", i, errors.type(one))
    end
    local nested = not is_panel(one)
    if nested and columns then errors.raise "figure: columns is for panels that are not in rows" end
    if nested then
      errors.check_list(("figure: row %d"):format(i), one)
      if #one == 0 then errors.raise("figure: row %d has no panels", i) end
      rows[#rows + 1] = one
      count = count + #one
    else
      if #rows == 0 or rows.nested or #rows[#rows] == (columns or (#panels == 1 and 1 or 2)) then
        rows[#rows + 1] = {}
      end
      table.insert(rows[#rows], one)
      count = count + 1
    end
    if i > 1 and rows.nested ~= nested then errors.raise "figure: all entries are panels, or all are rows of them" end
    rows.nested = nested
  end
  if count > most_panels then errors.raise("figure: at most %d panels have letters, got %d", most_panels, count) end
  return rows, count
end

local function picture_of(panel, index, defaults)
  local subject, fields = ("figure: panel (%s)"):format(string.char(96 + index)), {}
  if not is_panel(panel) then
    errors.raise("%s: must be a table that begins with a result, got %s", subject, errors.type(panel))
  end
  for key, value in pairs(panel) do
    if key ~= 1 then fields[key] = value end
  end
  for _, key in ipairs { "file", "size" } do
    if fields[key] ~= nil then errors.raise("%s: %s is of the figure, not of a panel", subject, key) end
  end
  if fields.units == nil then fields.units = defaults.units end
  local ok, picture = pcall(function() return plot.picture(source_of("plot", panel[1], fields)) end)
  if ok then return picture end
  if type(picture) == "string" then picture = picture:gsub("plot: ", subject .. ": ", 1) end
  error(picture, 0)
end

return function(fields)
  errors.check_table("figure", fields, "panels and named fields")
  local panels, named = {}, {}
  for key, value in pairs(fields) do
    if type(key) == "number" then panels[key] = value else named[key] = value end
  end
  errors.check_list("figure", panels)
  errors.check_fields("figure", named, known)
  local columns = number(named, "columns", 1, 6, "a whole number from 1 to 6")
  if columns and columns ~= math.floor(columns) then
    errors.raise("figure: columns must be a whole number from 1 to 6, got %g", columns)
  end
  local suffix, place = files.check("figure", named.file)
  local rows, count = rows_of(panels, columns)
  local widest, index = 0, 0
  local pictures = explored.tolerant(function()
    local made = {}
    for r, row in ipairs(rows) do
      made[r], widest = {}, math.max(widest, #row)
      for c, panel in ipairs(row) do
        index = index + 1
        made[r][c] = picture_of(panel, index, named)
      end
    end
    return made
  end)
  if not pictures then return end
  local width = number(named, "width", 3, 100, "a length in cm from 3 to 100") or
    (widest == 1 and one_column or two_columns)
  local height = number(named, "height", 3, 100, "a length in cm from 3 to 100") or
    math.min(100, 0.75 * width / widest * #rows)
  local font = number(named, "font", 4, 40, "a size in points from 4 to 40") or 8
  local letters = named.letters
  if letters ~= nil and type(letters) ~= "boolean" then
    errors.raise("figure: letters must be true or false, got %s", errors.type(letters))
  end
  if letters == nil then letters = count > 1 end
  if host.dry_run then return end
  files.draw(sheet.of(pictures, width, height, font, letters), place, suffix)
end
