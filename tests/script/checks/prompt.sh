# The prompt prints the values of expressions, continues incomplete lines, and goes on after an error.
command -v script > /dev/null || { echo "no script(1): not checked"; exit 0; }
script -qec true /dev/null > /dev/null 2>&1 < /dev/null || { echo "no pseudo-terminals here: not checked"; exit 0; }
printf '%s\n' 'x = 21' '2 * x' 'for i = 1, 2 do' 'print("line " .. i)' 'end' 'bm.noise.none' '"on" .. "ward"' > input
# The input ends with Ctrl-D.
{ sleep 1; cat input; sleep 1; printf '\004'; } | script -qec "'$bmsim'" /dev/null > stdout || fail "exit status $?"
for text in 42 "line 2" "unknown noise 'none'" onward; do expect_text stdout "$text"; done
