# The snippets of a page of the documentation, one after the other, are a script that runs; but those of the plugin
# guide, which need the guide's own plugin.
command -v gnuplot > /dev/null || { echo "no gnuplot: not checked"; exit 77; }
docs=$EXAMPLES/../../docs
scripts=0
while read -r page; do
  mkdir page
  sed -n '/^```lua$/,/^```$/p' "$docs/$page" | grep -v '^```' > page/page.lua || true
  if [ -s page/page.lua ]; then
    (cd page && "$bmsim" --quiet --device cpu page.lua > stdout 2> stderr) ||
      fail "$page: exit status $?: $(cat page/stderr)"
    scripts=$((scripts + 1))
  fi
  rm -r page
done < <(cd "$docs" && find . -name '*.md' ! -name plugin-guide.md | sort)
[ "$scripts" -ge 2 ] || fail "only $scripts pages have snippets"
