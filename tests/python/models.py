"""Twenty models in the words of both languages: name, Lua, Python, and fields of the run that all of them have not."""

import bmsim as bm

V, N, D = bm.potential, bm.noise, bm.drive

MODELS = {
    "free": ("bm.overdamped { noise = bm.noise.gaussian { D = 0.5 }, force = 1 }",
             lambda: bm.overdamped(noise=N.gaussian(D=0.5), force=1)),
    "sine": ("bm.overdamped { potential = bm.potential.sine { V0 = 1 }, noise = bm.noise.gaussian { D = 0.2 } }",
             lambda: bm.overdamped(potential=V.sine(V0=1), noise=N.gaussian(D=0.2))),
    "shot": ("bm.overdamped { potential = bm.potential.piecewise_linear {}, noise = bm.noise.poisson { D = 1, a = 2 } }",
             lambda: bm.overdamped(potential=V.piecewise_linear(), noise=N.poisson(D=1, a=2))),
    "lambda": ("bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.poisson { lambda = 3, zeta = 0.2 } }",
               lambda: bm.overdamped(potential=V.sine(), noise=N.poisson(lambda_=3, zeta=0.2))),
    "flips": ("bm.overdamped { potential = bm.potential.sine {}, noise = { bm.noise.dichotomous { "
              "Fa = 2, Fb = 1, tau = 0.5 }, bm.noise.gaussian { D = 0.1 } } }",
              lambda: bm.overdamped(potential=V.sine(), noise=[
                  N.dichotomous(Fa=2, Fb=1, tau=0.5), N.gaussian(D=0.1)])),
    "named": ("bm.overdamped { noise = { bm.noise.gaussian { D = 0.1, name = 'bath' }, bm.noise.gaussian { D = 0.2 } } }",
              lambda: bm.overdamped(noise=[N.gaussian(D=0.1, name="bath"), N.gaussian(D=0.2)])),
    "drive": ("bm.overdamped { potential = bm.potential.sine {}, drive = bm.drive.cosine { amplitude = 3, omega = 2 }, "
              "noise = bm.noise.gaussian { D = 0.1 } }",
              lambda: bm.overdamped(potential=V.sine(), drive=D.cosine(amplitude=3, omega=2), noise=N.gaussian(D=0.1))),
    "formula": ("bm.overdamped { potential = bm.potential.formula { 'V0*(cos(2*pi*x/L) + cos(4*pi*x/L)/4)', V0 = 0.5, "
                "L = 1 }, noise = bm.noise.gaussian { D = 0.1 } }",
                lambda: bm.overdamped(potential=V.formula("V0*(cos(2*pi*x/L) + cos(4*pi*x/L)/4)", V0=0.5, L=1),
                                      noise=N.gaussian(D=0.1))),
    "inertia": ("bm.underdamped { mass = 0.5, gamma = 0.7, potential = bm.potential.sine {}, "
                "noise = bm.noise.gaussian { T = 0.3 } }",
                lambda: bm.underdamped(mass=0.5, gamma=0.7, potential=V.sine(), noise=N.gaussian(T=0.3))),
    "function": ("bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = function(p) "
                 "return 0.1 + p.force / 10 end } }",
                 lambda: bm.overdamped(potential=V.sine(), noise=N.gaussian(D=lambda p: 0.1 + p.force / 10))),
    "functions": ("bm.overdamped { potential = bm.potential.sine { V0 = function(p) return 2 * p.gaussian.D end }, "
                  "noise = bm.noise.gaussian { D = function(p) return 0.1 + p['force']^2 end } }",
                  lambda: bm.overdamped(potential=V.sine(V0=lambda p: 2 * p.gaussian.D),
                                        noise=N.gaussian(D=lambda p: 0.1 + p["force"] ** 2))),
    "nodes": ("bm.overdamped { potential = bm.potential.piecewise_linear { x = { 0, 0.3, 0.5 }, "
              "V = { 0, 1, 0.2 }, L = 1 }, noise = bm.noise.gaussian { D = 0.1 } }",
              lambda: bm.overdamped(potential=V.piecewise_linear(x=[0, 0.3, 0.5], V=[0, 1, 0.2], L=1),
                                    noise=N.gaussian(D=0.1))),
    "multiplied": ("bm.overdamped { potential = bm.potential.sine {}, interpretation = 'ito', noise = bm.noise.gaussian "
                   "{ D = 0.2, amplitude = bm.formula { '1 + b*cos(2*pi*x)', b = 0.5 } } }",
                   lambda: bm.overdamped(potential=V.sine(), interpretation="ito", noise=N.gaussian(
                       D=0.2, amplitude=bm.formula("1 + b*cos(2*pi*x)", b=0.5)))),
    "flashing": ("bm.overdamped { potential = bm.potential.sine {}, drive = bm.drive.cosine { amplitude = 0.5, omega = 3, "
                 "modulate = 'potential' }, noise = bm.noise.gaussian { D = 0.2 } }",
                 lambda: bm.overdamped(potential=V.sine(), drive=D.cosine(amplitude=0.5, omega=3, modulate="potential"),
                                       noise=N.gaussian(D=0.2))),
    "resetting": ("bm.overdamped { noise = bm.noise.gaussian { D = 1 }, events = { home = bm.event.reset { rate = 2, "
                  "x = 0 } } }",
                  lambda: bm.overdamped(noise=N.gaussian(D=1), events={"home": bm.event.reset(rate=2, x=0)})),
    "walls": ("bm.overdamped { noise = bm.noise.gaussian { D = 1 }, walls = { x = { 'reflect', from = -1, to = 1 } } }",
              lambda: bm.overdamped(noise=N.gaussian(D=1), walls={"x": bm.table("reflect", from_=-1, to=1)})),
    "coloured": ("bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.ornstein_uhlenbeck { D = 1, "
                 "tau = 0.5 } }",
                 lambda: bm.overdamped(potential=V.sine(), noise=N.ornstein_uhlenbeck(D=1, tau=0.5))),
    "three_state": ("bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.three_state { F = 3, nu = 1 } }",
                    lambda: bm.overdamped(potential=V.sine(), noise=N.three_state(F=3, nu=1))),
    "plane": ("bm.system { variables = { 'x', 'y' }, equations = { x = '-k*x + y', y = '-y' }, parameters = { k = 2 }, "
              "noise = { x = bm.noise.gaussian { D = 0.3 }, y = { bm.noise.gaussian { D = 0.1, name = 'bath' } } } }",
              lambda: bm.system(variables=["x", "y"], equations={"x": "-k*x + y", "y": "-y"}, parameters={"k": 2},
                                noise={"x": N.gaussian(D=0.3), "y": [N.gaussian(D=0.1, name="bath")]})),
    "dimer": ("bm.system { variables = { 'x', 'y' }, potential = { x = bm.potential.sine {}, bm.potential.formula { "
              "'k*(x - y)^2/2', k = 3, name = 'spring' } }, inertia = { y = { mass = 0.5, gamma = 1 } }, "
              "noise = { x = bm.noise.gaussian { D = 0.3 }, y = bm.noise.gaussian { T = 0.3, name = 'bath' } } }",
              lambda: bm.system(variables=["x", "y"], potential=bm.table(V.formula("k*(x - y)^2/2", k=3, name="spring"),
                                                                         x=V.sine()),
                                inertia={"y": {"mass": 0.5, "gamma": 1}},
                                noise={"x": N.gaussian(D=0.3), "y": N.gaussian(T=0.3, name="bath")})),
}
