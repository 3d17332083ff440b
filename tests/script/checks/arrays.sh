# Arrays of observables: names, dimensions, values; and what cannot be observed.
cat > arrays.lua <<'SCRIPT'
local bm = require "bmsim"
local model = bm.underdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { T = 0.5 },
                               drive = bm.drive.cosine {} }
local r = bm.run {
  model = model, sweep = { "force", { 0, 1 } }, paths = 64, dt = 0.02, time = 20, device = "cpu",
  observe = { "velocity", "kinetic_energy", bm.observe.density { bins = 10, count = 5 },
              bm.observe.paths { paths = 2, times = { 1, 2, 5 } } },
}
print(table.concat(r:arrays(), " "))
local p = r:array "density"
print(p.dims[1].name, p.shape[1], #p.values, #p.values[2], p.unit)
local sum = 0
for _, value in ipairs(p.values[2]) do sum = sum + value / 10 end
print(("%.6f"):format(sum))
local x = r:array "paths_x"
print(x.dims[1].name, x.dims[2].name, x.shape[1], x.shape[2], x.dims[2].values[3])
local function try(f) print((select(2, pcall(f)):gsub("^[^:]*:%d+: ", ""))) end
local function run(observe, of)
  return function() bm.run { model = of or model, paths = 64, dt = 0.02, time = 20, observe = observe } end
end
try(function() r:array "densiti" end)
try(run(bm.observe.density { bin = 10 }))
try(run(bm.observe.density { bins = 10.5 }))
try(run(bm.observe.moments { times = { 1, 30 } }))
try(run(bm.observe.moments { times = { 2, 1 } }))
try(run(bm.observe.paths { paths = 65 }))
try(run(bm.observe.density {}, bm.overdamped { potential = bm.potential.harmonic {} }))
try(run(bm.observe.correlation {}, bm.overdamped {}))
try(run(bm.observe.stroboscope {}, bm.overdamped {}))
try(run { "velocity", "velocity" })
-- The default time between samples is 0.1, or dt if that is longer.
local coarse = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, paths = 64, dt = 0.19, time = 300,
  observe = { "spectrum", bm.observe.correlation { of = "position" } },
}
print(("%.4g %.4g"):format(coarse:array("spectrum").dims[1].values[2] * 256 * 0.19,
                           coarse:array("correlation").dims[1].values[2] / 0.19))
SCRIPT
"$bmsim" --quiet arrays.lua > stdout 2>&1 || fail "exit status $?"
diff -u - stdout <<'EXPECTED' || fail "not what was expected"
density density_err paths_time paths_x paths_v
position	10	2	10	1/length
1.000000
path	time	2	3	5
result: unknown array 'densiti'; did you mean 'density'?
observe.density: unknown option 'bin'; did you mean 'bins'?
observe.density: bins must be a whole number, got 10.5
observe.moments: times must be within the run, which lasts 20, got 30
observe.moments: times must ascend, got 1 after 2
observe.paths: paths must be at most those of the run, 64, got 65
observe.density: the potential must be periodic, or range given, the lowest and the highest x
observe.correlation: of = "velocity" is for underdamped models; the model is overdamped
observe.stroboscope: the model must have a drive
observe: 'velocity' is asked for twice
1 1
EXPECTED
