-- Pictures as files: gnuplot draws in a temporary directory, and the picture is then written as any other file.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local gnuplot = require "bmsim.plot_gnuplot"
local host = require "bmsim.host"

local files = {}

--- The suffix of a picture's file, and the path to which it goes. Raises if the suffix is unknown or the file cannot be
--- written. subject: what messages begin with.
function files.check(subject, file)
  if host.explore and file == nil then return ".svg", nil end -- the page shows it
  if type(file) ~= "string" then errors.raise("%s: file must be a string, got %s", subject, type(file)) end
  local suffix = file:match "[^/](%.[^./]*)$" or ""
  local known = false
  for _, one in ipairs(gnuplot.suffixes) do known = known or suffix == one end
  if not known then
    errors.raise("%s: unknown suffix '%s' of '%s'; known: %s", subject, suffix, file,
      table.concat(gnuplot.suffixes, ", "))
  end
  if host.explore then return suffix, file end
  local place = ffi.string(errors.not_null(C.bm_session_place(ffi.cast("bm_session*", host.session), file)))
  errors.check(C.bm_file_check(place))
  return suffix, place
end

local function raise(file, why) errors.raise("plot: cannot write '%s': %s", file, (why:gsub("^.*: ", ""))) end

-- A file of the temporary directory.
local function write_there(file, text)
  local out, why = io.open(file, "w")
  local ok = out and out:write(text) and out:close()
  if not ok then raise(file, why or "no space") end
end

local function read_there(file)
  local text
  local picture = io.open(file, "rb")
  if picture then
    text = picture:read "*a"
    picture:close()
  end
  return text or ""
end

--- Writes a file that may replace one. text: any bytes.
function files.write(file, text)
  errors.check(C.bm_file_write(nil, file, ffi.cast("const char*", text), #text, 1))
end

local function shell(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- How a file that was written to its end ends.
local ends = { [".svg"] = "</svg>%s*$", [".pdf"] = "%%%%EOF%s*$", [".png"] = "IEND....$" }

-- The last line of gnuplot's complaint that says something.
local function reason(said)
  local last = ""
  for line in said:gmatch "[^\n]+" do
    if line:find "%a" then last = line:gsub("^%s+", "") end
  end
  return last ~= "" and last or "no picture was made"
end

-- Draws in the directory, and returns the picture. keep(): keeps what there is, and says where.
local function draw(picture, file, suffix, directory, keep)
  if host.run "command -v gnuplot" ~= 0 then
    errors.raise("plot: gnuplot is not installed (Debian: gnuplot-nox); the data is kept%s", keep(true))
  end
  local part, script = directory .. "/picture" .. suffix, directory .. "/picture.gp"
  write_there(script, gnuplot.text(picture, suffix, part))
  local status, said = host.run("gnuplot -d " .. shell(script))
  local drawn = read_there(part)
  if status ~= 0 or not drawn:sub(-64):find(ends[suffix]) then
    errors.raise("plot: gnuplot could not draw '%s': %s; the data is kept%s", file, reason(said), keep(false))
  end
  -- Some readers drop the spaces where gnuplot changes the font, unless they are told to keep them.
  return suffix == ".svg" and drawn:gsub("<text>", '<text xml:space="preserve">') or drawn
end

-- Calls work(directory), and removes the directory whatever happens: Ctrl-C is an error like any other here.
local function with_directory(work)
  local directory = ffi.gc(errors.not_null(C.bm_directory_new "plot"), C.bm_directory_free)
  local ok, made = pcall(work, ffi.string(C.bm_directory_path(directory)))
  C.bm_directory_free(ffi.gc(directory, nil))
  if not ok then error(made, 0) end
  return made
end

--- The picture as the bytes of a file of that suffix.
function files.bytes(picture, suffix)
  return with_directory(function(place)
    return draw(picture, "picture" .. suffix, suffix, place, function() return " nowhere" end)
  end)
end

--- Draws the picture into a file of that suffix, which files.check gave. save(file): writes all data there as a table;
--- used where there is no gnuplot, so that a script that ends here loses nothing; nil where the text for gnuplot does.
function files.draw(picture, file, suffix, save, has_arrays)
  if host.explore then return require "bmsim.explore_panels".picture(picture, save, has_arrays) end
  if suffix == ".gp" then return files.write(file, gnuplot.text(picture, suffix, (file:gsub("%.gp$", ".pdf")))) end
  with_directory(function(place)
    local function keep(with_table)
      files.write(file .. ".gp", gnuplot.text(picture, suffix, file))
      if not (with_table and save) then return (" in '%s.gp'"):format(file) end
      local kept = place .. "/table.csv"
      save(kept)
      files.write(file .. ".csv", read_there(kept))
      return (" in '%s.csv', and the picture to be drawn in '%s.gp'"):format(file, file)
    end
    files.write(file, draw(picture, file, suffix, place, keep)) -- nothing half made is left
  end)
end

return files
