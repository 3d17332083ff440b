"""Finds bmsim, and loads its library and LuaJIT."""

import ctypes
import ctypes.util
import glob
import os
import pathlib
import shutil
import subprocess


class Error(Exception):
    """What bmsim says of wrong input: a model, a parameter, a script, a file. `status` is the exit status that the
    program would have."""

    status = 1


class DeviceError(Error):
    """The device that was asked for, or its compiler, is not there or has failed."""

    status = 3


class Unfinished(Error):
    """The run was interrupted, and a checkpoint keeps what was finished; or a part of it is done."""

    status = 75


class Interrupted(KeyboardInterrupt):
    """A run was interrupted. `dataset` has the points that were finished, the others are nan; None if there are
    none."""

    status = 130
    dataset = None


def _candidates():
    """Where bmsim may lie, and what names the place."""
    prefix = os.environ.get("BMSIM_PREFIX")
    if prefix:
        yield pathlib.Path(prefix).resolve(), "BMSIM_PREFIX"
        return
    here = pathlib.Path(__file__).resolve().parent
    if here.parts[-4:-1] == ("share", "bmsim", "python"):
        yield here.parents[3], "this package"
    program = shutil.which("bmsim")
    if program:
        yield pathlib.Path(program).resolve().parent.parent, "PATH"


def _one(pattern, prefix):
    found = sorted(path for part in ("lib", "lib64", "lib/*") for path in glob.glob(f"{prefix}/{part}/{pattern}"))
    return found[0] if found else None


class Install:
    """The parts of an install, or of a build folder, which has the same layout."""

    def __init__(self):
        for prefix, origin in _candidates():
            library = _one("libbmsim.so*", prefix)
            program = prefix / "bin" / "bmsim"
            lua = prefix / "share" / "bmsim" / "lua"
            if library and program.exists() and (lua / "bmsim" / "init.lua").exists():
                self.prefix, self.library, self.program, self.lua = prefix, library, program, lua
                self.luajit = _one("libluajit-5.1.so*", prefix) or "libluajit-5.1.so.2"
                return
            raise ImportError(f"bmsim: {origin} says {prefix}, where bmsim is not: no lib/libbmsim.so, bin/bmsim or "
                              "share/bmsim/lua", name="bmsim")
        raise ImportError("bmsim: the program is not found: set BMSIM_PREFIX to the folder of an install or a build, "
                          "or put bmsim on PATH", name="bmsim")

    def plugin_files(self):
        """The libraries of all plugins that the program finds, by its own rules."""
        done = subprocess.run([self.program, "plugin", "list", "--files"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Error(done.stderr.strip())
        return done.stdout.splitlines()


for _error in (Error, DeviceError, Unfinished, Interrupted):
    _error.__module__ = "bmsim"


class Progress(ctypes.Structure):
    """bm_progress."""

    _fields_ = [("fraction", ctypes.c_double), ("steps_per_second", ctypes.c_double),
                ("seconds_left", ctypes.c_double), ("worst_relative_error", ctypes.c_double)]


ON_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Progress))
ON_WARNING = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)

