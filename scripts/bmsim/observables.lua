-- Observables with options: bm.observe.density { bins = 100 }, bm.observe.moments { times = { 1, 2, 5 } }.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local show = require "bmsim.show"
local known = require("bmsim.words").observables

local observables = {}
local Observable = {}
errors.name_kind(Observable, "an observable")

-- "density: p(x mod L), or p(x) over a range; bins = 100, range = {-1, 1}".
show.as(Observable, function(self)
  local options = {}
  for i, name in ipairs(errors.sorted_keys(self.options)) do
    local value = self.options[name]
    if type(value) == "table" and #value == 1 then value = value[1] end
    options[i] = ("%s = %s"):format(name, show.value(value))
  end
  local text = ("observable %s: %s%s"):format(self.observable, known.summaries[self.observable] or "not known",
    #options > 0 and "; " .. table.concat(options, ", ") or "")
  return show.wrapped(text, "    ")
end)

function observables.is(value) return type(value) == "table" and getmetatable(value) == Observable end

--- Asks a run for an observable.
function observables.add(run, one)
  local names = errors.sorted_keys(one.options)
  local lists, counts = {}, ffi.new("size_t[?]", #names + 1)
  local values, words = ffi.new("const double*[?]", #names + 1), ffi.new("const char*[?]", #names + 1)
  for i, name in ipairs(names) do
    local option = one.options[name]
    if type(option) == "string" then
      words[i - 1] = C.checked(option)
    else
      lists[i] = ffi.new("double[?]", math.max(1, #option), option)
      values[i - 1], counts[i - 1] = lists[i], #option
    end
  end
  errors.check(C.bm_run_observe(run, one.observable, #names, C.texts(names), values,
    counts, words))
end

-- A word, or a list of numbers, of which true and false are 1 and 0. A list of words is one word, with commas.
local function option(subject, value)
  if type(value) == "string" then return value end
  if type(value) == "boolean" then return { value and 1 or 0 } end
  local list, copy = type(value) == "table" and value or { value }, {}
  errors.check_list(subject, list)
  if type(list[1]) == "string" then
    for _, word in ipairs(list) do
      if type(word) ~= "string" then errors.raise("%s: must be words, got %s", subject, errors.type(word)) end
    end
    return table.concat(list, ",")
  end
  for i, number in ipairs(list) do copy[i] = errors.check_number(subject, number) end
  return copy
end

return setmetatable(errors.library(observables), show.ours {
  __names = function() return known.names end,
  __fields = function(name) return known.options[name] end,
  __tostring = function()
    local lines = {}
    for i, name in ipairs(known.names) do lines[i] = ("%-24s %s"):format(name, known.summaries[name]) end
    return "bm.observe:\n  " .. table.concat(lines, "\n  ")
  end,
  __index = function(_, name)
    return function(options)
      local made = { observable = tostring(name), options = {} }
      local subject = "observe." .. made.observable
      errors.check_table(subject, options, "options")
      for key, value in pairs(options) do
        if type(key) ~= "string" then errors.raise("%s: options are given by name, as in { bins = 100 }", subject) end
        -- range = { x = { -1, 1 } } is the option "range.x".
        local inner = type(value) == "table" and not observables.is(value) and #value == 0 and value or {}
        for part, numbers in pairs(inner) do
          made.options[key .. "." .. tostring(part)] = option(("%s: %s.%s"):format(subject, key, part), numbers)
        end
        if next(inner) == nil then made.options[key] = option(subject .. ": " .. key, value) end
      end
      return setmetatable(made, Observable)
    end
  end,
})
