-- Method exact with thermal noise, which walks over the edges of a piecewise-linear potential: its rate beside that of
-- heun at spp 400, in the founding paper's particle with Gaussian noise; then velocities of random models of its class
-- against the stationary master equation.
--   bmsim walk.lua   minutes on a GPU; -D paths=N -D models=N: quick
--   bmsim -D part=K -D parts=N walk.lua   every N-th of the random models alone, from the K-th, K = 0, 1, ...
--   bmsim -D fig3a=true walk.lua   Fig. 3a with D_G = 0.1 alone, to be timed as a whole program
--   bmsim -D errors=true walk.lua   standard errors of the velocity, with and without the control variate
local bm = require "bmsim"
io.stdout:setvbuf "line"
local paths = bm.args.paths or 1048576
local few = paths < 10000
local models = bm.args.models or few and 4 or 200

local function print_rates()
  print "| D_G | a | D | 10^9 events/s | heun, 10^9 events/s | ratio | velocity | exact | z |"
  print "|---|---|---|---|---|---|---|---|---|"
  for _, c in ipairs { { 0.1, 2.5, 1 }, { 0.05, 1.5, 0.5 }, { 0.5, 2.5, 3 }, { 0.02, 2.5, 0.5 }, { 0.001, 2.5, 1 } } do
    local model = bm.overdamped {
      potential = bm.potential.piecewise_linear {},
      noise = { bm.noise.gaussian { D = c[1] }, bm.noise.poisson { a = c[2], D = c[3] } },
    }
    local function run(number, periods, method)
      local r = bm.run { model = model, paths = number, periods = periods, method = method, check_step = false,
                         check_transient = false, spp = method == "heun" and 400 or nil }
      return r, number * periods / tonumber(r.info.device_seconds or r.info.seconds)
    end
    local r, rate = run(paths, few and 20 or 20000, "exact")
    local _, steps = run(math.ceil(paths / 4), few and 2 or 1000, "heun")
    local v, err, exact = r:column "velocity"[1], r:column "velocity_err"[1], bm.theory.master { model = model }
    print(("| %g | %g | %g | %.4g | %.3g | %.1f | %.6f ± %.6f | %.6f | %.1f |"):format(
      c[1], c[2], c[3], rate / 1e9, steps / 1e9, rate / steps, v, err, exact, (v - exact) / err))
  end
end

if bm.args.fig3a then
  local motor = bm.overdamped {
    potential = bm.potential.piecewise_linear {},
    noise = { bm.noise.poisson { D = 1, a = 2.5 }, bm.noise.gaussian { D = 0.1 } },
  }
  local r = bm.run { model = motor, sweep = { "poisson.D", bm.logspace(0.1, 10, 100) }, paths = bm.args.paths or 16384,
                     periods = 6000 }
  local most = 0
  for p in r:rows() do most = math.max(most, p.velocity_err) end
  print(("%s: largest standard error %.5f, %.3f s of the run"):format(r.info.method, most, r.info.seconds))
  return
end

if bm.args.errors then
  print "| D_G | D | velocity | error of a mean displacement | error of the run | ratio |\n|---|---|---|---|---|---|"
  for _, c in ipairs { { 0, 0.1 }, { 0, 1 }, { 0, 10 }, { 0.01, 1 }, { 0.1, 1 }, { 1, 1 }, { 10, 1 }, { 100, 1 } } do
    local noise = { bm.noise.poisson { D = c[2], a = 2.5 }, c[1] > 0 and bm.noise.gaussian { D = c[1] } or nil }
    local motor = bm.overdamped { potential = bm.potential.piecewise_linear {}, force = 0.3, noise = noise }
    local number, time = 4096, 100
    local r = bm.run { model = motor, paths = number, time = time, transient = 0.5, method = "exact",
                       observe = { "velocity", "diffusion" } }
    local v, err = r:column "velocity"[1], r:column "velocity_err"[1]
    local plain = math.sqrt(2 * r:column "diffusion"[1] / (time / 2) / number)
    print(("| %g | %g | %.5f | %.2g | %.2g | %.3g |"):format(c[1], c[2], v, plain, err, plain / err))
  end
  return
