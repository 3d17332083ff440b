#!/usr/bin/env python3
"""make_site.py REFERENCE OUT: gathers the pages of the documentation, for MkDocs, in OUT/source and OUT/mkdocs.yml.

Pages are those of docs/, those of plugins, which the build wrote to REFERENCE, and what pages link to outside docs/:
scripts stand in the gallery, under their pictures; other files become pages.
"""
import json
import os
import re
import shutil
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PLUGINS = "reference/plugins"

# Pages of the repository that are not in docs/, by their place in the site.
ELSEWHERE = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "vulnerabilities.md", "README.md": "readme.md"}

# The order of pages. A folder is in the order in which its index.md links to its pages. What is not there is left out;
# what is nowhere comes last.
ORDER = {
    "Start": ["index.md", "install.md", "tutorials", "choosing-steps.md", "trust.md", "faq.md", "glossary.md"],
    "Guide": ["guide", "python.md", "cluster.md", "signals.md", "limits.md"],
    "Gallery": ["gallery.md", "gallery"],
    "Reference": ["reference"],
    "Evidence": ["validation.md", "benchmarks.md", "security.md", "vulnerabilities.md", "licences.md"],
    "Contribute": ["contributing.md", "architecture.md", "plugin-guide.md", "front-ends.md", "."],
}
FOLDERS = {"tutorials": "Tutorials", "functions": "Functions", "observables": "Observables", "plugins": "Plugins"}

FENCE = re.compile(r"^ *(```+|~~~+)")
LINK = re.compile(
    r"(?P<before>\]\(|\b(?:href|src)=\")(?P<target>[^)\s\"#]+)(?P<after>(?:#[^)\s\"]*)?(?:\s+\"[^\"]*\")?[)\"])")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
LANGUAGES = {".lua": "lua", ".cc": "cpp", ".h": "cpp", ".py": "python", ".sh": "bash", ".cmake": "cmake"}


