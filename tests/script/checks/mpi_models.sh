# Models of every kind, each asked for in another way, give the same bits on 1, 2, 3 and 8 ranks, and without MPI.
lib=$(dirname "$bmsim")/lib/libbmsim_mpi.so
[ -e "$lib" ] || exit 0
own=openmpi
ldd "$lib" | grep -q libmpich && own=mpich
mpirun=$(command -v mpirun.$own || command -v mpirun) || exit 0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 BMSIM_MPI=$lib
models=$(dirname "$bmsim")/tests/physics/test_physics_divided
[ -e "$models" ] || fail "no $models"
run_models() { "$@" "$models" -ns -tc="*any number of ranks*" > stdout 2>&1 || { cat stdout >&2; fail "$*"; }; }
BMSIM_RANKS_WRITE=alone run_models env
[ "$(wc -l < alone)" -ge 30 ] || fail "only $(wc -l < alone) models"
for n in 1 2 3 8; do
  BMSIM_RANKS_WRITE=ranks run_models "$mpirun" -n $n
  cmp -s alone ranks || fail "$n ranks give other numbers"
  rm ranks
done
