-- What a script offers to `bmsim explore`: bm.slider, bm.choice, bm.toggle, which in an ordinary run are what bm.args
-- says, or their own value; and how much of its runs is made before the page shows them.
-- host.explore, under `bmsim explore`: { query = "D=1&on=true", most = paths of a point in this pass, or nil: all }.
local args = require "bmsim.args"
local errors = require "bmsim.errors"
local host = require "bmsim.host"
local json = require "bmsim.json"
local labels = require "bmsim.plot_labels"

local explore = { controls = json.list {}, warnings = json.list {}, reduced = false, all_paths = 0, made_paths = 0 }

-- Of core/plan/plan.h; a limit as a multiple of paths.
local default_paths, default_replicas, limit_of_target, limit_of_tolerance = 1024, 16, 100, 10000
local fewest_replicas = 4

-- A part of a query without its encoding.
local function plain(text)
  return (text:gsub("+", " "):gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end))
end

-- What the page has set: name -> text.
local chosen = {}
for pair in (host.explore and host.explore.query or ""):gmatch "[^&]+" do
  local name, value = pair:match "^([^=]*)=(.*)$"
  if name then chosen[plain(name)] = plain(value) end
end

local function check_name(subject, name)
  if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" then
    errors.raise("%s: its name must be a word of letters, digits and '_', got '%s'", subject, tostring(name))
  end
  for _, one in ipairs(explore.controls) do
    if one.name == name then errors.raise("%s: there are two controls of the name '%s'", subject, name) end
  end
end

local function check_label(subject, name, label)
  if label ~= nil and type(label) ~= "string" then
    errors.raise("%s %s: label must be a string, got %s", subject, name, type(label))
  end
  return labels.symbol(label or name)
end

