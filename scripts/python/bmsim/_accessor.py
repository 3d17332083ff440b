"""ds.bm: what a dataset of bmsim can do beyond xarray."""

import re

import numpy as np
import xarray as xr

from ._dataset import info_of
from ._library import Error

_MOST_LINES = 8  # more values of a second axis make a map


class _Part:
    """Variables of one component: ds.bm.poisson.D is ds["poisson.D"]."""

    def __init__(self, dataset, prefix):
        self._dataset, self._prefix = dataset, prefix

    def __getattr__(self, name):
        whole = self._prefix + name
        if whole in self._dataset.variables:
            return self._dataset[whole]
        if any(str(one).startswith(whole + ".") for one in self._dataset.variables):
            return _Part(self._dataset, whole + ".")
        known = ", ".join(map(str, self._dataset.variables))
        raise AttributeError(f"dataset: unknown variable '{whole}'; known: {known}")

    def __dir__(self):
        names = (str(one) for one in self._dataset.variables)
        return sorted({one[len(self._prefix):].split(".")[0] for one in names if one.startswith(self._prefix)})


_GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi",
          "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Omega")


def _math(symbol):
    """A symbol as matplotlib writes formulas: D_eff, <v>, lambda."""
    if not re.fullmatch(r"[A-Za-z0-9_<>^()/'., +-]+", symbol):
        return symbol
    text = re.sub(r"_([A-Za-z0-9]{2,})", r"_{\\mathrm{\1}}", symbol)
    text = text.replace("<", r"\langle ").replace(">", r"\rangle ")
    text = re.sub(r"(?<![A-Za-z\\])(" + "|".join(_GREEK) + r")(?![A-Za-z])", r"\\\1", text)
    return f"${text}$"


def _label(variable, units):
    symbol, unit = variable.attrs.get("symbol"), variable.attrs.get("units", "1")
    text = variable.attrs.get("long_name") or str(variable.name)
    if symbol:
        text = _math(symbol) if variable.attrs.get("bmsim_role") == "axis" else f"{text} {_math(symbol)}"
    return text + (f" [{unit}]" if units and unit != "1" else "")


@xr.register_dataset_accessor("bm")
class Accessor(_Part):
    """What bmsim knows of its dataset. ds.bm.poisson.D is ds["poisson.D"]."""

    def __init__(self, dataset):
        super().__init__(dataset, "")

    @property
    def info(self):
        """What the run said of itself: device, method, steps, seconds, ...; a dict of texts."""
        return info_of(self._dataset)

    def error(self, name):
        """The standard error of a variable."""
        if name + "_err" not in self._dataset:
            raise Error(f"dataset: '{name}' has no error")
        return self._dataset[name + "_err"]

    def _measured(self):
        for name in self._dataset.data_vars:
            if f"{name}_err" in self._dataset:
                return name
        raise Error("dataset: there is no variable with an error; say which to plot")

    def plot(self, y=None, x=None, ax=None, units=False, **style):
        """Draws a variable with its error bars: over one axis a curve, over two a family of curves, one for each of the
        few values of the second, or a map. y: its name, the first measured one by default; x: the axis to draw
        over, the longest by default; units: whether labels have them; style: for matplotlib. Returns matplotlib's
        axes."""
        import matplotlib.pyplot as plt  # pylint: disable=import-outside-toplevel
        y = y or self._measured()
        if y not in self._dataset:
            raise Error(f"dataset: unknown variable '{y}'; known: {', '.join(map(str, self._dataset.data_vars))}")
        values = self._dataset[y]
        if not 1 <= values.ndim <= 2:
            raise Error(f"dataset: '{y}' has {values.ndim} dimensions, and a plot takes 1 or 2; choose values by sel")
        if ax is None:
            _, ax = plt.subplots()
        x = x or max(values.dims, key=lambda name: self._dataset.sizes[name])
        if x not in values.dims:
            raise Error(f"dataset: x must be a dimension of '{y}', one of {', '.join(values.dims)}, got '{x}'")
        other = next((name for name in values.dims if name != x), None)
        if other is not None and self._dataset.sizes[other] > _MOST_LINES:
            mesh = ax.pcolormesh(self._dataset[x], self._dataset[other], values.transpose(other, x), shading="nearest",
                                 **style)
            ax.figure.colorbar(mesh, ax=ax, label=_label(values, units))
            ax.set_ylabel(_label(self._dataset[other], units))
        else:
            self._curves(ax, y, x, other, style)
            ax.set_ylabel(_label(values, units))
        ax.set_xlabel(_label(self._dataset[x], units))
        return ax

    def _curves(self, ax, y, x, other, style):
        errors = self._dataset.get(f"{y}_err")
        style = {"marker": "o", "markersize": 4, "capsize": 2, "linestyle": "-", "linewidth": 1} | style
        for i in range(1 if other is None else self._dataset.sizes[other]):
            chosen = {} if other is None else {other: i}
            label = None
            if other is not None:
                at = self._dataset[other]
                label = f"{_math(at.attrs.get('symbol') or other)} = {float(at[i]):g}"
            error = None if errors is None else np.asarray(errors.isel(chosen))
            ax.errorbar(self._dataset[x], self._dataset[y].isel(chosen), error, label=label, **style)
        if other is not None:
            ax.legend(frameon=False)
