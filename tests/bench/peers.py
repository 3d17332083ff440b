"""Rates of bmsim beside those of other programs: V = sin 2 pi x, force 1, D = 0.3, Heun's scheme, dt = 0.001, 2^20
paths, single precision, on a GPU. Prints a table in Markdown, and ends with status 1 if bmsim does not reach the
required ratio to the kernel written by hand.
  python3 tests/bench/peers.py BMSIM [--hand PROGRAM] [--small]
Peers: the kernel of peers.cu, which nvcc builds ($NVCC, or that of the path) unless PROGRAM is given; JAX; diffrax.
--small: few short paths on the CPU, without the kernel; shows that everything runs."""
import argparse
import functools
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

REQUIRED = 1.2  # bmsim, gaussian, over the kernel by hand
FORCE, D, DT = 1.0, 0.3, 0.001
TRANSIENT = 4000  # steps

BMSIM_SCRIPT = """
local bm = require "bmsim"
local wave = bm.potential.formula { "sin(2*pi*x)" }
local model = bm.overdamped { potential = wave, force = 1, noise = bm.noise.gaussian { D = 0.3 } }
for _, increments in ipairs { "gaussian", "near_gaussian", "five_point" } do
  local device, whole, r = 0, 0
  for _ = 1, 3 do
    r = bm.run { model = model, paths = bm.args.paths, time = bm.args.time, dt = 1e-3, method = "heun",
                 precision = "single", increments = increments, check_step = false, check_transient = false }
    local steps, seconds = tonumber(r.info.steps), tonumber(r.info.seconds)
    device = math.max(device, steps / tonumber(r.info.device_seconds or seconds))
    whole = math.max(whole, steps / seconds)
  end
  print(("row %s %.6g %.6g %.6g %.6g"):format(increments, device, whole, r:column("velocity")[1],
                                              r:column("velocity_err")[1]))
end
local v = bm.theory.stratonovich { potential = bm.potential.sine { V0 = 1 }, D = 0.3, force = 1 }
print(("row exact %.6g"):format(v))
"""


class Row:
    """device and whole: steps per second by the device's clock and of whole runs, None if it is not known."""

    def __init__(self, name, device=None, whole=None, velocity=None, error=None, remark=""):
        self.name, self.device, self.whole, self.remark = name, device, whole, remark
        self.velocity, self.error = velocity, error

    def text(self, reference):
        def rate(number):
            return "" if number is None else f"{number / 1e9:.4g}"

        if self.velocity is None:
            return f"| {self.name} | {self.remark} | | | |"
        z = ""
        if reference is not None and reference is not self:
            z = f"{(self.velocity - reference.velocity) / math.hypot(self.error, reference.error):.1f}"
        return (f"| {self.name} | {rate(self.device)} | {rate(self.whole)} | "
                f"{self.velocity:.5f} ± {self.error:.5f} | {z} |")


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"peers.py: {command[0]} ended with status {done.returncode}")
    return done.stdout


def bmsim(program, small):
    """Rows of the program, and the exact velocity."""
    size = ["-D", "paths=1536", "-D", "time=20"] if small else ["-D", f"paths={2**20}", "-D", "time=100"]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "peers.lua")
        script.write_text(BMSIM_SCRIPT)
        text = output_of([program, "--quiet", "--device", "cpu" if small else "cuda", *size, script])
    rows, exact = [], math.nan
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["row", "exact"]:
            exact = float(words[2])
        elif words[:1] == ["row"]:
            device, whole, velocity, error = map(float, words[2:])
            rows.append(Row(f"bmsim, `{words[1]}`", None if small else device, whole, velocity, error))
    return rows, exact


def by_hand(program):
    name = "by hand, cuRAND"
    with tempfile.TemporaryDirectory() as folder:
        if program is None:
            compiler = os.environ.get("NVCC") or shutil.which("nvcc")
            if compiler is None:
                return Row(name, remark="no nvcc")
            program = Path(folder, "peers")
            output_of([compiler, "-O3", "--use_fast_math", "-arch=native", "-o", program,
                       Path(__file__).with_name("peers.cu")])
        return Row(name, *map(float, output_of([program, str(2**20), "100000"]).split()))


def best_of(run, start, steps):
    """Steps per second of the best of three runs, with the velocity of the last and its error. run(start, seed) has the
    final places."""
    import jax
    import numpy as np

    best = 0
    for seed in range(4):  # the first run compiles
        begin = time.perf_counter()
        end = jax.block_until_ready(run(start, seed))
        seconds = time.perf_counter() - begin
        if seed > 0:
            best = max(best, start.size * steps / seconds)
    velocities = np.asarray(end - start, dtype=np.float64) / (steps * DT)
    return best, velocities.mean(), velocities.std() / math.sqrt(velocities.size)


