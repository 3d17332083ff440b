# The prompt on a terminal: lines are edited, kept and completed, Ctrl-C and Ctrl-D do what they should.
command -v python3 > /dev/null || { echo "no python3: not checked"; exit 77; }
python3 -c 'import pty; pty.openpty()' 2> /dev/null || { echo "no pseudo-terminals here: not checked"; exit 77; }
cases=(several_lines leaving interrupting simple_terminal)
if grep -q 'BMSIM_LIBEDIT:BOOL=ON' "$build/CMakeCache.txt" && grep -q 'LIBEDIT_FOUND:.*=1' "$build/CMakeCache.txt"; then
  cases+=(editing remembered together completing resized stopped)
fi
# With sanitizers: libedit leaves two texts of its own (wcsdup) behind.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
for case in "${cases[@]}"; do
  export HOME=$PWD/$case XDG_STATE_HOME=$PWD/$case/state
  mkdir "$case"
  python3 "$here/checks/prompt_terminal.py" "$bmsim" "$case" > said 2>&1 || fail "$case: $(cat said)"
done
