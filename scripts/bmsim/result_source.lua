-- What plot.lua is shown of a result, and the parameters between the points of its sweep.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local sweep = require "bmsim.sweep"

-- The parameters where one of the swept ones has other values, and the others those of this row.
local function parameters_elsewhere(self, mine)
  return function(swept, values, row)
    local columns = {}
    for _, axis in ipairs(mine.sweep) do
      for _, name in ipairs(axis.names) do
        local column, value = values, name ~= swept and self:column(name)[row]
        if value then
          column = {}
          for i = 1, #values do column[i] = value end
        end
        columns[#columns + 1] = { name, column }
      end
    end
    local handle = mine.elsewhere(sweep.zip(columns))
    local function column(name)
      local raw_values, known, any = C.bm_result_column(handle, name), {}, false
      for i = 1, raw_values ~= nil and #values or 0 do
        known[i] = raw_values[i - 1]
        any = any or known[i] == known[i]
      end
      return any and known or nil -- of what would be measured all are nan
    end
    return { column = column, pointer = handle }
  end
end

--- self: a result; mine: its handle, components, sweep, laws, and what else result.lua keeps apart.
return function(self, mine)
  return {
    dry = mine.dry, label = mine.fields.info.label, called = "simulation",
    components = mine.components, sweep = mine.sweep,
    column = function(name) return self:column(name) end,
    optional_column = function(name)
      return C.bm_result_column(mine.pointer, name) ~= nil and self:column(name) or nil
    end,
    columns = function() return self:columns() end,
    array = function(name)
      for _, known in ipairs(self:arrays()) do
        if known == name then return self:array(name) end
      end
    end,
    arrays = function() return self:arrays() end,
    property = function(name, key)
      return ffi.string(errors.not_null(C.bm_result_column_property(mine.pointer, name, key)))
    end,
    rows = function() return self:rows() end,
    law = function(name) return mine.laws[name] end,
    elsewhere = parameters_elsewhere(self, mine),
    save = function(file) errors.check(C.bm_result_write(mine.pointer, file)) end,
  }
end
