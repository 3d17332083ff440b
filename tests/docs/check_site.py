#!/usr/bin/env python3
"""check_site.py SITE: what a reader of the built site would stumble over.

Links between its pages and anchors must exist, nothing may be loaded from elsewhere, and no Markdown may be left over.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

LEFT_OVER = re.compile(r"\|--|```|\]\([^)\s]|^\s*[-*] \S|\*\*\w|^#+ ", re.M)
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src"}
NOT_LOADED = {"canonical", "edit", "next", "prev"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.left_over = [], [], {""}, []
        self.open = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id", ""))
        if tag in LOADED and attributes.get("rel") not in NOT_LOADED and attributes.get(LOADED[tag]):
            self.loads.append(attributes[LOADED[tag]])
        elif tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag in ("pre", "code", "script", "style", "p", "td", "li"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(tag):]

    def handle_data(self, text):
        if self.open and not {"pre", "code", "script", "style"} & set(self.open):
            found = LEFT_OVER.search(text)
            if found:
                self.left_over.append(text[max(found.start() - 20, 0):found.end() + 40].strip())


def main():
    site = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    wrong = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.loads:
            if re.match(r"[a-z]+:|//", target) and not target.startswith("data:"):
                wrong.append(f"{name}: loads {target}")
        for target in page.links + page.loads:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            file, anchor = urldefrag(target)
            goal = (path.parent / unquote(file)).resolve() if file else path
            if goal.is_dir():
                goal /= "index.html"
            if not goal.is_file():
                wrong.append(f"{name}: {target}: there is no such file")
            elif goal in pages and unquote(anchor) not in pages[goal].ids:
                wrong.append(f"{name}: {target}: there is no such heading")
        wrong += [f"{name}: Markdown is left over: {text!r}" for text in page.left_over]
    print("\n".join(wrong), file=sys.stderr)
    print(f"{len(pages)} pages, {len(wrong)} mistakes")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
