"""site.py BUILD: makes BUILD/docs/site of these pages, with MkDocs: its --strict, no page that the navigation lacks.

Gathers into BUILD/docs/source: docs/, the pages of plugins that the build has written, notebooks as pages, and files of
the sources that pages link to."""

import base64
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent

# Sections, each of pages or patterns, in the order in which a user needs them. A folder, "guide/", has the order in
# which its index.md links to its pages, under its headings if there are several.
NAVIGATION = [
    ("Start", ["index.md", "install.md", "faq.md", "glossary.md"]),
    ("Tutorials", ["tutorials/", "notebooks/*.md", ("Right numbers", ["choosing-steps.md", "trust.md"])]),
    ("Guide", ["guide/", ("Beside it", ["python.md", "cluster.md", "signals.md", "limits.md"])]),
    ("Gallery", ["gallery.md", ("Scripts", ["files/scripts/**/*.md"])]),
    ("Reference", ["reference/index.md", ("Functions", ["reference/functions/", "reference/functions/*.md"]),
                   ("Observables", ["reference/observables/", "reference/observables/*.md"]),
                   ("Potentials, noises, drives", ["reference/plugins/index.md", "reference/plugins/*.md"]),
                   "reference/*.md"]),
    ("How right, how fast", ["validation.md", "exact-walk.md", "benchmarks.md", "security.md"]),
    ("Contribute", ["CONTRIBUTING.md", ("Architecture", ["architecture.md", "architecture/*.md"]),
                    "plugin-guide.md", "front-ends.md", "SECURITY.md",
                    "licences.md", "CHANGELOG.md", ("Files", ["files/**/*.md"])]),
]
LANGUAGES = {".lua": "lua", ".cc": "cpp", ".h": "cpp", ".py": "python", ".sh": "bash", ".c": "c", ".cff": "yaml"}

