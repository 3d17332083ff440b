# No library is looked for in the current directory, or anywhere that another user may own: in the build folder, and of
# what is installed.
command -v readelf > /dev/null || { echo "no readelf: not checked"; exit 77; }
prefix=$PWD/prefix
"${CMAKE:-cmake}" --install "$build" --prefix "$prefix" > /dev/null || fail "it cannot be installed"
seen=0
while read -r file; do
  paths=$(readelf -d "$file" 2> /dev/null | sed -n 's/.*R\(UN\)\{0,1\}PATH).*\[\(.*\)\]$/\2/p')
  while read -r path; do
    case $path in
      '$ORIGIN' | '$ORIGIN/'* | "$build"/* | /usr/lib/*) ;;
      *) fail "$file looks for libraries in '$path'" ;;
    esac
    seen=$((seen + 1))
  done < <(printf '%s' "${paths:+$paths:}" | tr ':' '\n')
done < <(find "$build/bmsim" "$build/lib" "$prefix" -type f \( -perm -u+x -o -name '*.so*' \))
[ $seen -ge 2 ] || fail "only $seen search paths were seen"
# Libraries that lie here under every name that is looked for are not loaded.
echo '__attribute__((constructor)) static void here(void) { __builtin_trap(); }' | gcc -shared -fPIC -o decoy -x c -
for library in $(ldd "$bmsim" | awk '/=>/ { print $1 }') libsz.so.2 libaec.so.0; do cp decoy "$library"; done
for program in "$bmsim" "$prefix/bin/bmsim"; do
  (unset LD_LIBRARY_PATH; "$program" plugin list > /dev/null) || fail "$program has loaded a library from here"
done
