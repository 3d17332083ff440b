#!/usr/bin/env bash
# NVRTC before 12.4 looks up a call in a branch that `if constexpr` discards, if it stands in a generic lambda of a
# template and its arguments are only what the lambda captures.
#
# When the template is instantiated the condition has no dependent value, so that C++17 does not instantiate the
# discarded branch ([stmt.if]/2). g++ 12.2, clang 14.0 and NVRTC 12.4.127 compile the kernel below; NVRTC 12.0.140 and
# 12.3.107 say that the function is undefined. If an argument has the type of the lambda's own parameter, or if no
# lambda is around the branch, they compile it, too. No GPU is needed.
#
# Seen on 2026-11-29 with nvidia-cuda-nvrtc-cu12 from PyPI, for compute_80, --std=c++17:
#   12.0.140 captured: identifier "only_with_walls" is undefined; beside a parameter: compiled; no lambda: compiled
#   12.3.107 captured: identifier "only_with_walls" is undefined; beside a parameter: compiled; no lambda: compiled
#   12.4.127 captured: compiled; beside a parameter: compiled; no lambda: compiled
# What helps: declare the function in all cases, or call it from a function template.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in 12.0.140 12.3.107 12.4.127; do
  python3 -m pip --quiet --disable-pip-version-check install --no-deps --target "$work/$version" \
    "nvidia-cuda-nvrtc-cu12==$version" 2> /dev/null
done

cat > "$work/compile.py" <<'PY'
import ctypes
import glob
import sys

LAMBDA = """
constexpr bool walls = false;
template <class X> X step(X x) {
  auto move = [&](auto y) {
    if constexpr (walls) only_with_walls(%s);
    x += y;
  };
  move(1.0f);
  return x;
}
extern "C" __global__ void kernel(float* x) { x[0] = step(x[0]); }
"""
PLAIN = """
constexpr bool walls = false;
template <class X> X step(X x) {
  if constexpr (walls) only_with_walls(x);
  return x + 1;
}
extern "C" __global__ void kernel(float* x) { x[0] = step(x[0]); }
"""
OPTIONS = [b"--gpu-architecture=compute_80", b"--std=c++17", b"--device-as-default-execution-space"]


def compiled(nvrtc, text):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"k.cu", 0, None, None)
    if nvrtc.nvrtcCompileProgram(program, len(OPTIONS), (ctypes.c_char_p * len(OPTIONS))(*OPTIONS)) == 0:
        return "compiled"
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    return [line for line in log.value.decode().splitlines() if "error: " in line][0].split("error: ")[-1]


place = sys.argv[1] + "/nvidia/cuda_nvrtc/lib/"
for builtins in glob.glob(place + "libnvrtc-builtins.so.*"):
    ctypes.CDLL(builtins, ctypes.RTLD_GLOBAL)
library = ctypes.CDLL(place + "libnvrtc.so.12")
kinds = {"captured": LAMBDA % "x", "beside a parameter": LAMBDA % "x, y", "no lambda": PLAIN}
print("; ".join("%s: %s" % (kind, compiled(library, text)) for kind, text in kinds.items()))
PY

check() { # VERSION WHAT: what it says of a call with captured arguments
  local seen wanted="captured: $2; beside a parameter: compiled; no lambda: compiled"
  seen=$(python3 "$work/compile.py" "$work/$1")
  echo "$1 $seen"
  [ "$seen" = "$wanted" ] || { echo "changed: $1 said: $wanted" >&2; exit 1; }
}
check 12.0.140 'identifier "only_with_walls" is undefined'
check 12.3.107 'identifier "only_with_walls" is undefined'
check 12.4.127 compiled
