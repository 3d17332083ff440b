-- bm.args: what -D and --params say, in tables that notice which of their keys are read.
local errors = require "bmsim.errors"
local host = require "bmsim.host"

local args = {}

local read = {}                               -- "noise.D" -> true, of all keys asked for, given or not
local words = {}                              -- "noise.D" -> "'x'", of those that were given and are no number
local given = setmetatable({}, { __mode = "k" }) -- noticing table -> what was given

local function is_map(value)
  return type(value) == "table" and type((next(value))) == "string"
end

-- A table that has a key once it was read.
local function noticing(values, path)
  local made = {}
  given[made] = values
  return setmetatable(made, {
    __index = function(self, key)
      local name = path .. tostring(key)
      read[name] = true
      local value = values[key]
      if value ~= nil and type(value) ~= "number" then
        words[name] = type(value) == "string" and "'" .. value .. "'" or errors.type(value) ~= "table" and
          tostring(value) or "a table"
      end
      if is_map(value) then value = noticing(value, name .. ".") end
      if value ~= nil then rawset(self, key, value) end
      return value
    end,
  })
end

-- Who goes over all keys reads them all.
local function fill(t)
  for key in next, given[t] do local _ = t[key] end
  given[t] = nil
end

local function notice_iteration()
  local plain_next, plain_pairs = next, pairs
  function _G.pairs(t)
    if given[t] then fill(t) end
    return plain_pairs(t)
  end
  function _G.next(t, key)
    if given[t] then fill(t) end
    return plain_next(t, key)
  end
end

args.table = noticing(host.args, "")
if next(host.args) ~= nil then notice_iteration() end

--- The message of an error; where a number was needed, with what bm.args gave that no number is.
function args.explain(message)
  local computes = message:find "attempt to perform arithmetic on" or message:find "attempt to compare"
  local needs = message:find "must be a number" and not message:find("-D", 1, true)
  if not (computes or needs) then return message end
  local list = {}
  for _, name in ipairs(errors.sorted_keys(words)) do
    if computes or message:find("got " .. words[name], 1, true) then list[#list + 1] = name .. " = " .. words[name] end
  end
  return #list == 0 and message or ("%s; given by -D or --params, and no numbers: %s"):format(message,
    table.concat(list, ", "))
end

local function add_unread(values, path, list)
  for _, key in ipairs(errors.sorted_keys(values)) do
    local name, value = path .. tostring(key), values[key]
    if is_map(value) then
      add_unread(value, name .. ".", list)
    elseif not read[name] then
      list[#list + 1] = name
    end
  end
end

--- A line for every key that was given and never read.
function args.unread()
  local names, lines = {}, {}
  add_unread(host.args, "", names)
  for i, name in ipairs(names) do
    local option = host.defined[name] and "-D" or "--params"
    lines[i] = ("%s: no line of the script has read '%s'%s"):format(option, name,
      errors.suggest(name, errors.sorted_keys(read), "read"))
  end
  return lines
end

return args
