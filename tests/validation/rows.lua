-- What the tests have written to $BMSIM_VALIDATION (tests/rows.h): read, looked up, summed up.
local rows = {}

local fields = { "program", "kind", "case", "captures", "what", "measured", "error", "exact", "bound", "verdict" }
local numbers = { measured = true, error = true, exact = true, bound = true }

function rows.stop(...)
  io.stderr:write("validation: " .. string.format(...) .. "\n")
  os.exit(1)
end

local function parse(line, number)
  local row, i = {}, 0
  for field in (line .. "\t"):gmatch "([^\t]*)\t" do
    i = i + 1
    if not fields[i] then rows.stop("rows: line %d has more than %d fields", number, #fields) end
    row[fields[i]] = numbers[fields[i]] and tonumber(field) or field
  end
  if i ~= #fields or not row.measured then rows.stop("rows: line %d is no row: %s", number, line) end
  row.passed = row.verdict == "pass"
  if row.kind == "z" and row.error > 0 then row.z = (row.measured - row.exact) / row.error end
  return row
end

-- program -> { rows, the last of kind "end" }: of each program those of its last run.
function rows.read(path)
  local file = io.open(path) or rows.stop("cannot read %s", path)
  local programs, growing, number = {}, {}, 0
  for line in file:lines() do
    number = number + 1
    local row = parse(line, number)
    growing[row.program] = growing[row.program] or {}
    table.insert(growing[row.program], row)
    if row.kind == "end" then programs[row.program], growing[row.program] = growing[row.program], nil end
  end
  file:close()
  for name in pairs(growing) do rows.stop("test '%s' did not run to its end", name) end
  return programs
end

function rows.of(programs, name)
  return programs[name] or rows.stop("test '%s' has no rows: run it", name)
end

-- A text with "=" is one of the captures; another is part of the case, of the captures or of what is measured.
local function has(row, text)
  if text:find(" = ", 1, true) then return (", " .. row.captures .. ", "):find(", " .. text .. ", ", 1, true) end
  return (row.case .. "\n" .. row.captures .. "\n" .. row.what):find(text, 1, true)
end

-- The one row of a test that has all texts of "test: text; text; ...".
function rows.find(programs, key)
  local name, texts = key:match "^%s*([%w_]+):%s*(.-)%s*$"
  if not name then rows.stop("'%s' is not 'test: text; text'", key) end
  local found = {}
  for _, row in ipairs(rows.of(programs, name)) do
    local all = row.kind ~= "end"
    for text in texts:gmatch "[^;]+" do all = all and has(row, text:match "^%s*(.-)%s*$") end
    if all then found[#found + 1] = row end
  end
  if #found ~= 1 then rows.stop("%d rows are '%s', expected one", #found, key) end
  return found[1]
end

function rows.minus(text) return (text:gsub("%-", "−")) end

-- To the digits of an error, of which two count.
local function digits(err) return err > 0 and math.max(0, 1 - math.floor(math.log10(err))) or 6 end

function rows.measured(row)
  if row.kind ~= "z" then return rows.minus(("%.5g"):format(row.measured)) end
  local n = digits(row.error)
  return rows.minus(("%." .. n .. "f ± %." .. n .. "f"):format(row.measured, row.error))
end
function rows.exact(row)
  if row.kind ~= "z" then return rows.minus(("%.5g"):format(row.exact)) end
  return rows.minus((("%." .. digits(row.error) + 1 .. "f"):format(row.exact):gsub("(%.%d-)0+$", "%1"):gsub("%.$", "")))
end
function rows.deviation(row)
  local text = row.z and ("%.1f"):format(row.z) or ("%.1e allowed"):format(row.bound)
  return rows.minus(text) .. (row.passed and "" or " **FAILS**")
end

-- { count, largest |z|, rms z, checks, failed } of a test, and its rows that failed.
function rows.sum(list)
  local sum, failed, squares, with_z = { count = 0, largest = 0 }, {}, 0, 0
  for _, row in ipairs(list) do
    if row.kind == "end" then
      sum.checks, sum.failed = row.measured, row.passed and 0 or math.max(1, row.error)
    else
      sum.count = sum.count + 1
      if not row.passed then failed[#failed + 1] = row end
      if row.z then
        sum.largest = math.max(sum.largest, math.abs(row.z))
        squares, with_z = squares + row.z ^ 2, with_z + 1
      end
    end
  end
  sum.rms = with_z > 0 and math.sqrt(squares / with_z) or nil
  return sum, failed
end

return rows
