-- Strict globals: reading or making a global that was not there when the script began is an error.
local errors = require "bmsim.errors"

--- assignable: new globals may be made, as at the prompt, where a local would not outlive its line.
return function(assignable)
  setmetatable(_G, {
    __index = function(_, name)
      local known = {}
      for key in pairs(_G) do
        if type(key) == "string" then known[#known + 1] = key end
      end
      table.sort(known)
      local hint = errors.suggest(name, known)
      if hint:find("known:", 1, true) then hint = "; declare it first: local " .. tostring(name) .. " = ..." end
      errors.raise("undefined global '%s'%s", tostring(name), hint)
    end,
    __newindex = not assignable and function(_, name, value)
      local form = type(value) == "function" and "local function %s(...)" or "local %s = ..."
      name = tostring(name)
      errors.raise("assignment to global '%s': globals are closed, write %s", name, form:format(name))
    end or nil,
  })
end
