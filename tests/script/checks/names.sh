# What a script names may be called as the kernel's own words are, or as those of C++.
cat > names.lua << 'EOF'
local bm = require "bmsim"
local r = bm.run {
  model = bm.system {
    variables = { "int", "new" },
    inertia = { new = true },
    parameters = { real = 1, k0 = 2, x = 0.5, VARIABLES = 1 },
    define = { class = "int^2 + new^2" },
    fields = { this = "int*class" },
    potential = {
      int = bm.potential.formula { "k0*x^2/2 + gather*cos(x - double*t)", k0 = 1, gather = 0.2, double = 3 },
    },
    equations = { int = "-real*k0*this - x*int", new = "x*int - VARIABLES*v_new" },
    noise = {
      int = bm.noise.gaussian { D = 0.1, name = "float", amplitude = bm.formula { "sqrt(1 + u*class)", u = 0.3 } },
    },
    events = { ["while"] = { rate = "k1*class", k1 = 0.1, set = { new = "k1*N" } } },
  },
  observe = { "velocity", bm.observe.average { a = "real*class" } },
  paths = 16, replicas = 12, time = 1, dt = 0.1, check_step = false,
}
print(r:column("a")[1] > 0)
EOF
"$bmsim" names.lua > stdout || fail "exit status $?"
expect_text stdout true

# A label is kept as it is: in the result, in files, above plots. A file that is written can be read back.
cat > label.lua << 'EOF'
local bm = require "bmsim"
local label = "Fig. 3: a_b^2 {x} \\ #7 'q' \"µ\""
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, sweep = { "force", { 0, 1 } }, paths = 16,
                   time = 1, dt = 0.1, check_step = false, label = label, output = "label.nc" }
assert(r.info.label == label, r.info.label)
r:write "label.csv"
r:plot { x = "force", y = "velocity", file = "label.gp" }
r:plot { x = "force", y = "velocity", file = "own.gp", title = "own" }
local numbers = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, paths = 16, time = 1, dt = 0.1,
                         check_step = false, label = "7" }
assert(numbers.info.label == "7")
local ok, why = pcall(bm.run, { model = bm.overdamped {}, label = "two\nlines" })
assert(not ok and why:find("run: label must be one line of text, got 'two\\x0alines'", 1, true), why)
EOF
"$bmsim" --quiet label.lua || fail "exit status $?"
grep -qF "label: \"Fig. 3: a_b^2 {x} \\\\ #7 'q' \\\"µ\\\"\"" label.csv || fail "$(grep label label.csv)"
"$bmsim" show label.nc > stdout || fail "exit status $?"
grep -qF "Fig. 3: a_b^2 {x}" stdout || fail "$(cat stdout)"
grep -q "^set title.*a..b" label.gp || fail "$(grep title label.gp)"
grep -q "^set title.*own" own.gp || fail "$(grep title own.gp)"
