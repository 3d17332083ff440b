# Scripts with sliders are ordinary scripts: they run without the page, -D sets what a slider would, and a drawn file
# is there. bm_run_tilt, of which bm.show draws, is what the drives are.
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
