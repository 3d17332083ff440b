-- What the program does for the Lua library (core/app/lua_host.cc), for Python; and what Python asks of Lua, each a
-- function that Python calls protected.
local python, settings = ... -- functions of Python, none of which raises; texts and numbers
local ffi = require "ffi"

package.path = settings.lua .. "/?.lua;" .. settings.lua .. "/?/init.lua;" .. package.path
ffi.cdef "typedef struct bm_session bm_session;"

-- An error with the status that a program would exit with.
local Failure = { __tostring = function(self) return self.message end }
local function fail(status, text) error(setmetatable({ status = status, message = text }, Failure), 0) end

package.loaded["bmsim.host"] = {
  library = settings.library,
  session = settings.session,
  script = settings.script,
  dry_run = false,
  verbose = false,
  strict = settings.strict,
  args = settings.args,
  defined = {},
  check_interrupt = function()
    if python.interrupted() then fail(130, "interrupted") end
  end,
  run = function(command) return python.run(command) end,
}

-- What is printed goes where Python prints.
-- luacheck: push ignore 121 122
local function write_to(stream)
  return function(...)
    for i = 1, select("#", ...) do python.write(stream, tostring((select(i, ...)))) end
    return true
  end
end
local write, write_error = write_to "stdout", write_to "stderr"
io.write = write
function print(...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = tostring((select(i, ...))) end
  write(table.concat(texts, "\t"), "\n")
end
local function stream_of(to)
  return {
    write = function(self, ...)
      to(...)
      return self
    end,
    flush = function() end, setvbuf = function() end,
  }
end
io.stdout, io.stderr = stream_of(write), stream_of(write_error)
-- luacheck: pop

local bm
if not settings.script then bm = require "bmsim" end
local errors = require "bmsim.errors"
local to_python = {}

--- "status\nmessage" of any error.
function to_python.explain(failure)
  local status, text = 1, failure
  if type(failure) == "table" then
    status, text = rawget(failure, "status") or 1, rawget(failure, "message") or tostring(failure)
  end
  local args = package.loaded["bmsim.args"]
  text = tostring(text)
  if args then text = args.explain(text) end
  return status .. "\n" .. text
end

function to_python.field(name)
  local found = bm
  for part in name:gmatch "[^.]+" do found = found[part] end
  return found
end
function to_python.observables() return require("bmsim.words").observables.names end
function to_python.index(value, key) return value[key] end
function to_python.text(value) return tostring(value) end
function to_python.kind(value) return errors.type(value) end

--- The numbers in memory at this address as a list.
function to_python.list(address, count)
  local from, made = ffi.cast("const double*", ffi.cast("uintptr_t", address)), {}
  for i = 1, count do made[i] = from[i - 1] end
  return made
end

--- A function of Python, under its number, as one of Lua.
function to_python.callable(number)
  return function(...)
    local good, value = python.call(number, ...)
    if not good then errors.raise(value) end
    return value
  end
end

--- The address of a result in C, or nil.
function to_python.address(value)
  local result = package.loaded["bmsim.result"]
  if not (result and result.is(value)) then return nil end
  return tonumber(ffi.cast("uintptr_t", result.pointer(value)))
end

--- The axes that a sweep stands for: names and length of each.
function to_python.axes(sweep)
  local made = {}
  for i, axis in ipairs(require("bmsim.sweep").axes(sweep)) do
    made[i] = { names = { unpack(axis.names) }, length = axis.length }
  end
  return made
end

--- Runs a script; returns the results that it has made, in order.
function to_python.run(text, name, ...)
  require("bmsim.strict")(false)
  require("bmsim.result").keep()
  local script, why = loadstring(text, "@" .. name)
  if not script then error(why, 0) end
  jit.off(script, true) -- compiled loops run no hooks
  debug.sethook(function()
    if python.interrupted() then fail(130, "interrupted") end
  end, "", 100000)
  script(...)
  debug.sethook()
  require("bmsim.finish")()
  return require("bmsim.result").kept()
end

return to_python
