-- What is said when a script has ended: of arguments that nothing has read, and of results that nothing was done with.
-- The end of a script of which a run was interrupted is an error.
local args = require "bmsim.args"
local errors = require "bmsim.errors"
local goes_on = require "bmsim.goes_on"
local host = require "bmsim.host"
local warnings = require "bmsim.warnings"

local function unused_results()
  local result = package.loaded["bmsim.result"]
  if not result or result.made() == 0 or result.any_used() or goes_on.failed() then return {} end
  return { ("%s: nothing was done with what %d run%s gave: r:print(), r:write(file), or output = in bm.run"):format(
    host.script, result.made(), result.made() == 1 and "" or "s") }
end

--- Returns whether something could not be shown or written.
return function()
  local texts = args.unread()
  local failed, reminder = goes_on.failed()
  texts[#texts + 1] = reminder
  for _, text in ipairs(unused_results()) do texts[#texts + 1] = text end
  warnings.say(texts)
  local result = package.loaded["bmsim.result"]
  if result and result.any_incomplete() then
    errors.interrupt "interrupted: the script has ended without some points"
  end
  return failed
end
