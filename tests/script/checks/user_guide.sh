# The snippets of the user guide form one script, as it says.
command -v gnuplot > /dev/null || { echo "no gnuplot: not checked"; exit 77; }
sed -n '/^```lua$/,/^```$/p' "$EXAMPLES/../../docs/user-guide.md" | grep -v '^```' > guide.lua
[ "$(grep -c 'bm.run {' guide.lua)" -ge 5 ] || fail "the guide has hardly any snippets"
"$bmsim" --quiet --device cpu guide.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
