-- Completion at the prompt: what a name before the cursor may become. Nothing is called that a user has made: tables
-- are read without their metatables, but for what those of the library say, __names and the like.
local observables = require("bmsim.words").observables
local show = require "bmsim.show"

local keywords = "and break do else elseif end false for function goto if in local nil not or repeat return then " ..
  "true until while"

-- ---- where the cursor is ----

-- The end of a string or comment of long brackets that begins at i, "[==[": where it goes on behind; nil: it does not
-- end.
local function behind_long(text, i, level)
  local _, last = text:find("]" .. level .. "]", i, true)
  return last and last + 1
end

-- Brackets that are open at the end of the text, and, in a string, where that begins: its quote.
local function scan(text)
  local open, i = {}, 1
  while i <= #text do
    local c = text:sub(i, i)
    local level = text:match("^%[(=*)%[", i)
    local comment_level = text:match("^%-%-%[(=*)%[", i)
    if level or comment_level then
      local behind = behind_long(text, i, level or comment_level)
      if not behind then return open, nil, true end
      i = behind
    elseif text:find("^%-%-", i) then
      local line_end = text:find("\n", i, true)
      if not line_end then return open, nil, true end
      i = line_end + 1
    elseif c == '"' or c == "'" then
      local at = i
      repeat
        i = text:find("[\\" .. c .. "\n]", i + 1)
        local escaped = i and text:sub(i, i) == "\\"
        if escaped then i = i + 1 end
      until not i or (not escaped and i <= #text)
      if not i or i > #text then return open, at, false end
      i = i + 1
    else
      if c:find "[%(%[{]" then open[#open + 1] = i end
      if c:find "[%)%]}]" then open[#open] = nil end
      i = i + 1
    end
  end
  return open, nil, false
end

-- What stands before a bracket or a string: "bm.run" of `bm.run {`, of `bm.run({`, of `r:column "`; or the key of
-- `observe = {`.
local function callee_before(text)
  text = text:gsub("%s*%(?%s*$", "")
  return text:match "([%a_][%w_.:]*)$"
end
local function key_before(text) return text:match "([%a_][%w_]*)%s*=%s*{?%s*$" end

-- ---- what a name stands for ----

local function special(value, name)
  local metatable = debug.getmetatable(value)
  return type(metatable) == "table" and show.is_ours(metatable) and rawget(metatable, name) or nil
end

-- A field, without calling anything that is not the library's.
local function field(t, name)
  if type(t) ~= "table" then return nil end
  local value = rawget(t, name)
  local peek = special(t, "__peek")
  if value == nil and peek then value = peek(t, name) end
  return value
end

-- The value of "a.b.c"; its parent and last name. A name with ':' is looked up as with '.'.
local function resolve(path, variables)
  local value, parent, last
  for name in path:gmatch "[^.:]+" do
    parent, last = value, name
    if parent == nil and path:find("^" .. name) then
      value = rawget(variables, name)
      if value == nil then value = rawget(_G, name) end
    else
      value = field(parent, name)
    end
    if value == nil and not special(parent, "__fields") then return nil, parent, last end
  end
  return value, parent, last
end

local function add_keys(list, t, prefix, accept)
  for key, value in next, t do
    if type(key) == "string" and key:find "^[%a_][%w_]*$" and key:sub(1, #prefix) == prefix and
      (prefix ~= "" or key:sub(1, 1) ~= "_") and (not accept or accept(value)) then
      list[#list + 1] = key
    end
  end
end

local function add_names(list, names, prefix)
  for _, name in ipairs(names) do
    if name:sub(1, #prefix) == prefix then list[#list + 1] = name end
  end
end

-- The names of a table's fields; called: those that stand behind ':'.
local function add_fields(list, t, prefix, called, depth)
  if type(t) == "string" then return add_keys(list, string, prefix) end
  if type(t) ~= "table" and type(t) ~= "userdata" then return end
  local names = special(t, "__names")
  if names then return add_names(list, names(t, called), prefix) end
  if type(t) == "table" then
    add_keys(list, t, prefix, called and function(value) return type(value) == "function" end or nil)
  end
  local metatable = debug.getmetatable(t)
  local index = type(metatable) == "table" and rawget(metatable, "__index")
  if type(index) == "table" and (depth or 0) < 8 then add_fields(list, index, prefix, called, (depth or 0) + 1) end
end

-- The named fields that the function at a path takes.
local function fields_of(path, variables)
  local value, parent, last = resolve(path, variables)
  if value ~= nil then return show.fields(value) end
  local of = special(parent, "__fields")
  if not of then return nil end
  for _, name in ipairs(special(parent, "__names")(parent)) do
    if name == last then return of(last) end
  end
end

-- ---- the three places ----

local function in_string(list, text, at, open, variables)
  local prefix, before = text:sub(at + 1), text:sub(1, at - 1)
  local path = callee_before(before)
  local key = key_before(before)
  for i = #open, 1, -1 do
    local outside = text:sub(1, open[i] - 1)
    key = key or key_before(outside)
    path = path or callee_before(outside)
  end
  if key == "observe" then add_names(list, observables.names, prefix) end
  if path == "help" then
    add_fields(list, rawget(variables, "bm"), prefix)
    add_names(list, observables.names, prefix)
    for _, kind in ipairs { "noise", "potential", "drive" } do add_names(list, show.plugins(kind), prefix) end
  end
  local object, method = (path or ""):match "^(.*):([%a_][%w_]*)$"
  local words = object and special(resolve(object, variables), "__words")
  if words and method ~= "write" and method ~= "compare" then
    add_names(list, words(resolve(object, variables), method), prefix)
  end
  return #prefix
end

local function of_path(list, path, separator, prefix, variables)
  local value = resolve(path, variables)
  add_fields(list, value, prefix, separator == ":")
  return #prefix
end

local function of_name(list, text, open, prefix, variables)
  local last = open[#open]
  local before = text:sub(1, #text - #prefix)
  if last and text:sub(last, last) == "{" and before:find "[{,;]%s*$" then
    local path = callee_before(text:sub(1, last - 1))
    local fields = path and not key_before(text:sub(1, last - 1)) and fields_of(path, variables)
    if fields then
      add_names(list, fields, prefix)
      if #list > 0 then return #prefix end
    end
  end
  add_keys(list, variables, prefix)
  add_keys(list, _G, prefix)
  if prefix ~= "" then
    for word in keywords:gmatch "%a+" do
      if word:sub(1, #prefix) == prefix then list[#list + 1] = word end
    end
  end
  return #prefix
end

local function sorted(list)
  table.sort(list)
  local once = {}
  for _, name in ipairs(list) do
    if name ~= once[#once] then once[#once + 1] = name end
  end
  return once
end

--- before: the chunk up to the cursor. Returns how many bytes of a name are there, and the names, sorted.
local function complete(before, variables)
  local list, open, at, silent = {}, scan(before)
  if silent then return 0, {} end
  if at then
    local typed = in_string(list, before, at, open, variables)
    return typed, sorted(list)
  end
  local path, separator, prefix = before:match "([%a_][%w_.:]*)([.:])([%w_]*)$"
  if path and not path:find "[.:]$" then
    local typed = of_path(list, path, separator, prefix, variables)
    return typed, sorted(list)
  end
  local typed = of_name(list, before, open, before:match "[%a_][%w_]*$" or "", variables)
  return typed, sorted(list)
end

return setmetatable({ keywords = keywords }, { __call = function(_, ...) return complete(...) end })
