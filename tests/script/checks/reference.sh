# The reference is complete: every public function and every observable has a page, which an index links; every field
# and option that the library accepts is on its page, and no other. What is accepted the library says itself, in the
# message of an unknown name. That the pages' snippets run is a test of docs.
pages=$here/../../docs/reference
cat > complete.lua << 'END'
local pages = arg[1]
local bm = require "bmsim"
local wrong = {}
local function complain(...) wrong[#wrong + 1] = string.format(...) end

local function read(name)
  local file = io.open(pages .. "/" .. name .. ".md")
  if not file then
    complain("there is no page %s.md", name)
    return ""
  end
  local text = file:read "*a"
  file:close()
  return text
end

-- The names in the first cells of tables that begin with `heading`: "field", "option".
local function rows(text, heading)
  local names, inside = {}, false
  for line in text:gmatch "[^\n]+" do
    if line:find("^| " .. heading .. " |") then
      inside = true
    elseif line:sub(1, 1) ~= "|" then
      inside = false
    elseif inside then
      for name in (line:match "^|(.-)|" or ""):gmatch "`([^`]+)`" do names[#names + 1] = name end
    end
  end
  return names
end

local unknown = "zzzzzzzzzzzz"
local function message(f, ...)
  local done, text = pcall(f, ...)
  return done and "" or tostring(text)
end
-- What a function says that it knows when it is given an unknown field. given: fields that it must have.
local function known(f, given)
  local fields = { [unknown] = 1 }
  for key, value in pairs(given or {}) do fields[key] = value end
  local text = message(f, fields)
  local list = text:match "known: ([^\n]*)$"
  if not list then complain("no list of what is known: %s", text) end
  local names = {}
  for name in (list or ""):gmatch "[^, ]+" do if name ~= "none" then names[#names + 1] = name end end
  return names
end
local function set(...)
  local made = {}
  for _, list in ipairs { ... } do
    for _, name in ipairs(list) do made[name] = true end
  end
  return made
end

-- Every name of `must` is in a table of the page, and every name there is in `may`.
local function compare(page, heading, must, may)
  local listed = rows(read(page), heading)
  local is_listed, is_allowed = set(listed), set(may or must)
  for _, name in ipairs(must) do
    if not is_listed[name] then complain("%s.md: the table lacks %s '%s'", page, heading, name) end
  end
  for _, name in ipairs(listed) do
    if not is_allowed[name] then complain("%s.md: %s '%s' is not accepted", page, heading, name) end
  end
end

-- Pages of functions.
local names = {}
for key, value in pairs(bm) do
  if key == "theory" or key == "event" then
    for name in pairs(value) do names[#names + 1] = key .. "." .. name end
  else
    names[#names + 1] = key
  end
end
for _, kind in ipairs { "potential", "drive" } do
  assert(bm[kind].formula { kind == "drive" and "a*cos(t)" or "a*x", a = 1 })
  names[#names + 1] = kind .. ".formula"
end
local free = bm.overdamped { noise = bm.noise.gaussian {} }
local r = bm.run { model = free, paths = 16, time = 1 }
r:columns()
local fields = {}
for name in message(function() return r[unknown] end):match("known: ([^\n]*)$"):gmatch "[^, ]+" do
  if name == "points" or name == "info" then fields[#fields + 1] = name else names[#names + 1] = "result." .. name end
end
names[#names + 1] = "result"
local index = read "functions/index"
for _, name in ipairs(names) do
  local text = read("functions/" .. name)
  for _, needed in ipairs { "^# ", "\n```lua\n" } do
    if not text:find(needed) then complain("functions/%s.md: no '%s'", name, needed) end
  end
  if not index:find("(" .. name .. ".md)", 1, true) then complain("functions/index.md does not link %s.md", name) end
end
local is_name = set(names)
for i = 2, #arg do
  local name = arg[i]:match "functions/(.*)%.md$"
  if name and name ~= "index" and not is_name[name] then complain("functions/%s.md is of nothing", name) end
end

-- Fields.
compare("functions/result", "field", fields)
for _, name in ipairs { "run", "overdamped", "underdamped", "system" } do
  compare("functions/" .. name, "field", known(bm[name]))
end
compare("functions/event.tumble", "field", known(bm.event.tumble, { rate = 1 }))
compare("functions/event.look", "field", known(bm.event.look, { every = 1 }))
compare("functions/result.plot", "field", known(function(t) bm.plot({ x = { 1 } }, t) end))
compare("functions/result.compare", "field", known(function(t) r:compare(nil, t) end))
for name, theory in pairs(bm.theory) do
  if name ~= "curve" and not name:find "_velocity$" then
    local own = known(theory)
    local with_model = known(theory, { model = free })
    if not set(own).model then own[#own + 1] = "model" end
    for _, other in ipairs(own) do with_model[#with_model + 1] = other end
    compare("functions/theory." .. name, "field", own, with_model)
  end
end

-- Observables.
local heated = bm.underdamped { noise = bm.noise.gaussian {} }
local pair = bm.system {
  variables = { "x", "y" }, inertia = { x = true },
  noise = { x = bm.noise.gaussian { name = "a" }, y = bm.noise.gaussian { name = "b" } },
}
local function observe(model, name)
  return function(options) bm.run { model = model, time = 1, paths = 16, observe = bm.observe[name](options) } end
end
local needed = { -- what must be given before options are looked at
  velocity_density = { range = { -1, 1 } }, joint_density = { range = { -1, 1 } }, first_passage = { to = 1 },
  response = { omega = 1 }, work = { exponential = 1 }, heat = { exponential = 1 },
}
local observables = {}
for name in message(bm.run, { model = free, observe = unknown }):match("known: ([^\n]*)$"):gmatch "[^, ]+" do
  observables[#observables + 1] = name
end
local list, functionals = read "observables/index", known(observe(free, "work"), needed.work)
for _, name in ipairs(observables) do
  local page = "observables/" .. name
  local text, options = read(page), nil
  for _, section in ipairs { "Definition", "Example", "Limits" } do
    if not text:find("\n## " .. section, 1, true) then complain("%s.md: no section %s", page, section) end
  end
  if not text:find "\n## Columns" and not text:find "\n## Arrays" then complain("%s.md: no columns or arrays", page) end
  if not list:find("(" .. name .. ".md)", 1, true) then complain("observables/index.md does not link %s.md", name) end
  if name == "average" or name == "integral" then -- the other options are formulas by names of the script's
    options = { "NAME" }
    for _, one in ipairs(name == "integral" and functionals or {}) do options[#options + 1] = one end
  else
    options = known(observe(name == "joint_diffusion" and pair or heated, name), needed[name])
  end
  local allowed = { unpack(options) }
  for _, option in ipairs(rows(text, "option")) do -- some are taken off before the others are looked at
    local given = { [option] = "x" }
    for key, value in pairs(needed[name] or {}) do given[key] = value end
    if not message(observe(pair, name), given):find "unknown option" then allowed[#allowed + 1] = option end
  end
  compare(page, "option", options, allowed)
end
local is_observable = set(observables)
for i = 2, #arg do
  local name = arg[i]:match "observables/(.*)%.md$"
  if name and name ~= "index" and not is_observable[name] then complain("observables/%s.md is of nothing", name) end
end

for _, text in ipairs(wrong) do io.stderr:write(text, "\n") end
print(#names, #observables)
if #wrong > 0 then error "pages and library differ" end
END
"$bmsim" --quiet --device cpu complete.lua "$pages" "$pages"/functions/*.md "$pages"/observables/*.md > stdout ||
  fail "the reference is not complete"
read -r functions observables < stdout
[ "$functions" -ge 40 ] && [ "$observables" -ge 33 ] || fail "only $functions functions and $observables observables"

# A page that lacks a field, names one that there is not, or is missing, is found.
expect_found() {
  "$bmsim" --quiet --device cpu complete.lua copy copy/functions/*.md copy/observables/*.md > stdout 2> stderr &&
    fail "not found: $1"
  expect_text stderr "$1"
}
again() { rm -rf copy; cp -r "$pages" copy; }
again; sed -i '/^| `paths`/d' copy/functions/run.md
expect_found "functions/run.md: the table lacks field 'paths'"
again; sed -i 's/^| `paths`/| `peths`, `paths`/' copy/functions/run.md
expect_found "functions/run.md: field 'peths' is not accepted"
again; sed -i 's/^| `bins`/| `binz`/' copy/observables/current.md
expect_found "observables/current.md: the table lacks option 'bins'"
expect_found "observables/current.md: option 'binz' is not accepted"
again; rm copy/functions/zip.md
expect_found "there is no page functions/zip.md"
again; cp copy/functions/zip.md copy/functions/zap.md
expect_found "functions/zap.md is of nothing"

# What the pages say that observables make is what they make: names of columns and arrays, in both directions.
cat > made.lua << 'END'
local pages = arg[1]
local bm = require "bmsim"
local o, made = bm.observe, {}
local function take(r)
  for _, names in ipairs { r:columns(), r:arrays() } do
    for _, name in ipairs(names) do
      if not name:find "_err$" then made[name] = true end
    end
  end
end
local all = { cumulants = 4, range = { -1, 1 }, exponential = 0.01 }
take(bm.run {
  model = bm.underdamped {
    potential = bm.potential.sine {}, noise = bm.noise.gaussian { T = 0.5 }, drive = bm.drive.cosine { omega = 6 },
  },
  paths = 32, time = 40, dt = 0.05, initial = { x = { from = -0.5, to = 0.5, count = 4 } },
  observe = {
    "velocity", "diffusion", "velocity_squared", "kinetic_energy", "peclet", "mobility", "efficiency", "moments",
    "non_gaussianity", "velocity_non_gaussianity", "density", o.velocity_density { range = { -3, 3 } },
    o.joint_density { range = { -3, 3 } }, o.displacement_density { range = { -3, 3 } }, "fractional_moment", "current",
    "time_averaged_msd",
    "correlation", o.spectrum { samples = 16 }, o.stroboscope { periods = 4 }, "paths", o.first_passage { to = 2 },
    o.residence { from = -0.2, to = 0.2 }, "lyapunov", "basins", o.turning_points { threshold = 1 },
    o.average { NAME = "cos(2*pi*x)" }, o.work(all), o.heat(all), "entropy_production",
    o.response { omega = "cosine.omega", harmonics = 2, snr = true, of = "cos(2*pi*x)" },
  },
})
take(bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian {}, walls = { x = { "absorb", from = -1, to = 1 } } },
  paths = 32, time = 1, dt = 0.05,
})
take(bm.run {
  model = bm.system {
    variables = { "x", "y", "theta" }, period = { theta = "2*pi" }, equations = { x = "-x", y = "cos(theta)" },
    noise = { theta = bm.noise.gaussian {} }, events = { divide = { rate = "1", set = { x = "x/2" } } },
  },
  paths = 32, time = 4, dt = 0.05,
  observe = {
    "joint_diffusion", o.events { bins = 4, range = 1, value = "x" },
    o.density { of = { "x", "theta" }, range = { x = { -1, 1 } } },
    o.integral { NAME = "x", cumulants = 4, range = { -1, 1 }, exponential = 0.01 },
  },
})

local said, wrong = {}, 0
local function complain(...)
  io.stderr:write(string.format(...), "\n")
  wrong = wrong + 1
end
for i = 2, #arg do
  local page, inside = arg[i]:match "([^/]*)%.md$", false
  local file = assert(io.open(arg[i]))
  for line in file:lines() do
    local heading = line:match "^| (%l[%l ]*) |"
    if line:sub(1, 1) ~= "|" then
      inside = false
    elseif heading == "column" or heading == "array" or heading == "column or array" then
      inside = true
    end
    for name in line:gmatch "`([^`]+)`" do said[name] = true end
    for name in (inside and line:match "^|(.-)|" or ""):gmatch "`([^`]+)`" do
      local value = name:gsub("_err$", "")
      if not made[value] then complain("observables/%s.md: '%s' is made by none", page, name) end
    end
  end
  file:close()
end
local count = 0
for name in pairs(made) do
  count = count + 1
  if not said[name] and not name:find "_%f[%w]theta$" and not name:find "diffusion_y_" then
    complain("'%s' is on no page of an observable", name)
  end
end
print(count)
if wrong > 0 then error "pages and library differ" end
END
"$bmsim" --quiet --device cpu made.lua "$pages" "$pages"/observables/*.md > stdout 2> stderr ||
  { cat stderr >&2; fail "observables make other things than their pages say"; }
[ "$(cat stdout)" -ge 70 ] || fail "only $(cat stdout) columns and arrays"

# Every message that has a paragraph is one of the program's: what stands in its heading, but for `...`, is in a string
# of the sources.
cat > messages.lua << 'END'
local sources = {}
for i = 2, #arg do
  local file = assert(io.open(arg[i]))
  sources[#sources + 1] = file:read("*a"):gsub('"%s*\n%s*"', ""):gsub('\\"', '"')
  file:close()
end
local all, count, wrong = table.concat(sources, "\n"), 0, 0
for heading in io.open(arg[1]):read("*a"):gmatch "\n### `([^\n]*)`\n" do
  count = count + 1
  for piece in (heading .. "..."):gmatch "(.-)%.%.%." do
    piece = piece:gsub("^[ ']+", ""):gsub("[ '?:]+$", "")
    if not all:find(piece, 1, true) then
      io.stderr:write(("messages.md: no message says '%s'\n"):format(piece))
      wrong = wrong + 1
    end
  end
end
print(count)
if wrong > 0 then error "pages and library differ" end
END
mapfile -t sources < <(find "$here/../../core" "$here/../../scripts/bmsim" -name '*.cc' -o -name '*.h' -o -name '*.lua')
"$bmsim" messages.lua "$pages/messages.md" "${sources[@]}" > stdout || fail "messages.md has messages that are none"
[ "$(cat stdout)" -ge 30 ] || fail "only $(cat stdout) messages"
sed 's/^### `no kernel cache`/### `no kernel cashe`/' "$pages/messages.md" > wrong.md
! "$bmsim" messages.lua wrong.md "${sources[@]}" > stdout 2> stderr || fail "a message that is none is not found"
expect_text stderr "no message says 'no kernel cashe'"

# Every method has a section.
"$bmsim" --quiet --device cpu - > stdout << 'END' || fail "exit status $?"
local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian {} }
local _, text = pcall(bm.run, { model = model, time = 1, method = "zzzzzzzzz" })
print(text:match "known: (.*)$")
END
tr -d ',' < stdout | tr ' ' '\n' > methods
[ "$(wc -l < methods)" -ge 8 ] || fail "no list of methods: $(cat stdout)"
while read -r method; do expect_text "$pages/methods.md" "## $method"; done < methods
