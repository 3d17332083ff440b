-- Pictures side by side on one sheet, and insets within them: where the axes of each are, in cm, so that those above
-- each other begin and end at the same places.
local axes = require "bmsim.plot_axes"
local gnuplot = require "bmsim.plot_gnuplot"

local sheet = {}

local function merged(room, other)
  local made = {}
  for side, width in pairs(room) do made[side] = math.max(width, other and other[side] or 0) end
  return made
end

-- The frame that is left of a cell.
local function inside(cell, room)
  return { x = cell.x + room.left, y = cell.y + room.bottom,
           width = math.max(0.5, cell.width - room.left - room.right),
           height = math.max(0.5, cell.height - room.bottom - room.top) }
end

-- Where both ranges are given and a unit of x is as long as one of y: as much of the frame, in its middle, as that
-- takes.
local function shaped(picture, frame)
  if not picture.equal then return frame end
  local _, own = gnuplot.room(picture, frame)
  local wide, high = own.x.to - own.x.from, own.y.to - own.y.from
  local scale = math.max(wide / frame.width, high / frame.height)
  local width, height = wide / scale, high / scale
  return { x = frame.x + (frame.width - width) / 2, y = frame.y + (frame.height - height) / 2, width = width,
           height = height }
end

-- The room around the axes of each cell: what those above and beside it need, too.
local function aligned(cells, lettered)
  local columns, rows = {}, {}
  for _, cell in ipairs(cells) do
    cell.room = merged((gnuplot.room(cell.picture, cell.frame)), cell.room)
    if lettered then cell.room.top = math.max(cell.room.top, 0.55 * axes.scale(cell.picture)) end
    columns[cell.column] = merged(cell.room, columns[cell.column])
    rows[cell.row] = merged(cell.room, rows[cell.row])
  end
  for _, cell in ipairs(cells) do
    local column, row = columns[cell.column], rows[cell.row]
    cell.room = { left = column.left, right = column.right, top = row.top, bottom = row.bottom }
    cell.frame = inside(cell, cell.room)
  end
end

-- The lower left corner of an inset in parts of the frame, and its outer size.
local function place_of(one, parent)
  local width, height = one.size[1], one.size[2]
  if type(one.at) == "table" then return one.at[1], one.at[2], width, height end
  local margin = 0.02
  local corner = one.at or axes.free_corner(parent, width + margin, height + margin) or "right top"
  return corner:find "right" and 1 - width - margin or margin, corner:find "top" and 1 - height - margin or margin,
    width, height
end

-- Adds the inset of a cell, after it.
local function add_inset(plots, cell, font)
  local one, frame = cell.picture.inset, cell.frame
  local _, parent = gnuplot.room(cell.picture, frame)
  local x, y, width, height = place_of(one, parent)
  plots[#plots].taken = { left = x, right = x + width, bottom = y, top = y + height }
  local small = one.picture.font or 0.8 * font
  one.picture.font = small
  local box = { x = frame.x + x * frame.width, y = frame.y + y * frame.height, width = width * frame.width,
                height = height * frame.height }
  local own = inside(box, gnuplot.room(one.picture, { width = 0.7 * box.width, height = 0.7 * box.height }))
  plots[#plots + 1] = { picture = one.picture, font = small, frame = own, ground = box }
end

-- A legend that an earlier picture has, too, is shown there.
local function drop_repeated_legends(cells)
  local seen = {}
  for _, cell in ipairs(cells) do
    local picture, words = cell.picture, {}
    for _, list in ipairs { picture.curves or {}, picture.key or {} } do
      for _, one in ipairs(list) do words[#words + 1] = one.title and one.title .. one.colour .. (one.marker or "") end
    end
    local text = table.concat(words, "\n")
    if picture.legend == "auto" and text ~= "" and seen[text] then picture.legend = "off" end
    seen[text] = seen[text] or picture.legend ~= "off"
  end
end

--- rows: lists of pictures. Returns a sheet for plot_gnuplot. lettered: with (a), (b), ...
function sheet.of(rows, width, height, font, lettered)
  local cells, plots = {}, {}
  for r, row in ipairs(rows) do
    for c, picture in ipairs(row) do
      local wide, high = width / #row, height / #rows
      picture.font, picture.grows = picture.font or font, false
      local scale = axes.scale(picture)
      cells[#cells + 1] = { picture = picture, row = r, column = c .. "/" .. #row, x = (c - 1) * wide,
        y = height - r * high, width = wide, height = high,
        frame = { width = math.max(0.5, wide - 2.5 * scale), height = math.max(0.5, high - 1.8 * scale) } }
    end
  end
  drop_repeated_legends(cells)
  for _ = 1, 2 do aligned(cells, lettered) end -- other axes may have other labels
  for _, cell in ipairs(cells) do cell.frame = shaped(cell.picture, cell.frame) end
  for i, cell in ipairs(cells) do
    local letter = lettered and { text = ("(%s)"):format(string.char(96 + i)), x = cell.x + 0.1,
      y = cell.y + cell.height - 0.3 * axes.scale(cell.picture) }
    plots[#plots + 1] = { picture = cell.picture, font = cell.picture.font, frame = cell.frame, letter = letter or nil }
    if cell.picture.inset then add_inset(plots, cell, cell.picture.font) end
  end
  return { width = width, height = height, font = font, plots = plots }
end

return sheet
