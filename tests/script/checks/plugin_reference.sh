# Every plugin has a page, which names its equation, parameters, lists, words and sets; the index links every page.
"$bmsim" plugin list > list || fail "exit status $?"
pages=0
while read -r name rest; do
  page=${name/./-}.md
  [ -s "$REFERENCE/$page" ] || fail "there is no page $page"
  expect_text "$REFERENCE/index.md" "($page)"
  "$bmsim" plugin describe "$name" > description || fail "exit status $?"
  "$bmsim" plugin describe "$name" --markdown | cmp - "$REFERENCE/$page" || fail "$page is not what the program says"
  expect_text "$REFERENCE/$page" "$(sed -n 3p description | sed 's/^ *//')"
  awk '/^  (parameter|list) +symbol/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' description > parameters
  while read -r parameter; do expect_text "$REFERENCE/$page" "| \`$parameter\` |"; done < parameters
  awk '/one of these sets/ { on = 1; next } /^$/ { on = 0 } on { sub(/^ +/, ""); sub(/  .*/, ""); print }' \
    description > sets
  while read -r set; do expect_text "$REFERENCE/$page" "| \`$set\` |"; done < sets
  for section in Equation Parameters Properties "Time scale" Source; do
    expect_text "$REFERENCE/$page" "## $section"
  done
  pages=$((pages + 1))
done < list
[ "$pages" -ge 18 ] || fail "only $pages pages"
[ "$(ls "$REFERENCE" | wc -l)" = $((pages + 1)) ] || fail "there are other pages: $(ls "$REFERENCE")"
expect_text "$REFERENCE/noise-poisson.md" '`two_sided`'
expect_text "$REFERENCE/potential-table.md" '2 to 4096 numbers'
