-- Nothing flows, but paths that begin at one place of a deep well have not yet spread within it.
local bm = require "bmsim"
local deep = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.2 } }
local function run(time, transient)
  return bm.run { model = deep, paths = 4096, time = time, transient = transient, initial = { x = -0.25 },
                  observe = { "velocity", "diffusion" } }
end
local short = run(1, 0)
local _, exact = bm.theory.stratonovich { model = deep }
assert(short:column "diffusion"[1] > 5 * exact, "the start is not seen in this run")
local text = table.concat(short.info.warnings or {}, "\n")
assert(text:find("the start is still in the results: Var(dx)/(2 time) = ", 1, true), text)
assert(short.info.transient_check:find("Var(dx)/(2 time): halves of the window differ most", 1, true),
       short.info.transient_check)
assert(#(run(100, 0.5).info.warnings or {}) == 0, "a warning where the start is forgotten")
