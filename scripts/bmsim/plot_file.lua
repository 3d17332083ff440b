-- Pictures as files: gnuplot draws into a temporary name in the same directory, which is then renamed.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local gnuplot = require "bmsim.plot_gnuplot"

ffi.cdef "int getpid(void);"

local files = {}

--- The suffix of a picture's file. Raises if it is unknown or the file cannot be written.
function files.check(file)
  if type(file) ~= "string" then errors.raise("plot: file must be a string, got %s", type(file)) end
  local suffix = file:match "[^/](%.[^./]*)$" or ""
  local known = false
  for _, one in ipairs(gnuplot.suffixes) do known = known or suffix == one end
  if not known then
    errors.raise("plot: unknown suffix '%s' of '%s'; known: %s", suffix, file, table.concat(gnuplot.suffixes, ", "))
  end
  errors.check(C.bm_file_check(file))
  return suffix
end

local function rename(from, to)
  local ok, why = os.rename(from, to)
  if not ok then errors.raise("plot: cannot write '%s': %s", to, why) end
end

local function write(file, text)
  local out, why = io.open(file, "w")
  local ok = out ~= nil
  if out then
    ok, why = out:write(text)
    local closed, problem = out:close()
    if not closed then ok, why = false, why or problem end
  end
  if not ok then errors.raise("plot: cannot write '%s': %s", file, (tostring(why):gsub("^.*: ", ""))) end
end

local function shell(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- Runs a command; its status and what it printed.
local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo \"status $?\""))
  local said = pipe:read "*a" or ""
  pipe:close()
  return tonumber(said:match "status (%d+)%s*$"), (said:gsub("status %d+%s*$", ""))
end

-- How a file that was written to its end ends.
local ends = { [".svg"] = "</svg>%s*$", [".pdf"] = "%%%%EOF%s*$", [".png"] = "IEND....$" }

local function complete(file, suffix)
  local picture = io.open(file, "rb")
  if not picture then return false end
  picture:seek("end", -math.min(picture:seek "end", 64))
  local last = picture:read "*a" or ""
  picture:close()
  return last:find(ends[suffix]) ~= nil
end

-- Some readers drop the spaces where gnuplot changes the font, unless they are told to keep them.
local function keep_spaces(file)
  local picture = assert(io.open(file))
  local text = picture:read "*a"
  picture:close()
  write(file, (text:gsub("<text>", '<text xml:space="preserve">')))
end

-- The last line of gnuplot's complaint that says something.
local function reason(said)
  local last = ""
  for line in said:gmatch "[^\n]+" do
    if line:find "%a" then last = line:gsub("^%s+", "") end
  end
  return last ~= "" and last or "no picture was made"
end

-- Draws into `part` with the text in `script`. keep(): keeps what there is, and says where.
local function draw(file, suffix, script, part, keep)
  if run "command -v gnuplot" ~= 0 then
    errors.raise("plot: gnuplot is not installed (Debian: gnuplot-nox); the data is kept%s", keep(true))
  end
  local status, said = run("gnuplot -d " .. shell(script))
  if status ~= 0 or not complete(part, suffix) then
    errors.raise("plot: gnuplot could not draw '%s': %s; the data is kept%s", file, reason(said), keep(false))
  end
  if suffix == ".svg" then keep_spaces(part) end
  rename(part, file)
end

--- Draws the picture into a file of that suffix, which files.check gave. save(file): writes all data there as a table;
--- used where there is no gnuplot, so that a script that ends here loses nothing.
function files.draw(picture, file, suffix, save)
  local unique = ("%s.%d"):format(file, ffi.C.getpid())
  local part, script = unique .. ".part", unique .. ".gp"
  if suffix == ".gp" then
    write(part, gnuplot.text(picture, suffix, (file:gsub("%.gp$", ".pdf"))))
    return rename(part, file)
  end
  local function keep(with_table)
    write(script, gnuplot.text(picture, suffix, file))
    rename(script, file .. ".gp")
    if not with_table then return (" in '%s.gp'"):format(file) end
    save(file .. ".csv")
    return (" in '%s.csv', and the picture to be drawn in '%s.gp'"):format(file, file)
  end
  -- Ctrl-C is an error like any other here: nothing half made is left.
  local ok, problem = pcall(function()
    write(script, gnuplot.text(picture, suffix, part))
    draw(file, suffix, script, part, keep)
  end)
  os.remove(script)
  os.remove(part)
  if not ok then error(problem, 0) end
end

return files
