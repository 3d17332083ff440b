-- What the library warns of: a line on stderr; with --strict an error.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local host = require "bmsim.host"

local warnings = {}

--- Says all of a list of texts; with --strict they are one error.
function warnings.say(texts)
  if #texts == 0 then return end
  if host.explore then return require("bmsim.explore").warn(texts) end
  if host.strict then error(table.concat(texts, "\n"), 0) end
  for _, text in ipairs(texts) do io.stderr:write("bmsim: ", ffi.string(C.bm_printable(text)), "\n") end
end

return warnings
