# Scripts with sliders are ordinary scripts: they run without the page, -D sets what a slider would, and a drawn file
# is there. bm_run_tilt and bm_run_noise_levels, of which bm.show draws, are what drives and noises are.
for script in "$EXAMPLES"/../explore/*.lua; do
  "$bmsim" -D points=3 -D paths=64 "$script" > out 2> err || fail "$(basename "$script"): status $?: $(cat err)"
done
ls ./*.svg ./*.png > /dev/null || fail "nothing is drawn"
cat > controls.lua <<'END'
local bm = require "bmsim"
print(bm.slider("D", { 0, 1, value = 0.5 }), bm.choice("N", { 100, 300, value = 300 }), bm.choice("m", { "a", "b" }),
  bm.toggle("on"), bm.toggle("off", true), bm.show(bm.overdamped {}))
END
[ "$("$bmsim" controls.lua)" = "0.5	300	a	false	true" ] || fail "values of the script: $("$bmsim" controls.lua)"
[ "$("$bmsim" -D D=2 -D N=100 -D m=b -D on=true -D off=false controls.lua)" = "2	100	b	true	false" ] ||
  fail "values of -D: $("$bmsim" -D D=2 -D N=100 -D m=b -D on=true -D off=false controls.lua)"
cat > tilt.lua <<'END'
local bm, ffi, C, points = require "bmsim", require "ffi", require "bmsim.ffi", require "bmsim.points"
local model = bm.overdamped {
  potential = bm.potential.sine { L = 2 },
  drive = { bm.drive.cosine { amplitude = 0.7, omega = 3 },
            bm.drive.cosine { name = "depth", amplitude = 0.5, omega = 2, modulate = "potential" } },
}
local run = ffi.gc(C.bm_run_new(nil, model.handle), C.bm_run_free)
points.functions(run, model, points.sweep(run, nil), {}, {})
local tilt = ffi.new "double[3]"
for _, t in ipairs { 0, 0.3, 7.1, 100 } do
  assert(C.bm_run_tilt(run, 0, t, tilt, tilt + 1, tilt + 2) == C.BM_OK)
  assert(tilt[0] == 2)
  assert(math.abs(tilt[1] - 0.7 * math.cos(3 * t)) < 1e-9, tilt[1])
  assert(math.abs(tilt[2] - 1 - 0.5 * math.cos(2 * t)) < 1e-9, tilt[2])
end
assert(C.bm_run_tilt(run, 1, 0, tilt, tilt + 1, tilt + 2) == C.BM_ERROR)
END
"$bmsim" tilt.lua || fail "the drives are others"
cat > levels.lua <<'END'
local bm, ffi, C, points = require "bmsim", require "ffi", require "bmsim.ffi", require "bmsim.points"
local function check(noise, mean, expected)
  local model = bm.overdamped { potential = bm.potential.sine {}, noise = noise }
  local run = ffi.gc(C.bm_run_new(nil, model.handle), C.bm_run_free)
  points.functions(run, model, points.sweep(run, nil), {}, {})
  local found, levels, count = ffi.new "double[1]", ffi.new "double[8]", ffi.new "size_t[1]"
  assert(C.bm_run_noise_levels(run, 0, found, levels, 8, count) == C.BM_OK)
  assert(count[0] == #expected, tonumber(count[0]))
  assert(math.abs(found[0] - mean) < 1e-12, found[0])
  for i, value in ipairs(expected) do assert(math.abs(levels[i - 1] - value) < 1e-12, levels[i - 1]) end
  assert(C.bm_run_noise_levels(run, 1, found, levels, 8, count) == C.BM_ERROR)
end
local flash = bm.noise.dichotomous { Fa = 1, Fb = 0, mu_a = 3, mu_b = function(p) return p.dichotomous.mu_a / 3 end,
                                     modulate = "potential" }
check({ bm.noise.gaussian { D = 1 } }, 0, {})
check({ bm.noise.dichotomous { Fa = 1, Fb = 2, tau = 1 } }, 0, {})
check({ flash }, -0.25, { -1, 0 })
check({ bm.noise.three_state { F = 0.5, modulate = "potential" } }, 0, { -0.5, 0, 0.5 })
check({ bm.noise.ornstein_uhlenbeck { sigma = 0.2, tau = 3, modulate = "potential" } }, 0, { -0.2, 0.2 })
check({ flash, bm.noise.three_state { F = 1, modulate = "potential" } }, -0.25, { -2, -1, 0, 1 })
END
"$bmsim" levels.lua || fail "the levels of the noises are others"
