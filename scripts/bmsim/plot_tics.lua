-- Tics of axes, as gnuplot takes them, "('1' 1 0, '' 2 1, ...)": as many labels as have room beside each other.
local labels = require "bmsim.plot_labels"

local tics = {}

-- In cm, lettered in 10 points.
local letter, line = 0.2, 0.42          -- of a label
local gap = 0.25                        -- between labels
local near = { x = 1.2, y = 0.9 }       -- labels are no nearer to each other, whatever their length

-- Where between the ends of the axis, 0 to 1.
local function place(axis, value)
  if axis.log then return math.log(value / axis.from) / math.log(axis.to / axis.from) end
  return (value - axis.from) / (axis.to - axis.from)
end

local function width(text) return letter * labels.length(text) end

-- Whether two labels whose centres are `apart` cm from each other have room.
local function have_room(direction, apart, a, b)
  local needed = direction == "x" and (width(a) + width(b)) / 2 + gap or 1.3 * line
  return apart >= needed
end

local function all_have_room(axis, direction, length, list, least)
  local before
  for _, tic in ipairs(list) do
    if tic.text ~= "" then
      tic.at = place(axis, tic.value) * length
      local distance = before and tic.at - before.at
      if distance and (distance < least or not have_room(direction, distance, before.text, tic.text)) then
        return false
      end
      before = tic
    end
  end
  return true
end

-- ---- evenly spaced ----

-- All digits that tell the tics of an axis apart, and none more.
local function digits(value, decimals)
  local text = ("%%.%df"):format(math.min(math.max(0, decimals), 17)):format(value)
  if text:find("%.") then text = text:gsub("0+$", ""):gsub("%.$", "") end
  return text:match "^%-?0$" and "0" or labels.minus(text)
end

-- "2.5·10^{-7}"
local function with_power(value, exponent, decimals)
  local text, power = digits(value / 10 ^ exponent, decimals), labels.power(exponent)
  if text == "0" then return text end
  return text == "1" and power or text == "−1" and "−" .. power or text .. "·" .. power
end

-- As plain numbers where these are short, or shorter.
local function even_tics(axis, step)
  local list, plain, power = {}, 0, 0
  local size = math.floor(math.log10(step) + 1e-9)
  local exponent = math.floor(math.log10(math.max(math.abs(axis.from), math.abs(axis.to))) + 1e-9)
  for k = math.ceil(axis.from / step - 1e-9), math.floor(axis.to / step + 1e-9) do
    local tic = { value = k * step, plain = size < -17 and ("0"):rep(-size) or digits(k * step, -size),
      power = with_power(k * step, exponent, exponent - size) }
    plain, power = math.max(plain, labels.length(tic.plain)), math.max(power, labels.length(tic.power))
    list[#list + 1] = tic
  end
  for _, tic in ipairs(list) do tic.text = (plain <= 6 or plain < power) and tic.plain or tic.power end
  return list
end

-- The finest tics that have room; where that is one alone, such as are nearer than is good to look at.
local function even(axis, direction, length)
  local power, crowded, last = 10 ^ math.floor(math.log10((axis.to - axis.from) / 50)), nil, nil
  for _ = 1, 4 do
    for _, mantissa in ipairs { 1, 2, 5 } do
      local list = even_tics(axis, mantissa * power)
      if #list < 2 then return crowded or (#list == 1 and list or last) end
      if #list <= 50 then
        last = list
        if all_have_room(axis, direction, length, list, near[direction]) then return list end
        if not crowded and all_have_room(axis, direction, length, list, 0) then crowded = list end
      end
    end
    power = 10 * power
  end
  return crowded
end

-- ---- logarithmic ----

local function power_text(mantissa, exponent, plain)
  if plain then return ("%g"):format(mantissa * 10 ^ exponent) end
  return (mantissa == 1 and "" or mantissa .. "·") .. labels.power(exponent)
end

-- Tics at mantissa * 10^exponent for the mantissas 1 to 9: labelled those of `major`, every `stride` decades. Returns
-- their list and how many are labelled.
local function log_tics(axis, major, stride)
  local first, last = math.floor(math.log10(axis.from)), math.ceil(math.log10(axis.to))
  local list, labelled, plain = {}, 0, axis.from >= 1e-3 and axis.to <= 2e4
  for exponent = first, last do
    for mantissa = 1, 9 do
      local value = mantissa * 10 ^ exponent
      if value >= axis.from * (1 - 1e-9) and value <= axis.to * (1 + 1e-9) then
        local named = major[mantissa] and exponent % stride == 0
        if named then labelled = labelled + 1 end
        if named or stride == 1 or mantissa == 1 then
          list[#list + 1] = { value = value, text = named and power_text(mantissa, exponent, plain) or "",
            minor = not named }
        end
      end
    end
  end
  return list, labelled
end

-- Labels that would touch one that is there already are left out, those of whole powers last.
local function thin_out(axis, direction, length, list)
  local kept = {}
  for _, whole in ipairs { true, false } do
    for _, tic in ipairs(list) do
      local exponent = math.log10(tic.value)
      if tic.text ~= "" and (math.abs(exponent - math.floor(exponent + 0.5)) < 1e-9) == whole then
        tic.at = place(axis, tic.value) * length
        for _, other in ipairs(kept) do
          if not have_room(direction, math.abs(other.at - tic.at), other.text, tic.text) then tic.text = "" end
        end
        if tic.text ~= "" then kept[#kept + 1] = tic end
      end
    end
  end
  return list
end

-- gnuplot labels powers of ten alone, of which a short axis has one or none.
local function logarithmic(axis, direction, length)
  local stride = math.max(1, math.ceil(math.log10(axis.to / axis.from) / 6))
  local list, labelled = log_tics(axis, { true }, stride)
  while labelled > 2 and not all_have_room(axis, direction, length, list, 0) do
    stride = stride + 1
    list, labelled = log_tics(axis, { true }, stride)
  end
  if labelled < 3 and stride == 1 then list, labelled = log_tics(axis, { true, true, nil, nil, true }, 1) end
  if labelled < 3 and stride == 1 then
    list = log_tics(axis, { true, true, true, true, true, true, true, true, true }, 1)
  end
  local left = 0
  for _, tic in ipairs(thin_out(axis, direction, length, list)) do left = left + (tic.text ~= "" and 1 or 0) end
  if left < 2 and axis.to / axis.from < 10 then return even(axis, direction, length) end -- where no power has a place
  return list
end

--- The tics of an axis of `length` cm, direction "x" or "y" (upright), lettered in `scale` times 10 points; and the
--- width of the widest label. nil where gnuplot's own must do.
function tics.list(axis, direction, length, scale)
  if not (axis.to > axis.from and axis.to - axis.from < math.huge) then return nil, 0 end
  scale = scale or 1
  length = length / scale
  local list = (axis.log and logarithmic or even)(axis, direction, length)
  local parts, widest, any = {}, 0, false
  for i, tic in ipairs(list or {}) do
    parts[i] = ("'%s' %.12g %d"):format(tic.text, tic.value, tic.minor and 1 or 0)
    widest, any = math.max(widest, scale * width(tic.text)), any or tic.text ~= ""
  end
  if not any then return nil, 0 end
  return "(" .. table.concat(parts, ", ") .. ")", widest
end

return tics
