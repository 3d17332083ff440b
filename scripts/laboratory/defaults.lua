-- Models with parameters drawn at random, run with every default: neither dt nor spp is given. Each is compared with an
-- independent reference: a master equation or a continued fraction where there is one, else a run to a tolerance of 0.3
-- %. A model passes if it is within 4 standard errors or 2 %, or if there is a warning. Ends with status 1 if one does
-- not pass.
local bm = require "bmsim"
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local report = require "report"
local noise, potential, drive = bm.noise, bm.potential, bm.drive

local sets = tonumber(bm.args.sets) or 4    -- of parameters for each model
local paths = tonumber(bm.args.paths) or 512
local only = bm.args.only or ""
math.randomseed(tonumber(bm.args.seed) or 1)

local function between(a, b) return a * (b / a) ^ math.random() end

-- What a set has: V0 from 0.1 to 50, L from 0.01 to 100, the forces and the temperature of the barrier's size, noises
-- fast and slow against the relaxation in the potential.
local function draw()
  local p = { V0 = between(0.1, 50), L = between(0.01, 100) }
  p.slope = 2 * math.pi * p.V0 / p.L                 -- of a sine
  p.F = p.slope * between(0.2, 2)
  p.D = p.V0 * between(0.15, 3)
  p.relax = p.L ^ 2 / (4 * math.pi ^ 2 * p.V0)       -- 1/V''
  p.tau = p.relax * between(0.02, 20)                -- of noises and drives
  p.A = p.slope * between(0.3, 1.5)                  -- of noises and drives as forces
  p.gamma = between(0.1, 3) / p.relax                -- underdamped: see there
  p.damping = between(0.01, 1000)                    -- gamma/m in units of the frequency in a well
  p.cross = p.L / (p.F + p.slope * math.min(1, p.D / p.V0))  -- about the time for a period
  return p
end

