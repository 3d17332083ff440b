# device = "auto" takes a GPU, or the CPU and says why there is no GPU; a CPU that was asked for needs no reason.
cat > run.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local function info(device) return bm.run { model = motor, dt = 0.1, time = 1, paths = 64, device = device }.info end
local auto, cpu = info "auto", info "cpu"
print("auto", auto.device, auto.no_gpu)
assert(cpu.device == "cpu" and cpu.no_gpu == nil)
if auto.device == "cpu" then
  assert(auto.no_gpu:match "^cuda: ")
else
  assert(auto.device:match "^cuda:0 %(" and auto.no_gpu == nil)
end
LUA
"$bmsim" run.lua > stdout || fail "exit status $?"
expect_text stdout "auto"
