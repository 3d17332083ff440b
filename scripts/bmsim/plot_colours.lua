-- Colours that print well and that colour-blind eyes tell apart, and the markers that go with them.
local colours = {}

-- Okabe and Ito's set without its yellow, which is too pale for lines; the strongest contrasts come first.
local okabe_ito = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000" }
-- Full and open circles, squares, triangles, diamonds.
local markers = { 7, 5, 9, 13, 11, 6, 4, 8, 12, 10 }

colours.viridis = { "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725" }
-- Blue below zero, white at zero, red above: ColorBrewer's RdBu, which is safe for colour-blind eyes.
colours.diverging = { "#053061", "#2166ac", "#4393c3", "#92c5de", "#d1e5f0", "#f7f7f7", "#fddbc7", "#f4a582",
                      "#d6604d", "#b2182b", "#67001f" }

local function channels(colour)
  local r, g, b = colour:match "^#(%x%x)(%x%x)(%x%x)$"
  return { tonumber(r, 16), tonumber(g, 16), tonumber(b, 16) }
end

local function between(stops, part)
  local place = part * (#stops - 1)
  local lower = math.min(math.floor(place), #stops - 2)
  local a, b, t = channels(stops[lower + 1]), channels(stops[lower + 2]), place - lower
  local mixed = {}
  for c = 1, 3 do mixed[c] = math.floor(a[c] + (b[c] - a[c]) * t + 0.5) end
  return ("#%02x%02x%02x"):format(mixed[1], mixed[2], mixed[3])
end

--- The colour of number i of `count` curves: distinct ones, or where there are too many for that, shades in order.
function colours.of(i, count)
  if count <= #okabe_ito then return okabe_ito[i] end
  return between(colours.viridis, 0.9 * (i - 1) / (count - 1)) -- the end of viridis is too pale for lines
end

function colours.marker(i) return markers[(i - 1) % #markers + 1] end

--- A colour for each of a few values in rising order, pale enough for areas: those below zero blue, those above red,
--- where there are both.
function colours.levels(values)
  local count, list = #values, {}
  local both = values[1] < 0 and values[count] > 0
  for i, value in ipairs(values) do
    local part = count == 1 and 0.5 or (i - 1) / (count - 1)
    if both then
      list[i] = between(colours.diverging, 0.5 + 0.32 * value / math.max(-values[1], values[count]))
    else
      list[i] = between(colours.viridis, 0.1 + 0.85 * part)
    end
  end
  return list
end

--- "0 '#440154', 0.125 '#472d7b', ...", for gnuplot.
function colours.palette(stops)
  local parts = {}
  for i, stop in ipairs(stops) do parts[i] = ("%.4g '%s'"):format((i - 1) / (#stops - 1), stop) end
  return table.concat(parts, ", ")
end

return colours
