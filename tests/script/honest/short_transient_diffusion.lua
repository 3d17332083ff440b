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
-- The same of a variable of a system.
local pair = bm.system { variables = { "x", "y" }, equations = { x = "cos(2*pi*x)", y = "-y" },
  noise = { x = bm.noise.gaussian { name = "one", D = 0.02 }, y = bm.noise.gaussian { name = "other", D = 0.2 } } }
local info = bm.run { model = pair, paths = 4096, time = 0.4, transient = 0, initial = { x = 0.25, y = 0 },
                      observe = bm.observe.diffusion { of = "x" } }.info
assert(info.transient_check:find("Var(dx)/(2 time): halves of the window differ most", 1, true), info.transient_check)
assert(table.concat(info.warnings or {}, "\n"):find("the start is still in the results", 1, true), "no warning")
