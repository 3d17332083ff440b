#!/bin/bash
# site.sh BUILD: the site is made without a warning; a reader finds no broken link or anchor in it, no Markdown that is
# left over, and nothing that comes from elsewhere. What would be wrong is noticed. 77 without MkDocs and its theme.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
/usr/bin/python3 -c 'from importlib.metadata import entry_points as found
import mkdocs
assert "material" in {one.name for one in found(group="mkdocs.themes")}' 2> /dev/null || { echo "no MkDocs"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/sources" "$place/build/docs"
cp -r "$build/docs/reference" "$place/build/docs/"
(cd "$root" && tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git .) | tar xf - -C "$place/sources"

fail() { echo "$*" >&2; exit 1; }
make() { /usr/bin/python3 "$place/sources/docs/site.py" "$place/build" > "$place/log" 2>&1; }
# expect_refused TEXT WHAT: the site is not made, and TEXT is said.
expect_refused() {
  make && fail "$2 passes"
  grep -qF "$1" "$place/log" || { cat "$place/log" >&2; fail "'$1' is not said of $2"; }
}

make || { cat "$place/log" >&2; fail "the site cannot be made"; }
site=$place/build/docs/site
for page in index.html gallery.html validation.html guide/models.html reference/plugins/noise-poisson.html; do
  [ -s "$site/$page" ] || fail "the site has no $page"
done
/usr/bin/python3 "$here/check_site.py" "$site" || exit 1
grep -q mean_first_passage_time "$site/search/search_index.json" || fail "the search does not know the guide"
shown=$(grep -c '<details class="example">' "$site/gallery.html")
[ "$shown" -eq "$(ls "$root"/scripts/examples/*.lua | wc -l)" ] || fail "the gallery shows $shown scripts"

# What must not pass.
cat > "$site/wrong.html" << 'PAGE'
<p id="here">| a |</p><p>|--|</p><a href="#here">a</a><a href="#gone">b</a><a href="gone.html">c</a>
<a href="guide/models.html#gone">d</a><img src="https://example.org/x.svg"><a href="https://example.org">e</a>
PAGE
/usr/bin/python3 "$here/check_site.py" "$site" > /dev/null 2> "$place/wrong" && fail "mistakes in a page pass"
for mistake in "left over" "#gone: there is no such heading" "gone.html: there is no such file" \
    "guide/models.html#gone: there is no such heading" "loads https://example.org/x.svg"; do
  grep -F "wrong.html: " "$place/wrong" | grep -qF "$mistake" || fail "'$mistake' is not noticed"
done
[ "$(wc -l < "$place/wrong")" -eq 5 ] || { cat "$place/wrong" >&2; fail "more mistakes than there are"; }
cd "$place/sources/docs" || exit 1
cp glossary.md "$place/glossary.md"
echo '[nowhere](nowhere.md)' >> glossary.md
expect_refused "links to nowhere.md, which is no file" "a wrong link"
cp "$place/glossary.md" glossary.md
echo '# Forgotten' > forgotten.md
expect_refused "the navigation lacks forgotten.md" "a page without a place in the navigation"
