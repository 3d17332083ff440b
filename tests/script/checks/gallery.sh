# Every example can be asked for its picture and for its full size, says so, and is in the gallery with its picture; and
# the gallery has no others.
gallery=$EXAMPLES/../../docs/gallery.md
for script in "$EXAMPLES"/*.lua; do
  example=$(basename "$script" .lua)
  for size in points=4 full=1; do
    "$bmsim" --dry-run -D $size -D plot=x.svg "$script" > "$size" || fail "$example, $size: exit status $?"
  done
  awk '/^steps / { steps[FILENAME] += $2 } END { exit !(steps["./full=1"] > steps["./points=4"]) }' \
    ./points=4 ./full=1 ||
    fail "$example is not larger with full=1"
  expect_text "$gallery" "scripts/examples/$example.lua"
done
grep -o 'figures/[a-z0-9_]*\.[a-z]*' "$gallery" > pictures
[ "$(wc -l < pictures)" -ge 20 ] || fail "the gallery has hardly any pictures"
while read -r picture; do
  [ -s "$EXAMPLES/../../docs/$picture" ] || fail "the gallery has no $picture"
done < pictures
[ "$(ls -A | sort)" = "$(printf '%s\n' full=1 pictures points=4 | sort)" ] || fail "a dry run wrote $(ls)"
