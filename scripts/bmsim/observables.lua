-- Observables with options: bm.observe.density { bins = 100 }, bm.observe.moments { times = { 1, 2, 5 } }.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"

local observables = {}
local Observable = {}

function observables.is(value) return type(value) == "table" and getmetatable(value) == Observable end

--- Asks a run for an observable.
function observables.add(run, one)
  local names, lists, counts = {}, {}, {}
  for _, name in ipairs(errors.sorted_keys(one.options)) do
    local list = one.options[name]
    names[#names + 1] = name
    lists[#lists + 1] = ffi.new("double[?]", math.max(1, #list), list)
    counts[#counts + 1] = #list
  end
  errors.check(C.bm_run_observe(run, one.observable, #names, ffi.new("const char*[?]", #names + 1, names),
    ffi.new("const double*[?]", #names + 1, lists), ffi.new("size_t[?]", #names + 1, counts)))
end

return setmetatable(observables, {
  __index = function(_, name)
    return function(options)
      local made = { observable = tostring(name), options = {} }
      local subject = "observe." .. made.observable
      if type(options) ~= "table" then errors.raise("%s: must be given a table of options, got %s", subject, type(options)) end
      for key, value in pairs(options) do
        if type(key) ~= "string" then errors.raise("%s: options are given by name, as in { bins = 100 }", subject) end
        local list = type(value) == "table" and value or { value }
        errors.check_list(subject .. ": " .. key, list)
        local copy = {}
        for i, number in ipairs(list) do copy[i] = errors.check_number(subject .. ": " .. key, number) end
        made.options[key] = copy
      end
      return setmetatable(made, Observable)
    end
  end,
})
