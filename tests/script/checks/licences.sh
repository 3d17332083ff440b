# An install has the licence of every library that it carries, with the texts that it refers to, and docs/licences.md
# names the package. Which they are depends on the machine.
command -v dpkg-query > /dev/null || { echo "no packages of Debian: not checked"; exit 77; }
prefix=$PWD/prefix doc=$PWD/prefix/share/doc/bmsim
"${CMAKE:-cmake}" --install "$build" --prefix "$prefix" > stdout 2>&1 || { cat stdout >&2; fail "no install"; }
expect_text "$doc/LICENSE" "MIT License"
if grep "There is no Debian package" stdout; then fail "a library has no licence"; fi
mapfile -t carried < <(find "$prefix/lib" -maxdepth 1 -type f -name 'lib*.so*' ! -name 'libbmsim*' -printf '%f\n')
[ ${#carried[@]} -ge 4 ] || fail "only these libraries are carried: ${carried[*]}"
originals=()
for library in "${carried[@]}"; do originals+=({/usr,}/lib/*/"$library"); done
dpkg-query -S "${originals[@]}" > owners 2> /dev/null || true
for library in "${carried[@]}"; do
  package=$(sed -n "s|^\([^:,]*\).*/$library\$|\1|p" owners | head -n 1)
  [ -s "$doc/licences/${package:-none}" ] || fail "$library has no licence: '$package' is not in $(ls "$doc/licences")"
done
while read -r text; do
  [ -s "$doc/licences/$text" ] || fail "$text is not there"
done < <(grep -hoE 'common-licenses/[A-Z0-9][A-Za-z0-9-]*(\.[0-9]+)*' "$doc"/licences/lib* | sort -u)
. /etc/os-release
[ "${ID-} ${VERSION_ID-}" = "debian 12" ] || exit 0
while read -r package version source _; do
  [ -n "$source" ] || fail "$package $version: its source is not known"
  expect_text "$doc/licences.md" "\`$package\`"
done < <(tail -n +2 "$doc/licences/packages")
