#!/bin/bash
# site.sh PYTHON REFERENCE: the site can be made, without a warning; a reader finds no broken link in it, and nothing
# that comes from elsewhere. What would be wrong is noticed.
set -eu
python=$1
reference=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v mkdocs > /dev/null || { echo "no mkdocs: not checked"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "$*" >&2; exit 1; }
make() { (cd "$work" && mkdocs build --strict --quiet > mkdocs.log 2>&1); }

"$python" "$here/../../docs/make_site.py" "$reference" "$work"
if ! make; then
  ! grep -q "Unrecognised theme" "$work/mkdocs.log" || { echo "no mkdocs-material: not checked"; exit 77; }
  cat "$work/mkdocs.log" >&2
  fail "mkdocs build --strict fails"
fi
"$python" "$here/check_site.py" "$work/site"
grep -q 'mean_first_passage_time' "$work/site/search/search_index.json" || fail "the search does not know the guide"
grep -q 'class="example"' "$work/site/gallery.html" || fail "the gallery shows no scripts"

# A site of one page, with mistakes.
rm -r "$work/source" "$work/site"
mkdir "$work/source"
sed -i '/^nav:/d' "$work/mkdocs.yml"
page=$work/source/index.md
echo '[gone](gone.md)' > "$page"
make && fail "mkdocs takes a page with a broken link"
printf '%s\n' '[a heading](index.md#gone)' '![a picture](https://example.org/x.svg)' 'a | b' '|--|' > "$page"
make || fail "mkdocs says more than it says it does: $(cat "$work/mkdocs.log")"
"$python" "$here/check_site.py" "$work/site" > /dev/null 2> "$work/wrong" && fail "mistakes pass"
for mistake in "#gone: there is no such heading" "loads https://example.org/x.svg" "left over"; do
  grep -qF "$mistake" "$work/wrong" || { cat "$work/wrong" >&2; fail "'$mistake' is not noticed"; }
done
[ "$(wc -l < "$work/wrong")" -eq 3 ] || { cat "$work/wrong" >&2; fail "more mistakes than there are"; }
