-- Prints tables as Markdown. Each begins with a comment that names it, by which docs/validation.md.in refers to it.
local report = {}

-- A minus sign, not a hyphen.
function report.minus(text) return (text:gsub("%-", "−")) end

-- 0.0123(45): a number and the standard error of its last two digits.
function report.brief(value, err)
  if err ~= err or err == 0 then return report.minus(("%.6g"):format(value)) end
  local digits = math.max(0, 1 - math.floor(math.log10(err)))
  if err * 10 ^ digits >= 99.5 then digits = math.max(0, digits - 1) end
  local text = ("%." .. digits .. "f(%.0f)"):format(value, err * 10 ^ digits)
  return report.minus((text:gsub("^%-(0%.?0*%()", "%1"))) -- no minus before 0
end

-- What there is of a relative error: −0.33(10) %.
function report.percent(value, err, exact)
  return report.brief(100 * (value / exact - 1), 100 * err / math.abs(exact)) .. " %"
end

function report.line(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
  io.stdout:flush()
end

function report.begin(name, caption, heads)
  print(("\n<!-- table: %s -->"):format(name))
  print(caption .. "\n")
  report.line(heads)
  print("|" .. ("---|"):rep(#heads))
end

return report
