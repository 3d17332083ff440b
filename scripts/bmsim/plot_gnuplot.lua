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
local map_text = require "bmsim.plot_gnuplot_map"
local shared = require "bmsim.plot_gnuplot_parts"

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

-- To gnuplot a name that begins with | is a command.
local function file_name(name) return shared.quoted(name:find "^[%w_./]" and name or "./" .. name) end

-- A bar that reaches below zero ends at the bottom of a logarithmic axis.
local function curve_block(name, curve, y)
  local lines = { ("$%s << EOD"):format(name) }
  for i = 1, #curve.x do
    local low = curve.low and (axes.shows(y, curve.low[i]) and curve.low[i] or y.from)
    local u, v = curve.x[i], curve.y[i]
    lines[#lines + 1] = low and shared.row(u, v, low, curve.high[i]) or shared.row(u, v)
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
  local title = curve.title and "title " .. shared.quoted(curve.title) or "notitle"
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

local function fit_curves(picture)
  local xs, ys = {}, {}
  for _, curve in ipairs(picture.curves) do
    shared.append(xs, curve.x)
    shared.append(ys, curve.y)
    shared.append(ys, curve.low or {})
    shared.append(ys, curve.high or {})
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

-- gnuplot's words for the place of a legend, which in a frame knows nothing of the plots beside it.
local function key_place(picture, place)
  if not (picture.frame and place:find "outside") then return place end
  local height = place:find "bottom" and 0 or place:find "center" and 0.5 or 1
  local at = place:find "bottom" and "bottom" or place:find "center" and "center" or "top"
  return ("at graph 1.02,%g left %s"):format(height, at)
end

-- Both kinds of pictures as { data = blocks, commands = lines, room = margins }; prefix: of the names of the blocks.
local function curves_text(picture, prefix)
  fit_curves(picture)
  local entries, data, lines, parts = {}, {}, {}, {}
  for i, curve in ipairs(picture.curves) do
    local name = prefix .. "curve" .. i
    data[i] = curve_block(name, curve, picture.y)
    shared.append(parts, curve_parts(name, curve))
    entries[#entries + 1] = curve.title
  end
  for _, entry in ipairs(picture.key or {}) do
    parts[#parts + 1] = ("NaN with lines lw 1.5 dt %d lc rgb '%s' title %s"):format(entry.dash or 1, entry.colour,
      shared.quoted(entry.title))
    entries[#entries + 1] = entry.title
  end
  local place = #entries > 0 and picture.legend or "off"
  if place == "auto" then place = axes.legend_place(picture, entries) end
  local y_lines, y_labels = shared.axis_lines(picture, "y", picture.y, "y", axes.inner_height(picture))
  local beside = place:find "outside" and axes.legend_width(picture, entries) or 0
  shared.append(lines, shared.axis_lines(picture, "x", picture.x, "x", shared.inner_width(picture, y_labels, beside)))
  shared.append(lines, y_lines)
  if not picture.y.log and picture.y.from < 0 and picture.y.to > 0 then
    lines[#lines + 1] = "set xzeroaxis lt 1 lw 0.7 lc rgb '#999999'"
  end
  local key = "set key " .. key_place(picture, place) .. " Left reverse samplen 1.5" .. (picture.lettering or "")
  lines[#lines + 1] = place == "off" and "unset key" or key
  lines[#lines + 1] = "plot \\\n  " .. table.concat(parts, ", \\\n  ")
  return { data = data, commands = lines, room = shared.margins(picture, y_labels, 0.35 + beside) }
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
    lines[#lines + 1] = ("set title %s offset 0,-0.4%s"):format(shared.quoted(picture.title), picture.lettering or "")
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
  shared.append(lines, style(picture))
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
  shared.append(lines, made.commands)
  return lines, made.data
end

local function sheet_text(sheet, suffix, output)
  local lines, commands = opening(suffix, output, sheet.width, sheet.height, sheet.font), {}
  for i, one in ipairs(sheet.plots) do
    local own, data = plot_text(one, sheet, suffix, ("p%d_"):format(i))
    shared.append(lines, data)
    shared.append(commands, own)
  end
  lines[#lines + 1] = "set multiplot"
  shared.append(lines, commands)
  shared.append(lines, { "unset multiplot", "unset output\n" })
  return table.concat(lines, "\n")
end

--- The text that draws a picture, or a sheet of them, into `output`; suffix: of what is drawn, one of gnuplot.suffixes.
function gnuplot.text(picture, suffix, output)
  if picture.plots then return sheet_text(picture, suffix, output) end
  picture = with_own_axes(picture)
  local made = body(picture, "") -- which may change the width
  local lines = opening(suffix, output, picture.width, picture.height, picture.font)
  shared.append(lines, style(picture))
  shared.append(lines, made.data)
  shared.append(lines, made.commands)
  lines[#lines + 1] = "unset output\n"
  return table.concat(lines, "\n")
end

return gnuplot
