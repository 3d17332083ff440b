# The parts of a run give the files that the whole run gives; what does not belong together is refused. Kills, signals
# and other faults: tests/faults.
cp "$here/../faults/run.lua" .
numbers() { grep -hv '^#' first.csv moments.csv second.csv; }
"$bmsim" --threads 1 run.lua 2> stderr || fail "exit status $?"
numbers > whole

# Parts by processes of their own.
rm *.csv
for round in 1 2 3; do
  for part in 1 2 3; do
    "$bmsim" --threads 1 --checkpoint parts --part $part/3 run.lua 2> stderr || { cat stderr >&2; fail "part $part"; }
  done
done
numbers > resumed
cmp -s whole resumed || fail "the parts give other numbers"
"$bmsim" checkpoint parts > stdout || fail "exit status $?"
expect_text stdout "12 of 12 shares done"
sed 's/paths = 4000/memory = 10000, &/' run.lua > pieces.lua
"$bmsim" --threads 1 --checkpoint pieces pieces.lua 2> stderr || { cat stderr >&2; fail "exit status $?"; }
numbers > in_pieces
cmp -s whole in_pieces || fail "pieces give other numbers"
"$bmsim" checkpoint pieces > stdout || fail "exit status $?"
expect_text stdout "12 of 12 shares done"
! grep -q "pieces of" stdout || fail "pieces of what is done are shown: $(cat stdout)"

# What does not belong together.
refused() {
  local want=$1 text=$2
  shift 2
  status=0
  "$bmsim" "$@" 2> stderr || status=$?
  [ "$status" = "$want" ] || { cat stderr >&2; fail "$*: exit status $status"; }
  expect_text stderr "$text"
}
cp run.lua other.lua
echo "-- another script" >> other.lua
refused 1 "was begun with another script, which differs in line 20" --checkpoint parts other.lua
refused 1 "was begun with another command line: script: \"run.lua\"; now it is script: \"run.lua\", seed: \"2\"; give" \
  --checkpoint parts --seed 2 run.lua
refused 2 "--part needs --checkpoint" --part 1/2 run.lua
refused 2 "--part: must be K/N with 1 <= K <= N" --checkpoint parts --part 4/3 run.lua
refused 2 "--checkpoint-every: must be a number >= 0" --checkpoint parts --checkpoint-every soon run.lua
refused 1 "cannot make the directory" --checkpoint run.lua/below run.lua
refused 1 "is not a directory" checkpoint nothing
# A damaged record is computed again, and said to be.
printf 'X' | dd of=parts/part-1-of-3.journal bs=1 seek=700 conv=notrunc 2> dd_stderr
"$bmsim" --threads 1 --checkpoint parts run.lua 2> stderr || fail "exit status $?"
expect_text stderr "damaged place"
numbers > resumed
cmp -s whole resumed || fail "a damaged journal gives other numbers"
