"""bmsim from Python: ensembles of Langevin equations, in the words of the Lua library.

    import bmsim as bm
    import numpy as np

    motor = bm.overdamped(potential=bm.potential.sine(V0=1), noise=[bm.noise.gaussian(D=0.1)], force=0)
    ds = bm.run(motor, sweep={"force": np.linspace(0, 10, 21)}, paths=1024, time=100, observe=["velocity", "diffusion"])
    ds.bm.plot()

A table { a = 1, b = 2 } of Lua is keyword arguments or a dict; a list is a list or an array; a formula
{ "sin(x)", a = 1 } is formula("sin(x)", a=1). A keyword of Python with '_' after it stands for itself: from_, lambda_. Functions may stand
where they may in Lua: force=lambda p: 2 * p.poisson.D. Results are xarray datasets with the contents of a .nc file.
"""

import builtins as _builtins
import os
import pathlib

from . import _interpreter

_interpreter.load()

# pylint: disable=wrong-import-position
import numpy as _np
import xarray as _xr

from . import _accessor  # registers ds.bm
from ._dataset import dataset_of as _dataset_of
from ._library import C as _C
from ._library import DeviceError, Error, Interrupted, Unfinished
from ._library import check as _check
from ._lua import Point, Reference, State as _State
from ._lua import table
from ._session import RunWarning, Session as _Session

__version__ = version = _C.bm_version().decode()

_session = _Session()
_lua = _State(_session.pointer, _session.interrupted)


def _ids(kind):
    found = (tuple(_C.bm_plugin_property(i, key).decode() for key in (b"kind", b"id"))
             for i in range(_C.bm_plugin_count()))
    return [name for one, name in found if one == kind]


class _Namespace:
    """A table of functions of the Lua library; each takes keyword arguments."""

    def __init__(self, name, known=()):
        self._name, self._known = name, known

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _of_table(f"{self._name}.{name}")

    def __dir__(self):
        return [name for name in (self._known() if callable(self._known) else self._known) if name]

    def __repr__(self):
        return f"bm.{self._name}: {', '.join(dir(self))}"


def _of_table(name):
    """The function of that name, of one table."""
    function = _lua.ask("field", name)

    def call(*entries, **fields):
        return _lua.call(function, table(*entries, **fields))

    call.__name__ = call.__qualname__ = name.rsplit(".", maxsplit=1)[-1]
    plugin = _C.bm_plugin_describe(name.encode()) if name.split(".")[0] in ("potential", "noise", "drive") else None
    call.__doc__ = plugin.decode() if plugin else f"bm.{name} of the Lua library, see the reference."
    return call


potential = _Namespace("potential", lambda: _ids("potential"))
noise = _Namespace("noise", lambda: _ids("noise"))
drive = _Namespace("drive", lambda: _ids("drive"))
observe = _Namespace("observe", lambda: _lua.ask("observables"))
event = _Namespace("event", ("reset", "tumble", "look"))


def overdamped(**fields):
    """dx/dt = -V'(x) + force + drives(t) + noises. Fields: potential, noise, drive, force, interpretation, events,
    walls."""
    return _lua.call(_lua.ask("field", "overdamped"), table(**fields))


def underdamped(**fields):
    """mass dv/dt = -gamma v - V'(x) + force + drives(t) + noises, dx/dt = v. Fields: those of overdamped, mass,
    gamma."""
    return _lua.call(_lua.ask("field", "underdamped"), table(**fields))


def system(**fields):
    """Several variables. Fields: variables, equations, potential, noise, drive, force, inertia, period, parameters,
    define, fields, interpretation, events, walls."""
    return _lua.call(_lua.ask("field", "system"), table(**fields))


def formula(text, **parameters):
    """A formula with parameters of its own: formula("sqrt(1 + a*cos(2*pi*x))", a=0.6)."""
    return _lua.call(_lua.ask("field", "formula"), table(text, **parameters))


def zip(*columns):  # pylint: disable=redefined-builtin
    """Names that are swept together, one axis: zip(("poisson.D", D), ("poisson.a", a))."""
    return _lua.call(_lua.ask("field", "zip"), [list(one) for one in columns])


def linspace(first, last, count):
    """`count` equally spaced values, as bm.linspace of Lua gives them, bit for bit; shape (count)."""
    return _np.array(_lua.call(_lua.ask("field", "linspace"), first, last, count))


def logspace(first, last, count):
    """`count` values in equal ratios between two values > 0, as bm.logspace of Lua gives them; shape (count)."""
    return _np.array(_lua.call(_lua.ask("field", "logspace"), first, last, count))


