"""site.py BUILD: makes BUILD/docs/site of these pages, with MkDocs: its --strict, no page that the navigation lacks.

Gathers into BUILD/docs/source: docs/, the pages of plugins that the build has written, notebooks as pages, and files of
the sources that pages link to."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent

NAVIGATION = [  # sections, each of pages or patterns; in the order in which a user needs them
    ("Start", ["index.md", "install.md"]),
    ("Tutorials", ["tutorials/index.md", "tutorials/ratchet.md", "tutorials/map.md", "tutorials/junction.md", "tutorials/escape.md",
                   "tutorials/active.md", "tutorials/gpus.md", "notebooks/*.md"]),
    ("Right numbers", ["choosing-steps.md", "trust.md"]),
    ("Guide", ["guide/index.md",
               ("Making a model", ["guide/models.md", "guide/components.md", "guide/parameters.md",
                                   "guide/formulas.md", "guide/systems.md", "guide/state-dependent-noise.md",
                                   "guide/events.md", "guide/walls.md", "guide/mean-fields.md"]),
               ("Running it", ["guide/runs.md", "guide/errors.md", "guide/methods.md", "guide/precision.md",
                               "guide/performance.md", "guide/checkpoints.md", "guide/devices.md",
                               "guide/kernels.md"]),
               ("Measuring", ["guide/observables.md", "guide/passages.md", "guide/lyapunov.md",
                              "guide/functionals.md", "guide/recorded-paths.md", "guide/theory.md"]),
               ("Using the result", ["guide/results.md", "guide/files.md", "guide/plots.md"]),
               ("The program", ["guide/command-line.md", "guide/prompt.md", "guide/plugins.md"])]),
    ("Python", ["python.md"]),
    ("Clusters", ["cluster.md"]),
    ("Gallery", ["gallery.md"]),
    ("Reference", [("Functions", ["reference/functions/*.md"]), ("Observables", ["reference/observables/*.md"]),
                   ("Plugins", ["reference/plugins/index.md", "reference/plugins/*.md"]), "reference/*.md",
                   "limits.md", "signals.md", "glossary.md"]),
    ("Questions", ["faq.md"]),
    ("How right, how fast", ["validation.md", "benchmarks.md"]),
    ("Plugins of your own", ["plugin-guide.md"]),
    ("Contributors", ["CONTRIBUTING.md", "architecture.md", "front-ends.md", "security.md", "SECURITY.md", "licences.md",
                      "CHANGELOG.md"]),
    ("Files", ["files/**/*.md"]),
]
LANGUAGES = {".lua": "lua", ".cc": "cpp", ".h": "cpp", ".py": "python", ".sh": "bash", ".c": "c", ".cff": "yaml"}


class Site:
    """The pages of the site, by their paths in it."""

    def __init__(self, build):
        self.source = build / "docs" / "source"
        self.reference = build / "docs" / "reference"
        self.pages = {}

    def gather(self):
        shutil.rmtree(self.source, ignore_errors=True)
        for path in sorted(DOCS.rglob("*")):
            name = path.relative_to(DOCS)
            if path.suffix == ".md":
                self.pages[str(name)] = self.linked(path.read_text(), path.parent, name.parent)
            elif path.suffix == ".ipynb":
                self.pages[str(name.with_suffix(".md"))] = self.notebook(path, name)
            elif path.suffix in (".svg", ".png", ".csv"):
                self.copy(path, name)
        for path in sorted(self.reference.glob("*.md")):
            self.pages[f"reference/plugins/{path.name}"] = path.read_text()
        for name in "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md":
            if (ROOT / name).exists():
                self.pages[name] = self.linked((ROOT / name).read_text(), ROOT, pathlib.Path("."))
        for name, text in self.pages.items():
            (self.source / name).parent.mkdir(parents=True, exist_ok=True)
            (self.source / name).write_text(text)

    def copy(self, path, name):
        (self.source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self.source / name)

    def linked(self, text, folder, place):
        """The text of a page with links that hold in the site. folder: where it lies in the sources, place: in the
        site."""
        def target(match):
            whole = match[1]
            file, hash_mark, anchor = whole.partition("#")
            if not file or re.match(r"[a-z][a-z0-9+.-]*:", file):
                return match[0]
            path = pathlib.Path(os.path.normpath(folder / file))
            inside = self.place_of(path)
            if inside is None:
                return "](" + os.path.relpath("index.md", place)
            return f"]({os.path.relpath(inside, place)}{hash_mark}{anchor}"
        return re.sub(r"\]\(([^)\s]+)", target, text)

    def place_of(self, path):
        """Where a file of the sources is in the site; None for what is no file."""
        reference = ROOT / "build" / "docs" / "reference"
        if path.is_relative_to(reference):
            return f"reference/plugins/{path.relative_to(reference)}"
        if path.suffix == ".ipynb":
            return str(path.relative_to(DOCS).with_suffix(".md"))
        if path.is_relative_to(DOCS):
            return str(path.relative_to(DOCS))
        name = str(path.relative_to(ROOT))
        if name == "README.md":
            return "index.md"
        if name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
            return name
        if path.is_file():
            page = f"files/{name}.md"
            if page not in self.pages:
                language = LANGUAGES.get(path.suffix, "text")
                self.pages[page] = f"# {name}\n\n````{language}\n{path.read_text()}````\n"
            return page
        return None

    def notebook(self, path, name):
        """A notebook as a page: its texts, its cells, and what they gave."""
        book = json.loads(path.read_text())
        parts, pictures = [], 0
        for cell in book["cells"]:
            source = "".join(cell["source"])
            parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
            for output in cell.get("outputs", ()):
                data = output.get("data", {})
                if "image/png" in data:
                    pictures += 1
                    picture = name.with_name(f"{name.stem}_{pictures}.png")
                    (self.source / picture).parent.mkdir(parents=True, exist_ok=True)
                    (self.source / picture).write_bytes(base64.b64decode("".join(data["image/png"])))
                    parts.append(f"![what the cell above draws]({picture.name})")
                else:
                    text = "".join(output.get("text") or data.get("text/plain") or ())
                    parts.append(f"```text\n{text.rstrip()}\n```")
        return "\n\n".join(parts) + "\n"

    def title(self, name):
        found = re.search(r"^# (.*)$", self.pages[name], re.M)
        return re.sub(r"[`*]", "", found[1]) if found else name

    def navigation(self):
        """The navigation, of the pages that there are; fails if a page is not in it."""
        left = dict.fromkeys(self.pages)

        def expand(entries):
            made = []
            for entry in entries:
                if isinstance(entry, tuple):
                    inner = expand(entry[1])
                    if inner:
                        made.append({entry[0]: inner})
                    continue
                pattern = re.compile(re.escape(entry).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*") + "$")
                for name in sorted(one for one in left if pattern.match(one)):
                    made.append({self.title(name): name})
                    del left[name]
            return made

        made = expand(NAVIGATION)
        if left:
            sys.exit(f"site.py: the navigation lacks {', '.join(left)}")
        return made


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    site = Site(build)
    site.gather()
    config = build / "docs" / "mkdocs.yml"
    # JSON is YAML.
    config.write_text((DOCS / "mkdocs.yml").read_text() + f"docs_dir: {site.source}\nsite_dir: {build}/docs/site\n"
                      f"nav: {json.dumps(site.navigation())}\n")
    done = subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--clean", "--config-file", config], check=False)
    if done.returncode == 0:
        print(f"the documentation is {build}/docs/site/index.html")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
