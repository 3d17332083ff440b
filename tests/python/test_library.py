"""What Python gets: datasets as files have them, exceptions, warnings, functions as values, scripts, Ctrl-C."""

import contextlib
import copy
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import traceback
import unittest
import warnings

import numpy as np
import xarray as xr

import bmsim as bm

bm.settings(device="cpu")


def motor(**fields):
    return bm.overdamped(potential=bm.potential.sine(V0=1), noise=bm.noise.gaussian(D=0.2), **fields)


def quick(model, **fields):
    return bm.run(model, **({"paths": 64, "time": 2, "seed": 3} | fields))


class Folder(unittest.TestCase):
    """Works in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)


class Datasets(Folder):
    def same_as_file(self, dataset):
        with xr.open_dataset("r.nc") as file:
            there = file.load()
        self.assertEqual(there.attrs.pop("file"), "r.nc")
        for one in (dataset, there):
            self.assertIn("bmsim", one.attrs.pop("history"))
        xr.testing.assert_identical(dataset, there)
        os.remove("r.nc")

    def test_as_in_files(self):
        zipped = {"force": [0, 1, 2], ("gaussian.D", "sine.V0"): ([0.1, 0.2], [1, 2])}
        dataset = quick(motor(), sweep=zipped, output="r.nc", observe=["velocity", bm.observe.density(bins=8)])
        self.assertEqual(dataset.density.dims, ("force", "gaussian.D", "position"))
        self.assertEqual(dataset.velocity.attrs["ancillary_variables"], "velocity_err")
        self.assertEqual(dataset["sine.V0"].dims, ("gaussian.D",))
        self.same_as_file(dataset)
        plane = bm.system(variables=["x", "y"], equations={"x": "y - x", "y": "-y"}, noise={"y": bm.noise.gaussian(D=1)})
        dataset = quick(plane, dt=0.01, step_error=True, output="r.nc",
                        observe=["velocity", bm.observe.moments(times=[1, 2])])
        self.assertIn("velocity_x_step", dataset.velocity_x.attrs["ancillary_variables"].split())
        self.same_as_file(dataset)

    def test_reproducible(self):
        dataset = quick(motor(force=lambda p: 2 * p.gaussian.D), sweep={"gaussian.D": [0.1, 0.3]})
        self.assertIn("gaussian.D", dataset.attrs["manifest"])
        self.assertEqual(dataset.bm.info["device"], "cpu")
        np.testing.assert_array_equal(dataset.force, [0.2, 0.6])
        dataset.to_netcdf("again.nc")
        with xr.open_dataset("again.nc") as again:
            xr.testing.assert_identical(again.load(), dataset)

    def test_names(self):
        dataset = quick(motor(), sweep={"gaussian.D": [0.1, 0.3]})
        self.assertIs(type(dataset.bm.gaussian.D), xr.DataArray)
        np.testing.assert_array_equal(dataset.bm.gaussian.D, dataset["gaussian.D"])
        self.assertIn("gaussian", dir(dataset.bm))
        self.assertIn("poisson", dir(bm.noise))
        self.assertIn("first_passage", dir(bm.observe))
        with self.assertRaisesRegex(AttributeError, "unknown variable 'gaussian.T'"):
            dataset.bm.gaussian.T  # pylint: disable=pointless-statement

    def test_theory(self):
        flat = bm.overdamped(noise=bm.noise.gaussian(D=0.5), force=2)
        exact = bm.theory.curve(flat, {"force": [1, 2, 3], "gaussian.D": [0.5, 1]}, "stratonovich")
        self.assertEqual(exact.velocity.dims, ("force", "gaussian.D"))
        np.testing.assert_allclose(exact.velocity, [[1, 1], [2, 2], [3, 3]])
        velocity, diffusion = bm.theory.stratonovich(model=flat)
        np.testing.assert_allclose([velocity, diffusion], [2, 0.5])
        law = bm.theory.linear(model=bm.overdamped(potential=bm.potential.harmonic(k=2), noise=bm.noise.gaussian(D=1)))
        self.assertAlmostEqual(law["correlation"](0.5, "x"), 0.5 * np.exp(-1))

    def test_plots(self):
        import matplotlib
        matplotlib.use("agg")
        dataset = quick(motor(), sweep={"force": np.linspace(0, 2, 9), "gaussian.D": [0.1, 0.3]})
        axes = dataset.bm.plot()
        self.assertEqual(len(axes.containers), 2)
        self.assertIn(r"\langle v\rangle", axes.get_ylabel())
        axes = quick(motor(), sweep={"force": range(9), "gaussian.D": bm.linspace(0.1, 1, 9)}).bm.plot("velocity")
        self.assertEqual(len(axes.collections), 1)
        axes.figure.savefig("map.png")
        with self.assertRaisesRegex(bm.Error, "unknown variable 'velocty'"):
            dataset.bm.plot("velocty")


class Errors(Folder):
    def test_messages(self):
        for message, call in (
                ("run: unknown field 'pths'; did you mean 'paths'?", lambda: bm.run(motor(), pths=3)),
                ("unknown noise 'gausian'; did you mean 'gaussian'?", lambda: bm.noise.gausian(D=1)),
                ("noise.gaussian: D must be >= 0, got -1", lambda: bm.noise.gaussian(D=-1)),
                ("run: model must be made by bm.overdamped", lambda: bm.run(paths=3)),
                ("noise.gaussian: unknown parameter 'Q'", lambda: quick(motor(), sweep={"gaussian.Q": [1]})),
                ("a number must be real, got 1j", lambda: motor(force=np.complex128(1j))),
                ("a number must be less than 1.8e308 in size", lambda: quick(motor(), paths=10**400)),
                ("a value must be a number, a text, a list", lambda: motor(force=object())),
                ("an array must be of real numbers", lambda: quick(motor(), sweep={"force": np.array(["a"])})),
                ("'force': its function must return a number, got string", lambda: quick(motor(force=lambda p: "1"))),
                ("point 1: 'mass' has no value here", lambda: quick(motor(force=lambda p: p.mass))),
                ("run: seed must be at most 9007199254740991", lambda: quick(motor(), seed=2**53 + 1)),
                ("settings: unknown option 'devise'", lambda: bm.settings(devise="cpu")),
                ("bmsim: cannot open script 'no.lua'", lambda: bm.run_script("no.lua")),
        ):
            with self.subTest(message), self.assertRaises(bm.Error) as caught:
                call()
            self.assertIn(message, str(caught.exception))

    def test_missing_values(self):
        hidden = np.ma.masked_greater([0.0, 1.0, 2.0], 1)
        for message, values in (
                ("an array must have no masked or missing values, got 1 among 3", hidden),
                ("no masked or missing values, got 1 among 1", [0, hidden[2]]),
                ("no masked or missing values, got 1 among 3", [hidden]),
                ("no masked or missing values, got 1 among 2", np.array([0, None])),
                ("a list must have no None, got one in place 2", [0, None, 1]),
                ("value 3 of 'force' must be a finite number, got nan", xr.DataArray(hidden)),
        ):
            with self.subTest(message, values=values), self.assertRaises(bm.Error) as caught:
                quick(motor(), sweep={"force": values})
            self.assertIn(message, str(caught.exception))
        with self.assertRaisesRegex(bm.Error, "masked"):
            motor(force=hidden[2])
        with self.assertRaisesRegex(bm.Error, "masked"):
            quick(motor(force=lambda p: hidden[2]))
        dataset = quick(motor(), sweep={"force": np.ma.masked_greater([0.0, 1.0], 1)})
        np.testing.assert_array_equal(dataset.force, [0, 1])
        self.assertEqual(quick(motor(force=None)).velocity, quick(motor()).velocity)

    def test_missing_values_of_pandas(self):
        try:
            import pandas as pd
        except ImportError:
            self.skipTest("no pandas")
        for kind in ("Int64", "Float64", "boolean"):
            with self.subTest(kind):
                with self.assertRaisesRegex(bm.Error, "no masked or missing values, got 1 among 3"):
                    quick(motor(), sweep={"force": pd.Series([0, None, 1], dtype=kind)})
                dataset = quick(motor(), sweep={"force": pd.Series([0, 1], dtype=kind)})
                np.testing.assert_array_equal(dataset.force, [0, 1])
        with self.assertRaisesRegex(bm.Error, "NAType"):
            quick(motor(), sweep={"force": [0, pd.NA]})

    def test_status(self):
        with self.assertRaises(bm.DeviceError):
            bm.settings(device="cud")
        with self.assertRaises(bm.DeviceError):
            bm.settings(device="cuda:77")
            try:
                quick(motor())
            finally:
                bm.settings(device="cpu")
        with self.assertRaisesRegex(TypeError, "cannot be pickled"):
            copy.copy(motor())

    def test_function_raises(self):
        try:
            quick(motor(force=lambda p: 1 / 0))
            self.fail("no exception")
        except ZeroDivisionError:
            self.assertIn("lambda p", traceback.format_exc())
        self.assertEqual(quick(motor()).velocity.shape, ())  # nothing is lost

    def test_warnings(self):
        bad = bm.overdamped(potential=bm.potential.sine(V0=20), noise=bm.noise.gaussian(D=0.01))
        with self.assertWarnsRegex(bm.RunWarning, "step|dt"):
            quick(bad, dt=0.002)
        bm.settings(strict=True)
        self.addCleanup(bm.settings, strict=False)
        with self.assertRaises(bm.Error):
            quick(bad, dt=0.002)

    def test_settings(self):
        """False and None switch an option off."""
        alone = quick(motor(), output=pathlib.Path("r.nc"), overwrite=True)
        bm.settings(overwrite=True, seed=7)
        self.assertNotEqual(bm.run(motor(), paths=64, time=2).velocity, alone.velocity)
        bm.settings(overwrite=False, seed=None)
        self.assertEqual(quick(motor()).velocity, alone.velocity)
        with self.assertRaisesRegex(bm.Error, "'r.nc' exists"):
            quick(motor(), output="r.nc")

    def test_nested(self):
        """A function that is a parameter may run models, and ask theories."""
        inner = quick(motor())
        dataset = quick(motor(force=lambda p: float(quick(motor()).velocity)))
        self.assertIn(f"force: {float(inner.velocity)!r}", dataset.attrs["manifest"])
        with self.assertRaisesRegex(bm.Error, "unknown field 'pths'"):
            quick(motor(force=lambda p: bm.run(motor(), pths=1).velocity))

    def test_threads(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            alone = quick(motor())
            made = {}
            threads = [threading.Thread(target=lambda i=i: made.update({i: quick(motor())})) for i in range(4)]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
        self.assertEqual(sorted(made), [0, 1, 2, 3])
        for one in made.values():
            np.testing.assert_array_equal(one.velocity, alone.velocity)


class Scripts(Folder):
    def test_script(self):
        pathlib.Path("motor.lua").write_text(textwrap.dedent("""
            local bm = require "bmsim"
            local heat = bm.noise.gaussian { D = bm.args.noise.D }
            local motor = bm.overdamped { potential = bm.potential.sine {}, noise = heat }
            for i = 1, bm.args.runs do
              local r = bm.run { model = motor, force = nil, paths = 16, time = 1, sweep = { { "force", bm.args.f } } }
              r:add("double", function(p) return 2 * p.force end)
              print(i, r.points)
            end
        """))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            made = bm.run_script("motor.lua", runs=2, f=[0.5, 1], **{"noise.D": 0.3})
        self.assertEqual(said.getvalue(), "1\t2\n2\t2\n")
        self.assertEqual(len(made), 2)
        np.testing.assert_array_equal(made[1].double, [1, 2])
        self.assertIn("bm.args.runs", made[0].attrs["script_text"])
        with self.assertRaisesRegex(bm.Error, r"motor.lua:5: 'for' limit must be a number"):
            bm.run_script("motor.lua", f=[1], **{"noise.D": 0.3})
        self.assertNotIn("script_text", quick(motor()).attrs)

    def test_interrupt(self):
        """Ctrl-C ends a run, whose finished points are kept, and a script that only computes."""
        program = textwrap.dedent("""
            import sys, numpy as np, bmsim as bm
            bm.settings(device="cpu")
            model = bm.overdamped(potential=bm.potential.sine(), noise=bm.noise.gaussian(D=1))
            bm.run(model, paths=16, time=1)
            print("ready", flush=True)
            try:
                if sys.argv[1] == "run":
                    bm.run(model, paths=1024, time=2000, sweep={"force": np.linspace(0, 1, 2000)}, chunk=1000)
                else:
                    bm.run_script("loop.lua")
            except bm.Interrupted as stop:
                print("interrupted", stop.dataset is None or bool(np.isnan(stop.dataset.velocity).any()))
            print(bm.run(model, paths=16, time=1).velocity.shape)
        """)
        pathlib.Path("loop.lua").write_text("local n = 0\nwhile true do n = n + 1 end\n")
        for what in "run", "loop":
            with self.subTest(what), subprocess.Popen([sys.executable, "-W", "ignore", "-c", program, what],
                                                      stdout=subprocess.PIPE, text=True) as child:
                self.assertEqual(child.stdout.readline(), "ready\n")
                threading.Timer(2, child.send_signal, (signal.SIGINT,)).start()
                self.assertEqual(child.communicate(timeout=60)[0], "interrupted True\n()\n")


class Interpreters(Folder):
    program = textwrap.dedent("""
        import sys
        try:
            import _xxsubinterpreters as interpreters
            sub = {"sub": {"isolated": False}, "isolated": {"isolated": True}}
            made = {one: interpreters.create(**how) for one, how in sub.items()}
        except ImportError:
            import _interpreters as interpreters
            made = {"sub": interpreters.create("legacy"), "isolated": interpreters.create("isolated")}
        text = '''
        import sys
        try:
            import bmsim as bm
        except ImportError as error:
            print(error, flush=True)
        else:
            ds = bm.run(bm.overdamped(noise=bm.noise.gaussian(D=1)), paths=16, time=1, device="cpu")
            print("ran", ds.velocity.shape, flush=True)
        '''
        for one in sys.argv[1:]:
            exec(text) if one == "main" else interpreters.run_string(made[one], text)
        """)

    def said(self, *order):
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", self.program, *order], capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_one_of_a_process(self):
        """The first one of a process runs models; the others get one message, which says what to do."""
        for order in ("main", "sub"), ("sub", "main"), ("main", "isolated"):
            with self.subTest(order):
                first, second = self.said(*order)
                self.assertEqual(first, "ran ()")
                self.assertRegex(second, "^bmsim: one interpreter of a process can import it, and in this one, "
                                 f"{'the main interpreter' if order[1] == 'main' else 'a sub-interpreter'} of Python .*"
                                 r"use a process for each \(multiprocessing\): .")


class Documentation(Folder):
    def test_snippets(self):
        """The page on Python, as one program."""
        import matplotlib
        matplotlib.use("agg")
        page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)
        self.assertGreaterEqual(len(blocks), 1)
        names = {}
        exec("\n".join(blocks), names)  # pylint: disable=exec-used
        self.assertIn("diffusion_err", names["ds"])


if __name__ == "__main__":
    unittest.main()
