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
