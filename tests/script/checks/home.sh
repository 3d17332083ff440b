# A home that cannot be searched, as of some services, is a warning; a FIFO is no file of settings; a script with a zero
# byte is no text.
ln -s loop loop
env -u XDG_CONFIG_HOME -u XDG_DATA_HOME HOME="$PWD/loop" "$bmsim" plugin list > stdout 2> stderr ||
  fail "a home that cannot be searched: exit status $?"
expect_text stdout "noise.poisson"
expect_text stderr "loop/.config/bmsim/config.yaml: "
# What is no file there is not waited for.
mkdir -p config/bmsim
mkfifo config/bmsim/config.yaml
status=0
XDG_CONFIG_HOME=$PWD/config timeout 20 "$bmsim" plugin list > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "a FIFO in the place of config.yaml: exit status $status"
expect_text stderr "config/bmsim/config.yaml: must be a regular file"
printf 'print "one"\nprint "two\0"\n' > zero.lua
status=0
"$bmsim" zero.lua > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "a zero byte: exit status $status"
[ ! -s stdout ] || fail "a zero byte: on stdout: $(cat stdout)"
expect_text stderr "bmsim: the script is no text: there is a zero byte in line 2"
