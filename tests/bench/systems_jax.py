# The systems of systems_baseline.cc as a JAX program: Heun's scheme in single precision, a jitted loop,
# jax.random.normal. Prints steps of all variables per second:
#   JAX_PLATFORMS=cpu XLA_FLAGS=--xla_cpu_multi_thread_eigen=false taskset -c 0 python3 tests/bench/systems_jax.py
import functools
import time

import jax
import jax.numpy as jnp
from jax import lax, random

turn = 2*jnp.pi
dt = 0.002
def ratchet(x, V0=0.3): return -V0*turn*(jnp.cos(turn*x) + 0.5*jnp.cos(2*turn*x))
def active(z): x,y,th = z; return jnp.stack([2*jnp.cos(th)+ratchet(x), 2*jnp.sin(th), 0.2+0*th])
def fhn(z): x,y = z; return jnp.stack([20*(x-x*x*x/3-y), x+1.05])
def dimer(z):
    x,y = z; s = 4*(y-x-0.4); return jnp.stack([s+ratchet(x)+0.1, -s+ratchet(y)+0.1])
def landauer(z): return -turn*jnp.cos(turn*z)
def amp(z): return jnp.sqrt(1+0.6*jnp.cos(turn*z+0.8))
def junctions(z):
    x,y,v,w = z; l = 0.7*(y-x)
    return jnp.stack([v,w,-0.5*v-0.3*turn*jnp.cos(turn*x)+l+0.2,-0.5*w-0.3*turn*jnp.cos(turn*y)-l+0.2])
om = 0.1*jnp.arange(8.)[:,None]
def ring(z): return om + jnp.sin(jnp.roll(z,-1,0)-z) + jnp.sin(jnp.roll(z,1,0)-z)
def pad(n, m, first, D):
    s = jnp.sqrt(2*jnp.array(D)*dt)[:,None]
    def xi(key, k, N):
        w = s*random.normal(random.fold_in(key,k), (m,N))
        return jnp.concatenate([jnp.zeros((first,N)), w, jnp.zeros((n-first-m,N))], 0)
    return xi
systems = {
 'active particle': (3, active, pad(3,3,0,[0.1,0.1,0.05]), None),
 'FitzHugh-Nagumo': (2, fhn, pad(2,1,1,[0.02]), None),
 'dimer': (2, dimer, pad(2,2,0,[0.3,0.3]), None),
 'landauer': (1, landauer, pad(1,1,0,[0.5]), amp),
 'two junctions': (4, junctions, pad(4,2,2,[0.2,0.2]), None),
 'ring of 8': (8, ring, pad(8,8,0,[0.045]*8), None)}
def run(f, xi, b, steps, z, key):
    def step(k, z):
        w = xi(key, k, z.shape[1])
        f0 = f(z)
        if b is None:
            p = z + f0*dt + w
            return z + 0.5*dt*(f0+f(p)) + w
        b0 = b(z); p = z + f0*dt + b0*w
        return z + 0.5*dt*(f0+f(p)) + 0.5*(b0+b(p))*w
    return lax.fori_loop(0, steps, step, z)
for name,(n,f,xi,b) in systems.items():
    best = 0
    for N in (1024, 16384, 131072):
        go = jax.jit(functools.partial(run, f, xi, b), static_argnums=(0,))
        z = jnp.full((n,N), 0.1, jnp.float32); key = random.PRNGKey(1)
        steps = max(20, int(4e6/N/n))
        go(steps, z, key).block_until_ready()
        for rep in range(3):
            t = time.time(); go(steps, z, key).block_until_ready(); t = time.time()-t
            best = max(best, N*steps/t)
    print(f'{name:20s} {best/1e9:.4f}e9 steps/s', flush=True)
