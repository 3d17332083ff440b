-- A picture as a text for gnuplot, with its data inside. A picture knows nothing of results:
--   { width =, height =, grows =,              -- in cm; grows: for a legend beside the plot
--     title =,                                 -- texts are gnuplot's enhanced ones
--     font = 10,                               -- of its letters, in points
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
--     map = { x = {}, y = {}, z = { {}, ... }, palette = { "#rrggbb", ... }, symmetric = true,
--             levels = { values }, apart = }   -- a colour each, in place of a scale; apart: how far a cell may be
-- Several pictures share a sheet, each in a frame between its axes' ends, in cm from the lower left (plot_sheet.lua):
--   { width =, height =, font =, plots = { { picture =, letter = "(a)", frame = { x =, y =, width =, height = } } } }
local axes = require "bmsim.plot_axes"
local colours = require "bmsim.plot_colours"
local labels = require "bmsim.plot_labels"
local tics = require "bmsim.plot_tics"

local gnuplot = {}

--- The suffixes of pictures, and what they are to gnuplot. ".gp" is the text itself, which makes a PDF.
gnuplot.suffixes = { ".svg", ".pdf", ".png", ".gp" }
local family, ten_points = "sans-serif", 10

local terminals = {
  [".svg"] = function(width, height, font)
    local pixels = 96 / 2.54
    return ("svg size %.0f,%.0f enhanced font '%s,%.4g' background '#ffffff'"):format(width * pixels, height * pixels,
      family, font * 96 / 72)
  end,
  [".pdf"] = function(width, height, font)
    local scale = "fontscale 0.75 linewidth 1.5 pointscale 1.3" -- 0.75: a point is a point
    return ("pdfcairo size %.4gcm,%.4gcm enhanced font '%s,%g' %s"):format(width, height, family, font, scale)
  end,
  [".png"] = function(width, height, font)
    local dots, scale = 300 / 2.54, 300 / 96 -- per cm, for print
    return ("pngcairo size %.0f,%.0f enhanced font '%s,%g' fontscale %g linewidth %g pointscale %g"):format(
      width * dots, height * dots, family, font, scale, scale, scale)
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
local function axis_lines(picture, name, axis, direction, length)
  local lines = { ("set %srange [%s:%s]"):format(name, number(axis.from), number(axis.to)) }
  if axis.log then lines[#lines + 1] = ("set logscale %s"):format(name) end
  local list, widest = tics.list(axis, direction, length, axes.scale(picture))
  if list then lines[#lines + 1] = ("set %stics %s"):format(name, list) end
  if axis.label and axis.label ~= "" then
    local nearer = picture.lettering and direction == "x" and " offset 0,0.5" or ""
    lines[#lines + 1] = ("set %slabel %s%s"):format(name, quoted(axis.label), nearer .. (picture.lettering or ""))
  end
  return lines, widest
end

-- The width that is left for the x axis, in cm, by the labels of y and what is to the right of the plot.
local function inner_width(picture, y_labels, right)
  if picture.frame then return picture.frame.width end
  return math.max(1, picture.width - 2.4 * axes.scale(picture) - y_labels - right)
end

-- The room that labels take around the axes, in cm; right: beside them.
local function margins(picture, y_labels, right)
  local scale = axes.scale(picture)
  local function has_label(axis) return axis.label and axis.label ~= "" and 0.65 or 0 end
  local out = picture.map and 0.2 or 0 -- tics that point outwards
  return { left = y_labels + scale * (0.4 + out + has_label(picture.y)), right = right,
           bottom = scale * (0.75 + out + has_label(picture.x)), top = scale * (picture.title and 0.9 or 0.25) }
end

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
    local width = picture.frame and picture.frame.width or picture.width - 3.5
    axes.equalise(picture.x, picture.y, width, axes.inner_height(picture))
    picture.y.fixed = true
  end
end

-- Both kinds of pictures as { data = blocks, commands = lines, room = margins }; prefix: of the names of the blocks.
local function curves_text(picture, prefix)
  fit_curves(picture)
  local entries, data, lines, parts = {}, {}, {}, {}
  for i, curve in ipairs(picture.curves) do
    local name = prefix .. "curve" .. i
    data[i] = curve_block(name, curve, picture.y)
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
  local y_lines, y_labels = axis_lines(picture, "y", picture.y, "y", axes.inner_height(picture))
  local beside = place:find "outside" and axes.legend_width(picture, entries) or 0
  append(lines, axis_lines(picture, "x", picture.x, "x", inner_width(picture, y_labels, beside)))
  append(lines, y_lines)
  if not picture.y.log and picture.y.from < 0 and picture.y.to > 0 then
    lines[#lines + 1] = "set xzeroaxis lt 1 lw 0.7 lc rgb '#999999'"
  end
  local key = "set key " .. place .. " Left reverse samplen 1.5" .. (picture.lettering or "")
  lines[#lines + 1] = place == "off" and "unset key" or key
  lines[#lines + 1] = "plot \\\n  " .. table.concat(parts, ", \\\n  ")
  return { data = data, commands = lines, room = margins(picture, y_labels, 0.35 + beside) }
end

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
  local levels, parts, widest = picture.map.levels, {}, 0
  for i, text in ipairs(level_texts(levels)) do
    parts[i], widest = ("'%s' %d"):format(text, i), math.max(widest, labels.length(text))
  end
  local stops, lines = colours.levels(levels), {}
  for i, colour in ipairs(stops) do lines[i] = ("%d '%s'"):format(i, colour) end
  local made = { ("set cbrange [0.5:%g]"):format(#levels + 0.5), "set cbtics (" .. table.concat(parts, ", ") .. ")",
                 ("set palette maxcolors %d"):format(#levels),
                 ("set palette defined (%s)"):format(table.concat(lines, ", ")) }
  if picture.z.label and picture.z.label ~= "" then
    made[#made + 1] = "set cblabel " .. quoted(picture.z.label) .. (picture.lettering or "")
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
local function map_text(picture, prefix)
  local map, x, y, z = picture.map, picture.x, picture.y, picture.z
  local x_edges, y_edges = axes.edges(x, map.x), axes.edges(y, map.y)
  local data, values = { ("$%smap << EOD"):format(prefix) }, {}
  for j = 1, #map.y do
    for i = 1, #map.x do
      local value = map.z[j][i]
      local colour = axes.shows(z, value) and (not map.levels and value or map.levels and level_of(map, value))
      if colour then
        values[#values + 1] = value
        data[#data + 1] = row(map.x[i], map.y[j], x_edges[i], x_edges[i + 1], y_edges[j], y_edges[j + 1], colour)
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
  local y_lines, y_labels = axis_lines(picture, "y", y, "y", height)
  local z_lines, z_labels, clipped
  if map.levels then
    z_lines, z_labels = level_lines(picture)
    clipped = {}
  else
    z_lines, z_labels = axis_lines(picture, "cb", z, "y", height)
    z_lines[#z_lines + 1] = ("set palette defined (%s)"):format(colours.palette(map.palette))
    clipped = arrows(picture, values)
  end
  local scale = axes.scale(picture)
  local beside = z_labels + scale * (z.label and z.label ~= "" and 1.85 or 1.3) -- the bar, its labels, and their name
  append(lines, axis_lines(picture, "x", x, "x", inner_width(picture, y_labels, beside)))
  append(lines, y_lines)
  append(lines, z_lines)
  if not picture.frame then -- gnuplot knows neither labels of its bar nor a bar that is placed
    lines[#lines + 1] = ("set rmargin at screen %g"):format(1 - beside / picture.width)
  end
  append(lines, clipped)
  append(lines, {
    "set tics out nomirror",
    "set cbtics scale 0.3",
    "set style fill solid 1 border", -- in the cell's own colour, which closes the seams between cells
    "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb '#b0b0b0' fs solid 1 noborder",
    "unset key",
    ("plot $%smap using 1:2:3:4:5:6:7 with boxxyerror lw 0.3 lc palette"):format(prefix),
  })
  return { data = data, commands = lines, room = margins(picture, y_labels, beside) }
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

local function body(picture, prefix) return (picture.map and map_text or curves_text)(picture, prefix) end

local function opening(suffix, output, width, height, font)
  return {
    "set encoding utf8",
    "set minussign",
    "set terminal " .. (terminals[suffix] or terminals[".pdf"])(width, height, font or ten_points),
    "set output " .. file_name(output),
  }
end

local function style(picture)
  local lines = { "set border lw 0.8", "set tics scale 0.7 front" .. (picture.lettering or ""), "set format '%h'" }
  if picture.equal then lines[#lines + 1] = "set size ratio -1" end
  if picture.title then
    lines[#lines + 1] = ("set title %s offset 0,-0.4%s"):format(quoted(picture.title), picture.lettering or "")
  end
  return lines
end

--- The room that a picture's labels take around its axes: { left =, right =, bottom =, top = }, in cm. frame:
--- { width =, height = } of the axes, which decides what labels there are. Also the picture with the ends of its axes.
function gnuplot.room(picture, frame)
  local own = with_own_axes(picture)
  own.frame = frame
  return body(own, "").room, own
end

-- One of the plots of a sheet, and its data.
local function plot_text(one, sheet, suffix, prefix)
  local picture, frame = with_own_axes(one.picture), one.frame
  picture.frame, picture.taken, picture.font = frame, one.taken, one.font
  if one.font ~= sheet.font then
    picture.lettering = (" font ',%.4g'"):format(one.font * (suffix == ".svg" and 96 / 72 or 1))
  end
  local made, lines = body(picture, prefix), { "reset", "set minussign" }
  local function at(side, value, whole) lines[#lines + 1] = ("set %s at screen %.6g"):format(side, value / whole) end
  at("lmargin", frame.x, sheet.width)
  at("rmargin", frame.x + frame.width, sheet.width)
  at("bmargin", frame.y, sheet.height)
  at("tmargin", frame.y + frame.height, sheet.height)
  append(lines, style(picture))
  if one.letter then
    lines[#lines + 1] = ("set label '%s' at screen %.6g,%.6g left front"):format(one.letter.text,
      one.letter.x / sheet.width, one.letter.y / sheet.height)
  end
  if one.ground then -- hides what is behind an inset
    local box = one.ground
    lines[#lines + 1] = ("set object rectangle from screen %.6g,%.6g to screen %.6g,%.6g behind fc rgb 'white' " ..
      "fs solid 1 noborder"):format(box.x / sheet.width, box.y / sheet.height, (box.x + box.width) / sheet.width,
        (box.y + box.height) / sheet.height)
  end
  append(lines, made.commands)
  return lines, made.data
end

local function sheet_text(sheet, suffix, output)
  local lines, commands = opening(suffix, output, sheet.width, sheet.height, sheet.font), {}
  for i, one in ipairs(sheet.plots) do
    local own, data = plot_text(one, sheet, suffix, ("p%d_"):format(i))
    append(lines, data)
    append(commands, own)
  end
  lines[#lines + 1] = "set multiplot"
  append(lines, commands)
  append(lines, { "unset multiplot", "unset output\n" })
  return table.concat(lines, "\n")
end

--- The text that draws a picture, or a sheet of them, into `output`; suffix: of what is drawn, one of gnuplot.suffixes.
function gnuplot.text(picture, suffix, output)
  if picture.plots then return sheet_text(picture, suffix, output) end
  picture = with_own_axes(picture)
  local made = body(picture, "") -- which may change the width
  local lines = opening(suffix, output, picture.width, picture.height, picture.font)
  append(lines, style(picture))
  append(lines, made.data)
  append(lines, made.commands)
  lines[#lines + 1] = "unset output\n"
  return table.concat(lines, "\n")
end

return gnuplot
