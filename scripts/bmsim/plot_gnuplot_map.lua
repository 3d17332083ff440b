-- The text for gnuplot of a map; its picture is described in plot_gnuplot.lua.
local axes = require "bmsim.plot_axes"
local colours = require "bmsim.plot_colours"
local labels = require "bmsim.plot_labels"
local parts = require "bmsim.plot_gnuplot_parts"

-- Two digits, or as many as tell these values apart.
local function level_texts(levels)
  for digits = 2, 6 do
    local texts, differ = {}, true
    for i, level in ipairs(levels) do
      texts[i] = labels.number(level, digits)
      differ = differ and texts[i] ~= texts[i - 1] and (level ~= math.floor(level) or math.abs(level) < 10 ^ digits)
    end
    if differ or digits == 6 then return texts end
  end
end

-- The colours of a map that has a few values: a piece of the bar for each, with its value beside it.
local function level_lines(picture)
  local levels, named, widest = picture.map.levels, {}, 0
  for i, text in ipairs(level_texts(levels)) do
    named[i], widest = ("'%s' %d"):format(text, i), math.max(widest, labels.length(text))
  end
  local stops, lines = colours.levels(levels), {}
  for i, colour in ipairs(stops) do lines[i] = ("%d '%s'"):format(i, colour) end
  local made = { ("set cbrange [0.5:%g]"):format(#levels + 0.5), "set cbtics (" .. table.concat(named, ", ") .. ")",
                 ("set palette maxcolors %d"):format(#levels),
                 ("set palette defined (%s)"):format(table.concat(lines, ", ")) }
  if picture.z.label and picture.z.label ~= "" then
    made[#made + 1] = "set cblabel " .. parts.quoted(picture.z.label) .. (picture.lettering or "")
  end
  return made, 0.2 * axes.scale(picture) * widest
end

-- An arrow's head on the bar of colours at an end that does not hold all values; `base` and `tip`: its heights.
local function arrow(colour, base, tip)
  return ("set object polygon from graph 1.03,%g to graph 1.0525,%g to graph 1.075,%g to graph 1.03,%g " ..
    "noclip fc rgb '%s' fs solid 1 border lc rgb 'black' lw 0.5"):format(base, tip, base, base, colour)
end

local function arrows(picture, values)
  local z, palette, lines, low, high = picture.z, picture.map.palette, {}, 0, 1
  for _, value in ipairs(values) do
    if value < z.from - 1e-9 * math.abs(z.from) then low = 0.05 end
    if value > z.to + 1e-9 * math.abs(z.to) then high = 0.95 end
  end
  if low == 0 and high == 1 then return lines end
  lines[1] = ("set colorbox user origin graph 1.03, graph %g size graph 0.045, graph %g"):format(low, high - low)
  if low > 0 then lines[#lines + 1] = arrow(palette[1], low, 0) end
  if high < 1 then lines[#lines + 1] = arrow(palette[#palette], high, 1) end
  return lines
end

-- The number of a value's level; nil if it is at none.
local function level_of(map, value)
  local best = 1
  for i, level in ipairs(map.levels) do
    if math.abs(value - level) < math.abs(value - map.levels[best]) then best = i end
  end
  return math.abs(value - map.levels[best]) <= map.apart and best or nil
end

-- Cells as rectangles between edges, so that uneven and logarithmic axes are right. A cell without a value is left out
-- and shows the grey behind it.
return function(picture, prefix)
  local map, x, y, z = picture.map, picture.x, picture.y, picture.z
  local x_edges, y_edges = axes.edges(x, map.x), axes.edges(y, map.y)
  local data, values = { ("$%smap << EOD"):format(prefix) }, {}
  for j = 1, #map.y do
    for i = 1, #map.x do
      local value = map.z[j][i]
      local colour = axes.shows(z, value) and (not map.levels and value or map.levels and level_of(map, value))
      if colour then
        values[#values + 1] = value
        data[#data + 1] = parts.row(map.x[i], map.y[j], x_edges[i], x_edges[i + 1], y_edges[j], y_edges[j + 1], colour)
      end
    end
  end
  data[#data + 1] = "EOD"
  axes.fit(x, x_edges, 0)
  axes.fit(y, y_edges, 0)
  if map.symmetric and not z.from and not z.to then
    axes.fit(z, values, 0)
    z.to = math.max(-z.from, z.to)
    z.from = -z.to
  end
  axes.fit(z, values, 0)
  local height, lines = axes.inner_height(picture), {}
  local y_lines, y_labels = parts.axis_lines(picture, "y", y, "y", height)
  local z_lines, z_labels, clipped
  if map.levels then
    z_lines, z_labels = level_lines(picture)
    clipped = {}
  else
    z_lines, z_labels = parts.axis_lines(picture, "cb", z, "y", height)
    z_lines[#z_lines + 1] = ("set palette defined (%s)"):format(colours.palette(map.palette))
    clipped = arrows(picture, values)
  end
  local scale = axes.scale(picture)
  local beside = z_labels + scale * (z.label and z.label ~= "" and 1.85 or 1.3) -- the bar, its labels, and their name
  parts.append(lines, parts.axis_lines(picture, "x", x, "x", parts.inner_width(picture, y_labels, beside)))
  parts.append(lines, y_lines)
  parts.append(lines, z_lines)
  if not picture.frame then -- gnuplot knows neither labels of its bar nor a bar that is placed
    lines[#lines + 1] = ("set rmargin at screen %g"):format(1 - beside / picture.width)
  end
  parts.append(lines, clipped)
  parts.append(lines, {
    "set tics out nomirror",
    "set cbtics scale 0.3",
    "set style fill solid 1 border", -- in the cell's own colour, which closes the seams between cells
    "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb '#b0b0b0' fs solid 1 noborder",
    "unset key",
    ("plot $%smap using 1:2:3:4:5:6:7 with boxxyerror lw 0.3 lc palette"):format(prefix),
  })
  return { data = data, commands = lines, room = parts.margins(picture, y_labels, beside) }
end
