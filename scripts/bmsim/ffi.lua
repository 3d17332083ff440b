-- The C API (bmsim.h) as a table of functions. libbmsim declares itself. The program is linked to it; another host
-- names the library.
local ffi = require "ffi"
local file = require("bmsim.host").library
local library = file and ffi.load(file) or ffi.C

ffi.cdef "const char* bm_declarations(void);"
local declarations = ffi.string(library.bm_declarations())
ffi.cdef(declarations)

local C = {}

--- Raises if a text has a zero byte, where C would take it to end; returns it.
function C.checked(text)
  local at = text:find("\0", 1, true)
  if at then
    require("bmsim.errors").raise("a text must not have a zero byte, got one after '%s'",
      text:sub(math.max(1, at - 40), at - 1))
  end
  return text
end

--- A list of texts as an array of C strings.
function C.texts(list)
  for i = 1, #list do C.checked(list[i]) end
  return ffi.new("const char*[?]", #list + 1, list)
end

local takes_text = {}
for name, arguments in declarations:gmatch "(bm_[%w_]+)%s*(%b())" do
  takes_text[name] = arguments:find("char", 1, true) ~= nil
end

-- A function whose texts are checked. Not compiled by LuaJIT: some of these functions call back.
local function checking(call)
  local function checked(...)
    for i = 1, select("#", ...) do
      local one = select(i, ...)
      if type(one) == "string" then C.checked(one) end
    end
    return call(...)
  end
  jit.off(checked)
  return checked
end

return setmetatable(C, {
  __index = function(_, name)
    local found = library[name]
    C[name] = takes_text[name] and checking(found) or found
    return C[name]
  end,
})
