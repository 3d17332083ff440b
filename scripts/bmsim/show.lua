-- Texts of values for people: what print shows of models, components, results, columns, arrays and observables.
local ffi = require "ffi"
local C = require "bmsim.ffi"

local show = {}

local width = 100 -- of the lines that are broken

--- "0.3"; of a function "a function"; of a list "{0, 0.5, 1}", of which the middle is left out where it is long.
function show.value(value)
  if type(value) == "number" then return ("%.6g"):format(value + 0) end -- -0 is 0
  if type(value) == "function" then return "a function" end
  if type(value) == "table" and getmetatable(value) == nil then return "{" .. show.list(value) .. "}" end
  return tostring(value)
end

--- The first values of a list and its last one, and how many there are where that are more.
function show.list(list)
  local most, texts = 8, {}
  for i = 1, math.min(#list, #list > most and most - 2 or most) do texts[i] = show.value(list[i]) end
  local text = table.concat(texts, ", ")
  if #list <= most then return text end
  return ("%s, ..., %s: %d values"):format(text, show.value(list[#list]), #list)
end

--- A line that goes on, indented, where it is too long: broken between words, but not within "phase (phi) = 0".
function show.wrapped(text, indent)
  local lines, line = {}, nil
  for word in text:gsub(" = ", "\1=\1"):gsub(" (%(%w+%)\1)", "\1%1"):gmatch "[^ ]+" do
    if line and #line + 1 + #word > width then
      lines[#lines + 1] = line
      line = indent .. word
    else
      line = line and line .. " " .. word or word
    end
  end
  lines[#lines + 1] = line
  return (table.concat(lines, "\n"):gsub("\1", " "))
end

local ours = setmetatable({}, { __mode = "k" })

--- Says that a metatable is the library's, whose __names, __peek, __fields and __words completion may call. Returns it.
function show.ours(metatable)
  ours[metatable] = true
  return metatable
end
function show.is_ours(metatable) return ours[metatable] end

--- What print shows of values with this metatable. names: a function of the value that gives the names of its fields,
--- for completion at the prompt, where pairs does not find them.
function show.as(metatable, text, names)
  show.ours(metatable)
  metatable.__tostring = text
  metatable.__names = names
end

local fields = setmetatable({}, { __mode = "k" })

--- Says which named fields a function takes, for completion. Returns the function.
function show.takes(f, names)
  fields[f] = names
  return f
end
function show.fields(f) return fields[f] end

local just_told

--- Says that a value has been printed, written or drawn already: the prompt does not show it again. told: what it was.
function show.tell(value) just_told = value end
function show.told() return just_told end

--- "1 path", "2 paths".
function show.count(number, word) return ("%s %s%s"):format(number, word, number == 1 and "" or "s") end

-- ---- what plugins say of themselves ----

local known = {}

-- The cells of a line of a table in bm_plugin_describe, between two or more spaces.
local function cells(line)
  local list = {}
  for cell in (line:gsub("^%s+", "") .. "  "):gmatch "(.-)%s%s+" do list[#list + 1] = cell end
  return list
end

--- A plugin's equation, its summary and its parameters: { { name =, symbol =, default = }, ... }; default is nil for
--- those of which others are calculated, or that are calculated.
function show.plugin(kind, id)
  local name = kind .. "." .. id
  if known[name] then return known[name] end
  local pointer = C.bm_plugin_describe(name)
  local text = pointer ~= nil and ffi.string(pointer) or ""
  local found = { summary = text:match "^[^:\n]*: ([^\n]*)" or "", equation = "", parameters = {} }
  local of_sets, part = {}, nil
  for line in text:gmatch "[^\n]+" do
    local row = cells(line)
    if row[1] == "parameter" or row[1] == "list" then
      part = row[1]
    elseif line:find "^  give one of these sets" then
      part = "set"
    elseif line:find "^  [%w_]+ is one of" or line:find "^  %a+: " then
      part = nil
    elseif part == "parameter" then
      found.parameters[#found.parameters + 1] = { name = row[1], symbol = row[2], default = row[3] }
    elseif part == "list" then
      found.parameters[#found.parameters + 1] = { name = row[1], symbol = row[2] }
    elseif part == "set" then
      for one in (row[1] or ""):gmatch "%S+" do of_sets[one] = true end
    elseif found.equation == "" and line:find "^  " then
      found.equation = line:match "^%s*(.*)$"
    end
  end
  for _, parameter in ipairs(found.parameters) do
    if of_sets[parameter.name] then parameter.default = nil end
  end
  known[name] = found
  return found
end

--- The ids of the plugins of a kind, without formula.
function show.plugins(kind)
  local ids = {}
  for i = 0, tonumber(C.bm_plugin_count()) - 1 do
    if ffi.string(C.bm_plugin_property(i, "kind")) == kind then
      local id = ffi.string(C.bm_plugin_property(i, "id"))
      if id ~= "formula" then ids[#ids + 1] = id end
    end
  end
  return ids
end

return show
