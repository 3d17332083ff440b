-- Errors of a finite step in the founding paper's potential: every integrator on Fig. 3a, the laws of increments at
-- kinks, and dichotomous noise whose time scale is long against the motion.
--   bmsim steps.lua               three minutes on two cores; -D full=true: 16 times as many paths,
--                                 -D paths=0.1: a tenth
--   bmsim -D only=kinks steps.lua   only what has "kinks" in its name; --device cuda: on a GPU
package.path = (arg[0]:match "^.*/" or "./") .. "?.lua;" .. package.path
local bm = require "bmsim"
local report = require "report"
local noise, ramp = bm.noise, bm.potential.piecewise_linear {}
local scale = (bm.args.full and 16 or 1) * (bm.args.paths or 1)

local function wanted(name) return not bm.args.only or name:find(bm.args.only, 1, true) end
local function paths(count) return math.max(96, math.floor(count * scale)) end

-- The velocity over 1000 time scales and its error, for run fields of your own.
local function velocity(fields)
  fields.transient, fields.periods = 0.1, fields.time == nil and 1000 or nil
  local r = bm.run(fields)
  return r:column "velocity"[1], r:column "velocity_err"[1], r
end

-- ---- the relative error of v against spp ----

local counts = { 25, 50, 100, 200, 400 }

-- More paths where steps are few: small errors are seen where they are large.
local function against_spp(model, exact, method, count, extra)
  local cells = {}
  for i, spp in ipairs(counts) do
    local share = ({ 1, 1, 0.5, 0.25, 0.125 })[i]
    local v, err = velocity { model = model, method = method, spp = spp, paths = paths(count * share),
      increments = extra }
    cells[i] = report.percent(v, err, exact)
  end
  return cells
end

local function spp_heads(first)
  local heads = { unpack(first) }
  for _, spp in ipairs(counts) do heads[#heads + 1] = "spp " .. spp end
  return heads
end

local function row(first, cells)
  for _, cell in ipairs(cells) do first[#first + 1] = cell end
  report.line(first)
end

if wanted "fig3a" then
  report.begin("fig3a", "Poissonian noise, V = 1 − |x|, L = 2, a = 2.5: relative error of v.",
    spp_heads { "D", "method" })
  for _, case in ipairs { { 0.3, 196608 }, { 1, 98304 }, { 3, 98304 }, { 10, 98304 } } do
    local D, count = unpack(case)
    local model = bm.overdamped { potential = ramp, noise = noise.poisson { D = D, a = 2.5 } }
    local exact = bm.theory.poisson_velocity { D = D, a = 2.5 }
    for _, method in ipairs { "paper", "euler", "heun", "platen", "exact" } do
      row({ ("%g"):format(D), "`" .. method .. "`" }, against_spp(model, exact, method, count))
    end
  end
end

if wanted "asymmetry" then
  report.begin("asymmetry", "Poissonian noise, V = 1 − |x|, L = 2, a = 1.5, method `heun`: relative error of v.",
    spp_heads { "D" })
  for _, D in ipairs { 0.3, 1, 3, 8, 10 } do
    local model = bm.overdamped { potential = ramp, noise = noise.poisson { D = D, a = 1.5 } }
    row({ ("%g"):format(D) }, against_spp(model, bm.theory.poisson_velocity { D = D, a = 1.5 }, "heun", 49152))
  end
end

if wanted "kinks" then
  local model = bm.overdamped { potential = ramp,
    noise = { noise.poisson { D = 1, a = 2.5 }, noise.gaussian { D = 0.1 } } }
  local exact = bm.theory.master { model = model }
  report.begin("kinks_increments", ("Poissonian noise, D = 1, a = 2.5, and Gaussian noise, D_G = 0.1, "
    .. "V = 1 − |x|, L = 2, method `heun`, exact v %.6f: relative error of v."):format(exact),
    spp_heads { "increments" })
  for _, law in ipairs { "three_point", "five_point", "near_gaussian", "gaussian" } do
    row({ "`" .. law .. "`" }, against_spp(model, exact, "heun", 196608, law))
  end
end

if wanted "long" then
  report.begin("long_states", report.minus("Dichotomous noise, Fa = 3, Fb = 1.1, V = 1 − |x|, L = 2, method `heun`."),
               { "τ", "exact", "spp = 200", "z", "dt = 0.002", "z", "`exact`", "z" })
  for _, tau in ipairs { 1, 2, 5, 10 } do
    local model = bm.overdamped { potential = ramp, noise = noise.dichotomous { Fa = 3, Fb = 1.1, tau = tau } }
    local exact = bm.theory.dichotomous_velocity { Fa = 3, Fb = 1.1, tau = tau }
    local cells = { ("%g"):format(tau), report.minus(("%.6f"):format(exact)) }
    local duration = { time = 400 * tau, dt = 0.002, paths = paths(6144) }
    for _, fields in ipairs { { spp = 200, paths = paths(65536) }, duration,
                              { spp = 200, paths = paths(65536), method = "exact" } } do
      fields.model = model
      local v, err = velocity(fields)
      cells[#cells + 1] = report.brief(v, err)
      cells[#cells + 1] = report.minus(("%.1f"):format((v - exact) / err))
    end
    report.line(cells)
  end
end
