-- A point of a sweep as an object that functions read: p["poisson.D"], p.poisson.D, p.force.
local errors = require "bmsim.errors"

local point = {}

--- lookup(name) -> value, or nil where there is none. components: a set of the names that may stand before a dot.
--- subject: what messages begin with; names: what they suggest.
function point.new(subject, names, components, lookup)
  local function read(name)
    local value = lookup(name)
    if value == nil then errors.raise("%s: '%s' has no value here%s", subject, name, errors.suggest(name, names)) end
    return value
  end
  local function no_assignment(_, name) errors.raise("%s: '%s' cannot be set", subject, tostring(name)) end
  return setmetatable({}, {
    __index = function(_, name)
      name = tostring(name)
      if not components[name] then return read(name) end
      return setmetatable({}, {
        __index = function(_, parameter) return read(name .. "." .. tostring(parameter)) end,
        __newindex = no_assignment,
      })
    end,
    __newindex = no_assignment,
  })
end

return point
