-- Reading what is no global.
local errors = require "bmsim.errors"

--- An __index that finds globals, and raises for what is none. variables: those of the prompt, or nil.
return function(variables)
  return function(_, name)
    local value = rawget(_G, name)
    if value ~= nil then return value end
    local known = {}
    for _, t in ipairs { _G, variables } do
      for key in next, t do
        if type(key) == "string" then known[#known + 1] = key end
      end
    end
    table.sort(known)
    local hint = errors.suggest(name, known)
    if hint:find("known:", 1, true) then
      hint = ("; declare it first: %s%s = ..."):format(variables and "" or "local ", tostring(name))
    end
    errors.raise("undefined global '%s'%s", tostring(name), hint)
  end
end
