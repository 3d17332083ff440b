# A file in the current directory gets into no kernel: ld, which g++ and clang++ call, would take a libgcc_s.so.1 from
# there. What is linked would be kept in the cache, and run wherever the kernel does.
mkdir downloads
cat > run.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1, paths = 64 }
LUA
echo '__attribute__((constructor)) static void here(void) { __builtin_trap(); }' |
  gcc -c -fPIC -o downloads/libgcc_s.so.1 -x c -
compilers=(c++)
if command -v clang++ > /dev/null; then compilers+=(clang++); fi
for compiler in "${compilers[@]}"; do
  export XDG_CACHE_HOME="$work/$compiler" BMSIM_CXX=$compiler
  (cd downloads && "$bmsim" --device cpu "$work/run.lua" 2> ../stderr) ||
    { cat stderr >&2; fail "$compiler has linked what lies in the current directory"; }
done
# A compiler, and a directory for temporary files, that are named relative to it are found all the same.
mkdir tools
ln -s "$(command -v c++)" tools/compiler
XDG_CACHE_HOME=/dev/null/none TMPDIR=tools BMSIM_CXX=tools/compiler "$bmsim" --device cpu run.lua 2> stderr ||
  { cat stderr >&2; fail "exit status $?"; }
