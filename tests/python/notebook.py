"""notebook.py FILE: runs a notebook in an empty folder; every cell must succeed, and make the kinds of output that the
file has."""

import pathlib
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)


def kinds(one):
    """What a reader sees of every cell: kinds of data, not numbers; progress is not there in every run."""
    seen = []
    for cell in one.cells:
        outputs = [output for output in cell.get("outputs", ()) if output.output_type != "display_data" or
                   "image/png" in output.data]
        seen.append(sorted({kind for output in outputs for kind in output.get("data", {"text": 0})}))
    return seen


expected = kinds(book)
with tempfile.TemporaryDirectory() as folder:
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
assert any("image/png" in one for one in expected), "the notebook has no picture"
name = pathlib.Path(sys.argv[1]).name
assert kinds(book) == expected, f"outputs are of other kinds: {kinds(book)}, in {name} {expected}"