def with_jax(small):
    """A jitted loop. Fastest of two generators, one or several steps in an iteration, and two numbers of paths."""
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return Row("JAX", remark="not installed")
    if not small and jax.default_backend() != "gpu":
        return Row(f"JAX {jax.__version__}", remark="sees no GPU")

    def force(x):
        return FORCE - 2 * jnp.pi * jnp.cos(2 * jnp.pi * x)

    @functools.partial(jax.jit, static_argnums=(2, 3))
    def run(x, key, steps, block):
        def iteration(n, x):
            noise = math.sqrt(2 * D * DT) * jax.random.normal(jax.random.fold_in(key, n), (block, x.size), jnp.float32)
            for k in range(block):
                before = force(x)
                x = x + 0.5 * DT * (before + force(x + DT * before + noise[k])) + noise[k]
            return x

        return jax.lax.fori_loop(0, steps // block, iteration, x)

    best = None
    for paths in (2**10, 2**12) if small else (2**17, 2**20):
        steps = (2**22 if small else 2**35) // paths
        for generator in ("threefry2x32", "rbg"):
            for block in (1, 4, 16):
                start = run(jnp.zeros(paths, jnp.float32), jax.random.key(99), TRANSIENT, block)
                found = best_of(lambda x, seed: run(x, jax.random.key(seed, impl=generator), steps, block), start,
                                steps)
                name = f"JAX {jax.__version__}, {generator}, {block} step{'s'[:block - 1]} at a time, {paths} paths"
                print(f"{name}: {found[0] / 1e9:.4g}", file=sys.stderr)
                if best is None or found[0] > best.whole:
                    best = Row(name, None, *found)
    return best


def with_diffrax(small):
    """Heun's scheme of diffrax. Faster of two Brownian motions, and of two numbers of paths."""
    try:
        import diffrax
        import jax
        import jax.numpy as jnp
    except ImportError:
        return Row("diffrax", remark="not installed")
    if not small and jax.default_backend() != "gpu":
        return Row(f"diffrax {diffrax.__version__}", remark="sees no GPU")

    def drift(t, x, args):
        return FORCE - 2 * jnp.pi * jnp.cos(2 * jnp.pi * x)

    def amplitude(t, x, args):
        return jnp.float32(math.sqrt(2 * D))

    def motion(kind, key, span):
        if kind == "UnsafeBrownianPath":
            return diffrax.UnsafeBrownianPath(shape=(), key=key)
        return diffrax.VirtualBrownianTree(0.0, span, tol=DT / 2, shape=(), key=key)

    @functools.partial(jax.jit, static_argnums=(2, 3))
    def run(x, keys, steps, kind):
        span = steps * DT

        def path(x, key):
            terms = diffrax.MultiTerm(diffrax.ODETerm(drift), diffrax.ControlTerm(amplitude, motion(kind, key, span)))
            solution = diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, span, DT, x, adjoint=diffrax.ForwardMode(),
                                           max_steps=None, saveat=diffrax.SaveAt(t1=True), throw=False)
            return solution.ys[0]

        return jax.vmap(path)(x, keys)

    best = None
    for paths in (2**8, 2**10) if small else (2**17, 2**20):
        start = run(jnp.zeros(paths, jnp.float32), jax.random.split(jax.random.key(99), paths), TRANSIENT // 4,
                    "UnsafeBrownianPath")
        for kind, all_steps in (("UnsafeBrownianPath", 2**19 if small else 2**31),
                                ("VirtualBrownianTree", 2**16 if small else 2**27)):  # slow
            steps = all_steps // paths
            found = best_of(lambda x, seed: run(x, jax.random.split(jax.random.key(seed), paths), steps, kind), start,
                            steps)
            name = f"diffrax {diffrax.__version__}, Heun, {kind}, {paths} paths"
            print(f"{name}: {found[0] / 1e9:.4g}", file=sys.stderr)
            if best is None or found[0] > best.whole:
                best = Row(name, None, *found)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bmsim", metavar="BMSIM", help="the program")
    parser.add_argument("--hand", metavar="PROGRAM", help="what nvcc made of peers.cu")
    parser.add_argument("--small", action="store_true", help="on the CPU")
    asked = parser.parse_args()

    rows, exact = bmsim(asked.bmsim, asked.small)
    gaussian = rows[0]
    print(f"Heun's scheme in V = sin 2πx, force 1, D = 0.3, dt = 0.001; exact velocity {exact:.5f}\n")
    print("| program | 10⁹ steps/s by the device's clock | as a whole run | velocity | off `gaussian`, in errors |")
    print("|---|---|---|---|---|")
    for row in rows:
        print(row.text(gaussian), flush=True)
    hand = Row("by hand, cuRAND", remark="needs a GPU") if asked.small else by_hand(asked.hand)
    print(hand.text(gaussian), flush=True)
    for peer in (with_jax, with_diffrax):
        print(peer(asked.small).text(gaussian), flush=True)
    if asked.small:
        return 0
    if hand.device is None:
        print(f"\nbmsim, `gaussian`, over the kernel by hand: not measured, required {REQUIRED}")
        return 1
    ratio = gaussian.device / hand.device
    holds = ratio >= REQUIRED
    print(f"\nbmsim, `gaussian`, over the kernel by hand: {ratio:.3f}, required {REQUIRED}: "
          f"{'holds' if holds else 'FAILS'}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
