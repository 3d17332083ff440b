-- A script that cannot show or write a result goes on, since further runs may take hours: r:compare, r:plot, r:print,
-- r:write, bm.plot and bm.figure say what is wrong where it happens, and the exit status is 1 at the end. A script that
-- catches errors itself gets them.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local args = require "bmsim.args"
local host = require "bmsim.host"
local show = require "bmsim.show"

local goes_on = { kept = {} } -- kept: results that there were at a failure stay in memory until the end
local failed = 0
local runs_before -- results that there were at the first failure

local function results() return package.loaded["bmsim.result"] end
local function made() return results() and results().made() or 0 end

local function is_caught()
  local level = 2
  while true do
    local info = debug.getinfo(level, "f")
    if not info then return false end
    if info.func == pcall or info.func == xpcall then return true end
    level = level + 1
  end
end

-- An error that is an object ends the script: an interruption, or a device that failed.
local function note(message)
  if type(message) ~= "string" then error(message, 0) end
  io.stdout:flush()
  if C.bm_world_rank() == 0 then io.stderr:write(ffi.string(C.bm_printable(args.explain(message))), "\n") end
  failed, runs_before = failed + 1, runs_before or made()
  for value in pairs(results().alive()) do goes_on.kept[value] = true end
end

local function with_traceback(message) return type(message) == "string" and debug.traceback(message, 3) or message end
local function as_it_is(message) return message end

--- The same function, after whose errors a script goes on. It then returns its first argument, as r:plot { } does.
function goes_on.wrap(f)
  local function wrapped(first, ...)
    if not host.goes_on or made() == 0 or is_caught() then return f(first, ...) end
    local outcome = { xpcall(f, host.traceback and with_traceback or as_it_is, first, ...) }
    if outcome[1] then return unpack(outcome, 2, table.maxn(outcome)) end
    note(outcome[2])
    return first
  end
  return show.takes(wrapped, show.fields(f))
end

--- Whether anything has failed; and what to say of it at the end of a script that has gone on for long.
function goes_on.failed()
  if failed == 0 then return false end
  return true, made() > runs_before and ("%s: it went on after %d error%s, which %s above"):format(host.script, failed,
    failed == 1 and "" or "s", failed == 1 and "stands" or "stand") or nil
end

return goes_on
