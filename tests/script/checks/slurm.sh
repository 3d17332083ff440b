# The job scripts of docs/cluster.md, run by Slurm: daemons of this test's own, two nodes with four pretended GPUs each,
# all on this machine. A job with a time limit, one with ranks, an array: each is ended early and goes on, and gives the
# bits of a run that was not.
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip "Slurm's daemons here need root"
for program in slurmctld slurmd munged sbatch srun scancel scontrol squeue sinfo; do
  command -v $program > where || skip "no $program"
done
page=$here/../../docs/cluster.md

# Whoever runs the tests may do so in a job of a Slurm of their own.
unset ${!SLURM*} ${!SBATCH*} ${!SRUN*} ${!OMPI_*} ${!PMI*}
export SLURM_CONF=$work/slurm.conf TMPDIR=$work/tmp PATH=$(dirname "$bmsim"):$PATH

# Processes that have this SLURM_CONF in their environment: daemons, steps, and what runs in them.
ours() { grep -slzxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | grep -oE '[0-9]+' || true; }
end_daemons() {
  local pid tries
  scancel --user=root > cancelled 2>&1 || true
  for tries in $(seq 25); do
    [ -n "$(squeue --noheader 2> squeue_stderr)" ] || break
    sleep 0.2
  done
  # Children of the loop are among them: those have gone when kill asks for them.
  for pid in $(ours); do kill "$pid" 2> kill_stderr || true; done
  sleep 0.5
  for pid in $(ours); do kill -9 "$pid" 2> kill_stderr || true; done
  wait 2> wait_stderr || true
}
trap 'end_daemons; cd /; rm -rf "$work" "$work".*' EXIT

fail() {
  local log
  for log in "$work"/*.log "$work"/*/slurm-*.out; do
    [ ! -s "$log" ] || grep -qs "part [0-9/]* is done" "$log" || { echo "--- $log"; tail -n 15 "$log"; }
  done >&2
  echo "$name: $*" >&2
  exit 1
}
# until_true SECONDS COMMAND...: waits until the command succeeds.
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "in vain: $*"
    sleep 0.2
  done
}

