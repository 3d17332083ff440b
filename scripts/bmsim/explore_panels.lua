-- What `bmsim explore` shows of a script: its pictures, tables and texts as panels, in the order in which it makes
-- them, and what a reader may take away of each.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local explore = require "bmsim.explore"
local host = require "bmsim.host"
local json = require "bmsim.json"

local panels = {}

local list, kept = json.list {}, {} -- what the page is sent; by the panel's id: what it is made of
local recorders = {} -- of what moves, by the key of its panel
local most_text, most_rows = 100000, 2000

-- kind: what the page draws. parts: { picture =, save = } of what is taken away.
local function add(panel, parts)
  panel.id = "p" .. #list + 1
  panel.saves = json.list {}
  parts = parts or {}
  if parts.picture then table.insert(panel.saves, "svg") end
  if parts.picture then table.insert(panel.saves, "pdf") end
  if parts.save then table.insert(panel.saves, "csv") end
  if parts.save and parts.has_arrays then table.insert(panel.saves, "nc") end
  list[#list + 1], kept[panel.id] = panel, parts
end

local function axis(one)
  return { label = one.label, log = one.log and true or false, from = one.from, to = one.to }
end

local function numbers(values) return values and json.list(values) end

local function curve_of(one)
  return { x = numbers(one.x), y = numbers(one.y), low = numbers(one.low), high = numbers(one.high),
           colour = one.colour, marker = one.marker, line = one.line and true or false, dash = one.dash,
           title = one.title, band = one.band, dots = one.dots }
end

local function map_of(one)
  local rows = json.list {}
  for i, row in ipairs(one.z) do rows[i] = numbers(row) end
  return { x = numbers(one.x), y = numbers(one.y), z = rows, palette = json.list(one.palette),
           symmetric = one.symmetric and true or false, levels = numbers(one.levels), apart = one.apart }
end

local function panel_of(picture, letter)
  local panel = { kind = picture.map and "map" or "curves", title = picture.title, letter = letter,
                  x = axis(picture.x), y = axis(picture.y), z = picture.z and axis(picture.z),
                  equal = picture.equal, legend = picture.legend }
  if picture.map then
    panel.map = map_of(picture.map)
    return panel
  end
  panel.curves, panel.key = json.list {}, json.list {}
  for i, one in ipairs(picture.curves) do panel.curves[i] = curve_of(one) end
  for i, one in ipairs(picture.key or {}) do
    panel.key[i] = { title = one.title, colour = one.colour, dash = one.dash or 1 }
  end
  return panel
end

--- A picture, or a sheet of them. save(file): writes its data as a table; has_arrays: or as netCDF.
function panels.picture(picture, save, has_arrays)
  local parts = { picture = picture, save = save, has_arrays = has_arrays }
  if not picture.plots then return add(panel_of(picture), parts) end
  for i, one in ipairs(picture.plots) do
    add(panel_of(one.picture, one.letter and one.letter.text), i == 1 and parts or nil)
  end
end

--- What make() gives, or where that fails for want of paths a panel that says so.
function panels.tolerant(make)
  if not host.explore then return make() end
  local ok, made = pcall(make)
  if ok then return made end
  if type(made) ~= "string" or not explore.reduced or not made:find("no point has", 1, true) then error(made, 0) end
  add { kind = "waiting", text = made }
end

--- A table: names of columns, and each by its name.
function panels.table(names, column, rows, save)
  local shown, columns = math.min(rows, most_rows), json.list {}
  for c, name in ipairs(names) do
    local values = column(name)
    columns[c] = json.list {}
    for i = 1, shown do columns[c][i] = values[i - 1] end
  end
  local plain = json.list {}
  for c, name in ipairs(names) do plain[c] = name end
  add({ kind = "table", names = plain, columns = columns, rows = rows }, { save = save, has_arrays = true })
end

--- A panel whose particles move, see explore_show. record(part): a part of the motion, as the page draws it, and after
--- how many seconds the next one is to be made.
function panels.motion(record)
  recorders[#recorders + 1] = record
  add { kind = "motion", key = tostring(#recorders) }
end

--- The next part of all motion, as JSON, and after how many seconds the one after it is to be made; nothing if nothing
--- moves. round: which values the script has.
function panels.move(round, part)
  if #recorders == 0 then return end
  local all, soonest = {}, math.huge
  for key, record in ipairs(recorders) do
    local ok, motion, seconds = pcall(record, part)
    if not ok then motion, seconds = { failure = tostring(motion) }, math.huge end
    motion.round, motion.part = round, part
    all[tostring(key)], soonest = motion, math.min(soonest, seconds)
  end
  return json.text(all), math.min(soonest, 3600)
end

-- What the script prints is one panel until something else comes.
local function say(text)
  local last = list[#list]
  if not last or last.kind ~= "text" then
    add { kind = "text", text = "" }
    last = list[#list]
  end
  if #last.text < most_text then last.text = last.text .. text end
end

--- Begins: what the script prints, by print, io.write or io.stdout:write, goes to the page.
function panels.begin()
  rawset(_G, "print", function(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    say(table.concat(words, "\t") .. "\n")
  end)
  local files = getmetatable(io.stdout).__index
  local write = files.write
  function files.write(file, ...)
    if file ~= io.stdout then return write(file, ...) end
    for i = 1, select("#", ...) do
      local text = select(i, ...)
      if type(text) ~= "string" and type(text) ~= "number" then
        error(("bad argument #%d to 'write' (string expected, got %s)"):format(i, type(text)), 2)
      end
      say(tostring(text))
    end
    return true
  end
  rawset(io, "write", function(...) return io.output():write(...) end)
end

--- The state of the page, as JSON; whether there are more paths to make; how many were made; and whether more of them
--- need not be doubled. about: what the program knows: { version =, error =, seconds = }.
function panels.report(about)
  local state = { controls = explore.controls, panels = list, warnings = explore.warnings, command = explore.command(),
                  script = host.script, done = not explore.reduced, paths = explore.made_paths,
                  all_paths = explore.all_paths }
  for key, value in pairs(about) do state[key] = value end
  return json.text(state), explore.reduced, explore.made_paths, explore.enough == true
end

local types = { svg = "image/svg+xml", pdf = "application/pdf", csv = "text/csv", nc = "application/x-netcdf",
                lua = "text/x-lua" }

-- A file that a result or a script has written; those of results are in the session's directory.
local function read(file)
  local place = ffi.string(C.bm_session_place(ffi.cast("bm_session*", host.session), file))
  local from = io.open(place, "rb") or assert(io.open(file, "rb"))
  local text = from:read "*a"
  from:close()
  return text
end

--- What is taken away: the bytes, their type, and a name for them. id: of a panel, or "script".
function panels.take(id, format, script_text)
  local name = (host.script or "script"):match "([^/]*)$":gsub("%.lua$", ""):gsub("[^%w_.-]", "_")
  if format == "lua" then return explore.script(script_text), types.lua, name .. ".lua" end
  local parts = kept[id]
  if not parts or not types[format] then error("there is no such panel any more", 0) end
  local file = ("%s-%s.%s"):format(name, id, format)
  if format == "svg" or format == "pdf" then
    return require("bmsim.plot_file").bytes(parts.picture, "." .. format), types[format], file
  end
  local directory = ffi.gc(C.bm_directory_new "explore", C.bm_directory_free)
  if directory == nil then error(ffi.string(C.bm_error()), 0) end
  local place = ffi.string(C.bm_directory_path(directory)) .. "/table." .. format
  parts.save(place)
  local bytes = read(place)
  C.bm_directory_free(ffi.gc(directory, nil))
  return bytes, types[format], file
end

return panels
