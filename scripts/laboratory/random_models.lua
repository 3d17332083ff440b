-- Models drawn at random from everything that meets in a model (random_draw.lua): potentials with kinks, narrow wells
-- and dead zones, amplitudes of noise, coloured and Levy noise, noises with states, kicks, drives with edges and
-- pulses, events, walls, inertia, systems of two or three variables. Each is run with every default, some again with a
-- step that may be too long, and compared with a reference that makes none of bmsim's steps. A value is wrong if it is
-- off by more than 5 errors and 2 %. A run with a wrong value must have warned; then the step that its warning names is
-- tried once. A warning of the step is a false alarm if all values are right within 2.5 errors or 1 %, and the error
-- that it names would not be. Ends with status 1 if a default run was wrong without a warning.
--   bmsim -D models=1000 scripts/laboratory/random_models.lua
--   bmsim -D first=17 -D models=1 -D show=true scripts/laboratory/random_models.lua      one of them, with all values
local bm = require "bmsim"
package.path = (arg[0]:match "^(.*/)" or "./") .. "?.lua;" .. package.path
local report = require "report"
local draw = require "random_draw"

local models = tonumber(bm.args.models) or 40
local first = tonumber(bm.args.first) or 1
local paths = tonumber(bm.args.paths) or 2048
local show = bm.args.show
local chosen_kinds = bm.args.reference  -- "grid", "paths", "moments" or "grid,moments": only models with this reference
local wrong_errors, wrong_part = 5, 0.02        -- beyond both a value is wrong
local right_errors, right_part = 2.5, 0.01      -- within one of them it is right
local sure_part = 0.01                          -- error of a reference up to which it counts

-- The value of a run under a name, and its error.
local function measured(r, name)
  if name:find "cumulant" then return r:array(name).values[1][1], r:array(name .. "_err").values[1][1] end
  return r:column(name)[1], r:column(name .. "_err")[1]
end

-- Compares a run with its reference. Returns the worst of the wrong values, or nil; whether all are surely right; how
-- many are not numbers.
local function judge(r, compared, values)
  local worst, right, unknown = nil, true, 0
  for _, quantity in ipairs(compared) do
    local exact, exact_err = quantity.is(values)
    local scale = quantity.scale or quantity.scale_of and quantity.scale_of(values) or 0
    if type(exact) == "table" then exact, exact_err = exact.value, exact.err end
    local value, err = measured(r, quantity.name)
    local size = math.max(math.abs(exact), scale)
    local change = math.abs(value - exact)
    local errors, part = change / math.sqrt(err ^ 2 + exact_err ^ 2), change / size
    if show then
      print(("    %-18s %.6g(%.2g) for %.6g(%.2g): %.1f errors, %.2f %%"):format(quantity.name, value, err, exact,
                                                                              exact_err, errors, 100 * part))
    end
    if errors ~= errors then
      unknown = unknown + 1
    elseif exact_err < sure_part * size then
      if errors > wrong_errors and part > wrong_part and not (worst and worst.errors > errors) then
        worst = { errors = errors, part = part, name = quantity.name, value = value, exact = exact }
      end
      right = right and (errors < right_errors or part < right_part)
    else
      right = false
    end
  end
  return worst, right, unknown
end

-- Whether the error that a warning of the step names is one that the reference does not exclude.
local function may_be_true(warning, r, compared, values)
  local name, change, change_err = warning:match "error of (%S+): (%S+) %+%- (%S+) of"
  for _, quantity in ipairs(compared) do
    if quantity.name == name then
      local exact, exact_err = quantity.is(values)
      if type(exact) == "table" then exact, exact_err = exact.value, exact.err end
      local value, err = measured(r, name)
      local off = value - tonumber(change) - exact
      return math.abs(off) < right_errors * math.sqrt(err ^ 2 + exact_err ^ 2 + tonumber(change_err) ^ 2)
    end
  end
  return false
end

