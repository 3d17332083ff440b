-- The words that the core declares: options of a run, and observables with theirs.
local ffi = require "ffi"
local C = require "bmsim.ffi"

local function text(value) return value ~= nil and ffi.string(value) or nil end

-- Of every option: its name, type, whether points may have it each their own, whether it takes words in place of
-- numbers; by number and by name.
local options = {}
for i = 0, tonumber(C.bm_option_count()) - 1 do
  local function property(key) return text(C.bm_option_property(i, key)) end
  if property "field" then
    local option = { name = property "name", type = property "type", per_point = property "per_point" ~= nil,
                     takes_words = property "words" ~= nil }
    options[#options + 1], options[option.name] = option, option
  end
end

-- Names of observables in order; by name a line about each, and the names of its options.
local observables = { names = {}, summaries = {}, options = {} }
for i = 0, tonumber(C.bm_observable_count()) - 1 do
  local name = text(C.bm_observable_property(i, "name"))
  observables.names[#observables.names + 1] = name
  observables.summaries[name] = text(C.bm_observable_property(i, "summary"))
  local list = {}
  for option in text(C.bm_observable_property(i, "options")):gmatch "%S+" do list[#list + 1] = option end
  observables.options[name] = list
end

return { options = options, observables = observables }
