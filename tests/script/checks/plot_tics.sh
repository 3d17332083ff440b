# Labels of tics never overlap, whatever the numbers and the size of the picture: looked at in what gnuplot draws.
command -v gnuplot > /dev/null || { echo "no gnuplot"; exit 77; }
cat > tics.lua << 'END'
local bm = require "bmsim"

-- Texts of a picture: { x =, y =, anchor =, size =, text = }.
local function texts(file)
  local list, svg = {}, assert(io.open(file)):read "*a"
  for x, y, body in svg:gmatch 'transform="translate%(([-%d.]+),([-%d.]+)%)"(.-)</g>' do
    local anchor, size = body:match 'text%-anchor="(%a+)"', body:match 'font%-size="([%d.]+)"'
    local text = body:gsub("^[^>]*>", ""):gsub("<[^>]*>", ""):gsub("%s", ""):gsub("[\128-\191]", "")
    if anchor and text ~= "" then
      list[#list + 1] = { x = tonumber(x), y = tonumber(y), anchor = anchor, size = tonumber(size), text = text }
    end
  end
  return list
end

-- Digits are 0.6 of the size of the letters wide at most.
local function check(file, what)
  local list, labels = texts(file), 0
  for i, a in ipairs(list) do
    labels = labels + (a.text:find "^[\226%d]" and 1 or 0)
    for j = i + 1, #list do
      local b = list[j]
      local room = 0.3 * a.size * (#a.text + #b.text)
      if a.anchor == "middle" and b.anchor == "middle" and math.abs(a.y - b.y) < 1 and math.abs(a.x - b.x) < room then
        error(("%s: '%s' and '%s' overlap"):format(what, a.text, b.text))
      end
      if a.anchor == "end" and b.anchor == "end" and math.abs(a.x - b.x) < 1 and math.abs(a.y - b.y) < a.size then
        error(("%s: '%s' and '%s' overlap"):format(what, a.text, b.text))
      end
    end
  end
  return labels
end

local ranges = { { 0, 1 }, { -1, 1 }, { 1e6 + 0.1, 1e6 + 0.7 }, { -1234.5, 98765 }, { 1.2e-5, 1.31e-5 }, { -3e-7, 4e8 },
                 { 0.1, 30 }, { 0.02, 0.05 }, { 1e-12, 3e9 }, { 99999, 100001 }, { 0, 1e-300 } }
local most = 0
for _, size in ipairs { { 12, 9 }, { 6, 5 }, { 4, 4 } } do
  for i, range in ipairs(ranges) do
    for _, log in ipairs { "", "xy" } do
      if log == "" or range[1] > 0 then
        local columns = { a = { range[1], (range[1] + range[2]) / 2, range[2] }, b = { range[1], range[2], range[2] } }
        bm.plot(columns, { x = "a", y = "b", size = size, log = log, legend = "off", file = "tics.svg" })
        local labels = check("tics.svg", ("range %d, %g cm, log '%s'"):format(i, size[1], log))
        assert(labels >= (size[1] > 5 and 3 or 1),
          ("range %d, %g cm, log '%s' has %d labels"):format(i, size[1], log, labels))
        most = math.max(most, labels)
      end
    end
  end
end
assert(most >= 12, "no picture has many labels")
END
"$bmsim" tics.lua || fail "exit status $?"
