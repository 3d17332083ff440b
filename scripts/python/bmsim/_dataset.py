"""Results as xarray datasets: what xarray.open_dataset reads from the .nc file of the same result."""

import numpy as np
import xarray as xr

from ._library import C


def _legal(name):
    """The name in a netCDF file."""
    made = "".join("_" if c == "/" or ord(c) < 0x20 or ord(c) == 0x7f else c for c in name)
    kept = made.rstrip(" ")
    made = kept + "_" * (len(made) - len(kept))
    return made if made and (ord(made[0]) >= 0x80 or made[0].isalnum()) else "_" + made


class _Names:
    def __init__(self):
        self._used = set()

    def unused(self, name):
        stem = made = _legal(name)
        number = 2
        while made in self._used:
            made, number = f"{stem}_{number}", number + 1
        self._used.add(made)
        return made


def _text(value):
    return value.decode(errors="replace") if value is not None else None


def _list(function, *args):
    """All texts that a function of an index gives."""
    made = []
    while (value := function(*args, len(made))) is not None:
        made.append(_text(value))
    return made


def _values(pointer, count):
    """A copy of `count` numbers."""
    return np.ctypeslib.as_array(pointer, (count,)).copy() if count else np.empty(0)


def _attributes(name, legal, role, text, symbol, unit):
    made = {"long_name": text, "symbol": symbol, "units": unit, "bmsim_role": role}
    if name != legal:
        made["bmsim_name"] = name
    return {key: value for key, value in made.items() if value}


_ANCILLARY = ("_err", "_step", "_extrapolated", "_step_seen", "_step_resolution")


def _link_errors(variables, known):
    """A variable names those that have its errors; variables: name in C, and name in the dataset."""
    for name, variable in variables:
        ends = [_legal(name + end) for end in _ANCILLARY if name + end in known]
        if ends:
            variable[2]["ancillary_variables"] = " ".join(ends)


class _Reader:
    def __init__(self, result):
        self._result = result
        self._names = _Names()
        self._coordinates, self._variables = {}, {}
        self._known = []  # name and values of coordinates of arrays, and the dimension

    def _column(self, name, shape, role=None):
        """Name in the dataset, values and attributes of a column."""
        count = C.bm_result_points(self._result)
        values = _values(C.bm_result_column(self._result, name.encode()), count).reshape(shape)
        legal = self._names.unused(name)
        symbol, meaning, unit, kind = (_text(C.bm_result_column_property(self._result, name.encode(), key))
                                       for key in (b"symbol", b"meaning", b"unit", b"role"))
        if kind == "added":
            symbol, text, unit = "", name, ""
        else:
            part, dot, _ = name.partition(".")
            text, unit = (part + ": " if dot else "") + meaning, unit or "1"
        role = role or ("parameter" if kind == "parameter" else "column")
        return legal, values, _attributes(name, legal, role, text, symbol, unit)

    def _axes(self):
        lengths = [C.bm_result_sweep_length(self._result, i) for i in range(C.bm_result_sweep_axes(self._result))]
        dimensions, done = [], set()
        for axis in range(len(lengths)):
            along = tuple(slice(None) if i == axis else 0 for i in range(len(lengths)))
            for index, name in enumerate(_list(C.bm_result_sweep_name, self._result, axis)):
                legal, values, attributes = self._column(name, lengths, "axis")
                if index == 0:
                    dimensions.append(legal)
                self._coordinates[legal] = (dimensions[axis], values[along], attributes)
                done.add(name)
        return dimensions, lengths, done

    def _dimension_of(self, array, axis):
        name = _text(C.bm_result_axis_name(self._result, array, axis))
        count = C.bm_result_axis_length(self._result, array, axis)
        values = _values(C.bm_result_axis_values(self._result, array, axis), count)
        for known, numbers, dimension in self._known:
            if known == name and np.array_equal(numbers, values, equal_nan=True):
                return dimension
        legal = self._names.unused(name)
        label, unit = (_text(f(self._result, array, axis)) for f in (C.bm_result_axis_label, C.bm_result_axis_unit))
        self._coordinates[legal] = (legal, values, _attributes(name, legal, "coordinate", label, "", unit or "1"))
        self._known.append((name, values, legal))
        return legal

    def _array(self, array, name, dimensions, lengths):
        axes = range(C.bm_result_array_axes(self._result, array))
        sizes = [C.bm_result_axis_length(self._result, array, axis) for axis in axes]
        if 0 in sizes:
            return None
        dimensions = dimensions + [self._dimension_of(array, axis) for axis in axes]
        shape = lengths + sizes
        pointer = C.bm_result_array_values(self._result, array)
        values = _values(pointer, int(np.prod(shape, dtype=np.int64))).reshape(shape)
        legal = self._names.unused(name)
        label, unit = (_text(f(self._result, array)) for f in (C.bm_result_array_label, C.bm_result_array_unit))
        text = "standard error of " + label if name.endswith("_err") else label
        self._variables[legal] = (dimensions, values, _attributes(name, legal, "array", text, label, unit or "1"))
        return legal

    def read(self):
        dimensions, lengths, done = self._axes()
        columns, arrays = [], []
        for name in _list(C.bm_result_column_name, self._result):
            if name not in done:
                legal, values, attributes = self._column(name, lengths)
                self._variables[legal] = (dimensions, values, attributes)
                columns.append((name, self._variables[legal]))
        for array, name in enumerate(_list(C.bm_result_array_name, self._result)):
            legal = self._array(array, name, dimensions, lengths)
            if legal:
                arrays.append((name, self._variables[legal]))
        _link_errors(columns, dict(columns))
        _link_errors(arrays, dict(arrays))
        names = _list(C.bm_result_text_name, self._result)
        texts = {name: _text(C.bm_result_text_value(self._result, i)) for i, name in enumerate(names)}
        return xr.Dataset(self._variables, self._coordinates, {key: text for key, text in texts.items() if text})


def dataset_of(address):
    """The dataset of a result in C."""
    return _Reader(address).read()


def info_of(dataset):
    """What the run says of itself: a dict of texts, from the attribute `info`."""
    lines = dataset.attrs.get("info", "").splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line)
