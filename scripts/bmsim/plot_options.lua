-- The fields of r:plot, checked: each is of its type, and says what is wrong with it before anything is drawn.
local colours = require "bmsim.plot_colours"
local errors = require "bmsim.errors"

local options = {}

local known = { "array", "x", "y", "z", "group", "theory", "log", "file", "where", "lines", "units", "title", "titles",
                "theory_titles", "xlabel", "ylabel", "zlabel", "xrange", "yrange", "zrange", "size", "font", "legend",
                "palette", "discrete", "fold", "equal", "smooth", "inset" }
options.known = known
local legend_words = { "auto", "off", "inside", "outside", "left", "right", "top", "bottom", "center" }
local palettes = { "auto", "viridis", "diverging" }

local function typed(fields, name, kind, words)
  local value = fields[name]
  if value ~= nil and type(value) ~= kind then
    errors.raise("plot: %s must be %s, got %s", name, words, type(value))
  end
  return value
end

-- A name, or a list of names, as a list.
local function names_of(fields, name, what)
  local value = fields[name]
  if value == nil then return {} end
  local list = type(value) == "table" and value or { value }
  errors.check_list("plot: " .. name, list)
  for _, entry in ipairs(list) do
    if type(entry) ~= "string" then
      errors.raise("plot: %s must be %s or a list of them, got %s", name, what or "a column's name", type(entry))
    end
  end
  return list
end

-- Two numbers that the rule holds for; nil, nil where they are not given.
local function pair(fields, name, rule, words)
  local value = typed(fields, name, "table", "a list of two numbers")
  if value == nil then return nil, nil end
  if #value ~= 2 then errors.raise("plot: %s must be a list of two numbers, got %d", name, #value) end
  local first = errors.check_number("plot: " .. name, value[1])
  local second = errors.check_number("plot: " .. name, value[2])
  if not rule(first, second) then errors.raise("plot: %s must be %s, got { %g, %g }", name, words, first, second) end
  return first, second
end

local function is_one_of(value, list)
  for _, one in ipairs(list) do
    if value == one then return true end
  end
  return false
end

-- The same for an array, where x and y have defaults.
local function check_array(read)
  for _, letter in ipairs { "x", "y" } do
    if #read[letter] > 1 then errors.raise("plot: %s of an array must be one name, got %d", letter, #read[letter]) end
  end
  if #read.z > 0 then errors.raise "plot: an array has no z: its values are what a map shows" end
end

