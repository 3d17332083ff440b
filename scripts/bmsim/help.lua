-- help(what) prints a page of the reference: of a name ("bm.run", "run", "observe.density", "poisson", "heun"), or of a
-- value of the library (bm.run itself). help() lists what there is. The pages are those of docs, which lie beside this
-- library in an install and in a build tree; those of plugins are their descriptors.
local ffi = require "ffi"
local C = require "bmsim.ffi"
local errors = require "bmsim.errors"
local text = require "bmsim.help_text"

local library = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" -- PREFIX/share/bmsim/lua/bmsim
local folder = library .. "/../../../doc/bmsim/"

local function read(page)
  local file = io.open(folder .. page)
  if not file then return nil end
  local content = file:read "*a"
  file:close()
  return content
end

local function needed(page)
  return read(page) or errors.raise("help: the page %s is missing in %s", page, folder)
end

-- ---- what there is ----

-- A thing to be described: full, its name; short, what it is called where nothing else is; also, other names; show().
local function page_of(file)
  return function() return text.clean(needed(file)) end
end

-- The pages that an index links: { full =, file =, says = }, by its sections.
local function linked(index)
  local sections = {}
  for line in needed(index):gmatch "[^\n]+" do
    local title = line:match "^## (.*)$"
    if title then sections[#sections + 1] = { title = title } end
    local name, file, says = line:match "^%- %[([^%]]+)%]%(([^)]+)%): (.*)$"
    if name and #sections > 0 then
      table.insert(sections[#sections], { full = name, file = file, says = text.plain(says) })
    end
  end
  return sections
end

local function functions(add)
  for _, section in ipairs(linked "reference/functions/index.md") do
    for _, one in ipairs(section) do
      local name = one.full:gsub("^bm%.", "")
      local method = name:match "^r:(.*)$"
      local also = method and { "r." .. method, "result." .. method, "result:" .. method } or { name }
      if one.full == "r" then also = { "result" } end
      add { full = one.full, short = method or name:match "[^.]*$", also = also,
            show = page_of("reference/functions/" .. one.file) }
    end
  end
end

local function observables(add)
  for _, section in ipairs(linked "reference/observables/index.md") do
    for _, one in ipairs(section) do
      add { full = "observe." .. one.full, short = one.full, also = { "bm.observe." .. one.full },
            show = page_of("reference/observables/" .. one.file) }
    end
  end
end

local function property(index, key) return ffi.string(C.bm_plugin_property(index, key)) end

local function plugins(add)
  for i = 0, tonumber(C.bm_plugin_count()) - 1 do
    local id, full = property(i, "id"), property(i, "kind") .. "." .. property(i, "id")
    if id ~= "formula" then
      add { full = full, short = id, also = { "bm." .. full }, show = function()
        return ffi.string(errors.not_null(C.bm_plugin_describe(full))):match "^(.-)\n*$" .. "\n"
      end }
    end
  end
end

-- A method is a section of its page.
local function methods(add)
  local page = needed "reference/methods.md"
  for name in page:gmatch "\n## (%l[%w_]*)\n" do
    add { full = "method " .. name, short = name, also = {}, show = function()
      return text.clean("# " .. name .. "\n\nA [method](methods.md) of bm.run.\n" ..
        text.section(page, name) .. "\n\nAll of them: bmsim help methods.\n")
    end }
  end
  add { full = "methods", short = "methods", also = {}, show = page_of "reference/methods.md" }
  add { full = "messages", short = "messages", also = {}, show = page_of "reference/messages.md" }
end

local function all_things()
  local list = {}
  local function add(one) list[#list + 1] = one end
  for _, gather in ipairs { functions, observables, plugins, methods } do gather(add) end
  return list
end

-- ---- what a name means ----

local function things_called(list, name)
  local found = {}
  for _, one in ipairs(list) do
    if one.full == name then return { one } end
    local called = one.short == name
    for _, other in ipairs(one.also) do
      if other == name and name:find "[.:]" then return { one } end
      called = called or other == name
    end
    if called then found[#found + 1] = one end
  end
  return found
end

-- A page of the guide, or of what stands beside it: "walls", "guide/events", "mean-fields", "faq".
local function guide_page(name)
  name = name:gsub("^guide/", "")
  if not name:find "^[%w_-]+$" then return nil end
  local file = name:gsub("_", "-") .. ".md"
  return read("guide/" .. file) or read(file)
end

-- What messages with these words mean.
local function messages_with(words)
  local found = {}
  for title, paragraph in text.sections(needed "reference/messages.md") do
    if #words >= 4 and title:find(words, 1, true) then found[#found + 1] = text.clean(title .. "\n\n" .. paragraph) end
  end
  return found
end

-- Rows of tables whose first cell has the name: fields of functions, options of the command line.
local function rows_of(name)
  local found = {}
  local function look(title, page)
    local row = page and text.row(page, name)
    if row then found[#found + 1] = ("Of %s:\n\n%s"):format(title, text.clean(row)) end
  end
  for _, section in ipairs(linked "reference/functions/index.md") do
    for _, one in ipairs(section) do look(one.full, read("reference/functions/" .. one.file)) end
  end
  local options = read "guide/command-line.md" or ""
  local row = text.row(options, name) or text.row(options, "--" .. name)
  if row then found[#found + 1] = "An option of the command line:\n\n" .. text.clean(row) end
  return found
end

-- What else a short name may have meant: `paths` is an observable, and a field of bm.run.
local function of_the_same_name(thing, name)
  if name == thing.full or thing.full:find "^bm%." or thing.full:find "^r" then return "" end
  local others = rows_of(name)
  if guide_page(name) then others[#others + 1] = ("The guide has a page, too: bmsim help guide/%s\n"):format(name) end
  return #others > 0 and "\nOthers of this name\n" .. ("-"):rep(19) .. "\n\n" .. table.concat(others, "\n") or ""
end

local function known_names(list)
  local names, seen = {}, {}
  for _, one in ipairs(list) do
    for _, name in ipairs { one.full, one.short } do
      if not seen[name] then names[#names + 1], seen[name] = name, true end
    end
  end
  return names
end

-- The text that a name leads to, or an error.
local function by_name(name)
  local list = all_things()
  local found = things_called(list, name)
  if #found == 1 then return found[1].show() .. of_the_same_name(found[1], name) end
  if #found > 1 then
    local names = {}
    for i, one in ipairs(found) do names[i] = one.full end
    errors.raise("help: '%s' is several: %s", name, table.concat(names, ", "))
  end
  local page = guide_page(name)
  if page then return text.clean(page) end
  for _, others in ipairs { rows_of(name), messages_with(name) } do
    if #others > 0 then return table.concat(others, "\n") end
  end
  local hint = errors.suggest(name, known_names(list))
  if hint:find("; known:", 1, true) == 1 then hint = "; bmsim help lists what there is" end
  errors.raise("help: unknown name '%s'%s", name, hint)
end

-- ---- what a value is called ----

local function upvalue(f, name)
  for i = 1, 60 do
    local key, value = debug.getupvalue(f, i)
    if key == nil then return nil end
    if key == name then return value end
  end
end

-- "bm.run" of bm.run; "bm.theory.master".
local function name_in(value, table_, prefix)
  for key, one in pairs(table_) do
    if one == value and type(one) ~= "string" then return prefix .. key end
  end
end

local function name_of_function(f)
  local bm = require "bmsim"
  for _, inner in ipairs { "theory", "event" } do
    local name = name_in(f, bm[inner], "bm." .. inner .. ".")
    if name then return name end
  end
  local kind, id, source = upvalue(f, "kind"), upvalue(f, "id"), debug.getinfo(f, "S").source
  if source == "@" .. library .. "/component.lua" and kind then return "bm." .. kind .. "." .. (id or "formula") end
  if source == "@" .. library .. "/observables.lua" then return "observe." .. upvalue(f, "name") end
  return name_in(f, require("bmsim.result").methods, "r:")
end

local function name_of(value)
  local bm = require "bmsim"
  local name = name_in(value, bm, "bm.")
  if name then return name end
  if type(value) == "function" then return name_of_function(value) end
  if type(value) ~= "table" then return nil end
  if require("bmsim.result").is(value) then return "r" end
  if require("bmsim.model").is(value) then
    return value.system and "bm.system" or value.given.mass and "bm.underdamped" or "bm.overdamped"
  end
  if require("bmsim.observables").is(value) then return "observe." .. value.observable end
  for _, kind in ipairs { "potential", "noise", "drive" } do
    if require("bmsim.component").is(value, kind) then return "bm." .. kind .. "." .. value.id end
  end
end

-- ---- what is listed ----

local function topics()
  local parts = { "bmsim help NAME prints the page of one of these; at the prompt help \"NAME\", or help(bm.run).\n" }
  local function put(format, ...) parts[#parts + 1] = format:format(...) end
  for _, index in ipairs { "functions", "observables" } do
    for _, section in ipairs(linked("reference/" .. index .. "/index.md")) do
      put("\n%s%s\n", index == "observables" and "Observables: " or "", section.title)
      for _, one in ipairs(section) do put("  %-31s %s\n", one.full, one.says) end
    end
  end
  for _, kind in ipairs { "noise", "potential", "drive" } do
    local ids = {}
    for i = 0, tonumber(C.bm_plugin_count()) - 1 do
      if property(i, "kind") == kind then ids[#ids + 1] = property(i, "id") end
    end
    put("\n%ss\n%s", kind:gsub("^%l", string.upper), text.wrapped(table.concat(ids, ", "), "  "))
  end
  local names = {}
  for name in needed("reference/methods.md"):gmatch "\n## (%l[%w_]*)\n" do names[#names + 1] = name end
  put("\nMethods\n%s", text.wrapped(table.concat(names, ", ") .. "; all of them: methods", "  "))
  put("\nAlso\n%s", text.wrapped("messages: what errors and warnings mean; fields of functions, such as spp; " ..
    "pages of the guide, such as walls", "  "))
  put "\nbmsim --help lists the options of the program, bmsim docs says where the documentation is.\n"
  return table.concat(parts)
end

return function(what)
  if what == nil or what == "" or what == require "bmsim" then
    io.write(topics())
    return
  end
  local name = type(what) == "string" and what or name_of(what)
  if name == nil then
    errors.raise("help: must be given a name, or something of bm, got %s", errors.type(what))
  end
  io.write(by_name(name))
end
