"""A Lua state that has the Lua library of bmsim: values go there and back, and errors come back as exceptions."""

import ctypes
import keyword
import pathlib
import subprocess
import sys
import threading

import numpy as np

from ._library import LUA_FUNCTION, Error, failure, install, lua

_NIL, _BOOLEAN, _NUMBER, _STRING, _TABLE, _FUNCTION = 0, 1, 3, 4, 5, 6
_REGISTRY = -10000
_DEEPEST = 50  # tables within tables


class Reference:
    """Something that the Lua library has made: a model, a component, an observable."""

    def __init__(self, state, number):
        self._state, self._number = state, number

    def __del__(self):
        self._state.forget(self._number)

    def __repr__(self):
        return self._state.ask("text", self)

    def __reduce__(self):
        raise TypeError("bmsim: models and their parts cannot be pickled or copied; make them anew")


class Function(Reference):
    """A function of Lua."""

    def __call__(self, *args):
        return self._state.call(self, *args)


class Point:
    """The point of a sweep that a function is called for: p["poisson.D"], or p.poisson.D; p["lambda"]."""

    def __init__(self, reference):
        self._reference = reference

    def __getitem__(self, name):
        value = self._reference._state.ask("index", self._reference, name)
        return Point(value) if isinstance(value, Reference) else value

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[plain(name)]


def _number(value):
    try:
        return float(value)
    except OverflowError:
        raise Error(f"a number must be less than 1.8e308 in size, got one of {value.bit_length()} bits") from None


def _numbers_of(value):
    """A list or an array as an array of real numbers. What numpy and pandas mark as missing has none."""
    numbers = np.asarray(value)
    missing = np.ma.getmaskarray(value) if isinstance(value, np.ma.MaskedArray) else np.zeros(numbers.shape, bool)
    if numbers.dtype.kind == "O":
        missing = np.array([one is None or type(one).__name__ == "NAType" for one in numbers.flat], bool)
    if missing.any():
        raise Error(f"an array must have no masked or missing values, got {missing.sum()} among {numbers.size}; fill "
                    "them in, or leave them out")
    if numbers.dtype.kind == "O" and all(isinstance(one, (int, float, np.number)) for one in numbers.flat):
        numbers = np.array([_number(one) for one in numbers.flat]).reshape(numbers.shape)  # nullable, of pandas
    if numbers.dtype.kind not in "iufb":
        raise Error(f"an array must be of real numbers, got {numbers.dtype}")
    return numbers


