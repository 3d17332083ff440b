-- The law of a free Levy flight, dx = dL: its characteristic function <exp(i k x(t))> = exp(-(scale |k|)^alpha t) for
-- symmetric noise, from the end points of all paths. At alpha = 2 it is that of a Gaussian with the variance
-- 2 scale^2 t. G. Samorodnitsky, M. S. Taqqu, Stable Non-Gaussian Random Processes (1994).
local bm = require "bmsim"
local scale, time, paths = 0.5, 2, bm.args.paths or bm.args.full and 500000 or 20000

local r = bm.run {
  model = bm.overdamped { noise = bm.noise.levy { scale = scale } },
  sweep = { "levy.alpha", { 0.8, 1, 1.2, 1.5, 1.8, 2 } },
  paths = paths, time = time, dt = 0.1, transient = 0, initial = { x = 0 },
  observe = bm.observe.paths { paths = paths, times = { time } },
}

local function law(k, alpha) return math.exp(-(scale * k) ^ alpha * time) end
local ends, largest = r:array("paths_x").values, 0
local fine, shown, titles = { ["levy.alpha"] = bm.linspace(0.8, 2, 100) }, {}, {}
for _, k in ipairs { 0.5, 1, 2, 4 } do
  local phi, error, exact = {}, {}, {}
  for i, alpha in ipairs(r:column "levy.alpha") do
    local sum, squares = 0, 0
    for _, x in ipairs(ends[i]) do
      local c = math.cos(k * x)
      sum, squares = sum + c, squares + c * c
    end
    phi[i], exact[i] = sum / paths, law(k, alpha)
    error[i] = math.sqrt((squares / paths - phi[i] ^ 2) / (paths - 1))
    largest = math.max(largest, math.abs(phi[i] - exact[i]) / error[i])
  end
  local name, line = "phi_" .. k, {}
  for i, alpha in ipairs(fine["levy.alpha"]) do line[i] = law(k, alpha) end
  fine[name], shown[#shown + 1], titles[#titles + 1] = line, name, "{/:Italic k} = " .. k
  r:add(name, phi):add("phi_" .. k .. "_err", error):add("exact_" .. k, exact)
end
r:print { "levy.alpha", "phi_0.5", "exact_0.5", "phi_1", "exact_1", "phi_2", "exact_2", "phi_4", "exact_4" }
if bm.args.output then r:write(bm.args.output) end
if bm.args.plot then
  r:plot { x = "levy.alpha", y = shown, titles = titles, theory = fine,
           ylabel = "⟨cos {/:Italic kx}⟩", file = bm.args.plot }
end
print(("largest deviation: %.2f standard errors"):format(largest))
