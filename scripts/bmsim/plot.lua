-- r:plot { x =, y =, file = }, or { array =, file = }: what is drawn (plot_options; plot_choose of columns, plot_arrays
-- of arrays), how (plot_gnuplot with plot_axes, plot_labels, plot_colours), and into which file (plot_file).
local arrays = require "bmsim.plot_arrays"
local choose = require "bmsim.plot_choose"
local errors = require "bmsim.errors"
local panels = require "bmsim.explore_panels"
local files = require "bmsim.plot_file"
local inset = require "bmsim.plot_inset"
local labels = require "bmsim.plot_labels"
local options = require "bmsim.plot_options"
local sheet = require "bmsim.plot_sheet"

-- Columns are asked for again for every group.
local function remembered(read)
  local made = {}
  return function(name)
    if made[name] == nil then made[name] = read(name) or false end
    return made[name] or nil
  end
end

local function picture_of(source, chosen)
  if chosen.array then return arrays.choose(source, chosen) end
  return (#chosen.z > 0 and choose.map or choose.curves)(source, chosen)
end

local plot = {}

--- source: what a result shows of itself: column(name), optional_column(name), columns(), property(name, key),
--- array(name) or nil, arrays(), rows(), save(file), dry, called ("simulation"); where theory can be evaluated
--- between its points, sweep, law(name), elsewhere(name, values, row), components; and finish(picture), or nil.
--- Returns the picture that the fields ask for.
function plot.picture(source, fields)
  local chosen = options.read(fields)
  for _, read in ipairs { "column", "optional_column", "array" } do source[read] = remembered(source[read]) end
  local picture = picture_of(source, chosen)
  for letter, axis in pairs(chosen.axes) do
    local label = picture.labels and picture.labels[letter] or not picture.labels and
      choose.label(source, chosen[letter], chosen.units)
    axis.label = axis.label or label
    picture[letter] = axis
  end
  if source.finish and not source.dry then source.finish(picture) end
  picture.title = chosen.title or source.label and labels.literal(source.label)
  picture.legend, picture.equal, picture.font = chosen.legend, chosen.equal, chosen.font
  picture.grows = chosen.width == nil
  picture.width, picture.height = chosen.width or 12, chosen.height or 9
  if fields.inset ~= nil then
    picture.inset = inset.read(source, fields.inset, plot.picture)
    picture.inset.picture.title = nil
  end
  return picture
end

--- Draws what the fields ask for into their file.
function plot.draw(source, fields)
  errors.check_fields("plot", fields, options.known)
  local suffix, place = files.check("plot", fields.file)
  panels.tolerant(function()
    local picture = plot.picture(source, fields)
    if source.dry then return end
    if picture.inset then picture = sheet.of({ { picture } }, picture.width, picture.height, picture.font or 10) end
    files.draw(picture, place, suffix, source.save, source.elsewhere ~= nil)
  end)
end

return plot
