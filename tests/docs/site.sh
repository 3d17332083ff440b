#!/bin/bash
# site.sh BUILD: the site is made without a warning, has what it must have, and is not made with a page that has a wrong
# link. 77 without MkDocs and its theme.
set -u
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
/usr/bin/python3 -c 'from importlib.metadata import entry_points as found
import mkdocs
assert "material" in {one.name for one in found(group="mkdocs.themes")}' 2> /dev/null || { echo "no MkDocs"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/sources" "$place/build/docs"
cp -r "$build/docs/reference" "$place/build/docs/"
(cd "$root" && tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git .) | tar xf - -C "$place/sources"
/usr/bin/python3 "$place/sources/docs/site.py" "$place/build" || exit 1
site=$place/build/docs/site
for page in index.html gallery.html validation.html python.html reference/plugins/noise-poisson.html \
  notebooks/brownian_motor.html  search/search_index.json; do
  [ -s "$site/$page" ] || { echo "the site has no $page"; exit 1; }
done
grep -q '<img[^>]*src="figures/fig3a.svg"' "$site/index.html" || { echo "index.html has no picture"; exit 1; }
if grep 'src="https\?://\|href="https\?://fonts' "$site/index.html"; then
  echo "a page loads things from elsewhere"
  exit 1
fi

# What must not pass.
echo '[nowhere](nowhere.md)' >> "$place/sources/docs/glossary.md"
if /usr/bin/python3 "$place/sources/docs/site.py" "$place/build" > /dev/null 2>&1; then
  echo "a wrong link passes"
  exit 1
fi
sed -i '$d' "$place/sources/docs/glossary.md"
echo '# Forgotten' > "$place/sources/docs/forgotten.md"
/usr/bin/python3 "$place/sources/docs/site.py" "$place/build" 2>&1 | grep -q 'the navigation lacks forgotten.md' ||
  { echo "a page without a place in the navigation passes"; exit 1; }