def _axes(sweep):
    """A sweep as the Lua library takes it. A dict: an axis for each name, or for names that are swept together."""
    if sweep is None or isinstance(sweep, Reference):
        return sweep
    if not isinstance(sweep, dict):
        return sweep
    axes = []
    for name, values in sweep.items():
        if isinstance(name, tuple):
            axes.append(zip(*([one, column] for one, column in _builtins.zip(name, values, strict=True))))
        else:
            axes.append([name, values])
    return axes


def run(model=None, **fields):
    """Runs a model: an xarray.Dataset whose dimensions are the axes of `sweep`.

    sweep: a dict, {"force": values, ("poisson.D", "poisson.a"): (D, a)}, or a list of axes as in Lua. Other fields:
    paths, time or periods, spp or dt, transient, observe, initial, target, tolerance, step_error, method, precision,
    increments, device, seed, threads, memory, limit, output, ...; see the reference of bm.run.

    Warnings are Python's, of the class RunWarning. Ctrl-C raises Interrupted, whose `dataset` has the points that were
    finished. Errors are Error, DeviceError, Unfinished.
    """
    fields = table(**fields)
    if model is not None:
        fields["model"] = model
    if "sweep" in fields:
        fields["sweep"] = _axes(fields["sweep"])
    function = _lua.ask("field", "run")

    def work():
        result = _lua.call(function, fields)
        return _dataset_of(int(_lua.ask("address", result)))

    return _session.work(work)


class _Theory(_Namespace):
    """Exact results: theory.NAME(...) at one point, theory.curve over a sweep."""

    def __getattr__(self, name):
        call = super().__getattr__(name)

        def work(*entries, **fields):
            return _session.work(lambda: call(*entries, **fields))

        work.__name__, work.__doc__ = name, f"bm.theory.{name} of the Lua library, see the reference."
        return work

    def curve(self, model, sweep=None, which=None):
        """What a theory gives for a model over a sweep: an xarray.Dataset of its quantities, with the dimensions that
        bm.run gives. which: the name of the theory; None: the one that is exact for the model."""
        axes = _axes(sweep)
        function = _lua.ask("field", "theory.curve")
        columns = _session.work(lambda: _lua.call(function, model, axes, which))
        count = int(columns.pop("points"))
        made = [] if axes is None else _lua.ask("axes", axes)
        dimensions = [axis["names"][0] for axis in made]
        shape = [int(axis["length"]) for axis in made]
        coordinates = {}
        for i, axis in enumerate(made):
            along = tuple(slice(None) if j == i else 0 for j in range(len(shape)))
            for name in axis["names"]:
                coordinates[name] = (dimensions[i], _np.array(columns.pop(name)).reshape(shape)[along])
        return _xr.Dataset({name: (dimensions, _np.array(values).reshape(shape if made else []))
                            for name, values in columns.items() if len(values) == count}, coordinates)


def _theories():
    names = []
    while (name := _C.bm_theory_name(len(names))) is not None:
        names.append(name.decode())
    return ["curve", *names]


theory = _Theory("theory", _theories)


def run_script(file, *arguments, **args):
    """Runs a Lua script, for which bm.args has these values: run_script("motor.lua", D=2). Returns a list of the
    datasets of its runs, in their order. What it prints goes where Python prints; files are written as by the program.
    A dot in a name: run_script("motor.lua", **{"noise.D": 2})."""
    path = pathlib.Path(file)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise Error(f"bmsim: cannot open script '{file}': {error.strerror}") from None
    given = {}
    for name, value in table(**args).items():
        *parts, last = name.split(".")
        inner = given
        for part in parts:
            inner = inner.setdefault(part, {})
        inner[last] = value
    state = _State(_session.pointer, _session.interrupted, str(path), given, _session.strict)

    def work():
        results = state.ask("run", text.decode(errors="surrogateescape"), str(path), *map(str, arguments))
        return [_dataset_of(int(state.ask("address", one))) for one in results]

    _check(_C.bm_session_record(_session.pointer, b"script_text", text.replace(b"\0", b"")))
    try:
        return _session.work(work)
    finally:
        _C.bm_session_record(_session.pointer, b"script_text", b"")


def load_plugin(file):
    """Loads a plugin's library. Those that the program finds are loaded already."""
    _check(_C.bm_plugin_load(os.fsencode(file)))


def settings(**options):
    """Options of all runs from now on, which win over those of the runs: device, precision, seed, threads, overwrite,
    strict (a warning is an error), keep_source, checkpoint, checkpoint_every, part; and progress (False: none is
    shown). None: no longer set."""
    _session.set(**options)


__all__ = ["DeviceError", "Error", "Interrupted", "Point", "RunWarning", "Unfinished", "drive", "event", "formula",
           "linspace", "load_plugin", "logspace", "noise", "observe", "overdamped", "potential", "run", "run_script",
           "settings", "system", "table", "theory", "underdamped", "version", "zip"]
