-- Symbols and units as gnuplot's enhanced text: "D_P" -> an italic D with the subscript P, "zeta" -> the Greek letter,
-- "length^2/time" -> length²/time.
local labels = {}

local greek = {}
for name, letter in ([[alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi ξ
    pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Sigma Σ
    Phi Φ Psi Ψ Omega Ω]])
  :gmatch "(%S+)%s+(%S+)" do
  greek[name] = letter
end

--- Text that stands for itself.
function labels.plain(text) return (text:gsub("%c", " "):gsub("[\\{}^_@&~]", "\\%0")) end

local function italic(text) return "{/:Italic " .. text .. "}" end

-- The letters and digits of a name: "V0" has a subscript, "omega" is a letter, "eff" a word.
local function word(text)
  local name, digits = text:match "^(%a+)(%d*)$"
  if not name then return text end
  local letter = greek[name] or (#name == 1 or name == "dt") and name
  return (letter and italic(letter) or name) .. (digits ~= "" and "_{" .. digits .. "}" or "")
end

-- What is raised or lowered is upright, but for Greek.
local function small(text)
  return (text:gsub("^%((.*)%)$", "%1"):gsub("%a+", greek))
end

local function markup(text, write_word)
  local out, at = {}, 1
  while at <= #text do
    local sign, raised, parts = text:match("^([_^])(%b())()", at)
    if not sign then sign, raised, parts = text:match("^([_^])(%w+)()", at) end
    local letters, after = text:match("^(%w+)()", at)
    if sign then
      out[#out + 1], at = sign .. "{" .. small(raised) .. "}", parts
    elseif letters then
      out[#out + 1], at = write_word(letters), after
    else
      local sign_of = { ["<"] = "⟨", [">"] = "⟩" }
      local character = text:sub(at, at)
      out[#out + 1], at = sign_of[character] or labels.plain(character), at + 1
    end
  end
  return table.concat(out)
end

--- What a script calls a column of its own: "D_eff" is a symbol with a subscript, "first_order" is two words.
function labels.words(text)
  local head = text:match "^(%a+)%d*_%w+$"
  if head and (greek[head] or #head == 1) then return labels.symbol(text) end
  if not text:find "_" then return labels.symbol(text) end
  return labels.plain((text:gsub("_", " ")))
end

--- A symbol as descriptors and observables write it; what follows it in parentheses is a component's name.
function labels.symbol(text)
  local symbol, component = text:match "^(.-)( %b())$"
  return markup(symbol or text, word) .. labels.plain(component or "")
end

function labels.unit(text)
  return markup(text, function(name) return name end)
end

--- "D_P [length²/time]".
function labels.axis(symbol, unit)
  return unit == "" and symbol or symbol .. "  [" .. labels.unit(unit) .. "]"
end

--- Digits with a real minus, which is as wide as a plus.
function labels.minus(text) return (text:gsub("-", "−")) end

--- 10 to this power.
function labels.power(exponent) return ("10^{%s}"):format(labels.minus(("%d"):format(exponent))) end

--- A number in four digits, or as many as are given: "2.5", "−0.3", "1.2·10^{−7}".
function labels.number(value, digits)
  local text = ("%%.%dg"):format(digits or 4):format(value)
  local mantissa, exponent = text:match "^(.-)e([+-]%d+)$"
  if not mantissa then return labels.minus(text == "-0" and "0" or text) end
  local power = labels.power(tonumber(exponent))
  if mantissa == "1" or mantissa == "-1" then return labels.minus(mantissa:sub(1, -2)) .. power end
  return labels.minus(mantissa) .. "·" .. power
end

--- A text that shows every character as it is.
function labels.literal(text) return (text:gsub("[{}^_@&~\\]", "\\%0")) end

--- How many characters are seen of an enhanced text; small ones count in full.
function labels.length(text)
  local seen = text:gsub("{/:Italic (.-)}", "%1"):gsub("\\(.)", "%1"):gsub("[_^]{(.-)}", "%1")
  return #seen:gsub("[\128-\191]", "")
end

return labels
