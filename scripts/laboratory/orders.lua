-- The weak-order laboratory: for every class of potential, noise, integrator and law of increments the bias of a
-- stationary mean at steps h, h/2, h/4, h/8 against its exact value, and the order and constant fitted to it.
--   bmsim orders.lua              four minutes on two cores; -D full=true: 16 times as many paths,
--                                 -D paths=0.1: a tenth
--   bmsim -D only=sine orders.lua only what has "sine" in its name; --device cuda: on a GPU
-- cases.lua has what is measured. Put a model of your own there.
package.path = (arg[0]:match "^.*/" or "./") .. "?.lua;" .. package.path
local bm = require "bmsim"
local fit = require "fit"
local report = require "report"

local laws = { "five_point", "three_point", "near_gaussian", "gaussian" }
local scale = (bm.args.full and 16 or 1) * (bm.args.paths or 1)

-- The biases of a case with a method and a law, from the coarsest step to the finest.
local function biases(case, method, increments)
  local r = bm.run {
    model = case.model, method = method, increments = increments, observe = case.observe.what,
    paths = math.max(96, math.floor(case.paths * scale)), transient = case.transient, initial = case.initial,
    sweep = { "dt", case.steps }, time = case.time or function(p) return case.count * p.dt end,
  }
  local points = {}
  for i, h in ipairs(case.steps) do
    local value, err = case.observe.read(r, i)
    points[i] = { h = h, bias = value - case.exact, error = err }
  end
  return points, r.info.increments
end

-- The last four cells: order, constant, quality, first step.
local function fitted(points)
  local found = fit.order(points)
  if not found then return "below noise", "", "", "" end
  if not found.power then return "no single power", "", "", "" end
  local power = ({ [0.5] = "√h", "h", "h²", "h³", "h⁴" })[found.whole]
  return report.brief(found.order, found.error), report.brief(found.constant, found.constant_error) .. " " .. power,
         found.dof > 0 and ("%.1f/%d"):format(found.chi2, found.dof) or "two steps", ("%g"):format(found.from)
end

local function measure(case, method, increments)
  local points, law = biases(case, method, increments)
  local cells = { "`" .. method .. "`", law == "none" and "" or "`" .. law .. "`" }
  for _, q in ipairs(points) do cells[#cells + 1] = report.brief(q.bias, q.error) end
  for _, cell in ipairs { fitted(points) } do cells[#cells + 1] = cell end
  report.line(cells)
end

for _, case in ipairs(require "cases") do
  if not bm.args.only or case.name:find(bm.args.only, 1, true) then
    local heads = { "method", "increments" }
    for _, h in ipairs(case.steps) do heads[#heads + 1] = ("h = %g"):format(h) end
    for _, head in ipairs { "order", "constant", "χ²/dof", "from h =" } do heads[#heads + 1] = head end
    report.begin(case.name, report.minus(("%s: bias of %s, exact %.6g."):format(
      case.title, case.observe.title, case.exact)), heads)
    for _, method in ipairs(case.methods) do
      for _, law in ipairs(case.white and method ~= "paper" and laws or { "auto" }) do measure(case, method, law) end
    end
  end
end
