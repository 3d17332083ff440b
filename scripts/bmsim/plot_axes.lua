-- Axes of a picture: ranges with a margin, edges of the cells of a map, and the place where a legend hides nothing.
local labels = require "bmsim.plot_labels"

local axes = {}

local function finite(value) return value == value and math.abs(value) < math.huge end

--- Whether an axis can show the value.
function axes.shows(axis, value) return finite(value) and (not axis.log or value > 0) end

local function scaled(axis, value) return axis.log and math.log10(value) or value end
local function unscaled(axis, value) return axis.log and 10 ^ value or value end

--- Where between the ends of the axis, 0 to 1.
local function place(axis, value)
  local from, to = scaled(axis, axis.from), scaled(axis, axis.to)
  return (scaled(axis, value) - from) / (to - from)
end

--- Sets axis.from and axis.to, where they are not given, to hold the values with a margin (a part of the range).
function axes.fit(axis, values, margin)
  local low, high = math.huge, -math.huge
  for _, value in ipairs(values) do
    if axes.shows(axis, value) then low, high = math.min(low, value), math.max(high, value) end
  end
  low, high = scaled(axis, low), scaled(axis, high)
  local pad = (high - low) * margin
  if high - low <= 1e-12 * math.max(math.abs(low), math.abs(high)) then
    pad = axis.log and 0.5 or low ~= 0 and 0.5 * math.abs(low) or 1
  end
  axis.from = axis.from or unscaled(axis, low - pad)
  axis.to = axis.to or unscaled(axis, high + pad)
end

--- Widens the range of one axis, where it is not given, until a unit of both has the same length in a plot of this
--- width and height.
function axes.equalise(x, y, width, height)
  local scale = math.max((x.to - x.from) / width, (y.to - y.from) / height)
  for axis, length in pairs { [x] = width, [y] = height } do
    local missing = scale * length - (axis.to - axis.from)
    if not axis.fixed then axis.from, axis.to = axis.from - missing / 2, axis.to + missing / 2 end
  end
end

--- The edges of cells around `centres`, which increase: half way between them, on a logarithmic axis by ratio.
function axes.edges(axis, centres)
  local n, edges = #centres, {}
  if n == 1 then
    local half = axis.log and 0.5 or centres[1] ~= 0 and 0.5 * math.abs(centres[1]) or 0.5
    local centre = scaled(axis, centres[1])
    return { unscaled(axis, centre - half), unscaled(axis, centre + half) }
  end
  local function middle(i) return (scaled(axis, centres[i]) + scaled(axis, centres[i + 1])) / 2 end
  for i = 1, n - 1 do edges[i + 1] = unscaled(axis, middle(i)) end
  edges[1] = unscaled(axis, 2 * scaled(axis, centres[1]) - middle(1))
  edges[n + 1] = unscaled(axis, 2 * scaled(axis, centres[n]) - middle(n - 1))
  return edges
end

-- Calls visit(x, y), both 0 to 1, along everything that is drawn.
function axes.trace(picture, visit)
  local x, y = picture.x, picture.y
  for _, curve in ipairs(picture.curves or {}) do
    local before_u, before_v
    for i = 1, #curve.x do
      local u, v = place(x, curve.x[i]), place(y, curve.y[i])
      visit(u, v)
      if curve.low then
        visit(u, place(y, curve.low[i]))
        visit(u, place(y, curve.high[i]))
      end
      for step = 1, before_u and curve.line and 15 or 0 do
        visit(before_u + (u - before_u) * step / 16, before_v + (v - before_v) * step / 16)
      end
      before_u, before_v = u, v
    end
  end
end

local corners = { { "right top", 1, 1 }, { "left top", 0, 1 }, { "right bottom", 1, 0 }, { "left bottom", 0, 0 } }

--- How large the picture is lettered, in parts of 10 points.
function axes.scale(picture) return (picture.font or 10) / 10 end

--- The length of the y axis. Where no frame is given, labels and tics take 2.4 cm of the height, a title 1 cm more.
function axes.inner_height(picture)
  if picture.frame then return picture.frame.height end
  return math.max(1, picture.height - (picture.title and 3.4 or 2.4) * axes.scale(picture))
end

--- How wide a legend is that stands beside the plot, in cm: a letter is 0.2 cm wide.
function axes.legend_width(picture, entries)
  local most = 0
  for _, entry in ipairs(entries) do most = math.max(most, labels.length(entry)) end
  return (1.5 + 0.2 * most) * axes.scale(picture)
end

-- Whether anything is drawn in a corner, of this part of the plot's width and height.
local function is_free(picture, corner, width, height)
  local free, taken = true, picture.taken
  if taken and (corner[2] == 1 and taken.right > 1 - width or corner[2] == 0 and taken.left < width) and
    (corner[3] == 1 and taken.top > 1 - height or corner[3] == 0 and taken.bottom < height) then
    return false
  end
  axes.trace(picture, function(u, v)
    if math.abs(u - corner[2]) < width and math.abs(v - corner[3]) < height then free = false end
  end)
  return free
end

--- The first corner, "right top", where there is room for something of this part of the plot's width and height; nil
--- where there is none.
function axes.free_corner(picture, width, height)
  for _, corner in ipairs(corners) do
    if is_free(picture, corner, width, height) then return corner[1] end
  end
end

--- Where the legend goes: a corner where nothing is drawn; else above the data, for which the y axis grows; or, with
--- many lines, beside the plot, for which a picture that may grows in width; in one that may not it takes more of the
--- height. `entries` are its texts.
function axes.legend_place(picture, entries)
  -- In parts of the plot's inside. A line of the legend is 0.6 cm high; labels and tics take 2.5 cm of the width.
  local inside, wide = axes.inner_height(picture), axes.legend_width(picture, entries)
  local width = wide / (picture.frame and picture.frame.width or picture.width - 2.5)
  local height = (0.2 + 0.6 * #entries) * axes.scale(picture) / inside
  local corner = axes.free_corner(picture, width, height)
  if corner then return "inside " .. corner end
  if height > (picture.grows and 0.3 or 0.6) or picture.y.fixed then
    if picture.grows then picture.width = picture.width + wide end
    return "outside right top"
  end
  local from, to = scaled(picture.y, picture.y.from), scaled(picture.y, picture.y.to)
  picture.y.to = unscaled(picture.y, from + (to - from) / (1 - height))
  return "inside right top"
end

return axes
