-- A picture as a text for gnuplot, with its data inside. A picture knows nothing of results:
--   { width =, height =, grows =,              -- in cm; grows: for a legend beside the plot
--     title =,                                 -- texts are gnuplot's enhanced ones
--     equal = true,                            -- a unit of x is as long as one of y
--     x = { label =, log =, from =, to = },    -- from, to: nil for what the data need; so are y, and z of a map
--     curves = { { x = {}, y = {}, low = {}, high = {},     -- low, high: ends of error bars, or nil
--                  colour = "#rrggbb", marker = 7,          -- marker nil: no points
--                  line = true, dash = 1, title =,
--                  band = true,                             -- low to high as a band in place of bars
--                  dots = true } },                         -- points as small as there are many
--     legend = "auto",                         -- or "off", or gnuplot's words for a place
--     key = { { title =, colour =, dash = } } }   -- entries of the legend that are no curve's title
-- or, in place of curves, a map: x and y are the centres of its cells, z[row][column] their values, a row for each y:
--     map = { x = {}, y = {}, z = { {}, ... }, palette = { "#rrggbb", ... }, symmetric = true }
local axes = require "bmsim.plot_axes"
local colours = require "bmsim.plot_colours"
local tics = require "bmsim.plot_tics"

local gnuplot = {}

--- The suffixes of pictures, and what they are to gnuplot. ".gp" is the text itself, which makes a PDF.
gnuplot.suffixes = { ".svg", ".pdf", ".png", ".gp" }
local font, points = "sans-serif", 10

local terminals = {
  [".svg"] = function(width, height)
    local pixels = 96 / 2.54
    return ("svg size %.0f,%.0f enhanced font '%s,%.4g' background '#ffffff'"):format(width * pixels, height * pixels,
      font, points * 96 / 72)
  end,
  [".pdf"] = function(width, height)
    local scale = "fontscale 0.75 linewidth 1.5 pointscale 1.3" -- 0.75: a point is a point
    return ("pdfcairo size %.4gcm,%.4gcm enhanced font '%s,%g' %s"):format(width, height, font, points, scale)
  end,
  [".png"] = function(width, height)
    local dots, scale = 300 / 2.54, 300 / 96 -- per cm, for print
    return ("pngcairo size %.0f,%.0f enhanced font '%s,%g' fontscale %g linewidth %g pointscale %g"):format(
      width * dots, height * dots, font, points, scale, scale, scale)
  end,
}