-- A class: parts(p) gives the components; names, the parameters that are swept from set to set, in their order.
local classes = {}
local function class(fields) classes[#classes + 1] = fields end

class { name = "sine, Gaussian", parts = { potential = potential.sine {}, noise = noise.gaussian {} },
        names = { "sine.V0", "sine.L", "gaussian.D", "force" },
        values = function(p) return p.V0, p.L, p.D, p.F end, exact = bm.theory.stratonovich }
class { name = "ratchet, Gaussian and dichotomous",
        parts = { potential = potential.ratchet {}, noise = { noise.gaussian {}, noise.dichotomous {} } },
        names = { "ratchet.V0", "ratchet.L", "gaussian.D", "dichotomous.Fa", "dichotomous.Fb", "dichotomous.tau",
          "force" },
        values = function(p) return p.V0, p.L, p.D, p.A, p.A, p.tau, p.F end, exact = bm.theory.master }
class { name = "fourier, Gaussian and Poissonian",
        parts = { potential = potential.fourier { a = { 0.3, 0 }, b = { 1, 0.25 } },
                  noise = { noise.gaussian {}, noise.poisson { lambda = 1, zeta = 1 } } },
        names = { "fourier.V0", "fourier.L", "gaussian.D", "poisson.lambda", "poisson.zeta", "force" },
        values = function(p) return p.V0, p.L, p.D, 1 / p.tau, math.min(p.A * p.tau, p.L), p.F end,
          exact = bm.theory.master }
class { name = "table, Gaussian and three-state",
        parts = { potential = potential.table { V = { 0, 0.4, 1, 0.2 }, x = { 0, 0.3, 0.45, 0.8 }, L = 1 },
                  noise = { noise.gaussian {}, noise.three_state {} } },
        names = { "table.V0", "gaussian.D", "three_state.F", "three_state.nu", "force" },
        values = function(p) return p.V0, p.D, p.A * p.L, p.L ^ 2 / p.tau, p.F * p.L end, unit_period = true,
        exact = bm.theory.master }
class { name = "formula, Poissonian and Gaussian",
        parts = { potential = potential.formula { "V0*(sin(2*pi*x/L) + 0.2*cos(4*pi*x/L))*exp(0.3*cos(2*pi*x/L))",
                  V0 = 1, L = 1 },
                  noise = { noise.poisson { D = 1, a = 1 }, noise.gaussian {} } },
        names = { "formula.V0", "formula.L", "poisson.D", "poisson.a", "gaussian.D", "force" },
        values = function(p) return p.V0, p.L, p.A ^ 2 * p.tau, p.A, p.D, p.F end, exact = bm.theory.master }
class { name = "piecewise linear, Gaussian and Poissonian",
        parts = { potential = potential.piecewise_linear {},
          noise = { noise.gaussian {}, noise.poisson { D = 1, a = 1 } } },
        names = { "piecewise_linear.V0", "piecewise_linear.L", "piecewise_linear.k", "gaussian.D", "poisson.D",
          "poisson.a", "force" },
        values = function(p) return p.V0, p.L, 0.2 + 0.6 * math.random(), p.D, p.A ^ 2 * p.tau, p.A, p.F end,
        exact = bm.theory.master }
class { name = "piecewise linear, Poissonian",
        parts = { potential = potential.piecewise_linear {}, noise = noise.poisson { D = 1, a = 1 } },
        names = { "piecewise_linear.V0", "piecewise_linear.L", "poisson.D", "poisson.a", "force" },
        values = function(p) return p.V0, p.L, p.A ^ 2 * p.tau, p.A, p.F end, exact = bm.theory.poisson_velocity,
        no_force = true }
class { name = "sine, driven, Gaussian",
        parts = { potential = potential.sine {}, noise = noise.gaussian {}, drive = drive.cosine {} },
        names = { "sine.V0", "sine.L", "gaussian.D", "cosine.amplitude", "cosine.omega", "force" },
        values = function(p) return p.V0, p.L, p.D, p.A, 2 * math.pi / p.tau, p.F end }
class { name = "sine, Ornstein-Uhlenbeck and Gaussian",
        parts = { potential = potential.sine {}, noise = { noise.ornstein_uhlenbeck {}, noise.gaussian {} } },
        names = { "sine.V0", "sine.L", "ornstein_uhlenbeck.D", "ornstein_uhlenbeck.tau", "gaussian.D", "force" },
        values = function(p) return p.V0, p.L, p.A ^ 2 * p.tau, p.tau, p.D, p.F end }
class { name = "sine, underdamped, thermal",
        parts = { potential = potential.sine {}, noise = noise.gaussian {}, mass = 1, gamma = 1 }, underdamped = true,
        names = { "sine.V0", "sine.L", "mass", "gamma", "gaussian.D", "force" },
        values = function(p)
          local m = 1 / (p.damping ^ 2 * 4 * math.pi ^ 2 * p.V0 / p.L ^ 2)  -- gamma = 1: gamma/m = damping * frequency
          return p.V0, p.L, m, 1, p.D, p.F
        end, exact = bm.theory.inertial }

local function parts_of(one)
  return one.underdamped and bm.underdamped(one.parts) or bm.overdamped(one.parts)
end

local function sweep_of(one)
  local columns, times = {}, {}
  for i, name in ipairs(one.names) do columns[i] = { name, {} } end
  for k = 1, sets do
    local p = draw()
    if one.no_force then p.F = 0 end
    local values = { one.values(p) }
    if one.names[#one.names] == "force" and one.no_force then values[#values] = 0 end
    for i, value in ipairs(values) do columns[i][2][k] = value end
    times[k] = 60 * p.cross
    if one.unit_period then times[k] = times[k] / p.L ^ 2 end
    times[k] = math.max(times[k], 4 * p.tau / (one.unit_period and p.L ^ 2 or 1))
  end
  columns[#columns + 1] = { "time", times }
  return columns
end

local failed = 0
report.begin("defaults", ("%d paths, all defaults; reference: theory, or a run to 0.3 %%."):format(paths),
             { "model", "parameters", "⟨v⟩", "reference", "off by", "warning" })
for _, one in ipairs(classes) do
  local columns = sweep_of(one)
  if one.name:find(only, 1, true) then
    local model = parts_of(one)
    local r = bm.run { model = model, sweep = { bm.zip(columns) }, paths = paths, transient = 0.1,
      device = bm.args.device }
    local reference
    local reference_err = {}
    if one.exact then
      reference = r:compare(one.exact):column "theory"
      for k = 1, sets do reference_err[k] = 0 end
    else
      local fine = bm.run { model = model, sweep = { bm.zip(columns) }, paths = 128, transient = 0.1, seed = 7,
                            tolerance = { velocity = { rel = 0.003 } }, limit = 200000, device = bm.args.device }
      reference, reference_err = fine:column "velocity", fine:column "velocity_err"
    end
    local v, err, marks, dt = r:column "velocity", r:column "velocity_err", r:column "step_warning", r:column "dt"
    for k = 1, sets do
      local off = v[k] - reference[k]
      local z, part = math.abs(off) / math.sqrt(err[k] ^ 2 + reference_err[k] ^ 2), math.abs(off / reference[k])
      local good = z <= 4 or part <= 0.02 or marks[k] == 1
      if not good and r.info.seconds > 0 then failed = failed + 1 end
      local words = {}
      for i = 1, #columns - 1 do words[i] = ("%s %.3g"):format(columns[i][1]:match "[^.]*$", columns[i][2][k]) end
      report.line { one.name, table.concat(words, ", ") .. (", dt %.2g"):format(dt[k]), report.brief(v[k], err[k]),
                    report.brief(reference[k], reference_err[k]),
                    ("%s, %.1f SE%s"):format(part < 1 and ("%.2f %%"):format(100 * part) or "above 100 %", z,
                      good and "" or " **"),
                    marks[k] == 1 and "yes" or "" }
    end
    io.stderr:write(("%s: %.1f s, %.3g steps\n"):format(one.name, r.info.seconds, r.info.steps))
  end
end
if failed > 0 then error(failed .. " models are wrong without a warning", 0) end
