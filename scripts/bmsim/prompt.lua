-- What the prompt does in Lua: runs a chunk in an environment of its own, shows what it gives, completes names.
local bm = require "bmsim"
local complete = require "bmsim.complete"
local errors = require "bmsim.errors"
local show = require "bmsim.show"
local undefined = require "bmsim.undefined"

local prompt = {}

-- Variables of the prompt hide globals, as `error = r:column "velocity_err"` does, and the library keeps its own.
local variables = { bm = bm }
setmetatable(variables, { __index = undefined(variables) })

-- help comes with the reference; without it, where the documentation is.
local library = debug.getinfo(1, "S").source:match "^@(.*)/bmsim/[^/]*$"
if package.searchpath("bmsim.help", library .. "/?.lua") then
  variables.help = require "bmsim.help"
else
  function variables.help()
    print "The documentation is in the folder docs of bmsim's source; bmsim plugin describe NAME explains a plugin."
  end
end

-- "bm.run" for what is found there.
local function name_of(f)
  for prefix, t in pairs { ["bm."] = bm, ["bm.theory."] = bm.theory, ["bm.event."] = bm.event } do
    for name, value in pairs(t) do
      if value == f then return prefix .. name end
    end
  end
end

local function has_text(value)
  local metatable = debug.getmetatable(value)
  return type(metatable) == "table" and rawget(metatable, "__tostring") ~= nil
end

local keywords = {}
for word in complete.keywords:gmatch "%a+" do keywords[word] = true end

local function key_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" and not keywords[key] then return key end
  return ("[%s]"):format(type(key) == "string" and ("%q"):format(key) or tostring(key))
end

-- A value within a table, or by itself.
local function inner_text(value, depth)
  if type(value) == "string" then return ("%q"):format(value) end
  if type(value) == "function" then return name_of(value) or "function" end
  if type(value) == "number" then return show.value(value) end
  if type(value) ~= "table" then return tostring(value) end
  if has_text(value) then return (tostring(value):match "^[^\n]*":gsub(":$", "")) end
  if depth > 2 then return "{...}" end
  local most, parts, seen, more = 20, {}, {}, 0
  for i = 1, #value do
    seen[i] = true
    if i <= most then parts[i] = inner_text(rawget(value, i), depth + 1) else more = more + 1 end
  end
  for _, key in ipairs(errors.sorted_keys(value)) do
    if not seen[key] and #parts < most then
      parts[#parts + 1] = ("%s = %s"):format(key_text(key), inner_text(rawget(value, key), depth + 1))
    elseif not seen[key] then
      more = more + 1
    end
  end
  if more > 0 then parts[#parts + 1] = ("... and %d more"):format(more) end
  return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
end

local function library_text()
  local functions, tables = {}, {}
  for _, name in ipairs(errors.sorted_keys(bm)) do
    local list = type(bm[name]) == "function" and functions or type(bm[name]) == "table" and tables or {}
    list[#list + 1] = "bm." .. name
  end
  return show.wrapped(("bmsim %s, functions %s; tables %s"):format(bm.version, table.concat(functions, ", "),
    table.concat(tables, ", ")), "  ")
end

local function text(value)
  if value == bm then return library_text() end
  if value == variables.help then return "help(bm.run) explains a function, help \"density\" a name" end
  if type(value) == "function" then
    local name = name_of(value)
    return name and ("function %s: help(%s) explains it"):format(name, name) or tostring(value)
  end
  if type(value) == "table" and not has_text(value) then return show.wrapped(inner_text(value, 1), "  ") end
  return tostring(value)
end

local function display(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if value == nil or value ~= show.told() then texts[#texts + 1] = text(value) end
  end
  if #texts > 0 then print(table.concat(texts, "\t")) end
  if select("#", ...) > 0 and (...) ~= nil then rawset(variables, "_", (...)) end
end

--- Runs a compiled chunk and prints its values; the first of them is `_` from then on.
function prompt.run(chunk)
  show.tell(nil)
  display(setfenv(chunk, variables)())
end

--- How many bytes before the cursor are typed of a name, and the names that it may become. before: the chunk's lines up
--- to the cursor.
function prompt.complete(before) return complete(before, variables) end

return prompt