-- Adds a control. parse(text): a value of the page as one of the script's, nil where it is none.
local function add(control, parse)
  local given = args.table[control.name]
  control.default = control.value
  if given ~= nil then control.value = given end
  local text = chosen[control.name]
  local value = text and parse(text)
  if value ~= nil then control.value = value end
  explore.controls[#explore.controls + 1] = control
  return control.value
end

--- bm.slider("D", { 0.1, 10, value = 1, log = true, step = 0.1, label = "D_P" })
function explore.slider(name, fields)
  check_name("slider", name)
  local subject = "slider " .. name
  errors.check_table(subject, fields, "its ends and named fields")
  local named = {}
  for key, value in pairs(fields) do
    if key ~= 1 and key ~= 2 then named[key] = value end
  end
  errors.check_fields(subject, named, { "value", "log", "step", "label" })
  local from = errors.check_number(subject .. ": its first end", fields[1])
  local to = errors.check_number(subject .. ": its second end", fields[2])
  if from >= to then errors.raise("%s: its ends must increase, got { %g, %g }", subject, from, to) end
  if fields.log and from <= 0 then errors.raise("%s: with log its ends must be > 0, got %g", subject, from) end
  local value = errors.check_number(subject .. ": value", fields.value)
  if value < from or value > to then
    errors.raise("%s: value must lie between its ends, %g and %g, got %g", subject, from, to, value)
  end
  if fields.step ~= nil and errors.check_number(subject .. ": step", fields.step) <= 0 then
    errors.raise("%s: step must be > 0, got %g", subject, fields.step)
  end
  local given = args.table[name]
  if given ~= nil then errors.check_number("-D " .. name, given) end
  return add({ kind = "slider", name = name, from = from, to = to, value = value, log = fields.log and true or false,
               step = fields.step, label = check_label("slider", name, fields.label) }, function(text)
    local number = tonumber(text)
    if not number or number ~= number then return nil end
    return math.max(from, math.min(to, number))
  end)
end

--- bm.choice("method", { "exact", "heun", value = "exact", label = "method" }): one of several words or numbers.
function explore.choice(name, fields)
  check_name("choice", name)
  local subject = "choice " .. name
  errors.check_table(subject, fields, "words")
  local options, named = json.list {}, {}
  for key, value in pairs(fields) do
    if type(key) ~= "number" then named[key] = value end
  end
  errors.check_fields(subject, named, { "value", "label" })
  for i, option in ipairs(fields) do
    if type(option) ~= "string" and type(option) ~= "number" then
      errors.raise("%s: entry %d must be a word or a number, got %s", subject, i, errors.type(option))
    end
    options[i] = option
  end
  if #options == 0 then errors.raise("%s: there is nothing to choose from", subject) end
  local function one_of(value)
    for _, option in ipairs(options) do
      if tostring(option) == tostring(value) then return option end
    end
  end
  local value = fields.value == nil and options[1] or fields.value
  local given = args.table[name]
  for _, one in ipairs { value, given } do
    if one_of(one) == nil then
      errors.raise("%s: must be one of %s, got '%s'", subject, table.concat(options, ", "), tostring(one))
    end
  end
  return one_of(add({ kind = "choice", name = name, options = options, value = value,
                      label = check_label("choice", name, fields.label) }, one_of))
end

--- bm.toggle("inertia", { value = true, label = "with inertia" }), or bm.toggle("inertia", true)
function explore.toggle(name, fields)
  check_name("toggle", name)
  if type(fields) == "boolean" then fields = { value = fields } end
  fields = fields or {}
  local subject = "toggle " .. name
  errors.check_fields(subject, fields, { "value", "label" })
  local given = args.table[name]
  for _, one in pairs { fields.value, given } do
    if type(one) ~= "boolean" then errors.raise("%s: must be true or false, got %s", subject, tostring(one)) end
  end
  return add({ kind = "toggle", name = name, value = fields.value or false,
               label = check_label("toggle", name, fields.label) }, function(text)
    if text == "true" or text == "false" then return text == "true" end
  end)
end

-- The number of places of an initial grid, for which paths are numbered; 1 without one.
local function grid(initial)
  local places = 1
  for _, law in pairs(type(initial) == "table" and initial or {}) do
    if type(law) == "table" and type(law.count) == "number" then places = places * law.count end
  end
  return places
end

--- The fields of a run with as many paths as this pass makes; themselves where those are all. Also whether they are
--- fewer, which for a target only the result knows.
function explore.of_this_pass(fields)
  local most = host.explore.most or math.huge
  local paths, fewer = fields.paths or default_paths, {}
  if type(paths) ~= "number" then return fields, false end
  for key, value in pairs(fields) do fewer[key] = value end
  fewer.output = nil -- it is downloaded from the page
  local all, made
  if fields.target or fields.tolerance then
    all = fields.limit or paths * (fields.target and limit_of_target or limit_of_tolerance)
    made = math.min(all, math.max(paths, most))
    if made < all then fewer.limit = made end
  elseif fields.model.shown.fields ~= nil then -- its paths are one system
    local replicas = fields.replicas or default_replicas
    fewer.replicas = math.min(replicas, math.max(fewest_replicas, math.floor(most / paths)))
    all, made = paths * replicas, paths * fewer.replicas
  else
    fewer.paths = math.min(paths, math.max(most, grid(fields.initial)))
    all, made = paths, fewer.paths
  end
  fewer.kernel_paths = paths -- the kernel of the ordinary run is compiled, and no other one
  explore.made_paths, explore.all_paths = math.max(explore.made_paths, made), math.max(explore.all_paths, all)
  return fewer, made < all
end

--- Notes that a result has fewer paths than the script asks for; where its target is reached, these are enough.
function explore.made_fewer(fields, made)
  explore.reduced = true
  local enough = fields.target ~= nil or fields.tolerance ~= nil
  for _, reached in ipairs(enough and made:column "reached" or {}) do enough = enough and reached == 1 end
  explore.enough = explore.enough ~= false and enough
end

--- Notes what the page is to warn of.
function explore.warn(texts)
  for _, text in ipairs(texts) do explore.warnings[#explore.warnings + 1] = text end
end

local function literal(value)
  if type(value) == "string" then return ("%q"):format(value):gsub("\\\n", "\\n") end
  return type(value) == "number" and json.text(value) or tostring(value)
end

--- The script with the present values, which -D still overrides. text: the script as it is.
function explore.script(text)
  local lines = { "-- Values set in bmsim explore; -D NAME=VALUE on the command line still sets others." }
  for _, one in ipairs(explore.controls) do
    if one.value ~= one.default then
      lines[#lines + 1] = ("do local set = require(\"bmsim\").args; if set.%s == nil then set.%s = %s end end"):format(
        one.name, one.name, (literal(one.value)))
    end
  end
  if #lines == 1 then return text end
  local first, rest = text:match "^(#![^\n]*\n)(.*)$"
  return (first or "") .. table.concat(lines, "\n") .. "\n" .. (rest or text)
end

-- A word for the shell.
local function shell(word)
  return word:find "^[%w_./=:,@%%+-]+$" and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

--- The command that makes an ordinary run with these values.
function explore.command()
  local words = { "bmsim" }
  for _, one in ipairs(explore.controls) do
    if one.value ~= one.default then
      local value = type(one.value) == "number" and json.text(one.value) or tostring(one.value)
      words[#words + 1] = "-D " .. shell(one.name .. "=" .. value)
    end
  end
  words[#words + 1] = shell(host.script or "script.lua")
  return table.concat(words, " ")
end

return explore