end

if not bm.args.parts then print_rates() end

-- Three to nine nodes, D_G from 10^-4 to 100, a force, and any of three noises with events, of which the dichotomous
-- one may modulate V. Kicks of other laws than the exponential one have no exact result at small D_G, and a slow one
-- with other noises: there they are alone. The error is 0.05 % of the velocity, or 5e-5.
local state = 12345
local function random(low, high) -- Park and Miller's generator
  state = state * 48271 % 2147483647
  return low + (high - low) * state / 2147483647
end
local laws = { "exponential", "exponential", "constant", "gaussian", "two_sided", "uniform" }
local number, squares, largest, reached, locked = 0, 0, 0, 0, 0
if models > 0 then print "\n| nodes | kinds | law | D_G | velocity | exact | z |\n|---|---|---|---|---|---|---|" end
for set = 1, models do
  local nodes, x, V = 3 + set % 7, {}, {}
  for i = 1, nodes do x[i], V[i] = (i - 1 + random(0.1, 0.9)) / nodes, random(0, 1) end
  local kinds, law = math.floor(random(0, 8)), laws[1 + math.floor(random(0, 6))]
  if kinds ~= 1 then law = laws[1] end
  local D = 10 ^ (law == "exponential" and random(-4, 2) or random(-1, 1))
  local noise = { bm.noise.gaussian { D = D } }
  if kinds % 2 == 1 then
    table.insert(noise, bm.noise.poisson { lambda = random(0.5, 8), zeta = random(0.05, 0.4), law = law,
                                           sigma = law == "gaussian" and random(0.05, 0.3) or nil })
  end
  if math.floor(kinds / 2) % 2 == 1 then
    local flashes = random(0, 1) < 0.5
    local height = flashes and 1 or 3
    table.insert(noise, bm.noise.dichotomous { Fa = height * random(0.3, 1), Fb = height * random(0.3, 1),
                                               tau = random(0.1, 1), modulate = flashes and "potential" or nil })
  end
  if kinds >= 4 then
    table.insert(noise, bm.noise.three_state { F = random(0.5, 2), q = random(0.1, 0.45), nu = random(0.5, 5) })
  end
  local model = bm.overdamped {
    potential = bm.potential.piecewise_linear { L = 1, V0 = random(0.2, 1), x = x, V = V },
    force = random(-1, 1), noise = noise,
  }
  if set % (bm.args.parts or 1) == (bm.args.part or 0) then
    local limit = few and paths or 2 ^ 25
    local r = bm.run { model = model, paths = math.ceil(paths / 8), time = few and 20 or 100 + 300 / D ^ 0.5,
                       transient = 0.5, method = "exact", check_transient = false,
                       target = { velocity = { rel = 0.0005, abs = 5e-5 } }, limit = limit }
    local exact, err = bm.theory.master { model = model }, r:column "velocity_err"[1]
    local z = (r:column "velocity"[1] - exact) / err
    if math.abs(exact) < 1e-6 then -- what moves is still the start
      locked = locked + 1
    else
      number, squares, largest = number + 1, squares + z * z, math.max(largest, math.abs(z))
      reached = reached + (err <= math.max(0.0005 * math.abs(exact), 5e-5) * 1.02 and 1 or 0)
    end
    print(("| %d | %d | %s | %.3g | %.6f ± %.6f | %.6f | %.1f |"):format(
      nodes, kinds, law, D, r:column "velocity"[1], err, exact, z))
  end
end
if models == 0 then return end
print(("\n%d random models and %d that are locked; largest |z| %.1f, rms z %.2f; %d have the error asked for"):format(
  number, locked, largest, math.sqrt(squares / math.max(number, 1)), reached))