local function run(fields, dt)
  local options = { paths = paths, dt = dt }
  for key, value in pairs(fields) do options[key] = value end
  return pcall(bm.run, options)
end

-- The warning of the step among those of a run, of several the one that names the shortest; and whether there are
-- others that doubt its values.
local function named_step(text) return tonumber(text:match "dt = ([%d.e+-]+) would") end
local function warnings_of(r)
  local step, doubt = nil, false
  for _, text in ipairs(r.info.warnings) do
    if show then print("    " .. text) end
    if text:find "step" or text:find "dt = " then
      if not step or (named_step(text) or math.huge) < (named_step(step) or math.huge) then step = text end
    elseif not (text:find "standard errors" or text:find "had no exit") then
      doubt = true
    end
  end
  return step, doubt
end

local counts = {}
local function count(outcome) counts[outcome] = (counts[outcome] or 0) + 1 end
local wrong = {}  -- numbers of models whose default run was wrong without a warning
local function say(number, model, text, ...) print(("%d %s\n    %s"):format(number, text:format(...), model.what)) end

-- kind: "default", or "long" where the step was given.
local function classify(number, model, kind, r, values)
  local worst, right, unknown = judge(r, model.compared, values)
  local step, doubt = warnings_of(r)
  count(kind .. ": runs")
  if unknown > 0 then count(kind .. ": with nan") end
  if not worst then
    if step and right and not may_be_true(step, r, model.compared, values) then
      count(kind .. ": right, false alarm of the step")
      say(number, model, "false alarm (%s): %s", kind, step)
    else
      count(kind .. ": right")
    end
    return
  end
  local text = ("%s = %.5g for %.5g, %.1f errors, %.1f %%"):format(worst.name, worst.value, worst.exact, worst.errors,
                                                               100 * worst.part)
  if not step and not doubt then
    count(kind .. ": wrong without a warning")
    say(number, model, "WRONG (%s, dt %g): %s", kind, r:column "dt"[1], text)
    if kind == "default" then wrong[#wrong + 1] = number end
    return
  end
  local cure = step and named_step(step)
  local cured, again
  if cure then cured, again = run(model.run, cure) end
  if not cured then
    count(kind .. ": wrong, warned, no step to try")
    say(number, model, "no cure (%s): %s; %s", kind, text, step or r.info.warnings[1])
  elseif judge(again, model.compared, values) then
    count(kind .. ": wrong, warned, not cured")
    say(number, model, "not cured by dt = %g (%s): %s; %s", cure, kind, text, step)
  else
    count(kind .. ": wrong, warned, cured")
  end
end

for number = first, first + models - 1 do
  local model = draw(number)
  local chosen = not chosen_kinds or ("," .. chosen_kinds .. ","):find("," .. model.kind .. ",", 1, true)
  if show and chosen then print(number .. ": " .. model.what) end
  math.randomseed(number)
  local ok, r
  if chosen then ok, r = run(model.run) end
  if not chosen then
    count "left out"
  elseif not ok then
    count "default: refused"
    say(number, model, "refused: %s", tostring(r):gsub("\n.*", ""))
  else
    local default = r:column "dt"[1]
    local values = model.reference(default)
    classify(number, model, "default", r, values)
    if model.longer then
      local dt, time = default * model.longer, model.run.time
      if time then dt = time / math.max(1, math.floor(time / dt + 0.5)) end  -- it ends when the reference does
      ok, r = run(model.run, dt)
      if ok then classify(number, model, "long", r, values) else count "long: refused" end
    end
  end
end

local names = {}
for name in pairs(counts) do names[#names + 1] = name end
table.sort(names)
report.begin("random_models", ("%d models from number %d on, %d paths."):format(models, first, paths),
             { "runs", "number" })
for _, name in ipairs(names) do report.line { name, ("%d"):format(counts[name]) } end
if #wrong > 0 then
  print("\nWrong without a warning: " .. table.concat(wrong, ", "))
  os.exit(1)
end