_P, _S, _Z, _I = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
_D = ctypes.POINTER(ctypes.c_double)
_FUNCTIONS = {  # name: result, arguments; see bmsim.h
    "bm_version": (_S,), "bm_error": (_S,),
    "bm_session_new": (_P,), "bm_session_set": (_I, _P, _S, _S), "bm_session_interrupt": (_I, _P),
    "bm_session_on_progress": (None, _P, ON_PROGRESS, _P), "bm_session_on_warning": (None, _P, ON_WARNING, _P),
    "bm_session_on_notice": (None, _P, ON_WARNING, _P),
    "bm_session_record": (_I, _P, _S, _S),
    "bm_plugin_load": (_I, _S), "bm_plugin_count": (_Z,), "bm_plugin_property": (_S, _Z, _S),
    "bm_plugin_describe": (_S, _S), "bm_theory_name": (_S, _Z),
    "bm_result_sweep_axes": (_Z, _P), "bm_result_sweep_length": (_Z, _P, _Z), "bm_result_sweep_name": (_S, _P, _Z, _Z),
    "bm_result_points": (_Z, _P), "bm_result_columns": (_Z, _P), "bm_result_column_name": (_S, _P, _Z),
    "bm_result_column": (_D, _P, _S), "bm_result_column_property": (_S, _P, _S, _S),
    "bm_result_arrays": (_Z, _P), "bm_result_array_name": (_S, _P, _Z), "bm_result_array_label": (_S, _P, _Z),
    "bm_result_array_unit": (_S, _P, _Z), "bm_result_array_values": (_D, _P, _Z), "bm_result_array_axes": (_Z, _P, _Z),
    "bm_result_axis_name": (_S, _P, _Z, _Z), "bm_result_axis_label": (_S, _P, _Z, _Z),
    "bm_result_axis_unit": (_S, _P, _Z, _Z), "bm_result_axis_length": (_Z, _P, _Z, _Z),
    "bm_result_axis_values": (_D, _P, _Z, _Z),
    "bm_result_info_count": (_Z, _P), "bm_result_info_key": (_S, _P, _Z), "bm_result_info_value": (_S, _P, _Z),
    "bm_result_text_name": (_S, _P, _Z), "bm_result_text_value": (_S, _P, _Z),
}


def _declare(library, functions):
    for name, (result, *arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


install = Install()
C = ctypes.CDLL(install.library)
_declare(C, _FUNCTIONS)

LUA_FUNCTION = ctypes.CFUNCTYPE(_I, _P)
_N = ctypes.c_double
_LUA = {
    "luaL_newstate": (_P,), "luaL_openlibs": (None, _P), "luaL_loadbuffer": (_I, _P, _S, _Z, _S),
    "luaL_ref": (_I, _P, _I), "luaL_unref": (None, _P, _I, _I),
    "lua_pcall": (_I, _P, _I, _I, _I), "lua_gettop": (_I, _P), "lua_settop": (None, _P, _I),
    "lua_checkstack": (_I, _P, _I), "lua_type": (_I, _P, _I), "lua_next": (_I, _P, _I),
    "lua_pushvalue": (None, _P, _I), "lua_insert": (None, _P, _I), "lua_remove": (None, _P, _I),
    "lua_pushnil": (None, _P), "lua_pushnumber": (None, _P, _N), "lua_pushboolean": (None, _P, _I),
    "lua_pushlstring": (None, _P, _S, _Z), "lua_pushcclosure": (None, _P, LUA_FUNCTION, _I),
    "lua_pushlightuserdata": (None, _P, _P), "lua_createtable": (None, _P, _I, _I),
    "lua_rawset": (None, _P, _I), "lua_rawgeti": (None, _P, _I, _I), "lua_rawseti": (None, _P, _I, _I),
    "lua_getmetatable": (_I, _P, _I), "lua_objlen": (_Z, _P, _I),
    "lua_tonumber": (_N, _P, _I), "lua_toboolean": (_I, _P, _I),
    "lua_tolstring": (_P, _P, _I, ctypes.POINTER(_Z)),
}
try:
    lua = ctypes.CDLL(install.luajit)
except OSError as error:
    raise ImportError(f"bmsim: LuaJIT is not found: {error}", name="bmsim") from None
_declare(lua, _LUA)


def check(status):
    """Raises what the C API says."""
    if status:
        raise failure(status, C.bm_error().decode(errors="replace"))


def failure(status, message):
    """The exception of a status."""
    kinds = {3: DeviceError, 75: Unfinished, 76: Unfinished, 130: Interrupted}
    made = kinds.get(status, Error)(message)
    made.status = status
    return made


for _file in install.plugin_files():
    check(C.bm_plugin_load(os.fsencode(_file)))