FENCE = re.compile(r"^ *(```+|~~~+)")
LINK = re.compile(r"(\]\(|\b(?:href|src)=\")([^)\s\"]+)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
ITEM = re.compile(r" *([-*+]|\d+\.) ")


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
                text = path.read_text()
                if str(name) == "gallery.md":
                    text = with_scripts(text)
                elif str(name) == "guide/components.md":
                    text = re.sub(r"^\| `(\w+)\.(\w+)`", self.plugin_link, text, flags=re.M)
                self.pages[str(name)] = self.linked(text, path, name)
            elif path.suffix == ".ipynb":
                self.pages[str(name.with_suffix(".md"))] = self.notebook(path, name)
            elif path.suffix in (".svg", ".png", ".csv", ".css"):
                self.copy(path, name)
        for path in sorted(self.reference.glob("*.md")):
            self.pages[f"reference/plugins/{path.name}"] = path.read_text()
        for name in "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md":
            if (ROOT / name).exists():
                self.pages[name] = self.linked((ROOT / name).read_text(), ROOT / name, pathlib.Path(name))
        for name, text in self.pages.items():
            (self.source / name).parent.mkdir(parents=True, exist_ok=True)
            (self.source / name).write_text(text)

    def copy(self, path, name):
        (self.source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, self.source / name)

    def linked(self, text, path, name):
        """The text of a page with links that hold in the site. path: where it lies in the sources, name: in the site.
        Code is left as it is."""
        def moved(match):
            file, hash_mark, anchor = match[2].partition("#")
            if not file or re.match(r"[a-z][a-z0-9+.-]*:", file):
                return match[0]
            inside = self.place_of(pathlib.Path(os.path.normpath(path.parent / file)))
            if inside is None:
                sys.exit(f"site.py: {path.relative_to(ROOT)} links to {file}, which is no file")
            return f"{match[1]}{os.path.relpath(inside, name.parent)}{hash_mark}{anchor}"

        def line_moved(line):
            codes = [code.span() for code in CODE.finditer(line)]
            return LINK.sub(lambda link: match_or(moved, link, codes), line)

        lines, fence = [], ""
        for line in text.split("\n"):
            mark = FENCE.match(line)
            if fence:
                fence = "" if mark and mark[1].startswith(fence) else fence
            elif mark:
                fence = mark[1]
            else:
                # MkDocs wants an empty line between a paragraph and a list; forges do not.
                if ITEM.match(line) and lines and is_paragraph(lines):
                    lines.append("")
                line = line_moved(line)
            lines.append(line)
        return "\n".join(lines)

    def plugin_link(self, match):
        page = self.reference / f"{match[1]}-{match[2]}.md"
        if not page.exists():
            return match[0]
        return f"| [`{match[1]}.{match[2]}`]({os.path.relpath(self.reference, DOCS / 'guide')}/{page.name})"

    def place_of(self, path):
        """Where a file of the sources is in the site; None for what is no file."""
        if not path.is_file():
            return None
        if path.is_relative_to(self.reference):
            return f"reference/plugins/{path.name}"
        if path.suffix == ".ipynb":
            return str(path.relative_to(DOCS).with_suffix(".md"))
        if path.is_relative_to(DOCS):
            return str(path.relative_to(DOCS))
        name = str(path.relative_to(ROOT))
        if name == "README.md":
            return "index.md"
        if name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"):
            return name
        page = f"files/{name}.md"
        if page not in self.pages:
            language = LANGUAGES.get(path.suffix, "text")
            self.pages[page] = f"# {name}\n\n````{language}\n{path.read_text()}````\n"
        return page

    def notebook(self, path, name):
        """A notebook as a page: its texts, its cells, and what they gave."""
        book = json.loads(path.read_text())
        parts, pictures = [], 0
        for cell in book["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(self.linked(source, path, name))
            else:
                parts.append(f"```python\n{source}\n```")
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
        return re.sub(r"[`*]|\\(?=[^\w\s])|^scripts/examples/", "", found[1]) if found else name

    def folder(self, folder):
        """The pages of a folder in the order of its index.md, in sections if that has several."""
        index = f"{folder}index.md"
        sections = [("", [index])]
        for heading, page in re.findall(r"^## +(.+?) *$|\]\(([\w.-]+\.md)\)", self.pages.get(index, ""), re.M):
            if heading:
                sections.append((heading, []))
            else:
                sections[-1][1].append(folder + page)
        return sections[0][1] + sections[1:]

    def navigation(self):
        """The navigation, of the pages that there are; fails if a page is not in it."""
        left = dict.fromkeys(self.pages)

        def expand(entries):
            made = []
            for entry in entries:
                if isinstance(entry, str) and entry.endswith("/"):
                    made += expand(self.folder(entry))
                    continue
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


def match_or(replace, match, spans):
    """What a match is replaced by; itself within the spans."""
    return match[0] if any(begin < match.start() and match.end() < end for begin, end in spans) else replace(match)


def is_paragraph(lines):
    """Whether the last line is one of a paragraph that is no item of a list."""
    block = list(itertools.takewhile(lambda line: line.strip() and not re.match(r"[#|>]|    ", line), reversed(lines)))
    return bool(block) and not any(ITEM.match(line) for line in block)


def with_scripts(gallery):
    """The gallery with every script under its picture, folded."""
    lines = []
    for line in gallery.split("\n"):
        lines.append(line)
        last = "\n".join(lines[-3:])
        shown = re.match(r"\| *!\[", line) and re.search(r"\]\(\.\./(scripts/examples/\w+\.lua)\)", last)
        if shown:
            text = (ROOT / shown[1]).read_text().rstrip().split("\n")
            lines += ["", f'??? example "{shown[1]}"', "", "    ```lua", *("    " + line for line in text), "    ```"]
    return "\n".join(lines)


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
        print(f"the documentation is {build}/docs/site/index.html; search works where it is served, as by "
              f"python3 -m http.server -d {build}/docs/site")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
