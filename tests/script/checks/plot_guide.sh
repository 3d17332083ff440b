# The page on plots: its snippets form one script, which makes the pictures that it shows; and every field is
# there or on the pages of the functions.
command -v gnuplot > /dev/null || { echo "no gnuplot: not checked"; exit 77; }
guide=$EXAMPLES/../../docs/guide
reference=$EXAMPLES/../../docs/reference/functions
sed -n '/^```lua$/,/^```$/p' "$guide/plots.md" | grep -v '^```' > guide.lua
"$bmsim" --quiet --device cpu guide.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
grep -o '(figures/[a-z0-9_]*\.[a-z]*)' "$guide/plots.md" | tr -d '()' | sed 's|figures/||' > pictures
[ "$(wc -l < pictures)" -ge 5 ] || fail "the page has hardly any pictures"
while read -r picture; do
  [ -s "$guide/figures/$picture" ] || fail "there is no figures/$picture"
  [ -s "$picture" ] || fail "no snippet makes $picture"
  [ "$(wc -c < "$guide/figures/$picture")" -le 200000 ] || fail "$picture is large"
done < pictures
for picture in "$guide"/figures/*; do
  [ "$(basename "$picture")" = "$(grep -x "$(basename "$picture")" pictures)" ] ||
    grep -rqF "figures/$(basename "$picture")" "$guide"/*.md || fail "no page shows $picture"
done

# fields_of CALL: the fields that it knows, as its own message lists them.
fields_of() {
  printf 'local bm = require "bmsim"\nlocal t = { a = { 1, 2 } }\n%s\n' "$1" > fields.lua
  "$bmsim" fields.lua 2>&1 | sed -n 's/.*; known: //p' | tr ',' '\n' | tr -d ' '
}
fields_of 'bm.plot(t, { zzzzzzzz = 1, file = "x.gp" })' > known
fields_of 'bm.figure { { t, x = "a", y = "a" }, zzzzzzzz = 1, file = "x.gp" }' >> known
[ "$(wc -l < known)" -ge 30 ] || fail "the fields are not known: $(cat known)"
while read -r field; do
  grep -q "^| [^|]*\`$field\`" "$guide/plots.md" "$reference/result.plot.md" "$reference/figure.md" ||
    fail "no page's tables have the field $field"
done < known

# The benchmark's picture is made of its table.
(cd "$guide/../figures" && "$bmsim" -D plot="$work/speedup.gp" speedup.lua) || fail "speedup.lua: exit status $?"
[ "$(sed -n '/^\$curve4/,/^EOD/p' speedup.gp | wc -l)" = 15 ] || fail "speedup.gp has not all numbers"
