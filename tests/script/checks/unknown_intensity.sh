# A noise of a plugin whose intensity is NAN, and that has no parameter alpha, has no heavy tails: second moments are
# numbers, and nothing is said of them.
cat > unknown.lua << 'LUA'
local bm = require "bmsim"
local r = bm.run { model = bm.overdamped { noise = bm.noise.checked {} }, paths = 256, time = 40,
  observe = { "velocity", "diffusion" } }
for _, column in ipairs { "velocity", "velocity_err", "diffusion", "diffusion_err" } do
  local value = r:column(column)[1]
  assert(value == value, column .. " is nan")
end
LUA
"$bmsim" --plugin-path "$PROBES/checked/noise/note_absent.so" unknown.lua 2> stderr || fail "$(cat stderr)"
! grep -q "alpha" stderr || fail "heavy tails: $(cat stderr)"