class Site:
    def __init__(self, reference, out):
        self.reference = reference
        self.source = out / "source"
        self.places = {}  # of files of the repository: paths in the site
        self.waiting = []  # those that are not written yet
        self.sections = {}  # of the gallery's scripts: page and heading

    def write(self, place, text):
        path = self.source / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def place_of(self, file):
        """Where a file of the repository is in the site; one that is not there yet will be."""
        if file not in self.places:
            name = file.relative_to(ROOT).as_posix()
            if DOCS in file.parents:
                place = file.relative_to(DOCS).as_posix()
            else:
                place = ELSEWHERE.get(name) or f"files/{name}.md"
            self.places[file] = place
            self.waiting.append(file)
        return self.places[file]

    def gather(self):
        for file in sorted(DOCS.rglob("*.md")):
            self.place_of(file)
        for name in ("CONTRIBUTING.md", "SECURITY.md"):
            self.place_of(ROOT / name)
        for file in sorted(DOCS.glob("gallery.md")) + sorted(DOCS.glob("gallery/*.md")):
            self.find_scripts(file)
        while self.waiting:
            file = self.waiting.pop(0)
            place = self.places[file]
            if file.suffix == ".md":
                self.write(place, self.page(file, place))
            elif DOCS in file.parents:
                target = self.source / place
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)
            else:
                name = file.relative_to(ROOT).as_posix()
                self.write(place, f"# {name}\n\n{block(file)}\n")
        for file in sorted(self.reference.glob("*.md")):
            text = file.read_text(encoding="utf-8")
            self.write(f"{PLUGINS}/{file.name}", re.sub(r"\A# Reference\n", "# Plugins\n", text))

    def find_scripts(self, page):
        """Which script is shown under which line of a page of the gallery: where its picture is drawn."""
        lines = page.read_text(encoding="utf-8").split("\n")
        found = {}
        for number, line in enumerate(lines):
            script = re.search(r"scripts/examples/(\w+)\.lua", line)
            if script and not line.lstrip().startswith("|"):
                drawn = f"plot={script[1]}." in line
                if script[1] not in found or drawn and not found[script[1]][0]:
                    found[script[1]] = (drawn, number)
        for script, (_, number) in found.items():
            heading = next((line for line in reversed(lines[:number]) if re.match(r"#+ ", line)), "# ")
            self.sections[ROOT / f"scripts/examples/{script}.lua"] = (page, heading, number)

    def page(self, file, place):
        shown = {number: script for script, (page, _, number) in self.sections.items() if page == file}
        lines, fence, ready = [], "", []
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")):
            mark = FENCE.match(line)
            if number in shown:
                ready.append(shown[number])
            if fence:
                if mark and mark[1].startswith(fence):
                    fence = ""
                lines.append(line)
                continue
            if mark:
                fence = mark[1]
                lines.append(line)
                continue
            if ready and re.match(r"#+ ", line):  # at the end of the section
                lines += collapsed(ready)
                ready = []
            # MkDocs wants an empty line before a list that follows a paragraph; forges do not.
            if re.match(r"([-*+]|\d+\.) ", line) and lines and re.match(r"[^\s|#>*+-]", lines[-1]) \
                    and not in_list(lines):
                lines.append("")
            lines.append(self.with_links(line, file, place))
        return "\n".join(lines + collapsed(ready)) + "\n"

    def with_links(self, line, file, place):
        if place == "guide/components.md":
            line = re.sub(r"^\| `(potential|noise|drive)\.(\w+)`", self.plugin_link, line)
        plugins = f"{up(place)}{PLUGINS}/"
        line = line.replace("`build/docs/reference/index.md`", f"[`build/docs/reference/index.md`]({plugins}index.md)")
        codes = [match.span() for match in CODE.finditer(line)]

        def link(match):
            if any(begin < match.start() < end and match.end() < end for begin, end in codes):
                return match[0]
            target = match["target"]
            if re.match(r"[a-z][a-z0-9+.-]*:", target) or target.startswith(plugins):
                return match[0]
            path = Path(os.path.normpath(file.parent / target))
            if not path.is_file():
                sys.exit(f"{file.relative_to(ROOT)}: {target}: there is no such file")
            if path in self.sections and DOCS not in path.parents:
                page, heading, _ = self.sections[path]
                return match["before"] + relative(self.places[page], place) + "#" + slug(heading) + match["after"][-1]
            return match["before"] + relative(self.place_of(path), place) + match["after"]

        return LINK.sub(link, line)

    def plugin_link(self, match):
        page = f"{match[1]}-{match[2]}.md"
        if not (self.reference / page).is_file():
            return match[0]
        return f"| [`{match[1]}.{match[2]}`](../{PLUGINS}/{page})"

    def order(self):
        left = {path.relative_to(self.source).as_posix() for path in self.source.rglob("*.md")}
        left = {page for page in left if not page.startswith("files/") and page != "readme.md"}

        def take(entry):
            if entry == ".":
                return [take(page) for page in sorted(left)]
            if entry.endswith(".md"):
                left.discard(entry)
                return entry
            return self.folder(entry, left)

        nav = []
        for title, entries in ORDER.items():
            pages = []
            for entry in entries:
                if entry == "." or entry in left:
                    taken = take(entry)
                    pages += taken if entry == "." else [taken]
                elif not entry.endswith(".md") and any(page.startswith(entry + "/") for page in left):
                    inside = take(entry)
                    pages += [{FOLDERS[entry]: inside}] if entry in FOLDERS else inside
            if pages:
                nav.append({title: pages})
        return nav

    def folder(self, folder, left):
        """The pages of a folder: its index, what that links to in its order and under its headings, and the others."""
        pages, section = [], None
        index = f"{folder}/index.md"
        if index in left:
            left.discard(index)
            pages.append(index)
            text = (self.source / index).read_text(encoding="utf-8")
            for heading, target in re.findall(r"^## +(.+?) *$|\]\(([\w./-]+\.md)", text, re.M):
                page = os.path.normpath(f"{folder}/{target}") if target else None
                if heading and folder == "guide":
                    section = []
                    pages.append({heading: section})
                elif page in left and page.startswith(folder + "/"):
                    left.discard(page)
                    (pages if section is None else section).append(page)
            pages = [entry for entry in pages if not isinstance(entry, dict) or list(entry.values())[0]]
        inner = sorted({page.split("/")[folder.count("/") + 1] for page in left if page.startswith(folder + "/")
                        and page.count("/") > folder.count("/") + 1})
        for page in sorted(page for page in left if page.startswith(folder + "/")
                           and page.count("/") == folder.count("/") + 1):
            left.discard(page)
            pages.append(page)
        for name in inner:
            pages.append({FOLDERS.get(name, name.capitalize()): self.folder(f"{folder}/{name}", left)})
        return pages


def in_list(lines):
    """Whether the last line belongs to an item of a list."""
    for line in reversed(lines):
        if not line.strip():
            return False
        if re.match(r" *([-*+]|\d+\.) ", line):
            return True
    return False


def block(file):
    return f"```{LANGUAGES.get(file.suffix, 'text')}\n{file.read_text(encoding='utf-8').rstrip()}\n```"


def collapsed(scripts):
    lines = []
    for script in scripts:
        lines += [f'??? example "{script.relative_to(ROOT).as_posix()}"', ""]
        lines += ["    " + line if line else "" for line in block(script).split("\n")] + [""]
    return lines


def up(place):
    return "../" * place.count("/")


def relative(target, place):
    return os.path.relpath(PurePosixPath("/") / target, (PurePosixPath("/") / place).parent)


def slug(heading):
    text = re.sub(r"^#+ +|`", "", heading)
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text.encode("ascii", "ignore").decode()).strip().lower())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    reference, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if not (reference / "index.md").is_file():
        sys.exit(f"{reference} has no pages of plugins: build first")
    shutil.rmtree(out / "source", ignore_errors=True)
    site = Site(reference, out)
    site.gather()
    missing = set(ROOT.glob("scripts/examples/*.lua")) - set(site.sections)
    if missing:
        sys.exit("the gallery does not show " + ", ".join(sorted(script.name for script in missing)))
    config = {"docs_dir": "source", "site_dir": "site", "nav": site.order()}
    text = f"INHERIT: {os.path.relpath(DOCS / 'mkdocs.yml', out)}\n"
    text += "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in config.items())
    (out / "mkdocs.yml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
