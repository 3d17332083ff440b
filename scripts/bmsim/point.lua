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
  local function view(prefix)
    return setmetatable({}, {
      __index = function(_, name)
        name = prefix .. tostring(name)
        return components[name] and view(name .. ".") or read(name)
      end,
      __newindex = no_assignment,
    })
  end
  return view ""
end

return point
