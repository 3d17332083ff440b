-- The founding paper's Fig. 4, its third panel, for bmsim on one H200: from this folder, bmsim speedup.lua makes
-- speedup_h200.svg of speedup_h200.csv, which bmsim_bench --speedup wrote.
local bm = require "bmsim"

local columns, number, order = { N = {} }, {}, {}
for line in assert(io.open "speedup_h200.csv"):lines() do
  local model, precision, N, speedup = line:match "^(I+),(%a+),(%d+),[^,]*,[^,]*,([^,]*)$"
  if model then
    local name = model .. ", " .. precision
    if not columns[name] then columns[name], order[#order + 1] = {}, name end
    if not number[N] then
      columns.N[#columns.N + 1] = tonumber(N)
      number[N] = #columns.N
    end
    columns[name][number[N]] = tonumber(speedup)
  end
end
local titles = {}
for i, name in ipairs(order) do titles[i] = "Model " .. name end
bm.plot(columns, { x = "N", y = order, titles = titles, log = "xy", xlabel = "number of particles",
                   ylabel = "speedup over one CPU core", file = bm.args.plot or "speedup_h200.svg" })
