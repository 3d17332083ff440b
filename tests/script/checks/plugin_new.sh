# A folder of three files, with the name in them and no placeholder left; nothing is ever overwritten.
for kind in noise potential drive; do
  "$bmsim" plugin new $kind my_$kind > stdout || fail "exit status $?"
  expect_text stdout "my_$kind/my_$kind.cc"
  [ "$(ls my_$kind | tr '\n' ' ')" = "CMakeLists.txt my_$kind.cc test.lua " ] || fail "files: $(ls my_$kind)"
  ! grep -r '@' my_$kind || fail "a placeholder is left"
  expect_text my_$kind/my_$kind.cc "BM_$(tr a-z A-Z <<< $kind)"
  expect_text my_$kind/CMakeLists.txt "bmsim_add_plugin(my_$kind my_$kind.cc)"
  expect_text my_$kind/test.lua "bm.$kind.my_$kind"
done
refused() {
  local expected=$1 text=$2 status=0
  shift 2
  "$bmsim" plugin new "$@" > stdout 2> stderr || status=$?
  [ "$status" = "$expected" ] || fail "plugin new $*: exit status $status, expected $expected"
  expect_text stderr "$text"
}
echo precious > my_noise/my_noise.cc
refused 1 "cannot make the folder 'my_noise': it is there already, and nothing is overwritten" noise my_noise
[ "$(cat my_noise/my_noise.cc)" = precious ] || fail "my_noise.cc was overwritten"
echo precious > file
refused 1 "cannot make the folder 'file': " drive file
mkdir elsewhere
"$bmsim" plugin new drive one --directory elsewhere > stdout || fail "exit status $?"
[ -f elsewhere/one/one.cc ] || fail "--directory is not heeded"
refused 1 "cannot make the folder 'nowhere/one': No such file or directory" drive one --directory nowhere
"$bmsim" plugin new potential pair --several > stdout || fail "exit status $?"
expect_text pair/pair.cc "BM_HOST_SEVERAL(2, Values)"
expect_text pair/test.lua "bm.potential.pair"
! grep -r '@' pair || fail "a placeholder is left"
refused 2 "--several is for a potential, got 'noise'" noise many --several
refused 2 "the kind must be noise, potential or drive, got 'field'" field one
refused 2 "the name must be an identifier (letters, digits, '_'), got '9lives'" noise 9lives
refused 2 "the name must be an identifier (letters, digits, '_'), got '../up'" noise ../up
