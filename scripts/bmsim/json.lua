-- Values as JSON: numbers so that they are read back to the bit, nan and infinities as null.
local json = {}

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c) return escapes[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function number(value)
  if value ~= value or value == math.huge or value == -math.huge then return "null" end
  local text = ("%.15g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

local lists = setmetatable({}, { __mode = "k" })

--- Says that a table is a list, even where it is empty. Returns it.
function json.list(t)
  lists[t] = true
  return t
end

local write

local function write_table(value, out)
  if lists[value] or #value > 0 then
    out[#out + 1] = "["
    for i = 1, #value do
      if i > 1 then out[#out + 1] = "," end
      write(value[i], out)
    end
    out[#out + 1] = "]"
    return
  end
  local keys = {}
  for key in next, value do keys[#keys + 1] = key end
  table.sort(keys)
  for i, key in ipairs(keys) do
    out[#out + 1] = (i == 1 and "{" or ",") .. quoted(key) .. ":"
    write(value[key], out)
  end
  out[#out + 1] = #keys == 0 and "{}" or "}"
end

function write(value, out)
  local kind = type(value)
  if kind == "table" then return write_table(value, out) end
  out[#out + 1] = kind == "number" and number(value) or kind == "string" and quoted(value) or tostring(value)
end

--- One line of text.
function json.text(value)
  local out = {}
  write(value, out)
  return table.concat(out)
end

return json
