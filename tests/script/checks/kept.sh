# What runs gave is never lost: where a file cannot be written, and where the script fails after a long run.
cat > write.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.1, time = 1, paths = 16,
         observe = bm.observe.moments { times = { 0.5, 1 } } }:write(bm.args.file, bm.args.array)
LUA
# kept MESSAGE FILE... : the last command has failed with this message, and has made these files.
kept() {
  [ "$status" = 1 ] || fail "exit status $status"
  expect_text stderr "$1"
  shift
  for file in "$@"; do
    expect_text stderr "'$file'"
    [ -s "$file" ] || fail "no file '$file'"
    rm "$file"
  done
  [ -z "$(ls -A | grep -v -e '\.lua$' -e '^std')" ] || fail "more files: $(ls -A)"
}
write() { status=0; "$bmsim" --quiet "$@" write.lua > stdout 2> stderr || status=$?; }

write -D file=data.txt
kept "write.lua:3: output: unknown suffix '.txt' of 'data.txt'; known: .csv, .tsv, .nc; what was to be in it is in" \
  data.nc
export BMSIM_NETCDF=/nonexistent
for file in data.nc data; do
  write -D file=$file
  kept "; what was to be in it is in 'data.csv', 'data.moments_time.csv'" data.csv data.moments_time.csv \
    data.x_cumulant_{1,2,3,4}.csv
done
unset BMSIM_NETCDF
write -D file=data.nc -D array=moments_time
kept "one alone goes to .csv or .tsv, got 'data.nc'; what was to be in it is in" data.csv
ln -s /dev/full full.tsv
write -D file=full.tsv
rm full.tsv
kept "output: cannot write 'full.tsv': No space left on device; what was to be in it is in" full.2.tsv

# A script that fails: what is in no file is kept if it took more than 10 s.
cat > fails.lua <<'LUA'
local bm = require "bmsim"
local function go(paths)
  return bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1000, paths = paths,
                  check_step = false }
end
local all, took = { go(96) }, 0
while bm.args.long and took < 10.5 do
  all[#all + 1] = go(bm.args.long)
  took = took + all[#all].info.seconds
end
go(192):write "written.csv"
all[1]:plot { x = "gaussian.D", y = "velocty", file = "a.svg" }
LUA
fails() { status=0; "$bmsim" --quiet "$@" fails.lua > stdout 2> stderr || status=$?; rm -f written.csv; }
message="fails.lua:12: result: unknown column 'velocty'"
fails
kept "$message"
[ "$(wc -l < stderr)" = 1 ] || fail "more than one message: $(cat stderr)"
fails -D long=30000
expect_text stderr "bmsim: results of this script that were in no file are kept in 'fails.kept.nc', 'fails.kept.2.nc'"
"$bmsim" show fails.kept.2.nc > shown || fail "show: exit status $?"
expect_text shown "velocity"
[ "$(ls fails.kept*.nc | wc -l)" -gt 1 ] || fail "kept: $(ls)"
rm fails.kept*.nc shown
kept "$message"
