# bmsim help prints pages of the reference, by names and by values of the library; bmsim docs says where they are.
expect_help() {  # NAME TEXT: the page has this text
  "$bmsim" help "$1" > page 2> stderr || fail "help $1: exit status $?: $(cat stderr)"
  [ ! -s stderr ] || fail "help $1: on stderr: $(cat stderr)"
  expect_text page "$2"
}
expect_no_help() {  # NAME MESSAGE
  local status=0
  "$bmsim" help "$1" > page 2> stderr || status=$?
  [ "$status" = 1 ] || fail "help $1: exit status $status"
  [ ! -s page ] || fail "help $1: on stdout: $(cat page)"
  [ "$(cat stderr)" = "$2" ] || { cat stderr >&2; fail "help $1: not '$2'"; }
}

# One page under all its names.
for topic in bm.run run; do expect_help "$topic" "r = bm.run { model = "; done
for topic in observe.density bm.observe.density density; do expect_help "$topic" "The observable \`density\` is"; done
for topic in r:print r.print result.print result:print print; do
  expect_help "$topic" 'The function `r:print` prints'
done
for topic in theory.master bm.theory.master master; do expect_help "$topic" "the stationary master equation"; done
for topic in noise.poisson bm.noise.poisson poisson; do
  expect_help "$topic" "noise.poisson"
  "$bmsim" plugin describe noise.poisson | cmp - page || fail "help $topic is not what plugin describe says"
done
expect_help r "r, a result"
expect_help result "r, a result"
expect_help event.reset "sets variables to given values"
expect_help noise 'The table `bm.noise` has'
expect_help methods 'The scheme is `heun` in steps'
expect_help messages "run: paths diverge"
expect_help heun "a corrector with the mean of both"
! grep -q "Half a step of motion" page || fail "help heun goes on with another method"
expect_help walls "A wall reflects a particle"
expect_help mean_fields "A mean field, or field, is the average of a formula"
expect_help guide/events "An event sets variables to new values"
expect_help "paths diverge" "A position of some path has grown without bound"
! grep -q "does not fall" page || fail "help of a message goes on with another"
expect_help paths "records trajectories themselves"
expect_text page "independent trajectories per point"
expect_help events "The guide has a page, too: bmsim help guide/events"
expect_help spp "steps per time scale"
expect_help mass "bm.underdamped"
expect_help seed "--seed N"
expect_help transient "in [0, 1), or"  # a bracket that begins no link
expect_help dry-run "checks"
expect_help dt 'in place of `spp`'

# What has several meanings, or none.
expect_no_help plot "help: 'plot' is several: r:plot, bm.plot"
expect_no_help formula "help: 'formula' is several: bm.potential.formula, bm.drive.formula, bm.formula"
expect_no_help denisty "help: unknown name 'denisty'; did you mean 'density'?"
expect_no_help bm.rnu "help: unknown name 'bm.rnu'; did you mean 'bm.run'?"
expect_no_help mfpt "help: unknown name 'mfpt'; did you mean 'first_passage'?"
expect_no_help zzzzzzzzzzzz "help: unknown name 'zzzzzzzzzzzz'; bmsim help lists what there is"
expect_no_help ../../../etc/passwd "help: unknown name '../../../etc/passwd'; bmsim help lists what there is"

# Every topic that is listed has a page, without marks of Markdown or HTML, and within a width that can be read.
"$bmsim" help > topics || fail "exit status $?"
awk '/^Also/ { exit } /^Noises/ { lists = 1 } /^  / && !lists { print $1 } /^  / && lists { sub(/;.*/, "")
  gsub(/[, ]+/, "\n"); print }' topics | grep . > names
[ "$(wc -l < names)" -ge 100 ] || fail "only $(wc -l < names) topics"
for topic in bm.run velocity first_passage gaussian sine cosine exact auto; do
  grep -qx "$topic" names || fail "$topic is no topic"
done
while read -r topic; do
  case $topic in formula) continue ;; esac  # that of a potential and that of a drive
  "$bmsim" help "$topic" > page 2> stderr || fail "help $topic: $(cat stderr)"
  [ "$(wc -l < page)" -ge 4 ] || fail "help $topic: only $(wc -l < page) lines"
  ! "$bmsim" plugin describe "$topic" > description 2>&1 || continue  # whose lines are its own
  ! grep -nE '^#|^```|\]\(|^!\[|<[a-z/]+>|\*\*' page || fail "help $topic: there are marks in it"
  ! grep -v '^    ' page | LC_ALL=C awk '{ gsub(/[\200-\277]/, "") } length > 110' | grep . ||
    fail "help $topic: too wide"
done < names

# Values of the library.
cat > values.lua << 'END'
local bm = require "bmsim"
local help = require "bmsim.help"
local model = bm.underdamped { noise = bm.noise.gaussian {} }
local r = bm.run { model = model, paths = 16, time = 1 }
r:columns()
local function first(what)
  local write, said = io.write, {}
  io.write = function(...) for _, text in ipairs { ... } do said[#said + 1] = text end end
  local done, message = pcall(help, what)
  io.write = write
  return done and table.concat(said):match "^[^\n]*" or message
end
for _, what in ipairs { bm.run, bm.noise, bm.theory.master, bm.event.look, bm.noise.poisson, bm.noise.poisson {},
                        bm.potential.formula, bm.drive.formula { "a*cos(t)", a = 1 }, bm.observe.density,
                        bm.observe.density {}, model, bm.system { variables = { "x" } }, r, r.plot, r.column, "run", bm,
                        print, 7 } do
  print(first(what))
end
print(first())
END
"$bmsim" --quiet --device cpu values.lua > stdout || fail "exit status $?"
list=$(head -n 1 topics)
diff -u - stdout << END || fail "values"
bm.run
bm.noise
bm.theory.master
bm.event.look
$("$bmsim" plugin describe poisson | head -n 1)
$("$bmsim" plugin describe poisson | head -n 1)
bm.potential.formula
bm.drive.formula
density
density
bm.underdamped
bm.system
r, a result
r:plot
r:column
bm.run
$list
values.lua:9: help: must be given a name, or something of bm, got function
values.lua:9: help: must be given a name, or something of bm, got number
$list
END

# Where the pages are.
"$bmsim" docs > stdout || fail "docs: exit status $?"
pages=$(sed -n 's,^pages *file://,,p' stdout)
[ -s "$pages" ] || fail "docs: there is no file '$pages'"
[ -s "$(dirname "$pages")/reference/functions/run.md" ] || fail "docs: there is no reference beside '$pages'"
"$bmsim" docs run > stdout 2> stderr && fail "docs takes a word"
expect_text stderr "run"

# An install without its pages says so.
mkdir -p alone/bin alone/lib/bmsim alone/share/bmsim
cp "$(realpath "$bmsim")" alone/bin/bmsim
cp -r "$build"/lib/. alone/lib/
cp -r "$build/share/bmsim/." alone/share/bmsim/
status=0
alone/bin/bmsim help run > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "without pages: exit status $status"
expect_text stderr "help: the page reference/functions/index.md is missing in "
alone/bin/bmsim docs > stdout 2> stderr && fail "docs without pages"
expect_text stderr "docs: the pages are missing: no doc/bmsim/reference in "