# until_up COMMAND...: the same for daemons. One that does not start in a place like this says nothing about bmsim.
until_up() {
  local end=$((SECONDS + 20))
  until "$@"; do
    [ $SECONDS -lt $end ] || { tail -n 5 "$work"/*.log; skip "Slurm's daemons do not start here: $*"; }
    sleep 0.2
  done
}

# Three ports that nobody listens to, below those that systems give out.
taken() { (: < "/dev/tcp/127.0.0.1/$1") 2> taken_stderr; }
port=$((20000 + RANDOM % 10000))
while taken $port || taken $((port + 1)) || taken $((port + 2)); do port=$((20000 + RANDOM % 10000)); done

mkdir tmp tmp.n1 tmp.n2 state spool.n1 spool.n2
for gpu in 0 1 2 3; do ln -s /dev/null gpu$gpu; done
host=$(uname -n)
host=${host%%.*}
cat > slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=/bin/true
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
TmpFS=$work/tmp.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
GresTypes=gpu
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=16 Gres=gpu:4
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
echo "NodeName=n[1-2] Name=gpu File=$work/gpu[0-3]" > gres.conf
head -c 128 /dev/urandom > munge.key
chmod 400 munge.key
munged --foreground --force --num-threads=2 --key-file="$work/munge.key" --socket="$work/munge.socket" \
  --pid-file="$work/munge.pid" --seed-file="$work/munge.seed" --log-file="$work/munge.log" > munged.log 2>&1 &
until_up [ -S munge.socket ]
slurmctld -D > slurmctld.out 2>&1 &
until_up grep -qs "Running as primary controller" slurmctld.log
for node in n1 n2; do slurmd -D -N $node > $node.out 2>&1 & done
idle() { [ "$(sinfo --noheader --format=%T 2> sinfo_stderr)" = idle ]; }
until_up idle

# The scripts of the page, by what they ask for.
mkdir page
awk '/^```sh$/ { code = 1; first = 1; next } /^```$/ { code = 0 }
  code && first { file = ""; first = 0; if (/^#!\/bin\/bash$/) file = "page/" ++n }
  code && file != "" { print > file }' "$page"
job_script() { # NAME TEXT
  [ "$(grep -lF -- "$2" page/* | wc -l)" = 1 ] || fail "$page has not one job script with $2"
  mkdir "$1"
  cp "$(grep -lF -- "$2" page/*)" "$1/job.sh"
  cp fig3a.lua "$1"
}
# Two runs. Between them the script waits while there is a file "stall"; part 7 of an array does before it begins.
cat > fig3a.lua <<'LUA'
local bm = require "bmsim"
local function stall()
  while true do
    local file = io.open "stall"
    if not file then return end
    file:close()
    os.execute "sleep 0.1"
  end
end
local part = os.getenv "SLURM_ARRAY_TASK_ID"
if part == "7" then stall() end
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
bm.run {
  model = model, paths = 6000, time = 60, dt = 0.01, sweep = { { "force", bm.linspace(0, 1, 32) } },
  observe = { "velocity", bm.observe.moments { count = 4 } }, check_step = false, device = "cpu",
  output = "first.csv", overwrite = true,
}
if not part then stall() end
bm.run {
  model = model, paths = 6000, time = 60, dt = 0.01, sweep = { { "force", bm.linspace(1, 2, 8) } },
  observe = { "velocity", "diffusion" }, check_step = false, device = "cpu",
  output = "second.csv", overwrite = true,
}
LUA
job_script limit --signal=B:TERM
job_script ranks --nodes=2
job_script array --array=1-16
numbers() { grep -hv '^#' "$@/first.csv" "$@/second.csv"; }
mkdir whole
(cd whole && "$bmsim" --quiet --threads 1 ../fig3a.lua 2> stderr) || { cat whole/stderr >&2; fail "exit status $?"; }
numbers whole > numbers

submit() { # NAME OPTION...: the job's number
  local directory=$1
  shift
  (cd "$directory" && sbatch --parsable "$@" job.sh) || fail "sbatch $*"
}
shown() { scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | sort -u; } # JOB FIELD
begun() { compgen -G "$1/kept/*.journal" > where; }
# waits_again JOB RESTARTS: it ran, ended with status 75 and has gone back into the queue.
waits_again() { [ "$(shown "$1" JobState)" = PENDING ] && [ "$(shown "$1" Restarts)" = "$2" ]; }
completed() {
  local state
  state=$(shown "$1" JobState)
  [[ ! $state =~ FAIL|CANCELLED|TIMEOUT ]] || fail "job $1 has ended: $state, status $(shown "$1" ExitCode)"
  [ "$state" = COMPLETED ]
}
# start_again JOB MINUTES: with this limit, and without the two minutes in the queue. Not in the second in which the job
# has ended: until then a node refuses it.
start_again() { sleep 2; scontrol update jobid="$1" timelimit="$2" starttime=now; }

# Ranks, started by srun on one of the nodes, and by mpirun on both: srun and Open MPI 4.1 on several nodes now and then
# crash in MPI_Init, where a rank may get a message before it can take it. Two nodes that are one machine would share
# files of shared memory: ranks talk through sockets. They have more ranks than cores, too.
jobs=(limit)
mpi=
[ ! -e "$build/lib/libbmsim_mpi.so" ] || mpi=$build/lib/libbmsim_mpi.so
if [ -z "$mpi" ]; then
  echo "no MPI: jobs with ranks are not tested"
else
  ! srun --mpi=list 2>&1 | grep -qw pmix || jobs+=(ranks)
  [ ${#jobs[@]} = 2 ] || echo "this Slurm does not know PMIx: srun is not tested"
  ! command -v mpirun > where || jobs+=(mpirun)
fi
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir mpirun
sed 's/srun --mpi=pmix/mpirun/; s/ --gpus-per-node=4//' ranks/job.sh > mpirun/job.sh
cp fig3a.lua mpirun

# What ranks see of the GPUs.
seen() {
  srun --quiet --nodes=2 --ntasks-per-node=4 "$1" printenv CUDA_VISIBLE_DEVICES | sort | uniq -c | tr -s ' \n' ' '
}
[ "$(seen --gpus-per-node=4)" = " 8 0,1,2,3 " ] || fail "--gpus-per-node=4 shows ranks $(seen --gpus-per-node=4)"
[ "$(seen --gpus-per-task=1)" = " 2 0 2 1 2 2 2 3 " ] || fail "--gpus-per-task=1 shows ranks $(seen --gpus-per-task=1)"

# Each is ended twice. First by somebody, in the midst of a run. Then, with a limit of two minutes, by Slurm, as soon as
# it looks for jobs to signal, which it does every 30 s. The array runs while they wait for that.
declare -A job signal=([limit]=TERM [ranks]=USR1 [mpirun]=USR1)
declare -A size=([limit]= [ranks]="--nodes=1 --ntasks-per-node=8" [mpirun]=)
for kind in "${jobs[@]}"; do
  touch $kind/stall
  job[$kind]=$(submit $kind --time=60 --signal=B:${signal[$kind]}@119 ${size[$kind]})
  until_true 180 begun $kind
  sleep 0.2
  scancel --batch --signal=${signal[$kind]} ${job[$kind]}
  until_true 180 waits_again ${job[$kind]} 1
  start_again ${job[$kind]} 2
done

# An array, of which a part is killed.
touch array/stall
job[array]=$(submit array)
others_done() { [ "$(squeue --noheader --array --jobs="${job[array]}" --format=%K-%T)" = 7-RUNNING ]; }
until_true 180 others_done
scancel "${job[array]}_7"
killed() { [ -z "$(squeue --noheader --jobs="${job[array]}")" ]; }
until_true 180 killed
[ "$(shown "${job[array]}" JobState | tr '\n' ' ')" = "CANCELLED COMPLETED " ] || fail "the array did not end well"
[ ! -e array/first.csv ] || fail "a part was left out, and yet there is a result"
"$bmsim" checkpoint array/kept > stdout || fail "exit status $?"
expect_text stdout "30 of 32"
rm array/stall
job[array]=$(submit array --array=7)
until_true 180 completed "${job[array]}"
[ -e array/first.csv ] || fail "all parts are there, and no result"
# Submitted again for the second run of the script.
job[array]=$(submit array)
until_true 180 completed "${job[array]}"
numbers array > parts
cmp -s numbers parts || fail "an array gives other numbers"

for kind in "${jobs[@]}"; do
  until_true 180 waits_again ${job[$kind]} 2
  rm $kind/stall
  start_again ${job[$kind]} 60
done
for kind in "${jobs[@]}"; do
  until_true 180 completed ${job[$kind]}
  numbers $kind > resumed
  cmp -s numbers resumed || fail "$kind: a number has changed"
  expect_text $kind/slurm-${job[$kind]}.out "the same command goes on"
  [ $kind = limit ] || [ "$(ls $kind/kept/*.journal | wc -l)" = 8 ] || fail "$kind: not 8 ranks"
done