-- What is only for curves, and the numbers of columns.
local function check_kind(read)
  if read.array then return check_array(read) end
  if #read.x ~= 1 then errors.raise("plot: x must be one column, got %d", #read.x) end
  if #read.y == 0 then errors.raise "plot: y is missing: a column's name, or a list of them" end
  if #read.z == 0 then
    local z = read.axes.z
    if z.log or z.from or z.label then errors.raise "plot: z is missing: a column's name" end
    if #read.theory > 0 and #read.y > 1 and #read.theory ~= #read.y then
      errors.raise("plot: theory must be one column for each of the %d of y, got %d", #read.y, #read.theory)
    end
    if read.law and #read.y > 1 then errors.raise("plot: theory as a function is of one y, got %d", #read.y) end
    if #read.titles > 0 and #read.titles ~= #read.y then
      errors.raise("plot: titles must be one for each of the %d of y, got %d", #read.y, #read.titles)
    end
    return
  end
  if #read.y ~= 1 or #read.z ~= 1 then errors.raise "plot: a map has one column each for x, y and z" end
  for _, name in ipairs { "group", "theory", "theory_titles", "smooth", "lines", "legend", "titles" } do
    if read.fields[name] ~= nil then errors.raise("plot: a map, with z, has no %s", name) end
  end
end

-- theory = { force = {...}, velocity = {...} }, columns such as bm.theory.curve gives.
local function is_columns(theory) return type(theory) == "table" and #theory == 0 and next(theory) ~= nil end

local function theory_columns(columns, read)
  local function check(name)
    if type(columns[name]) ~= "table" then
      errors.raise("plot: theory has no column '%s'%s", name, errors.suggest(name, errors.sorted_keys(columns)))
    end
  end
  check(read.x[1])
  local length, any = #columns[read.x[1]], false
  for _, name in ipairs(read.y) do any = any or columns[name] ~= nil end
  if not any then check(read.y[1]) end
  for _, names in ipairs { read.y, read.group } do
    for _, name in ipairs(names) do
      if columns[name] ~= nil and #columns[name] ~= length then
        errors.raise("plot: theory must have %d values of '%s', as of '%s', got %d", length, name, read.x[1],
          #columns[name])
      end
    end
  end
  return columns
end

local function read_fold(fields, array)
  local value = typed(fields, "fold", "number", "a length")
  if value == nil then return nil end
  if not array then errors.raise "plot: fold is for arrays" end
  if not (value > 0 and value < math.huge) then errors.raise("plot: fold must be a length > 0, got %g", value) end
  return value
end

local function read_axis(fields, letter, log)
  local from, to = pair(fields, letter .. "range", function(a, b) return a < b and (not log or a > 0) end,
    log and "positive and increasing" or "increasing")
  return { log = log, from = from, to = to, label = typed(fields, letter .. "label", "string", "a string") }
end

-- "on" or "off", as true and false are taken, too.
local function read_units(fields)
  local value = fields.units
  if value == nil or value == "off" or value == false then return false end
  if value == "on" or value == true then return true end
  errors.raise("plot: units must be \"on\" or \"off\", got %s", type(value) == "string" and "'" .. value .. "'" or
    type(value))
end

-- A size of letters in points.
local function read_font(fields)
  local value = typed(fields, "font", "number", "a size in points")
  if value ~= nil and not (value >= 4 and value <= 40) then
    errors.raise("plot: font must be a size in points from 4 to 40, got %g", value)
  end
  return value
end

-- As many as there are lines of theory.
local function check_theory_titles(read)
  local count = read.array and 1 or #read.y == 1 and #read.theory > 0 and #read.theory or 1
  if #read.theory_titles == 0 then return end
  if #read.theory == 0 and not read.law and not read.theory_columns then
    errors.raise "plot: theory_titles without theory"
  end
  if #read.theory_titles ~= count then
    errors.raise("plot: theory_titles must be one for each of the %d entries of theory in the legend, got %d", count,
      #read.theory_titles)
  end
end

--- { array = a name or nil, x =, y =, z =, group =, theory = lists of names, titles, theory_titles = texts, law =
--- theory as a function, theory_columns = theory as columns, axes = { x =, y =, z = }, where, lines, units, font,
--- smooth, title, legend, palette, discrete, fold, equal, width, height }.
function options.read(fields)
  errors.check_fields("plot", fields, known)
  local read = { fields = fields, axes = {} }
  read.array = typed(fields, "array", "string", "an array's name")
  read.titles = names_of(fields, "titles", "a text")
  read.theory_titles = names_of(fields, "theory_titles", "a text")
  for _, name in ipairs { "x", "y", "z", "group" } do read[name] = names_of(fields, name) end
  if read.array then typed(fields, "theory", "function", "a function of the point and x, with an array") end
  read.law = type(fields.theory) == "function" and fields.theory or nil
  read.theory = (read.law or is_columns(fields.theory)) and {} or names_of(fields, "theory")
  local log = typed(fields, "log", "string", "a string") or ""
  if log:find "[^xyz]" then errors.raise("plot: log must be made of the letters x, y and z, got '%s'", log) end
  for _, letter in ipairs { "x", "y", "z" } do
    read.axes[letter] = read_axis(fields, letter, log:find(letter, 1, true) ~= nil)
  end
  check_kind(read)
  if not read.array and is_columns(fields.theory) then read.theory_columns = theory_columns(fields.theory, read) end
  check_theory_titles(read)
  read.where = typed(fields, "where", "function", "a function of the point")
  read.fold = read_fold(fields, read.array)
  read.lines = typed(fields, "lines", "boolean", "true or false")
  read.equal = typed(fields, "equal", "boolean", "true or false")
  if read.equal and (read.axes.x.log or read.axes.y.log) then
    errors.raise "plot: axes of equal scale must not be logarithmic"
  end
  read.units = read_units(fields)
  read.font = read_font(fields)
  read.smooth = typed(fields, "smooth", "boolean", "true or false") ~= false
  read.discrete = typed(fields, "discrete", "boolean", "true or false")
  read.title = typed(fields, "title", "string", "a string")
  read.legend = typed(fields, "legend", "string", "a string") or "auto"
  for word in read.legend:gmatch "%S+" do
    if not is_one_of(word, legend_words) then
      errors.raise("plot: unknown word '%s' in legend%s", word, errors.suggest(word, legend_words))
    end
  end
  read.palette = typed(fields, "palette", "string", "a string") or "auto"
  if not is_one_of(read.palette, palettes) then
    errors.raise("plot: unknown palette '%s'%s", read.palette, errors.suggest(read.palette, palettes))
  end
  read.width, read.height = pair(fields, "size",
    function(a, b) return math.min(a, b) >= 3 and math.max(a, b) <= 100 end, "a width and a height in cm from 3 to 100")
  return read
end

--- The colours of a map, and whether zero is in the middle of them. By themselves: blue and red where the values have
--- both signs, neither by chance.
function options.choose_palette(word, axis, low, high)
  if word == "auto" then
    word = math.min(-low, high) > 0.1 * math.max(-low, high) and not axis.log and "diverging" or "viridis"
  end
  return colours[word], word == "diverging" and not axis.log
end

return options
