# Every file that is written can be read: parameters, variables and observables may be called as columns, arrays and
# coordinates are, and no table has two columns of one name.
cat > names.lua <<'LUA'
local bm = require "bmsim"
local gaussian = bm.noise.gaussian { D = 0.1 }
local function write(kind, name, model, more)
  local run = { model = model, time = 1, dt = 0.1, paths = 32, observe = {
    "velocity", bm.observe.density { range = { -1, 1 }, bins = 4, times = { 0.5, 1 } },
    bm.observe.paths { count = 2, times = { 0.5 } } } }
  for key, value in pairs(more) do
    if type(key) == "number" then run.observe[#run.observe + 1] = value else run[key] = value end
  end
  local r = bm.run(run)
  r:write(kind .. "_" .. name .. ".nc")
  r:write(kind .. "_" .. name .. ".csv")
  for _, array in ipairs(r:arrays()) do r:write(kind .. "_" .. name .. "." .. array .. ".csv", array) end
end
for i, names in ipairs { { "value", "error" }, { "path", "phase" } } do
  local a, b = names[1], names[2]
  write("variables", i, bm.system { variables = names, equations = { [a] = "-0.1*" .. a, [b] = "-0.1*" .. b },
    noise = { [a] = gaussian } }, { initial = { [a] = 0.5, [b] = 1 } })
end
local odd = { "value", "error", "path", "velocity", "density", "x_step", "theory", "z", "force", "mass", "dimension",
  "point", "phase", "column", "axis", "name", "manifest", "info", "history" }
local parameters, axes, averages = {}, {}, {}
for i, name in ipairs(odd) do
  parameters[name], axes[i], averages[name], averages[name .. "_total"] = 1, { name, { 1, 2 } }, "x^2", "x^4"
end
write("parameters", "all", bm.system { variables = { "x" }, parameters = parameters,
  equations = { x = "-0.02*x*(" .. table.concat(odd, " + ") .. ")" }, noise = { x = gaussian } },
  { sweep = bm.zip(axes) })
write("averages", "all", bm.system { variables = { "x" }, equations = { x = "-x" }, noise = { x = gaussian } },
  { bm.observe.average(averages) })
LUA
"$bmsim" --quiet names.lua || fail "exit status $?"
for file in *.nc; do "$bmsim" show "$file" > shown || fail "'$file' cannot be read"; done
for file in *.csv; do
  twice=$(grep -v '^#' "$file" | head -1 | tr , '\n' | sort | uniq -d)
  [ -z "$twice" ] || fail "$file has two columns '$twice'"
done
[ "$(ls -- *.nc | wc -l)" = 4 ] || fail "$(ls)"
