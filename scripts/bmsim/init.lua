-- The Lua library of bmsim: ensembles of Langevin equations over the C API. local bm = require "bmsim"
local ffi = require "ffi"
local C = require "bmsim.ffi"
local component = require "bmsim.component"
local errors = require "bmsim.errors"
local goes_on = require "bmsim.goes_on"
local sweep = require "bmsim.sweep"

return errors.strict("bm", {
  version = ffi.string(C.bm_version()),
  args = require("bmsim.args").table, -- of -D key=value and --params; a key that is not there is nil
  potential = component.kind "potential",
  noise = component.kind "noise",
  drive = component.kind "drive",
  overdamped = require("bmsim.model").overdamped,
  underdamped = require("bmsim.model").underdamped,
  system = require "bmsim.system",
  slider = require("bmsim.explore").slider, -- values that `bmsim explore` shows as controls
  choice = require("bmsim.explore").choice,
  toggle = require("bmsim.explore").toggle,
  show = require "bmsim.explore_show",
  formula = require("bmsim.formula").new,
  event = require "bmsim.event",
  observe = require "bmsim.observables",
  run = require "bmsim.run",
  plot = goes_on.wrap(require "bmsim.plot_columns"),
  figure = goes_on.wrap(require "bmsim.figure"),
  linspace = sweep.linspace,
  logspace = sweep.logspace,
  zip = sweep.zip,
  theory = require("bmsim.theory").public,
})
