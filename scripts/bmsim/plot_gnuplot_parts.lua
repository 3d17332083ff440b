-- What the texts for gnuplot of curves and of maps have in common: words, numbers, axes, and the room around them.
local axes = require "bmsim.plot_axes"
local tics = require "bmsim.plot_tics"

local parts = {}

-- Within single quotes gnuplot knows no other character; '' is not an apostrophe to it everywhere.
function parts.quoted(text) return "'" .. text:gsub("%c", " "):gsub("'", [['."'".']]) .. "'" end

function parts.number(value) return value ~= value and "NaN" or ("%.10g"):format(value) end

-- A line of a block of data.
function parts.row(...)
  local cells = { ... }
  for i, value in ipairs(cells) do cells[i] = parts.number(value) end
  return table.concat(cells, " ")
end

-- direction: of its labels; length: of the axis, in cm. Returns the width of its labels, too.
function parts.axis_lines(picture, name, axis, direction, length)
  local lines = { ("set %srange [%s:%s]"):format(name, parts.number(axis.from), parts.number(axis.to)) }
  if axis.log then lines[#lines + 1] = ("set logscale %s"):format(name) end
  local list, widest = tics.list(axis, direction, length, axes.scale(picture))
  if list then lines[#lines + 1] = ("set %stics %s"):format(name, list) end
  if axis.label and axis.label ~= "" then
    local nearer = picture.lettering and direction == "x" and " offset 0,0.5" or ""
    lines[#lines + 1] = ("set %slabel %s%s"):format(name, parts.quoted(axis.label), nearer .. (picture.lettering or ""))
  end
  return lines, widest
end

-- The width that is left for the x axis, in cm, by the labels of y and what is to the right of the plot.
function parts.inner_width(picture, y_labels, right)
  if picture.frame then return picture.frame.width end
  return math.max(1, picture.width - 2.4 * axes.scale(picture) - y_labels - right)
end

-- The room that labels take around the axes, in cm; right: beside them.
function parts.margins(picture, y_labels, right)
  local scale = axes.scale(picture)
  local function has_label(axis) return axis.label and axis.label ~= "" and 0.65 or 0 end
  local out = picture.map and 0.2 or 0 -- tics that point outwards
  return { left = y_labels + scale * (0.4 + out + has_label(picture.y)), right = right,
           bottom = scale * (0.75 + out + has_label(picture.x)), top = scale * (picture.title and 0.9 or 0.25) }
end

function parts.append(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
end

return parts
