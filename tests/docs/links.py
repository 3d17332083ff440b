"""links.py ROOT: every relative link of the Markdown files leads to a file, and to a heading where it has an anchor, as
a forge and MkDocs name headings. Prints those that do not; status 1 if there are any. links.py --self-test: it finds
wrong ones."""

import pathlib
import re
import subprocess
import sys
import tempfile

GENERATED = ("build/docs/reference/",)  # pages that the build writes


def without_code(text):
    """The lines of a page; those within fences are empty."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark[1]
            lines.append("")
        elif fence is not None:
            if mark and mark[1].startswith(fence):
                fence = None
            lines.append("")
        else:
            lines.append(line)
    return lines


def anchors(text):
    """The anchors of a page: of headings, a second one of the same name with a number, and of HTML."""
    found, seen = set(re.findall(r'<a (?:id|name)="([^"]+)"', text)), {}
    for line in without_code(text):
        heading = re.match(r"#+\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "").replace("*", "").lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        seen[name] = seen.get(name, -1) + 1
        found |= {name if seen[name] == 0 else f"{name}{mark}{seen[name]}" for mark in "-_"}
        found.add(re.sub(r"-+", "-", name))  # MkDocs makes one hyphen of several
    return found


def links(text):
    """Line number and target of every link and picture."""
    for number, line in enumerate(without_code(text), 1):
        plain = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r'<(?:img|a)[^>]* (?:src|href)="([^"]+)"', plain):
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield number, target


def wrong(root, files):
    """What is wrong, a line each."""
    texts = {}

    def text_of(path):
        if path not in texts:
            texts[path] = path.read_text()
        return texts[path]

    for name in files:
        page = root / name
        joined = re.sub(r"\](\n)?\(", "](", text_of(page))
        for number, target in links(joined):
            file, _, anchor = target.partition("#")
            where = (page.parent / file).resolve() if file else page.resolve()
            try:
                inside = str(where.relative_to(root.resolve()))
            except ValueError:
                yield f"{name}:{number}: {target} leads out of the sources"
                continue
            if inside.startswith(GENERATED):
                continue
            if not where.exists():
                yield f"{name}:{number}: {target}: there is no {inside}"
            elif anchor and where.suffix == ".md" and anchor not in anchors(text_of(where)):
                yield f"{name}:{number}: {target}: {inside} has no such heading"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.md").write_text("# One two\n\n[good](b.md#three-four) [bad](c.md) [worse](b.md#five)\n"
                                   "![no picture](x.png)\n```\n[code](none.md)\n```\n[self](#one-two) [no](#two)\n"
                                   "[broken\nover lines](d.md)\n")
        (root / "b.md").write_text("# Three `four`\n")
        found = [line.split(": ")[1] for line in wrong(root, ["a.md", "b.md"])]
        assert found == ["c.md", "b.md#five", "x.png", "#two", "d.md"], found


if sys.argv[1] == "--self-test":
    self_test()
    sys.exit()
tree = pathlib.Path(sys.argv[1])
if (tree / ".git").exists():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=tree, capture_output=True,
                            text=True, check=True).stdout.split()
    pages = [name for name in listed if (tree / name).exists()]
else:
    pages = [str(path.relative_to(tree)) for path in tree.rglob("*.md") if "build" not in path.parts[len(tree.parts)]]
assert len(pages) >= 20, f"only {len(pages)} pages"
bad = list(wrong(tree, pages))
print("\n".join(bad) or f"{len(pages)} pages: all links lead somewhere")
sys.exit(1 if bad else 0)
