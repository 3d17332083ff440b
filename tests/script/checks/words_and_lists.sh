# Words, lists and what modulates reach the model, functions of other parameters, and the header of files.
cat > shots.lua <<'END'
local bm = require "bmsim"
local steps = { 1, 2.5 }
local shots = bm.noise.tabulated { steps = steps, law = "fast", size = function(p)
  return p.tabulated.law == "fast" and p.tabulated.steps[2] / 2 or 1
end }
steps[2] = 0
local model = bm.overdamped { noise = { shots, bm.noise.dichotomous { modulate = "potential" } } }
bm.run { model = model, dt = 0.01, time = 1, paths = 64, output = "shots.csv" }
END
"$bmsim" --plugin-path "$PROBES/good/tabulated.so" shots.lua || fail "exit status $?"
for text in "law: fast" "steps: [1, 2.5]" "size: 1.25" "modulate: potential"; do expect_text shots.csv "$text"; done
[ "$(grep -c modulate shots.csv)" = 1 ] || fail "one component modulates"
