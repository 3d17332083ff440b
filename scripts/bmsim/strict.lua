-- Strict globals: reading or making a global that was not there when the script began is an error.
local errors = require "bmsim.errors"
local undefined = require "bmsim.undefined"

-- A module that is nowhere: one line, with the nearest of those that are loaded.
local function no_module(name)
  local known = {}
  for _, modules in ipairs { package.loaded, package.preload } do
    for key in pairs(modules) do
      if key ~= "_G" and not key:find "^bmsim%." then known[#known + 1] = key end
    end
  end
  known[#known + 1] = "bmsim"
  table.sort(known)
  local hint = errors.suggest(name, known)
  if hint:find("known:", 1, true) then hint = "; package.path says where modules are looked for" end
  errors.raise("module '%s' not found%s", name, hint)
end

--- assignable: new globals may be made, as by what is loaded at the prompt.
return function(assignable)
  table.insert(package.loaders, no_module)
  setmetatable(_G, {
    __index = undefined(),
    __newindex = not assignable and function(_, name, value)
      local form = type(value) == "function" and "local function %s(...)" or "local %s = ..."
      name = tostring(name)
      errors.raise("assignment to global '%s': globals are closed, write %s", name, form:format(name))
    end or nil,
  })
end
