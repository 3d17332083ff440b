"""Twenty models give the same numbers from Lua and from Python, bit for bit, and the same texts."""

import pathlib
import subprocess
import tempfile
import unittest

import xarray as xr

import bmsim as bm
from bmsim._library import install
from models import MODELS

LUA = 'r = bm.run {{ model = {model}, paths = 64, time = 4, seed = 7, sweep = {{ {{ "{swept}", {{ 0.25, 0.75 }} }} }}, ' \
      'observe = {{ "velocity", "diffusion" }} }} r:write "{name}.nc"'


class SameNumbers(unittest.TestCase):
    def test_twenty_models(self):
        self.assertEqual(len(MODELS), 20)
        bm.settings(device="cpu")
        with tempfile.TemporaryDirectory() as folder:
            lines = [LUA.format(model=lua, name=name, swept=self.swept(name)) for name, (lua, _) in MODELS.items()]
            script = pathlib.Path(folder) / "script.lua"
            script.write_text('local bm, r = require "bmsim"\n' + "\n".join(lines))
            subprocess.run([install.program, "--quiet", "--device", "cpu", script], cwd=folder, check=True)
            for name, (_, make) in MODELS.items():
                with self.subTest(name):
                    ds = bm.run(make(), paths=64, time=4, seed=7, sweep={self.swept(name): [0.25, 0.75]},
                                observe=["velocity", "diffusion"])
                    with xr.open_dataset(f"{folder}/{name}.nc") as file:
                        theirs = file.load()
                    self.assertGreaterEqual(len(theirs.data_vars), 4)
                    xr.testing.assert_identical(ds.drop_attrs() if hasattr(ds, "drop_attrs") else self.bare(ds),
                                                self.bare(theirs))
                    for variable in theirs.variables:
                        self.assertEqual(ds[variable].attrs, theirs[variable].attrs, variable)

    @staticmethod
    def swept(name):
        return "force_x" if name in ("plane", "dimer") else "force"

    @staticmethod
    def bare(dataset):
        made = dataset.copy()
        made.attrs = {}
        return made


if __name__ == "__main__":
    unittest.main()
