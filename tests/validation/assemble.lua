-- Writes docs/validation.md: the prose of docs/validation.md.in, and what its directives ask for.
--   @header            version, date, machine, and how many numbers were compared
--   @summary           a line for each test: what it is held to, its largest and rms z
--   @failures          every row that failed
--   @laboratory FILE   all tables of FILE.md of the laboratory;  @table NAME: one of them
--   | label | @test: text; text |    exact, measured and z of the one row of that test with these texts
--   {{test: text; text}}             what it measured, within a line
-- Called by tests/validation/run.sh. With -D check=FILE nothing is written: FILE must be what the template demands.
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local bm = require "bmsim"
local rows = require "rows"
local given = bm.args
local stop = rows.stop

local function lines_of(path)
  local file, lines = io.open(path) or stop("cannot read %s", path), {}
  for line in file:lines() do lines[#lines + 1] = line end
  file:close()
  return lines
end

local tests = {}
for name in (given.tests or stop "tests are missing"):gmatch "%S+" do
  tests[#tests + 1] = name:gsub("^physics_", "")
end
table.sort(tests)

-- What a test's file says: the paragraph "Held to:" of its opening comment, else all of it.
local function held_to(name)
  local paragraphs, new = {}, true
  for _, line in ipairs(lines_of(given.sources .. "/test_" .. name .. ".cc")) do
    local text = line:match "^//%s*(.*)$"
    if not text then break end
    if text == "" then
      new = true
    else
      if new then
        paragraphs[#paragraphs + 1] = text
      else
        paragraphs[#paragraphs] = paragraphs[#paragraphs] .. " " .. text
      end
      new = false
    end
  end
  if #paragraphs == 0 then stop("test_%s.cc does not begin with a comment that says what it is held to", name) end
  for _, paragraph in ipairs(paragraphs) do
    if paragraph:find("^Held to: ") then return (paragraph:gsub("^Held to: ", "")) end
  end
  return (table.concat(paragraphs, " "):gsub("%.$", ""))
end

-- ---- check: the document has every line of the template in order, something for each directive, and every test ----

local function plain(line)
  return not line:find("^@") and not line:find("| @", 1, true) and not line:find("{{", 1, true)
end

local function check(path)
  local document, at = lines_of(path), 0
  local again = "; ./bootstrap validation writes it anew"
  local function has(text, whole)
    for i = at + 1, #document do
      local found = whole and document[i] == text or not whole and document[i]:sub(1, #text) == text
      if found then at = i return true end
    end
  end
  for i, line in ipairs(lines_of(given.template)) do
    local label = line:match "^(.-| )@" or line:match "^(.-){{"
    if plain(line) and not has(line, true) or label and not has(label) then
      stop("%s lacks line %d of the template%s: %s", path, i, again, line)
    end
  end
  local summed = {}
  for i, line in ipairs(document) do
    if line:find("^@%l") or line:find("{{", 1, true) or line:find("| @", 1, true) then
      stop("%s:%d is not filled in%s: %s", path, i, again, line)
    end
    local name = line:match "^| `([%w_]+)` |"
    if name then summed[name] = true end
  end
  for _, name in ipairs(tests) do
    if not summed[name] then stop("%s has no row of the test '%s'%s", path, name, again) end
  end
end

if given.check then return check(given.check) end

-- ---- the directives ----

local programs = rows.read(given.rows)
local out, failed, compared = {}, {}, 0
local summary = { "| test | held to | numbers | max z | rms z | checks |", "|---|---|---|---|---|---|" }
for _, name in ipairs(tests) do
  local sum, bad = rows.sum(rows.of(programs, name))
  compared = compared + sum.count
  for _, row in ipairs(bad) do failed[#failed + 1] = row end
  if sum.failed > 0 and #bad == 0 then failed[#failed + 1] = name end
  local verdict = sum.failed == 0 and ("%d"):format(sum.checks) or ("**%d of %d FAILS**"):format(sum.failed, sum.checks)
  summary[#summary + 1] = ("| `%s` | %s | %s | %s | %s | %s |"):format(name, (held_to(name):gsub("|", "\\|")),
    sum.count > 0 and sum.count or "", sum.rms and ("%.1f"):format(sum.largest) or "",
    sum.rms and ("%.1f"):format(sum.rms) or "", verdict)
end

-- name -> lines of a table of the laboratory, and the names of each file in order.
local tables, files = {}, {}
for path in (given.tables or ""):gmatch "%S+" do
  local names, name = {}, nil
  for _, line in ipairs(lines_of(path)) do
    local begun = line:match "^<!%-%- table: ([%w_]+) %-%->$"
    if begun then
      name = begun
      names[#names + 1], tables[name] = name, {}
    elseif name and not (line == "" and tables[name][#tables[name]] == "") then
      table.insert(tables[name], line)
    end
  end
  files[path:match "([^/]+)%.md$"] = names
end

local function put(lines) for _, line in ipairs(lines) do out[#out + 1] = line end end
local function put_table(name)
  local lines = tables[name] or stop("the laboratory has no table '%s'", name)
  while lines[#lines] == "" do lines[#lines] = nil end
  put(lines)
end

local directives = {
  header = function()
    local count = ("%d numbers were compared in %d tests; %s."):format(compared, #tests,
      #failed == 0 and "none fails" or ("**%d FAILS**"):format(#failed))
    put { ("Version %s, %s, %s. %s"):format(given.version, given.date, given.machine, count) }
  end,
  summary = function() put(summary) end,
  failures = function()
    if #failed == 0 then return put { "No check fails." } end
    for _, row in ipairs(failed) do
      if type(row) == "string" then
        put { ("- `%s`: a check that compares no number **FAILS**"):format(row) }
      else
        put { ("- `%s`, %s%s: `%s` is %s, exact %s: %s"):format(
          row.program, row.case, row.captures ~= "" and " (" .. row.captures .. ")" or "", row.what,
          rows.measured(row), rows.exact(row), rows.deviation(row)) }
      end
    end
  end,
  table = put_table,
  laboratory = function(file)
    local names = files[file] or stop("the laboratory has no tables %s.md", file)
    for i, name in ipairs(names) do
      if i > 1 then put { "" } end
      put_table(name)
    end
  end,
}

for i, line in ipairs(lines_of(given.template)) do
  local directive, argument = line:match "^@(%l+)%s*(%S*)$"
  if directive then
    (directives[directive] or stop("template:%d: unknown directive @%s", i, directive))(argument)
  else
    line = line:gsub("@([%w_]+:[^|]*)|", function(key)
      local row = rows.find(programs, key)
      return table.concat({ rows.exact(row), rows.measured(row), rows.deviation(row) }, " | ") .. " |"
    end)
    out[#out + 1] = line:gsub("{{(.-)}}", function(key)
      local row = rows.find(programs, key)
      return rows.measured(row) .. (row.passed and "" or " **FAILS**")
    end)
  end
end
local file = io.open(given.out, "w") or stop("cannot write %s", given.out)
file:write(table.concat(out, "\n"), "\n")
file:close()
print(("validation: %s, %d numbers in %d tests, %d failed"):format(given.out, compared, #tests, #failed))