def plain(name):
    """A keyword of Python with '_' after it stands for the name without: from_, lambda_."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def table(*entries, **fields):
    """A table of Lua with entries and fields: table("reflect", from_=0, to=1)."""
    made = dict(enumerate(entries, 1))
    made.update((plain(name), value) for name, value in fields.items())
    return made


class State:
    """One Lua state. Used by one thread at a time; a lock sees to it."""

    def __init__(self, session, interrupted, script=None, args=None, strict=False):
        self._lock = threading.RLock()
        self._dead = []
        self._callables = {}
        self._raised = None
        self._interrupted = interrupted
        self._state = lua.luaL_newstate()
        if not self._state:
            raise MemoryError("bmsim: no memory for Lua")
        lua.luaL_openlibs(self._state)
        self._primitives = [LUA_FUNCTION(f) for f in (self._call, self._run, self._write, self._is_interrupted)]
        here = pathlib.Path(__file__).parent / "host.lua"
        text = here.read_bytes()
        name = f"@{install.lua}/bmsim/python.lua".encode()
        self._ask = {}
        self._handler = 0
        with self._lock:
            if lua.luaL_loadbuffer(self._state, text, len(text), name):
                raise ImportError(self._pull(-1))
            lua.lua_createtable(self._state, 0, 4)
            for key, function in zip(("call", "run", "write", "interrupted"), self._primitives):
                self._push(key)
                lua.lua_pushcclosure(self._state, function, 0)
                lua.lua_rawset(self._state, -3)
            self._push({"lua": str(install.lua), "library": str(install.library), "script": script,
                        "strict": strict, "args": args or {}})
            self._push("session")
            lua.lua_pushlightuserdata(self._state, session)
            lua.lua_rawset(self._state, -3)
            if lua.lua_pcall(self._state, 2, 1, 0):
                raise ImportError(self._pull(-1))
            self._ask = self._pull(-1)
            lua.lua_settop(self._state, 0)

    def ask(self, name, *args):
        """Calls a function of host.lua."""
        return self.call(self._ask[name], *args)

    def call(self, function, *args):
        """Calls a function of Lua; returns None, its value, or a tuple of its values."""
        with self._lock:
            state, top = self._state, lua.lua_gettop(self._state)
            self._raised = None
            for number in self._dead[:]:
                lua.luaL_unref(state, _REGISTRY, number)
                self._dead.remove(number)
            if not lua.lua_checkstack(state, len(args) + 10):
                raise RecursionError("bmsim: calls are nested too deep")
            try:
                handler = self._ask.get("explain")
                if handler:
                    self._push(handler)
                self._push(function)
                for value in args:
                    self._push(value)
                if lua.lua_pcall(state, len(args), -1, top + 1 if handler else 0):
                    self._fail(self._pull(-1))
                first = top + (2 if handler else 1)
                values = [self._pull(i) for i in range(first, lua.lua_gettop(state) + 1)]
            finally:
                lua.lua_settop(state, top)
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    def forget(self, number):
        """Lets go of a value of Lua, at the next call: garbage is collected in any thread."""
        self._dead.append(number)

    def _fail(self, text):
        raised, self._raised = self._raised, None
        if not isinstance(text, str):
            raise Error("unknown error of Lua")
        status, _, message = text.partition("\n")
        if not status.isdigit():
            raise MemoryError("bmsim: out of memory for Lua's tables")
        if raised is not None and not isinstance(raised, Error):
            raise raised  # of the user's function
        raise failure(int(status), message)

    def _push(self, value, depth=0):
        state = self._state
        if isinstance(value, Point):
            value = value._reference
        if value is None:
            lua.lua_pushnil(state)
        elif isinstance(value, Reference):
            if value._state is not self:
                raise Error("this belongs to another script")
            lua.lua_rawgeti(state, _REGISTRY, value._number)
        elif isinstance(value, (bool, np.bool_)):
            lua.lua_pushboolean(state, bool(value))
        elif isinstance(value, (int, float, np.number)):
            if isinstance(value, (complex, np.complexfloating)):
                raise Error(f"a number must be real, got {value}")
            lua.lua_pushnumber(state, _number(value))
        elif isinstance(value, (str, pathlib.PurePath)):
            text = str(value).encode(errors="surrogateescape")
            lua.lua_pushlstring(state, text, len(text))
        elif depth > _DEEPEST:
            raise Error("tables must be nested at most 50 deep")
        elif isinstance(value, dict):
            self._push_table(value.items(), depth)
        elif callable(value) and not hasattr(value, "__array__"):
            self._push(self._function_of(value))
        else:
            self._push_list(value, depth)

    def _push_table(self, items, depth):
        lua.lua_createtable(self._state, 0, 0)
        lua.lua_checkstack(self._state, 10)
        for key, value in items:
            if not isinstance(key, (str, int)) or isinstance(key, bool):
                raise Error(f"names of fields must be texts, got {key!r}")
            self._push(key)
            self._push(value, depth + 1)
            lua.lua_rawset(self._state, -3)

    def _push_list(self, value, depth):
        if not isinstance(value, (list, tuple, range)) and not hasattr(value, "__array__"):
            raise Error(f"a value must be a number, a text, a list, an array, a dict or a function, "
                        f"got {type(value).__name__}")
        numbers = None
        if hasattr(value, "__array__") or (len(value) > 0 and all(type(one) in (int, float) for one in value)):
            numbers = _numbers_of(value)
            if numbers.ndim == 0:
                return self._push(numbers.item(), depth)
        if numbers is not None and numbers.ndim == 1 and self._ask:
            numbers = np.ascontiguousarray(numbers, dtype=np.float64)
            return self._push(self._keep(self._ask["list"], numbers.ctypes.data, numbers.size))
        if numbers is None:
            for i, one in enumerate(value, 1):
                if one is None:
                    raise Error(f"a list must have no None, got one in place {i}")
        return self._push_table(enumerate(value, 1), depth)

    def _keep(self, function, *args):
        """The table that a function returns, as a reference."""
        top = lua.lua_gettop(self._state)
        self._push(function)
        for one in args:
            self._push(one)
        if lua.lua_pcall(self._state, len(args), 1, 0):
            message = self._pull(-1)
            lua.lua_settop(self._state, top)
            raise MemoryError(f"bmsim: {message}")
        return Reference(self, lua.luaL_ref(self._state, _REGISTRY))

    def _function_of(self, function):
        number = len(self._callables) + 1
        self._callables[number] = function
        return self.ask("callable", number)

    def _pull(self, index, depth=0):
        state = self._state
        kind = lua.lua_type(state, index)
        if kind <= _NIL:
            return None
        if kind == _BOOLEAN:
            return bool(lua.lua_toboolean(state, index))
        if kind == _NUMBER:
            return lua.lua_tonumber(state, index)
        if kind == _STRING:
            size = ctypes.c_size_t()
            address = lua.lua_tolstring(state, index, ctypes.byref(size))
            return ctypes.string_at(address, size.value).decode(errors="surrogateescape")
        if kind == _TABLE and depth < _DEEPEST:
            if not lua.lua_getmetatable(state, index):
                return self._pull_table(index, depth)
            lua.lua_settop(state, -2)
        lua.lua_pushvalue(state, index)
        made = Function if kind == _FUNCTION else Reference
        return made(self, lua.luaL_ref(state, _REGISTRY))

    def _pull_table(self, index, depth):
        state, made = self._state, {}
        lua.lua_checkstack(state, 10)
        lua.lua_pushvalue(state, index)
        lua.lua_pushnil(state)
        while lua.lua_next(state, -2):
            value = self._pull(-1, depth + 1)
            made[self._pull(-2)] = value
            lua.lua_settop(state, -2)
        lua.lua_settop(state, -2)
        if made and all(isinstance(key, float) for key in made) and set(made) == set(range(1, len(made) + 1)):
            return [made[i] for i in range(1, len(made) + 1)]
        return made

    # What Lua calls. No exception leaves these functions.

    def _within(self, state, function):
        mine, self._state = self._state, state
        try:
            return function()
        except BaseException as error:  # pylint: disable=broad-except
            self._raised = error
            lua.lua_settop(state, 0)
            lua.lua_pushboolean(state, 0)
            text = (str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}").encode()
            lua.lua_pushlstring(state, text, len(text))
            return 2
        finally:
            self._state = mine

    def _call(self, state):
        def work():
            values = [self._pull(i) for i in range(1, lua.lua_gettop(state) + 1)]
            arguments = [Point(one) if type(one) is Reference else one for one in values[1:]]
            value = self._callables[int(values[0])](*arguments)
            lua.lua_pushboolean(state, 1)
            self._push(value)
            return 2
        return self._within(state, work)

    def _run(self, state):
        def work():
            done = subprocess.run(["sh", "-c", self._pull(1)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            self._push(done.returncode)
            self._push(done.stdout.decode(errors="surrogateescape"))
            return 2
        return self._within(state, work)

    def _write(self, state):
        def work():
            getattr(sys, self._pull(1)).write(self._pull(2))
            return 0
        return self._within(state, work)

    def _is_interrupted(self, state):
        lua.lua_pushboolean(state, self._interrupted())
        return 1
