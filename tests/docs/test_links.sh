#!/bin/bash
# test_links.sh PYTHON: links.py finds what is wrong with links, and nothing else.
set -eu
links="$1 $(dirname "$(realpath "$0")")/links.py"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/guide" "$work/build"
cd "$work"

fail() { echo "$*" >&2; exit 1; }
# expect_wrong LINK MESSAGE: in docs/guide/page.md, with line 7 for it.
expect_wrong() {
  write "$1"
  $links . > stdout 2> stderr && fail "$1 passes"
  grep -qF "docs/guide/page.md:7: $2" stderr || { cat stderr >&2; fail "'$2' is not said of $1"; }
  [ "$(wc -l < stderr)" -eq 1 ] || { cat stderr >&2; fail "more than one link is wrong"; }
}
write() {
  cat > docs/guide/page.md << PAGE
# A page

\`[no](link.md)\` in code, and [a link](https://example.org/#there) to elsewhere.

## Some \`code\`, and **more**

$1

## Again

\`\`\`
[nothing](of-this.md)
# No heading
\`\`\`

## Again
## Größe: x - y
PAGE
}

printf '# Start\n\n## What it is\n\n[a page](guide/page.md#again)\n' > docs/index.md
echo "[a page of the build](nothing.md)" > build/page.md
touch script.lua
for right in "[a](../index.md)" "[a](../index.md#what-it-is)" "[b](#some-code-and-more)" "[c](../../script.lua)" \
    "![d](../../script.lua)" "[a](../index.md) and [b](#again)"; do
  write "$right"
  $links . > /dev/null || fail "$right does not pass"
done
expect_wrong "[a](missing.md)" "missing.md: there is no such file"
expect_wrong "![a](../figures/missing.svg)" "../figures/missing.svg: there is no such file"
expect_wrong "[a](../index.md#what-it-was)" "../index.md#what-it-was: there is no such heading"
expect_wrong "[a](#no-heading)" "#no-heading: there is no such heading"
expect_wrong "[a](#again-1)" "#again-1: is the heading's anchor on forges, but not on the site"
expect_wrong "[a](#again_1)" "#again_1: is the heading's anchor on the site, but not on forges"
expect_wrong "[a](#größe-x---y)" "#größe-x---y: is the heading's anchor on forges, but not on the site"
expect_wrong "[a](/docs/index.md)" "/docs/index.md: is not relative"
expect_wrong "[a](../../../index.md)" "../../../index.md: leads out of the repository"
expect_wrong "[a](../guide)" "../guide: is a folder, which no page of the site is"
expect_wrong "[a](../../script.lua#L3)" "../../script.lua#L3: has an anchor in a file that is no page"
expect_wrong "[a]: missing.md" "missing.md: there is no such file"
rm -r docs
$links . > /dev/null 2>&1 && fail "a repository without links passes"
exit 0
