#!/usr/bin/env python3
"""links.py [ROOT]: every relative link of every Markdown file leads somewhere.

The file must exist, and an anchor must be that of one of its headings, both as forges name them and as MkDocs does.
"""
import re
import sys
import unicodedata
from pathlib import Path

FENCE = re.compile(r"^ *(```+|~~~+)")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)", re.M)
TAG = re.compile(r"<(?:a|img)\s[^>]*?(?:href|src)=\"([^\"]+)\"")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$")


def lines_of_text(path):
    """The lines of a page; those of code blocks are empty."""
    fence = ""
    for line in path.read_text(encoding="utf-8").split("\n"):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            yield ""
        elif mark:
            fence = mark[1]
            yield ""
        else:
            yield line


def heading_text(markdown):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return re.sub(r"`|\*|(?<!\w)_|_(?!\w)|\\(?=[^\w\s])", "", text)


def forge_slug(text):
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def mkdocs_slug(text):
    text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def anchors(path, cache={}):
    """The anchors of a page on a forge, and those on the site."""
    if path not in cache:
        found = []
        for slug, separator in ((forge_slug, "-"), (mkdocs_slug, "_")):
            seen = {}
            for line in lines_of_text(path):
                heading = HEADING.match(line)
                if heading:
                    name = slug(heading_text(heading[1]))
                    again = seen.get(name, 0)
                    seen[name] = again + 1
                    if again:
                        seen[f"{name}{separator}{again}"] = 1
            found.append(set(seen))
        cache[path] = found
    return cache[path]


def what_is_wrong(page, target, root):
    name, _, anchor = target.partition("#")
    if name.startswith("/"):
        return "is not relative"
    path = (page.parent / name).resolve() if name else page
    if root not in path.parents:
        return "leads out of the repository"
    if not path.exists():
        return "there is no such file"
    if path.is_dir() and root / "docs" in page.parents:
        return "is a folder, which no page of the site is"
    if not anchor:
        return None
    if path.suffix != ".md":
        return "has an anchor in a file that is no page"
    forge, site = anchors(path)
    if anchor not in forge and anchor not in site:
        return "there is no such heading"
    if anchor not in forge:
        return "is the heading's anchor on the site, but not on forges"
    if anchor not in site:
        return "is the heading's anchor on forges, but not on the site"
    return None


def pages(root):
    for path in sorted(root.rglob("*.md")):
        folder = path.relative_to(root).parts[0]
        if not folder.startswith((".", "build", "stage")):
            yield path


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent.parent).resolve()
    count = wrong = 0
    for page in pages(root):
        text = "\n".join(lines_of_text(page))
        # Code within a line is no link; its length stays, so that places are those of the file.
        text = CODE.sub(lambda code: re.sub(r"[^\n]", "x", code[0]), text)
        matches = [match for kind in (LINK, DEFINITION, TAG) for match in kind.finditer(text)]
        for match in sorted(matches, key=lambda match: match.start()):
            target = match[1]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            count += 1
            problem = what_is_wrong(page, target, root)
            if problem:
                wrong += 1
                line = text.count("\n", 0, match.start(1)) + 1
                print(f"{page.relative_to(root)}:{line}: {target}: {problem}", file=sys.stderr)
    if count == 0:
        print("no links at all", file=sys.stderr)
    print(f"{count} links, {wrong} wrong")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
