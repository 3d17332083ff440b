-- Axes of a picture: ranges with a margin, tics of logarithmic axes, edges of the cells of a map, and the place where a
-- legend hides nothing.
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

local function tic_text(mantissa, exponent, plain)
  if plain then return ("%g"):format(mantissa * 10 ^ exponent) end
  return mantissa == 1 and ("10^{%d}"):format(exponent) or ("%d·10^{%d}"):format(mantissa, exponent)
end

-- Tics in the range at mantissa * 10^exponent for the mantissas 1 to 9: labelled those of `major`, every `stride`
-- decades. Returns their list and how many are labelled.
local function log_tics(axis, major, stride)
  local first, last = math.floor(math.log10(axis.from)), math.ceil(math.log10(axis.to))
  local list, labelled, plain = {}, 0, axis.from >= 1e-3 and axis.to <= 2e4
  for exponent = first, last do
    for mantissa = 1, 9 do
      local value = mantissa * 10 ^ exponent
      if value >= axis.from * (1 - 1e-9) and value <= axis.to * (1 + 1e-9) then
        local named = major[mantissa] and exponent % stride == 0
        if named then
          labelled = labelled + 1
          list[#list + 1] = ("'%s' %.10g 0"):format(tic_text(mantissa, exponent, plain), value)
        elseif stride == 1 or mantissa == 1 then
          list[#list + 1] = ("'' %.10g 1"):format(value)
        end
      end
    end
  end
  return list, labelled
end

--- The tics of a logarithmic axis as gnuplot takes them, "('1' 1 0, '' 2 1, ...)"; nil where its own will do. gnuplot
--- labels powers of ten alone, of which a short axis has one or none.
function axes.tics(axis)
  if not axis.log then return nil end
  local decades = math.log10(axis.to / axis.from)
  local list, labelled = log_tics(axis, { true }, math.max(1, math.ceil(decades / 6)))
  if labelled < 3 then list, labelled = log_tics(axis, { true, true, nil, nil, true }, 1) end
  if labelled < 3 then list, labelled = log_tics(axis, { true, true, true, true, true, true, true, true, true }, 1) end
  return labelled >= 2 and "(" .. table.concat(list, ", ") .. ")" or nil
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
local function trace(picture, visit)
  local x, y = picture.x, picture.y
  for _, curve in ipairs(picture.curves) do
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

--- Where the legend goes: a corner where nothing is drawn; else above the data, for which the y axis grows; or, with
--- many lines, beside the plot, for which a picture that may grows in width. `entries` are its texts.
function axes.legend_place(picture, entries)
  local most = 0
  for _, entry in ipairs(entries) do most = math.max(most, labels.length(entry)) end
  -- In parts of the plot's inside. A letter is 0.2 cm wide, a line of the legend 0.6 cm high; labels and tics take
  -- 2.5 cm of the width and 2.4 cm of the height, a title 1 cm more.
  local inside = picture.height - (picture.title and 3.4 or 2.4)
  local width, height = (1.5 + 0.2 * most) / (picture.width - 2.5), (0.2 + 0.6 * #entries) / inside
  for _, corner in ipairs(corners) do
    local free = true
    trace(picture, function(u, v)
      if math.abs(u - corner[2]) < width and math.abs(v - corner[3]) < height then free = false end
    end)
    if free then return "inside " .. corner[1] end
  end
  if height > 0.3 or picture.y.fixed then
    if picture.grows then picture.width = picture.width + 1.5 + 0.2 * most end
    return "outside right top"
  end
  local from, to = scaled(picture.y, picture.y.from), scaled(picture.y, picture.y.to)
  picture.y.to = unscaled(picture.y, from + (to - from) / (1 - height))
  return "inside right top"
end

return axes
