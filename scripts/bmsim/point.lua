-- A point of a sweep as an object that functions read: p["poisson.D"], p.poisson.D, p.force.
local errors = require "bmsim.errors"
local show = require "bmsim.show"

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
  -- What print shows of it: "point 3: force = 1, velocity = 0.3".
  local function text(prefix)
    local parts = {}
    for _, name in ipairs(names) do
      if name:sub(1, #prefix) == prefix then
        local known, value = pcall(lookup, name)
        parts[#parts + 1] = ("%s = %s"):format(name:sub(#prefix + 1), known and show.value(value) or "not known")
      end
    end
    return show.wrapped(("%s: %s"):format(subject, table.concat(parts, ", ")), "    ")
  end
  local function view(prefix)
    return setmetatable({}, {
      __tostring = function() return text(prefix) end,
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
