"""What bmsim imports, or one message where this interpreter cannot: NumPy and pandas serve one interpreter of a process
alone, and an interpreter that is isolated lets nobody start a program."""

import sys


def _is_main():
    try:
        import ctypes  # pylint: disable=import-outside-toplevel
    except ImportError:
        return False  # as in an isolated interpreter; every install has it
    one, other = ctypes.pythonapi.PyInterpreterState_Get, ctypes.pythonapi.PyInterpreterState_Main
    one.restype = other.restype = ctypes.c_void_p
    return one() == other()


def load():
    """Throws ImportError."""
    try:
        import numpy  # pylint: disable=import-outside-toplevel,unused-import
        import xarray  # pylint: disable=import-outside-toplevel,unused-import
        import subprocess  # pylint: disable=import-outside-toplevel,unused-import
    except (ImportError, RuntimeError) as error:
        if _is_main() and "interpreter" not in str(error):
            raise
        which = "the main interpreter" if _is_main() else "a sub-interpreter"
        raise ImportError(f"bmsim: one interpreter of a process can import it, and in this one, {which} of Python "
                          f"{sys.version.split()[0]}, what it needs cannot be imported; use a process for each "
                          f"(multiprocessing): {error}", name="bmsim") from error
