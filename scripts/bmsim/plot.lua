-- r:plot { x =, y =, file = }: what is drawn (plot_options, plot_choose), how (plot_gnuplot with plot_axes,
-- plot_labels, plot_colours), and into which file (plot_file).
local choose = require "bmsim.plot_choose"
local files = require "bmsim.plot_file"
local options = require "bmsim.plot_options"

-- Columns are asked for again for every group.
local function remembered(read)
  local made = {}
  return function(name)
    if made[name] == nil then made[name] = read(name) or false end
    return made[name] or nil
  end
end

--- source: what a result shows of itself: column(name), optional_column(name), property(name, key), rows(), save(file),
--- dry.
return function(source, fields)
  local chosen = options.read(fields)
  local suffix = files.check(fields.file)
  source.column, source.optional_column = remembered(source.column), remembered(source.optional_column)
  local picture = (#chosen.z > 0 and choose.map or choose.curves)(source, chosen)
  for letter, axis in pairs(chosen.axes) do
    axis.label = axis.label or choose.label(source, chosen[letter], chosen.units)
    picture[letter] = axis
  end
  picture.title, picture.legend = chosen.title, chosen.legend
  picture.grows = chosen.width == nil
  picture.width, picture.height = chosen.width or 12, chosen.height or 9
  if not source.dry then files.draw(picture, fields.file, suffix, source.save) end
end
