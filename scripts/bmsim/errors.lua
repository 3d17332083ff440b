-- Errors that name the line of the user's script, and the checks that raise them.
-- A wrong input is a string; a device error or an interruption is an object that carries the exit status.
local ffi = require "ffi"
local C = require "bmsim.ffi"

local errors = {}

local library = debug.getinfo(1, "S").source:match "^(@.*/)[^/]*$"

local Failure = {
  __tostring = function(self) return self.message end,
  __concat = function(a, b) return tostring(a) .. tostring(b) end,
}

--- "script.lua:12: ", from the innermost function that is neither C nor of this library; "" if there is none.
function errors.location()
  local level = 2
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return "" end
    local ours = info.source:sub(1, #library) == library
    if info.what ~= "C" and info.currentline > 0 and not ours then
      local name = info.source:match "^@(.*)$" or info.short_src
      return name .. ":" .. info.currentline .. ": "
    end
    level = level + 1
  end
end

function errors.raise(format, ...)
  local text = select("#", ...) > 0 and format:format(...) or format
  error(errors.location() .. text, 0)
end

--- Raises what the C API said, with the status that the program exits with.
function errors.raise_last(status)
  status = tonumber(status)
  local text = errors.location() .. ffi.string(C.bm_error())
  if status == C.BM_ERROR then error(text, 0) end
  error(setmetatable({ status = status, message = text }, Failure), 0)
end

--- Ends the script as an interrupt does.
function errors.interrupt(text)
  error(setmetatable({ status = tonumber(C.BM_INTERRUPTED), message = text }, Failure), 0)
end

function errors.check(status)
  if status ~= C.BM_OK then errors.raise_last(status) end
end

--- A pointer that the C API returned, or its error where it is null.
function errors.not_null(pointer)
  if pointer == nil then errors.raise_last(C.bm_last_status()) end
  return pointer
end

--- "; did you mean 'x'?" where one of the known names is near, or what is meant; else "; known: a, b, c". word: in
--- place of "known".
function errors.suggest(name, known, word)
  local names = {}
  for i, one in ipairs(known) do names[i] = tostring(one) end
  local nearest = ffi.string(C.bm_nearest_name(tostring(name), C.texts(names), #names))
  if nearest ~= "" then return "; did you mean '" .. nearest .. "'?" end
  return ("; %s: %s"):format(word or "known", #names > 0 and table.concat(names, ", ") or "none")
end

-- What the library makes, in words, by its metatable.
local kinds = setmetatable({}, { __mode = "k" })

--- Names what has this metatable, "a model", for messages.
function errors.name_kind(metatable, words) kinds[metatable] = words end

--- "a model", "table", "number": what messages call a value.
function errors.type(value)
  local metatable = type(value) == "table" and getmetatable(value)
  return metatable and kinds[metatable] or type(value)
end

--- What a message says that it got: "'abc'" of a short string, else the kind of the value.
function errors.got(value)
  local longest = 60
  return type(value) == "string" and #value <= longest and ("'%s'"):format(value) or errors.type(value)
end

local libraries = setmetatable({}, { __mode = "k" }) -- tables of functions: bm, bm.noise, ...

--- Notes a table of functions, which these get where they are called with a colon. Returns it.
function errors.library(t)
  libraries[t] = true
  return t
end

--- Raises if a function of the library, bm.noise.gaussian for the subject noise.gaussian, was called with a colon.
function errors.check_dot(subject, value)
  if value == nil or not libraries[value] then return end
  errors.raise("%s: must be called with a dot, bm.%s { ... }, got a call with a colon", subject, subject)
end

--- Raises unless `value` is a table that a script wrote, not one that the library made. words: "named fields".
function errors.check_table(subject, value, words)
  errors.check_dot(subject, value)
  local what = errors.type(value)
  if what ~= "table" then errors.raise("%s: must be given a table of %s, got %s", subject, words, what) end
end

function errors.sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

--- Raises if `fields` is no table or has a key that is not among `known` (an array of names). meant: what other words
--- for one of them mean, by the word.
function errors.check_fields(subject, fields, known, meant)
  errors.check_table(subject, fields, "named fields")
  local is_known = {}
  for _, name in ipairs(known) do is_known[name] = true end
  for _, key in ipairs(errors.sorted_keys(fields)) do
    if type(key) ~= "string" then
      errors.raise("%s: fields are given by name, as in { %s = ... }", subject, known[1] or "name")
    elseif not is_known[key] then
      local name = meant and meant[key]
      errors.raise("%s: unknown field '%s'%s", subject, key,
        name and ("; did you mean '%s'?"):format(name) or errors.suggest(key, known))
    end
  end
end

--- A finite number, or an error.
function errors.check_number(subject, value)
  if type(value) ~= "number" then errors.raise("%s must be a number, got %s", subject, errors.got(value)) end
  if value ~= value or math.abs(value) == math.huge then
    errors.raise("%s must be a finite number, got %s", subject, tostring(value))
  end
  return value
end

--- Raises unless `list` is a plain list: `{ a, nil, b }` is a misspelt local more often than what was meant.
function errors.check_list(subject, list)
  if errors.type(list) ~= "table" then errors.raise("%s: must be a list, got %s", subject, errors.type(list)) end
  local count, last, named = 0, 0, {}
  for key in pairs(list) do
    if type(key) ~= "number" then
      named[key] = true
    elseif key < 1 or key ~= math.floor(key) then
      errors.raise("%s: entries of a list are numbered 1, 2, ..., but one is number %g", subject, key)
    else
      count, last = count + 1, math.max(last, key)
    end
  end
  if next(named) ~= nil then
    errors.raise("%s: must be a list, but has a field '%s'", subject, tostring(errors.sorted_keys(named)[1]))
  end
  for i = 1, last > count and last or 0 do
    if list[i] == nil then errors.raise("%s: entry %d of the list is nil", subject, i) end
  end
end

--- Raises unless `name` is among the known ones.
function errors.check_key(subject, name, known)
  for _, one in ipairs(known) do
    if one == name then return end
  end
  errors.raise("%s: unknown variable '%s'%s", subject, tostring(name), errors.suggest(name, known))
end

--- Makes reading a field that `t` does not have an error.
function errors.strict(subject, t)
  return setmetatable(errors.library(t), {
    __index = function(_, key)
      errors.raise("%s: unknown field '%s'%s", subject, tostring(key), errors.suggest(key, errors.sorted_keys(t)))
    end,
  })
end

return errors
