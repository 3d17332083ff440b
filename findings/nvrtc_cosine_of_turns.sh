#!/usr/bin/env bash
# NVRTC with --use_fast_math does not merge the 2 pi of cosf(2 pi x) with the 1/(2 pi) that it puts before the unit.
#
# MUFU.COS takes turns, not radians, since Volta. So cosf(6.2831853f * x) needs no multiplication at all, and a factor
# in front of x would be one. With fast math, which lets the compiler reorder, both constants are still multiplied by,
# one after the other, the second one rounded towards zero (FMUL.RZ); the same for cosf(6.2831853f * (a * x)), with
# three. cospif(2 * x), which says what is meant, does not use the unit even with fast math. No GPU is needed.
#
# Seen on 2026-11-30 with nvidia-cuda-nvrtc 13.5.37 and nvidia-cuda-nvdisasm 13.5.37 from PyPI, for sm_90:
#   cosf(6.2831853f * x): 2 multiplications, 1 MUFU.COS
#   cosf(6.2831853f * (a * x)): 3 multiplications, 1 MUFU.COS
#   cospif(2 * x): no MUFU.COS
# What helps: nothing in CUDA C++ or PTX reaches the unit without the second product; fold the first one into whatever
# made x, such as a fused multiply-add before it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip --quiet --disable-pip-version-check install --no-deps --target "$work/packages" \
  nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-nvdisasm==13.5.37 2> /dev/null

cat > "$work/compile.py" <<'PY'
import ctypes
import glob
import subprocess
import sys

packages, result = sys.argv[1:]
(library,) = glob.glob(packages + "/nvidia/*/lib/libnvrtc.so.13")
for builtins in glob.glob(packages + "/nvidia/*/lib/libnvrtc-builtins.so.*"):
    ctypes.CDLL(builtins, ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(library)
(disassembler,) = glob.glob(packages + "/**/bin/nvdisasm", recursive=True)
for wave in ("cosf(6.2831853f * x)", "cosf(6.2831853f * (a * x))", "cospif(2 * x)"):
    text = 'extern "C" __global__ void kernel(float* y, float a) { float x = *y; *y = %s; }' % wave
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"--gpu-architecture=sm_90", b"--use_fast_math"]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"k.cu", 0, None, None)
    assert nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) == 0
    nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetCUBIN(program, cubin)
    with open(result, "wb") as file:
        file.write(cubin.raw)
    listing = subprocess.run([disassembler, "-c", result], capture_output=True, text=True, check=True).stdout
    cosines = listing.count("MUFU.COS")
    print("%s: %s" % (wave, "%d multiplications, %d MUFU.COS" % (listing.count("FMUL"), cosines)
                      if cosines else "no MUFU.COS"))
PY
chmod +x "$work"/packages/nvidia/*/bin/nvdisasm 2> /dev/null || true
seen=$(python3 "$work/compile.py" "$work/packages" "$work/kernel.cubin")
echo "$seen"
wanted='cosf(6.2831853f * x): 2 multiplications, 1 MUFU.COS
cosf(6.2831853f * (a * x)): 3 multiplications, 1 MUFU.COS
cospif(2 * x): no MUFU.COS'
[ "$seen" = "$wanted" ] || { echo "changed: it was" >&2; echo "$wanted" >&2; exit 1; }
