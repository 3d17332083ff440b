"""Makes the wheel of this package, pure Python, with the standard library alone (PEP 517, 660): so that pip needs no
network. The version is that of bmsim."""

import base64
import hashlib
import os
import pathlib
import re
import tomllib
import zipfile

HERE = pathlib.Path(__file__).parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]


def _version():
    """From CMakeLists.txt of the sources, or from the header of an install."""
    for place, pattern in ((HERE / "../../CMakeLists.txt", r"project\(bmsim VERSION ([0-9.]+)"),
                           (HERE / "VERSION", r"([0-9.]+)")):
        if place.exists() and (found := re.search(pattern, place.read_text())):
            return found[1]
    raise SystemExit("bmsim: the version is not known: neither CMakeLists.txt nor VERSION is there")


def _metadata(version):
    lines = ["Metadata-Version: 2.1", "Name: bmsim", f"Version: {version}", f"Summary: {PROJECT['description']}",
             f"License: {PROJECT['license']['text']}", f"Requires-Python: {PROJECT['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in PROJECT["dependencies"]]
    for extra, needed in PROJECT["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f"Requires-Dist: {one}; extra == '{extra}'" for one in needed]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text()]
    return "\n".join(lines)


def _build(directory, files):
    version = _version()
    info = f"bmsim-{version}.dist-info"
    files |= {f"{info}/METADATA": _metadata(version).encode(),
              f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: bmsim\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"bmsim-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, wheel), "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    parts = sorted((HERE / "bmsim").glob("*.py")) + [HERE / "bmsim" / "host.lua"]
    return _build(wheel_directory, {f"bmsim/{one.name}": one.read_bytes() for one in parts})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 660: pip install -e."""
    return _build(wheel_directory, {"bmsim.pth": f"{HERE.resolve()}\n".encode()})
