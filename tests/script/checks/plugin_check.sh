# A line for each check; exit status 0, or 1 where one of them is a problem.
checked() {
  local expected=$1 status=0
  shift
  "$bmsim" plugin check "$@" > stdout 2> stderr || status=$?
  [ "$status" = "$expected" ] || { cat stdout stderr >&2; fail "plugin check $*: status $status, not $expected"; }
}
checked 0 free
expect_text stdout "force on the device: ok"
! grep PROBLEM stdout || fail "the free potential has a problem"
checked 1 "$PROBES/checked/drive/period.so"
expect_text stdout "force: PROBLEM: force(phase + 1) must be force(phase) = "
expect_text stderr "period.so: 1 problem"
# What cannot be loaded, and what is not there.
checked 1 "$PROBES/bad/slot_far.so"
expect_text stdout "descriptor: PROBLEM: "
expect_text stdout "parameter 'size'.slot must be < value_count = 4, got 4"
checked 1 "$PROBES/../../lib/bmsim/plugins/nothing.so"
expect_text stdout "cannot be loaded"
# One that ends its process when it is loaded, and one of which the end is missing.
checked 1 "$PROBES/crashing/at_load.so"
expect_text stdout "crash: PROBLEM: it ends the process ("
expect_text stderr "at_load.so: 1 problem"
head -c 9000 "$PROBES/checked/drive/good.so" > cut.so
checked 1 ./cut.so
expect_text stdout "descriptor: PROBLEM: "
expect_text stdout "cut.so: cannot be loaded: it is damaged: it ends too early"
rm cut.so
checked 1 nothing
expect_text stderr "nothing"
# Without compilers the rest is checked all the same.
BMSIM_CXX=nonsense BMSIM_NVRTC=/nonsense checked 0 sine
expect_text stdout "force: ok"
expect_text stdout "kernel for the CPU: not checked: device cpu: no C++ compiler 'nonsense' found"
expect_text stdout "kernel for CUDA, single precision: not checked: cuda: "
! grep "on the device" stdout || fail "a device was used"