-- Within single quotes gnuplot knows no other character; '' is not an apostrophe to it everywhere.
local function quoted(text) return "'" .. text:gsub("%c", " "):gsub("'", [['."'".']]) .. "'" end

-- To gnuplot a name that begins with | is a command.
local function file_name(name) return quoted(name:find "^[%w_./]" and name or "./" .. name) end

local function number(value) return value ~= value and "NaN" or ("%.10g"):format(value) end

-- A line of a block of data.
local function row(...)
  local cells = { ... }
  for i, value in ipairs(cells) do cells[i] = number(value) end
  return table.concat(cells, " ")
end

-- A bar that reaches below zero ends at the bottom of a logarithmic axis.
local function curve_block(name, curve, y)
  local lines = { ("$%s << EOD"):format(name) }
  for i = 1, #curve.x do
    local low = curve.low and (axes.shows(y, curve.low[i]) and curve.low[i] or y.from)
    lines[#lines + 1] = low and row(curve.x[i], curve.y[i], low, curve.high[i]) or row(curve.x[i], curve.y[i])
  end
  lines[#lines + 1] = "EOD"
  return table.concat(lines, "\n")
end

-- The size of a curve's markers, smaller where there are many.
local function marker_size(curve)
  local count = #curve.x
  if curve.dots then return count > 10000 and 0.1 or count > 2000 and 0.16 or 0.25 end
  return count > 60 and 0.35 or 0.6
end

-- What a curve is drawn with: error bars, the line over them, markers on top. gnuplot's error bars would
-- cut out what is around the markers, so that they are drawn as vectors.
local function curve_parts(name, curve)
  local parts, colour = {}, ("lc rgb '%s'"):format(curve.colour)
  local title = curve.title and "title " .. quoted(curve.title) or "notitle"
  if curve.low and curve.band then
    parts[1] = ("$%s using 1:3:4 with filledcurves fs transparent solid 0.3 noborder %s notitle"):format(name, colour)
  elseif curve.low then
    parts[1] = ("$%s using 1:3:(0):($4-$3) with vectors nohead lw 1 %s notitle"):format(name, colour)
  end
  local marker = curve.marker and ("pt %d ps %g"):format(curve.marker, marker_size(curve))
  local style = marker and (curve.line and "linespoints lw 1 " .. marker or "points " .. marker)
    or ("lines lw 1.5 dt %d"):format(curve.dash or 1)
  parts[#parts + 1] = ("$%s using 1:2 with %s %s %s"):format(name, style, colour, title)
  return parts
end

-- direction: of its labels; length: of the axis, in cm. Returns the width of its labels, too.
local function axis_lines(name, axis, direction, length)
  local lines = { ("set %srange [%s:%s]"):format(name, number(axis.from), number(axis.to)) }
  if axis.log then lines[#lines + 1] = ("set logscale %s"):format(name) end
  local list, widest = tics.list(axis, direction, length)
  if list then lines[#lines + 1] = ("set %stics %s"):format(name, list) end
  if axis.label and axis.label ~= "" then
    lines[#lines + 1] = ("set %slabel %s"):format(name, quoted(axis.label))
  end
  return lines, widest
end

-- The width that is left for the x axis, in cm, by the labels of y and what is to the right of the plot.
local function inner_width(picture, y_labels, right) return math.max(1, picture.width - 2.4 - y_labels - right) end

local function append(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
end

local function fit_curves(picture)
  local xs, ys = {}, {}
  for _, curve in ipairs(picture.curves) do
    append(xs, curve.x)
    append(ys, curve.y)
    append(ys, curve.low or {})
    append(ys, curve.high or {})
  end
  picture.x.fixed, picture.y.fixed = picture.x.to ~= nil, picture.y.to ~= nil
  axes.fit(picture.x, xs, 0.03)
  axes.fit(picture.y, ys, 0.06)
  if picture.equal then
    axes.equalise(picture.x, picture.y, picture.width - 3.5, axes.inner_height(picture))
    picture.y.fixed = true
  end
end

local function curves_text(picture)
  fit_curves(picture)
  local entries, lines, parts = {}, {}, {}
  for i, curve in ipairs(picture.curves) do
    local name = "curve" .. i
    lines[i] = curve_block(name, curve, picture.y)
    append(parts, curve_parts(name, curve))
    entries[#entries + 1] = curve.title
  end
  for _, entry in ipairs(picture.key or {}) do
    parts[#parts + 1] = ("NaN with lines lw 1.5 dt %d lc rgb '%s' title %s"):format(entry.dash or 1, entry.colour,
      quoted(entry.title))
    entries[#entries + 1] = entry.title
  end
  local place = #entries > 0 and picture.legend or "off"
  if place == "auto" then place = axes.legend_place(picture, entries) end
  local y_lines, y_labels = axis_lines("y", picture.y, "y", axes.inner_height(picture))
  local beside = place:find "outside" and axes.legend_width(entries) or 0
  append(lines, axis_lines("x", picture.x, "x", inner_width(picture, y_labels, beside)))
  append(lines, y_lines)
  if not picture.y.log and picture.y.from < 0 and picture.y.to > 0 then
    lines[#lines + 1] = "set xzeroaxis lt 1 lw 0.7 lc rgb '#999999'"
  end
  lines[#lines + 1] = place == "off" and "unset key" or "set key " .. place .. " Left reverse samplen 1.5"
  lines[#lines + 1] = "plot \\\n  " .. table.concat(parts, ", \\\n  ")
  return lines
end

-- Cells as rectangles between edges, so that uneven and logarithmic axes are right. A cell without a value is left out
-- and shows the grey behind it.
local function map_text(picture)
  local map, x, y, z = picture.map, picture.x, picture.y, picture.z
  local x_edges, y_edges, lines, values = axes.edges(x, map.x), axes.edges(y, map.y), { "$map << EOD" }, {}
  for j = 1, #map.y do
    for i = 1, #map.x do
      local value = map.z[j][i]
      if axes.shows(z, value) then
        values[#values + 1] = value
        lines[#lines + 1] = row(map.x[i], map.y[j], x_edges[i], x_edges[i + 1], y_edges[j], y_edges[j + 1], value)
      end
    end
  end
  lines[#lines + 1] = "EOD"
  axes.fit(x, x_edges, 0)
  axes.fit(y, y_edges, 0)
  if map.symmetric and not z.from and not z.to then
    axes.fit(z, values, 0)
    z.to = math.max(-z.from, z.to)
    z.from = -z.to
  end
  axes.fit(z, values, 0)
  local height = axes.inner_height(picture)
  local y_lines, y_labels = axis_lines("y", y, "y", height)
  local z_lines, z_labels = axis_lines("cb", z, "y", height)
  append(lines, axis_lines("x", x, "x", inner_width(picture, y_labels, 2.2 + z_labels))) -- the palette, and its label
  append(lines, y_lines)
  append(lines, z_lines)
  append(lines, {
    ("set palette defined (%s)"):format(colours.palette(map.palette)),
    "set tics out nomirror",
    "set cbtics scale 0.3",
    "set style fill solid 1 border", -- in the cell's own colour, which closes the seams between cells
    "set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#b0b0b0' fs solid 1 noborder",
    "unset key",
    "plot $map using 1:2:3:4:5:6:7 with boxxyerror lw 0.3 lc palette",
  })
  return lines
end

-- Fitting sets the ends of axes: of a copy, so that the picture can be drawn again.
local function with_own_axes(picture)
  local function copy(t)
    local made = {}
    for key, value in pairs(t) do made[key] = value end
    return made
  end
  local made = copy(picture)
  for _, name in ipairs { "x", "y", "z" } do made[name] = picture[name] and copy(picture[name]) end
  return made
end

--- The text that draws `picture` into `output`; suffix: of what is drawn, one of gnuplot.suffixes.
function gnuplot.text(picture, suffix, output)
  picture = with_own_axes(picture)
  local body = picture.map and map_text(picture) or curves_text(picture) -- which may change the width
  local lines = {
    "set encoding utf8",
    "set terminal " .. (terminals[suffix] or terminals[".pdf"])(picture.width, picture.height),
    "set output " .. file_name(output),
    "set border lw 0.8",
    "set tics scale 0.7 front",
    "set format '%h'",
  }
  if picture.equal then lines[#lines + 1] = "set size ratio -1" end
  if picture.title then lines[#lines + 1] = ("set title %s offset 0,-0.4"):format(quoted(picture.title)) end
  append(lines, body)
  lines[#lines + 1] = "unset output\n"
  return table.concat(lines, "\n")
end

return gnuplot
