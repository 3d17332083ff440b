# Sourced by programs of three arguments, PROGRAM FAILING_IO short|long, which work in an empty directory: rows of a
# table of faults. How often one was
#   tried
#   lost   the command did not come to its end, or left files behind
#   wrong  another number, a crash, a torn file, no message that names the file
#   hung   no end within a minute
set -u
program=$(realpath "$1")
failing_io=$(realpath "$2")
length=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
elsewhere=$(mktemp -d) # for results that files of $work do not take
trap 'rm -rf "$work" "$elsewhere"; kill $(jobs -p) 2> /dev/null' EXIT
cd "$work"
RANDOM=${FAULTS_SEED:-1}

total=0
# many SHORT LONG: how often a fault is tried.
many() { [ "$length" = long ] && echo "$2" || echo "$1"; }
head_of_table() { printf '| fault | tried | lost | wrong | hung |\n|---|---|---|---|---|\n'; }
# begin NAME: a row. Calls afresh, which removes what runs have left.
begin() { tried=0 lost=0 wrong=0 hung=0 name=$1; afresh; }
report() {
  printf '| %s | %d | %d | %d | %d |\n' "$name" $tried $lost $wrong $hung
  total=$((total + lost + wrong + hung))
}
say() { echo "$name, try $tried: $*" >&2; [ -s stderr ] && tail -n 3 stderr >&2; }
is_lost() { lost=$((lost + 1)); say "$*"; }
is_wrong() { wrong=$((wrong + 1)); say "$*"; }
is_hung() { hung=$((hung + 1)); say "$*"; }
# A status after a fault: hung, a crash, or an end.
judge() {
  case $1 in
    124 | 137) is_hung "hung" ;;
    132 | 134 | 135 | 136 | 139) is_wrong "crashed with status $1" ;;
  esac
}
