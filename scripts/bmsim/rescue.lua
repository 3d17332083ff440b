-- After an error of the script: results that are in no file are kept in new ones, if their runs took a while.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local host = require "bmsim.host"

local least = 10 -- s; a script that is being written fails sooner, and often

--- What was kept where, in one line; nil if nothing was.
return function()
  local result = package.loaded["bmsim.result"]
  local all, seconds = {}, 0
  if result then all, seconds = result.unwritten() end
  if #all == 0 or seconds < least then return nil end
  local file, places = host.script:match "[^/]*$":gsub("%.lua$", "") .. ".kept.nc", {}
  for i, one in ipairs(all) do
    local names = C.bm_result_keep(one, file)
    places[i] = ffi.string(names ~= nil and names or C.bm_error())
  end
  return ("bmsim: results of this script that were in no file are kept in %s"):format(table.concat(places, ", "))
end
